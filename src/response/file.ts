/** The methods that send files: `res.sendFile` and `res.download`. §4.5, §2.9 */
import { resolve } from 'node:path';
import type { SendFileOptions } from 'express-serve-static-core';
import onFinished from 'on-finished';
import type { SendStream } from 'send';
import sendStream from 'send';
import { guards } from '../http/guarded-stream';
import { isEnabled } from '../internal/setting';
import { express5, type FileRules } from '../series';
import type { AnyRequest, AnyResponse, Next, Part, Response } from '../types';

/** Called once: with an error, or without one when the file was sent. */
export type Done = (err?: NodeJS.ErrnoException) => void;

/** The second argument of `res.download`: the file name, or the options or the callback if there is no file name. */
export type Filename = string | SendFileOptions | Done | null | undefined;

/** Creates the stream that sends a file. */
type OpenFile = (res: AnyResponse, path: string, options: SendFileOptions) => SendStream;

interface FileResponse extends AnyResponse {
  req: AnyRequest & { next: Next };
  sendFile(path: string, options: SendFileOptions, callback?: Done): void;
}

type FileMethods = {
  sendFile(path: string, options?: SendFileOptions | Done, callback?: Done): void;
  download(path: string, filename?: Filename, options?: SendFileOptions | Done, callback?: Done): void;
};

export function fileMethods<Res extends FileResponse>(
  rules: FileRules,
  open: OpenFile,
): ThisType<Res> & FileMethods {
  return {
    /**
     * Sends a file with the content type of its extension. Without a callback, a failure calls `next`: for a directory
     * without an error, otherwise with the error. `next` is not called if the client has disconnected or a write failed.
     *
     * @throws {TypeError} if the path is missing, is not a string, or is relative and `root` is not set.
     */
    sendFile(path, options, callback) {
      if (!path) throw new TypeError('path argument is required to res.sendFile');
      if (typeof path !== 'string') throw new TypeError('path must be a string to res.sendFile');
      const { root } = (typeof options === 'function' ? undefined : options) || {};
      if (!root && !rules.isAbsolute(path))
        throw new TypeError('path must be absolute or specify root to res.sendFile');
      sendPath(this, encodeURI(path), options, callback, open);
    },

    /**
     * Sends a file that the browser saves.
     *
     * @param filename The name that the browser suggests; default: the name of the file. May also be the options or the
     * callback.
     */
    download(path, filename, options, callback) {
      const given = downloadArguments(filename, options, callback);
      const headers: Record<string, unknown> = {
        'Content-Disposition': rules.toDisposition(given.filename || path),
      };
      for (const [name, value] of Object.entries(given.options?.headers || {})) {
        if (name.toLowerCase() !== 'content-disposition') headers[name] = value;
      }
      // A new object, because `res.download` must not change the options of the application.
      const inherited: SendFileOptions = Object.assign(Object.create(given.options), { headers });
      return this.sendFile(inherited.root ? path : resolve(path), inherited, given.callback);
    },
  };
}

export const file: Part<Response, 'sendFile' | 'download'> = fileMethods<Response>(
  express5.response,
  ({ app, req }, path, options) => {
    options.etag = isEnabled(app, 'etag');
    // The package send handles the other options: `maxAge`, `immutable`, `lastModified` and so on.
    return sendStream(req, path, options);
  },
);

/** Sends the file of a percent-encoded path, and calls `callback` or `next`. */
export function sendPath(
  res: FileResponse,
  path: string,
  options: SendFileOptions | Done | undefined,
  callback: Done | undefined,
  open: OpenFile,
): void {
  const done = typeof options === 'function' ? options : callback;
  const given: SendFileOptions = (typeof options === 'function' ? undefined : options) || {};
  const { next } = res.req;
  transfer(res, open(res, path, given), given, (err) => {
    if (done) done(err);
    else if (err?.code === 'EISDIR') next();
    else if (err && err.code !== 'ECONNABORTED' && err.syscall !== 'write') next(err);
  });
}

/** Finds out which arguments of `res.download` are the file name, the options and the callback. Each is optional. */
function downloadArguments(
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
  // A cast: as in Express, `basename` throws if `filename` is truthy and not a string.
  return { filename: filename as string, options: isCalledBack ? null : options || null, callback: done };
}

/** Pipes a file into the response. Calls `callback` once: with an error, or without one after success. */
function transfer(res: AnyResponse, stream: SendStream, options: SendFileOptions, callback: Done): void {
  let isDone = false;
  let isStreaming: boolean | undefined;
  const done: Done = (err) => {
    if (isDone) return;
    isDone = true;
    callback(err);
  };

  Object.assign(stream, guards);
  stream.on('directory', () => done(errorOf('EISDIR', 'EISDIR, read')));
  stream.on('end', () => done());
  stream.on('error', done);
  stream.on('file', () => {
    isStreaming = false;
  });
  stream.on('stream', () => {
    isStreaming = true;
  });
  onFinished(res, (err: NodeJS.ErrnoException | null) => {
    if (isDone) return;
    if (err) return done(err.code === 'ECONNRESET' ? aborted() : err);
    // Deferred, so that an `end` or `error` event of `stream` that is already queued sets the outcome first.
    setImmediate(() => isDone || done(isStreaming === false ? undefined : aborted()));
  });
  const { headers } = options;
  if (headers) {
    stream.on('headers', (response: AnyResponse) => {
      // `setHeader`, and not the unvalidated header store of src/http/header-store.ts, because these values come from
      // the application.
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
