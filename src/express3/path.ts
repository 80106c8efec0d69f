/**
 * Paths as 3.x applications write them: `*`, `:name?`, `:name(\\d+)`, `/a.:format?`, lists, regular expressions. §9.3
 *
 * Every character but `*`, `.` and `/` keeps its meaning in a regular expression: `/ab?cd`, `/(one|two)`.
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

// [ "/" ] [ "." ] ":" name [ "(" pattern ")" ] [ "?" ] [ "*" ]; linear enough: the application writes the path, and it
// is short.
const PARAMETER = /(\/)?(\.)?:(\w+)(\(.*?\))?(\?)?(\*)?/g;

/** @param keys Receives the names in the path, in order. */
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
