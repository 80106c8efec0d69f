/** Makes the current package send behave as it did in Express 3 and 4. */
import type { ServerResponse } from 'node:http';
import type { SendStream } from 'send';
import type { Mime } from './mime';

/** A stream of the package send, with members that its types lack. */
export type TypedStream = SendStream & { res: ServerResponse; type(path: string): void };

/** Creates the `type` method of a stream: it uses the media types that applications can define. */
export function compileType(mime: Mime): TypedStream['type'] {
  return function type(this: TypedStream, path) {
    if (this.res.getHeader('Content-Type')) return;
    const found = mime.lookup(path);
    const charset = mime.charsets.lookup(found);
    this.res.setHeader('Content-Type', charset ? `${found}; charset=${charset}` : found);
  };
}

/** The default of the option `dotfiles`: only the name of the file counts, not the names of its folders. */
export function dotfilesOf(name: string, hidden: unknown): 'allow' | 'ignore' {
  return hidden || name[0] !== '.' ? 'allow' : 'ignore';
}
