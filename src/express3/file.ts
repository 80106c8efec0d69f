/** The file methods of the Express 3 response: `sendfile` and `download`. §9.3 */
import type { Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename } from 'node:path';
import deprecateFor from 'depd';
import sendStream, { type SendOptions, type SendStream } from 'send';
import { guards } from '../http/guarded-stream';
import { toDisposition } from '../legacy/disposition';
import { compileType, dotfilesOf } from '../legacy/send-stream';
import type { Part } from '../types';
import type { SendfileOptions } from './interface';
import { mime } from './mime';
import { withReadRange } from './range';
import type { Response } from './types';

const deprecate = deprecateFor('send');

const setType = compileType(mime);

/** A stream of the package send, with members that @types/send lacks. */
type Sent = SendStream & { req: IncomingMessage; options: SendOptions };

type Done = (err?: unknown) => void;

export const file: Part<Response, 'sendfile' | 'download'> = {
  /**
   * Sends a file with the content type of its extension. Without a callback, errors go to `next`, unless the response
   * head has already been sent.
   *
   * @param path Percent-encoded; below `options.root` or, without `root`, relative to the working directory.
   */
  sendfile(path: string, options?: SendfileOptions | Done, callback?: Done) {
    const done = typeof options === 'function' ? options : callback;
    const given = (typeof options === 'function' ? undefined : options) ?? {};
    const { next, socket } = this.req;
    let state: 'preparing' | 'sending' | 'done' = 'preparing';
    const advance = (to: 'sending' | 'done'): void => {
      state = to;
      socket.removeListener('error', fail);
    };
    const fail: Done = (err) => {
      if (state === 'done' || (state === 'sending' && this.headersSent)) return;
      advance('done');
      if (!this.headersSent) this.removeHeader('Content-Disposition');
      if (done) done(err);
      else if (!this.headersSent) next(err);
    };

    socket.on('error', fail);
    const stream = sendStream(this.req, path, { ...given, dotfiles: dotfilesFor(path, given) });
    // The version of send that Express 3 uses ignores If-Match and If-Unmodified-Since.
    Object.assign(stream, guards, {
      type: setType,
      isPreconditionFailure: () => false,
      send,
      removeContentHeaderFields,
    });
    stream.on('error', fail);
    stream.on('directory', () => next());
    stream.on('stream', (source: NodeJS.ReadableStream) => {
      if (state !== 'preparing') return;
      advance('sending');
      if (done) source.on('end', () => done());
    });
    stream.pipe(this);
    this.on('finish', () => advance('done'));
  },

  /** Sends a file as an attachment. The client saves it as `filename`, by default under the name of the file. */
  download(path: string, filename?: string | Done | null, callback?: Done) {
    const done = typeof filename === 'function' ? filename : callback;
    const name = typeof filename === 'function' ? undefined : filename;
    this.set('Content-Disposition', toDisposition(name || path));
    return this.sendfile(path, done);
  },
};

/** Sends the range that Express 3 reads in the header `Range`. */
function send(this: Sent, path: string, stat: Stats): void {
  const { start = 0, end = Number.POSITIVE_INFINITY } = this.options;
  this.req = withReadRange(this.req, Math.max(0, Math.min(stat.size, end + 1) - start));
  guards.send.call(this, path, stat);
}

/** Removes what a response without the file must not describe: all `Content-*` but `Content-Location`. */
function removeContentHeaderFields(this: SendStream & { res: ServerResponse }): void {
  for (const name of this.res.getHeaderNames())
    if (name.startsWith('content-') && name !== 'content-location') this.res.removeHeader(name);
}

function dotfilesFor(path: string, { dotfiles, hidden }: SendfileOptions): SendOptions['dotfiles'] {
  if (hidden !== undefined) deprecate(`hidden: use dotfiles: '${hidden ? 'allow' : 'ignore'}' instead`);
  return dotfiles ?? dotfilesOf(basename(path), hidden);
}
