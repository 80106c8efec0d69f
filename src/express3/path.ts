/**
 * Compiles paths of 3.x applications: `*`, `:name?`, `:name(\\d+)`, `/a.:format?`, lists, regular expressions. §9.3
 *
 * All characters except `*`, `.` and `/` keep their meaning in a regular expression: `/ab?cd`, `/(one|two)`.
 */
import type { Path } from './types';

/** A parameter of a path. */
export interface Key {
  name: string;
  optional: boolean;
}

export interface PathOptions {
  sensitive?: boolean | undefined;
  strict?: boolean | undefined;
}

// [ "/" ] [ "." ] ":" name [ "(" pattern ")" ] [ "?" ] [ "*" ]. Quadratic for unclosed parentheses; that is safe,
// because the application writes the path.
const PARAMETER = /(\/)?(\.)?:(\w+)(\(.*?\))?(\?)?(\*)?/g;

/** @param keys The function adds the names in the path to this list, in order. */
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
