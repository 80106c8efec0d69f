/** `static`: serves the files of a directory with the middleware of Express 5. §9.3 F-9.3-125 */
import deprecateFor from 'depd';
import { serveStatic as serve } from '../../files/serve-static';
import type { StaticOptions as Options } from '../../interface';
import type { Middleware } from './types';

export interface StaticOptions extends Options {
  /** Whether to serve files whose names begin with a dot. Default false. @deprecated Use `dotfiles`. */
  hidden?: boolean | undefined;
}

const deprecate = deprecateFor('send');

/** Creates middleware that serves the files of the directory `root`. @throws {TypeError} if `root` is missing. */
export function serveStatic(root: string, given?: StaticOptions): Middleware {
  const { hidden, ...others } = given ?? {};
  const dotfiles = hidden ? 'allow' : 'ignore';
  if (hidden !== undefined) deprecate(`hidden: use dotfiles: '${dotfiles}' instead`);
  // Cast, because the option `setHeaders` is typed for a response of Express.
  return serve(
    root,
    given && (hidden === undefined ? others : { dotfiles, ...others }),
  ) as unknown as Middleware;
}
