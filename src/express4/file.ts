/** The file methods of the Express 4 response: `sendFile`, `sendfile` and `download`. E4-D7, E4-F31 to E4-F39 */
import { resolve } from 'node:path';
import deprecateFor from 'depd';
import { dispositionOf } from '../legacy/disposition';
import { type Done, downloadArguments, type Filename, transfer } from '../response/file';
import type { Part } from '../types';
import type { SendfileOptions as Options } from './interface';
import { openFile } from './send-stream';
import type { Response } from './types';

const deprecate = deprecateFor('express');

export const file: Part<Response, 'sendFile' | 'sendfile' | 'download'> = {
  /**
   * Sends a file with the content type of its extension. Without a callback, errors go to `next`, unless the client has
   * disconnected.
   *
   * @throws {TypeError} for a path that is missing, not a string, or relative without `root`.
   */
  sendFile(path: string, options?: Options | Done, callback?: Done) {
    if (!path) throw new TypeError('path argument is required to res.sendFile');
    if (typeof path !== 'string') throw new TypeError('path must be a string to res.sendFile');
    const { root } = (typeof options === 'function' ? undefined : options) || {};
    if (!root && !isAbsolute(path)) {
      throw new TypeError('path must be absolute or specify root to res.sendFile');
    }
    send(this, encodeURI(path), options, callback);
  },

  /** Sends a file. The path is percent-encoded and, without `root`, relative to the working directory. */
  sendfile: deprecate.function(function (
    this: Response,
    path: string,
    options?: Options | Done,
    callback?: Done,
  ) {
    send(this, path, options, callback);
  }, 'res.sendfile: Use res.sendFile instead'),

  /** Sends a file as an attachment. The client saves it as `filename`, by default under the name of the file. */
  download(path: string, filename?: Filename, options?: Options | Done, callback?: Done) {
    const given = downloadArguments(filename, options, callback);
    const headers: Record<string, unknown> = { 'Content-Disposition': dispositionOf(given.filename || path) };
    for (const [name, value] of Object.entries(given.options?.headers || {})) {
      if (name.toLowerCase() !== 'content-disposition') headers[name] = value;
    }
    // As in Express, the caller's options are not modified.
    const inherited: Options = Object.assign(Object.create(given.options), { headers });
    return this.sendFile(inherited.root ? path : resolve(path), inherited, given.callback);
  },
};

function send(
  res: Response,
  path: string,
  options: Options | Done | undefined,
  callback: Done | undefined,
): void {
  const done = typeof options === 'function' ? options : callback;
  // As in Express 4, a primitive value is valid, and has no options.
  const given: Options = Object((typeof options === 'function' ? undefined : options) || {});
  const { next } = res.req;
  transfer(res, openFile(res.req, path, given), given, (err) => {
    if (done) done(err);
    else if (err?.code === 'EISDIR') next();
    else if (err && err.code !== 'ECONNABORTED' && err.syscall !== 'write') next(err);
  });
}

/** Whether the path is absolute on POSIX or Windows. It then begins with a slash, a drive or two backslashes. */
export function isAbsolute(path: string): boolean {
  return path[0] === '/' || (path[1] === ':' && /[\\/]/.test(path[2] ?? '')) || path.startsWith('\\\\');
}
