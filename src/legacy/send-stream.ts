/** Makes the package send behave like its older versions, which Express 3 and 4 use. */
import type { ServerResponse } from 'node:http';
import type { SendStream } from 'send';
import type { Mime } from './mime';

/** A stream of the package send, with members that @types/send lacks. */
export type TypedStream = SendStream & { res: ServerResponse; type(path: string): void };

/** Creates a method `type`, which sets `Content-Type` from a table that applications can extend. */
export function compileType(mime: Mime): TypedStream['type'] {
  return function type(this: TypedStream, path) {
    if (this.res.getHeader('Content-Type')) return;
    const found = mime.lookup(path);
    const charset = mime.charsets.lookup(found);
    this.res.setHeader('Content-Type', charset ? `${found}; charset=${charset}` : found);
  };
}

/**
 * Returns the option `dotfiles` for a file. As in Express 3 and 4, the names of directories do not count.
 *
 * @param hidden The option `hidden`. If it is set, all files are sent.
 */
export function dotfilesOf(name: string, hidden: unknown): 'allow' | 'ignore' {
  return hidden || name[0] !== '.' ? 'allow' : 'ignore';
}
