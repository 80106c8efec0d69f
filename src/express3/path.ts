/**
 * Compiles paths of Express 3 to regular expressions: `*`, `:name?`, `:name(\\d+)`, `/a.:format?`, lists. §9.3
 *
 * Apart from parameters, all characters except `*`, `.` and `/` keep their meaning in a regular expression, as in
 * `/ab?cd` or `/a(b|c)`. A group after a slash includes the slash and captures nothing.
 */
import type { Path } from './types';

/** A parameter in a path, such as `:name`. */
export interface Key {
  name: string;
  optional: boolean;
}

export interface PathOptions {
  sensitive?: boolean | undefined;
  strict?: boolean | undefined;
}

// [ "/" ] [ "." ] ":" name [ "(" pattern ")" ] [ "?" ] [ "*" ]. Unclosed parentheses take quadratic time. That is safe,
// because the application writes the path, not a client.
const PARAMETER = /(\/)?(\.)?:(\w+)(\(.*?\))?(\?)?(\*)?/g;

/**
 * Compiles a path to a regular expression. Returns an application's own regular expression unchanged.
 *
 * @param keys The function adds the parameters of the path to this list, in order.
 */
export function compilePath(path: Path, keys: Key[], { sensitive, strict }: PathOptions = {}): RegExp {
  if (path instanceof RegExp) return path;
  const text = (typeof path === 'string' ? path : `(${path.join('|')})`) + (strict ? '' : '/?');
  const pattern = text
    .replaceAll('/(', '(?:/')
    .replace(PARAMETER, (_all, slash = '', dot = '', name: string, capture, optional, star) => {
      keys.push({ name, optional: Boolean(optional) });
      const value = capture ?? (dot ? '([^/.]+?)' : '([^/]+?)');
      const [before, inside] = optional ? ['', slash] : [slash, ''];
      return `${before}(?:${inside}${dot}${value})${optional ?? ''}${star ? '(/*)?' : ''}`;
    })
    .replace(/[/.]/g, '\\$&')
    .replaceAll('*', '(.*)');
  return new RegExp(`^${pattern}$`, sensitive ? '' : 'i');
}
