/** `directory`: the listing of a directory, by serve-index. §9.3 F-9.3-118 … F-9.3-122 */
import { optional } from './optional';
import type { Middleware } from './types';

export interface DirectoryOptions {
  /** Which names to list. Default: all. */
  filter?: false | ((name: string, index: number, names: string[], directory: string) => boolean) | undefined;
  /** List names that begin with a dot. Default false. */
  hidden?: boolean | undefined;
  /** Default false. */
  icons?: boolean | undefined;
  /** Path of a style sheet. */
  stylesheet?: string | undefined;
  /** Path of a template. */
  template?: string | undefined;
  /** Default `tiles`. */
  view?: 'tiles' | 'details' | undefined;
}

type ServeIndex = (root: string, options?: DirectoryOptions) => Middleware;

/** @throws {TypeError} without a root. */
export function directory(root: string, options?: DirectoryOptions): Middleware {
  const serveIndex = optional<ServeIndex>('directory', 'serve-index', () => require('serve-index'));
  return serveIndex(root, options);
}
