/** Describes an Express 4 path for the index of the router (layer-index.ts) by its first segments. §4.2 (paths) */
import type { Shape } from '../routing/dialect';
import { EVERYTHING } from '../routing/layer-index';

export interface PathOptions {
  sensitive?: boolean | undefined;
  strict?: boolean | undefined;
  /** Whether the whole path must match. Default true. */
  end?: boolean | undefined;
}

// `LITERAL`: a segment that matches only its own text. `WITH_NAMES`: a segment with parameters. A dot is literal in
// both.
const LITERAL = /^[\w~.@&=,;%!-]*$/;
const WITH_NAMES = /^(?:[\w~.@&=,;%!-]|:\w)*$/;
// A segment that begins with one of these characters changes the meaning of the slash before it. "/?" makes the slash
// optional, and "/.:" moves it behind the dot.
const CHANGES_SLASH = /^(?:[?+{]|\.:)/;

/** Returns the shapes of a path. Together they cover every path that its regular expression matches. */
export function shapesOf(path: unknown, { end = true, strict }: PathOptions): readonly Shape[] {
  // An empty list matches every path, as in Express 4.
  if (Array.isArray(path) && path.length > 0) return path.flatMap((each) => shapesOf(each, { end, strict }));
  // "|" divides the whole expression, so the alternatives may begin with different segments.
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
