/**
 * The shapes of a path of Express 4 for the router's index: the whole segments at the start of the path. §4.2 (paths)
 */
import type { Shape } from '../routing/dialect';
import { EVERYTHING } from '../routing/index-of-layers';
import type { PathOptions } from './pattern';

// The characters of a segment that matches only its own text, then those of a segment with parameters. A dot is
// literal.
const LITERAL = /^[\w~.@&=,;%!-]*$/;
const WITH_NAMES = /^(?:[\w~.@&=,;%!-]|:\w)*$/;
// A segment that begins with one of these characters changes the meaning of the slash before it: "/?" makes the slash
// optional, "/.:" moves it behind the dot.
const CHANGES_SLASH = /^(?:[?+{]|\.:)/;

/** The shapes of a path; together they cover every path that its regular expression matches. */
export function shapesOf(path: unknown, { end = true, strict }: PathOptions): readonly Shape[] {
  if (Array.isArray(path)) return path.flatMap((each) => shapesOf(each, { end, strict }));
  // "|" divides the whole expression, so the alternatives need not begin with the same segments.
  if (typeof path !== 'string' || path[0] !== '/' || path.includes('|')) return [EVERYTHING];
  if (path === '/' && !end) return [EVERYTHING];

  const texts = path.slice(1).split('/');
  if (!strict && texts.length > 1 && texts.at(-1) === '') texts.pop();
  const segments: Array<string | undefined> = [''];
  for (const text of texts) {
    if (CHANGES_SLASH.test(text)) return [{ segments: segments.slice(0, -1), isOpen: true }];
    if (LITERAL.test(text)) segments.push(text);
    else if (WITH_NAMES.test(text)) segments.push(undefined);
    else return [{ segments, isOpen: true }];
  }
  return [{ segments, isOpen: !end }];
}
