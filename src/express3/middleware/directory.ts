/** `directory`: lists the files of a directory, by the package serve-index. §9.3 F-9.3-118 … F-9.3-122 */
import { optional } from './optional';
import type { Middleware } from './types';

export interface DirectoryOptions {
  /** Decides which names to list. Default: all. */
  filter?: false | ((name: string, index: number, names: string[], directory: string) => boolean) | undefined;
  /** Whether to list names that begin with a dot. Default false. */
  hidden?: boolean | undefined;
  /** Whether to show icons. Default false. */
  icons?: boolean | undefined;
  /** The path of a style sheet. */
  stylesheet?: string | undefined;
  /** The path of a template. */
  template?: string | undefined;
  /** The layout of the list. Default `tiles`. */
  view?: 'tiles' | 'details' | undefined;
}

type ServeIndex = (root: string, options?: DirectoryOptions) => Middleware;

/**
 * Creates the middleware.
 *
 * @throws {TypeError} without a root.
 */
export function directory(root: string, options?: DirectoryOptions): Middleware {
  const serveIndex = optional<ServeIndex>('directory', 'serve-index', () => require('serve-index'));
  return serveIndex(root, options);
}
