/** File responses of Express 3: `sendfile`, `download`. §9.3 */
import { basename } from 'node:path';
import deprecateFor from 'depd';
import sendStream, { type SendOptions } from 'send';
import { compileType, dotfilesOf } from '../earlier/send-stream';
import type { Part } from '../types';
import { dispositionOf } from './fields';
import { mime } from './mime';
import type { Response } from './types';

const deprecate = deprecateFor('send');

export interface SendfileOptions extends SendOptions {
  /** Whether to serve a file whose name begins with a dot. Default false. */
  hidden?: boolean;
}

const setType = compileType(mime);

type Done = (err?: unknown) => void;

export const file: Part<Response, 'sendfile' | 'download'> = {
  /**
   * Sends a file, with the content type of its extension. A relative path is below `root`, or the working directory.
   * Without a callback, an error goes to `next`, unless the head was sent.
   */
  sendfile(path: string, options?: SendfileOptions | Done, callback?: Done) {
    const done = typeof options === 'function' ? options : callback;
    const given = (typeof options === 'function' ? undefined : options) ?? {};
    const { next, socket } = this.req;
    let isDone = false;
    const finish = (): void => {
      isDone = true;
      socket.removeListener('error', fail);
    };
    const fail: Done = (err) => {
      if (isDone) return;
      finish();
      if (!this.headersSent) this.removeHeader('Content-Disposition');
      if (done) done(err);
      else if (!this.headersSent) next(err);
    };

    socket.on('error', fail);
    const stream = sendStream(this.req, path, { ...given, dotfiles: dotfilesFor(path, given) });
    Object.assign(stream, { type: setType });
    stream.on('error', fail);
    stream.on('directory', () => next());
    stream.on('stream', (source: NodeJS.ReadableStream) => {
      if (isDone) return;
      finish();
      if (done) source.on('end', () => done());
    });
    stream.pipe(this);
    this.on('finish', finish);
  },

  /** Sends a file for the client to save, under its own name or another. */
  download(path: string, filename?: string | Done | null, callback?: Done) {
    const done = typeof filename === 'function' ? filename : callback;
    const name = typeof filename === 'function' ? undefined : filename;
    this.set('Content-Disposition', dispositionOf(name || path));
    return this.sendfile(path, done);
  },
};

function dotfilesFor(path: string, { dotfiles, hidden }: SendfileOptions): SendOptions['dotfiles'] {
  if (hidden !== undefined) deprecate(`hidden: use dotfiles: '${hidden ? 'allow' : 'ignore'}' instead`);
  return dotfiles ?? dotfilesOf(basename(path), hidden);
}
