/**
 * Compiles paths of Express 4 to regular expressions. Applications can read the result in `layer.regexp` and
 * `layer.keys`. E4-B
 */
import pathToRegexp from 'path-to-regexp-0';

/** A parameter, with its position in the source of the regular expression. */
export interface Key {
  name: string | number;
  optional: boolean;
  offset: number;
}

export interface PathOptions {
  sensitive?: boolean | undefined;
  strict?: boolean | undefined;
  /** Whether the whole path must match. Default true. */
  end?: boolean | undefined;
}

/**
 * Compiles a path to a regular expression.
 *
 * @param keys The function adds the parameters to this list.
 * @throws {TypeError} for a path that is not a string, list or regular expression.
 * @throws {SyntaxError} if the rewritten text is not a regular expression.
 */
export function compilePath(path: unknown, keys: Key[], options: PathOptions): RegExp {
  return pathToRegexp(path, keys, options);
}
