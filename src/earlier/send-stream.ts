/**
 * What the package send did in the days of Express 3 and 4, over the one of today.
 */
import type { ServerResponse } from 'node:http';
import type { SendStream } from 'send';
import type { Mime } from './mime';

/** A stream of send, with members that its types do not have. */
export type TypedStream = SendStream & { res: ServerResponse; type(path: string): void };

/** A function in the place of `type` of a stream: the types are those that applications define. */
export function compileType(mime: Mime): TypedStream['type'] {
  return function type(this: TypedStream, path) {
    if (this.res.getHeader('Content-Type')) return;
    const found = mime.lookup(path);
    const charset = mime.charsets.lookup(found);
    this.res.setHeader('Content-Type', charset ? `${found}; charset=${charset}` : found);
  };
}

/** What `dotfiles` is by default: the name of the file decides, not those of the folders above it. */
export function dotfilesOf(name: string, hidden: unknown): 'allow' | 'ignore' {
  return hidden || name[0] !== '.' ? 'allow' : 'ignore';
}
