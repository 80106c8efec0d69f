/** Keeps a failure of the package send, which works in callbacks of the file system, in its response. §2.11 */
import fs, { type ReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { SendStream } from 'send';
import { isError } from '../internal/error-code';

/** A stream of the package send, with members that @types/send lacks. */
export type Sending = SendStream & { res: ServerResponse; [kFailed]?: boolean };

// The key of the SendStream property that says whether it has called its listeners for `error`.
const kFailed: unique symbol = Symbol('nozomi.failed');

/** Members that replace those of a SendStream. */
export const guards: Pick<SendStream, 'send' | 'error' | 'stream'> = {
  /** Emits `error` if the response cannot be prepared, for example because of an invalid header. */
  send: guarded('send'),

  error(this: Sending, ...args: Parameters<SendStream['error']>): void {
    this[kFailed] = true;
    native(this).error.apply(this, args);
  },

  stream(this: Sending, path: string, options?: Partial<Extent>): void {
    let source: ReadStream | undefined;
    this.once('stream', (created: ReadStream) => {
      source = created;
      guardSource(created, this.res, options);
    });
    try {
      native(this).stream.call(this, path, options);
    } catch (err) {
      // For example, an application has replaced `res.once`, which `pipe` calls.
      source?.destroy();
      throw err;
    }
  },
};

/** Returns a method that calls the one of the package send, and emits `error` for an exception. */
export function guarded<Name extends 'send' | 'redirect'>(name: Name): SendStream[Name] {
  return function (this: Sending, ...args: unknown[]): void {
    try {
      Reflect.apply(native(this)[name], this, args);
    } catch (err) {
      // A listener for `error` has thrown: its exception belongs to the application.
      if (this[kFailed]) throw err;
      this.emit('error', err || new Error('Failed to send the file'));
    }
  };
}

/** Returns the original methods of a stream. */
export function native(sending: SendStream): SendStream {
  return Object.getPrototypeOf(sending);
}

const { createReadStream, open, read, stat } = fs;

/** Whether code has replaced a function that send or a read stream calls, to serve files from elsewhere. */
export function isFileSystemReplaced(): boolean {
  return fs.createReadStream !== createReadStream || fs.stat !== stat || fs.open !== open || fs.read !== read;
}

/** A range of bytes: the positions of the first and the last byte. */
export interface Extent {
  start: number;
  end: number;
}

/** Destroys the response, as `pipe` does since Node.js 24, if writing to it throws, or if the file is too short. */
function guardSource(source: ReadStream, res: ServerResponse, options: Partial<Extent> = {}): void {
  const { emit } = source;
  source.emit = (...args: unknown[]): boolean => {
    const [event] = args;
    if (event !== 'data' && event !== 'end') return Reflect.apply(emit, source, args);
    if (event === 'end' && isCutShort(res, source.bytesRead, options)) {
      source.unpipe(res);
      disconnect(res);
    }
    try {
      return Reflect.apply(emit, source, args);
    } catch (err) {
      // The response has ended, so that a listener of the application has thrown.
      if (res.writableEnded) throw err;
      destroy(res, err);
      return true;
    }
  };
}

/**
 * Whether the file has become shorter than the length that the response has announced, on a connection for further
 * requests. A response with another `Content-Length` is changed by the application, for example compressed. A stand-in
 * for a socket carries no further response.
 *
 * @param sent The number of bytes that were read.
 */
export function isCutShort(
  res: ServerResponse,
  sent: number,
  { start = 0, end = 0 }: Partial<Extent>,
): boolean {
  const length = end - start + 1;
  return (
    sent < length &&
    res.shouldKeepAlive &&
    Number(res.getHeader('Content-Length')) === length &&
    (!res.socket || 'destroySoon' in res.socket)
  );
}

/** Closes the connection after the written bytes, so that the client reads no next response as a rest of this. */
export function disconnect(res: ServerResponse): void {
  // Without a socket, the response waits for an earlier one on its connection.
  if (res.socket) res.socket.destroySoon();
  else res.destroy();
}

export function destroy(res: ServerResponse, err: unknown): void {
  res.destroy(isError(err) ? err : undefined);
}
