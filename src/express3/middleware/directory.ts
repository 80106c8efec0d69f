/** `directory`: lists the files of a directory with the package serve-index. §9.3 F-9.3-118 … F-9.3-122 */
import { loadPackage } from './load-package';
import type { Middleware } from './types';

export interface DirectoryOptions {
  /** Returns whether to list a file name. Default: all names that `hidden` allows. */
  filter?: false | ((name: string, index: number, names: string[], directory: string) => boolean) | undefined;
  /** Whether to list names that begin with a dot. Default false. */
  hidden?: boolean | undefined;
  /** Whether to show an icon for each file. Default false. */
  icons?: boolean | undefined;
  /** The path of a CSS file that replaces the style sheet of serve-index. */
  stylesheet?: string | undefined;
  /** The path of an HTML template that replaces the page of serve-index. */
  template?: string | undefined;
  /** The layout of the list. Default `tiles`. */
  view?: 'tiles' | 'details' | undefined;
}

type ServeIndex = (root: string, options?: DirectoryOptions) => Middleware;

/** Creates middleware that lists the files of the directory `root`. @throws {TypeError} if `root` is missing. */
export function directory(root: string, options?: DirectoryOptions): Middleware {
  const serveIndex = loadPackage<ServeIndex>('directory', 'serve-index', () => require('serve-index'));
  return serveIndex(root, options);
}
