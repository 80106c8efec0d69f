/** What Node.js has removed and Express 3 still uses, for comparisons with Express 3 on each version of Node.js. */
import { OutgoingMessage } from 'node:http';
import os from 'node:os';

/** Restores os.tmpDir(), which libraries of Express 3 call. */
export function restoreTmpDir(): void {
  Object.assign(os, { tmpDir: os.tmpdir });
}

/**
 * Restores `res._headers`, which Node.js 24 has removed. Express 3 reads the headers of conditional and partial responses
 * from it, and removes all headers by setting it to null.
 *
 * @returns A function that removes it again.
 */
export function restoreHeaders(): () => void {
  const { prototype } = OutgoingMessage;
  if ('_headers' in prototype) return () => {};
  const kOutHeaders = Object.getOwnPropertySymbols(new OutgoingMessage()).find(
    ({ description }) => description === 'kOutHeaders',
  );
  Object.defineProperty(prototype, '_headers', {
    configurable: true,
    get(this: OutgoingMessage) {
      return this.getHeaders();
    },
    set(this: OutgoingMessage, value: null) {
      if (kOutHeaders) Reflect.set(this, kOutHeaders, value);
    },
  });
  return () => void Reflect.deleteProperty(prototype, '_headers');
}
