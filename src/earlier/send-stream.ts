/** The behaviour of the package send at the time of Express 3 and 4, on today's send. */
import type { ServerResponse } from 'node:http';
import type { SendStream } from 'send';
import type { Mime } from './mime';

/** A stream of send, with the members that its types omit. */
export type TypedStream = SendStream & { res: ServerResponse; type(path: string): void };

/** Replaces `type` of a stream: applications define the media types. */
export function compileType(mime: Mime): TypedStream['type'] {
  return function type(this: TypedStream, path) {
    if (this.res.getHeader('Content-Type')) return;
    const found = mime.lookup(path);
    const charset = mime.charsets.lookup(found);
    this.res.setHeader('Content-Type', charset ? `${found}; charset=${charset}` : found);
  };
}

/** The default of `dotfiles`: only the name of the file matters, not the names of its folders. */
export function dotfilesOf(name: string, hidden: unknown): 'allow' | 'ignore' {
  return hidden || name[0] !== '.' ? 'allow' : 'ignore';
}
