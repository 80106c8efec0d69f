/** File responses: `sendFile`, `download`. §4.5, §2.9 */
import { basename, isAbsolute, resolve } from 'node:path';
import type { SendFileOptions } from 'express-serve-static-core';
import type { SendStream } from 'send';
import type { AnyResponse, Part, Response } from '../types';
import { lazy } from '../wire/lazy';
import { isEnabled } from '../wire/setting';

const disposition = lazy<typeof import('content-disposition')>(() => require('content-disposition'));
const onFinished = lazy<typeof import('on-finished')>(() => require('on-finished'));
const sendStream = lazy<typeof import('send')>(() => require('send'));

/** Called once: with an error, or without one when the file was sent. */
export type Done = (err?: NodeJS.ErrnoException) => void;

/** The file name of a download. If it is omitted, the argument is the options or the callback. */
export type Filename = string | SendFileOptions | Done | null | undefined;

export const file: Part<Response, 'sendFile' | 'download'> = {
  /**
   * Sends a file, with the content type of its extension. Without a callback an error goes to `next`, unless the
   * client has disconnected; for a folder `next` is called without an error.
   *
   * @throws {TypeError} for a path that is missing, not a string, or relative without `root`.
   */
  sendFile(path: string, options?: SendFileOptions | Done, callback?: Done) {
    if (!path) throw new TypeError('path argument is required to res.sendFile');
    if (typeof path !== 'string') throw new TypeError('path must be a string to res.sendFile');
    const done = typeof options === 'function' ? options : callback;
    const given: SendFileOptions = (typeof options === 'function' ? undefined : options) || {};
    if (!given.root && !isAbsolute(path)) {
      throw new TypeError('path must be absolute or specify root to res.sendFile');
    }

    const { next } = this.req;
    const pathname = encodeURI(path);
    given.etag = isEnabled(this.app, 'etag');
    // `send` applies the other options: `maxAge`, `immutable`, `lastModified` and so on.
    const stream = sendStream()(this.req, pathname, given);
    transfer(this, stream, given, (err) => {
      if (done) done(err);
      else if (err?.code === 'EISDIR') next();
      else if (err && err.code !== 'ECONNABORTED' && err.syscall !== 'write') next(err);
    });
  },

  /** Sends a file for the client to save, under its own name or another. */
  download(path: string, filename?: Filename, options?: SendFileOptions | Done, callback?: Done) {
    const given = downloadArguments(filename, options, callback);
    const headers: Record<string, unknown> = {
      'Content-Disposition': disposition().create(basename(given.filename || path)),
    };
    for (const [name, value] of Object.entries(given.options?.headers || {})) {
      if (name.toLowerCase() !== 'content-disposition') headers[name] = value;
    }
    // A new object, because Express does not modify the caller's options either.
    const inherited: SendFileOptions = Object.assign(Object.create(given.options), { headers });
    return this.sendFile(inherited.root ? path : resolve(path), inherited, given.callback);
  },
};

/** Sorts out the arguments `filename`, `options` and `callback`, each of which is optional. */
export function downloadArguments(
  filename: Filename,
  options: SendFileOptions | Done | undefined,
  callback: Done | undefined,
): { filename?: string; options: SendFileOptions | null; callback: Done | undefined } {
  if (typeof filename === 'function') return { options: null, callback: filename };
  const isCalledBack = typeof options === 'function';
  const done = isCalledBack ? options : callback;
  if (typeof filename === 'object' && (isCalledBack || options === undefined)) {
    return { options: filename, callback: done };
  }
  // As in Express, `basename` throws for a `filename` that is neither a string nor falsy.
  return { filename: filename as string, options: isCalledBack ? null : options || null, callback: done };
}

/** Pipes the file into the response. It calls `callback` once, with an error or on success. */
export function transfer(
  res: AnyResponse,
  stream: SendStream,
  options: SendFileOptions,
  callback: Done,
): void {
  let isDone = false;
  let isStreaming: boolean | undefined;
  const done: Done = (err) => {
    if (isDone) return;
    isDone = true;
    callback(err);
  };

  stream.on('directory', () => done(errorOf('EISDIR', 'EISDIR, read')));
  stream.on('end', () => done());
  stream.on('error', done);
  stream.on('file', () => {
    isStreaming = false;
  });
  stream.on('stream', () => {
    isStreaming = true;
  });
  onFinished()(res, (err: NodeJS.ErrnoException | null) => {
    if (isDone) return;
    if (err) return done(err.code === 'ECONNRESET' ? aborted() : err);
    // Later, because events of the file that are already queued take precedence.
    setImmediate(() => isDone || done(isStreaming === false ? undefined : aborted()));
  });
  const { headers } = options;
  if (headers) {
    stream.on('headers', (response: AnyResponse) => {
      // Node.js validates the header values of the application.
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    });
  }
  stream.pipe(res);
}

function aborted(): NodeJS.ErrnoException {
  return errorOf('ECONNABORTED', 'Request aborted');
}

function errorOf(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}
