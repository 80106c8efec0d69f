/**
 * Compiles paths of Express 4 to regular expressions, with the syntax of path-to-regexp 0.1.13. Applications can read
 * the result in `layer.regexp` and `layer.keys`. E4-B
 *
 * Each path is rewritten to the source of a regular expression. Characters that need no rewriting keep their meaning in
 * a regular expression, as in `/ab?cd` or `/user/\\d+`.
 */

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

// Matches what `rewrite` handles: an escaped character, which stays unchanged; a parameter with the characters around
// it; a star, a dot, or a group after a slash.
const REWRITTEN = /\\.|(\/)?(\.)?:(\w+)(\(.*?\))?(\*)?(\?)?|[.*]|\/\(/g;
// Matches a capturing group and its name. Escaped characters match, too, so that an escaped parenthesis begins no
// group.
const GROUP = /\\.|\((?:\?<(.*?)>)?(?!\?)/g;

/**
 * Compiles a path to a regular expression.
 *
 * @param keys The function adds the parameters to this list.
 * @throws {TypeError} for a path that is not a string, list or regular expression.
 * @throws {SyntaxError} if the rewritten text is not a regular expression.
 */
export function compilePath(path: unknown, keys: Key[], options: PathOptions): RegExp {
  if (path instanceof RegExp) {
    listGroups(path, keys);
    return path;
  }
  const flags = options.sensitive ? '' : 'i';
  if (Array.isArray(path)) {
    const sources = path.map((each) => compilePath(each, keys, options).source);
    return new RegExp(sources.join('|'), flags);
  }
  if (typeof path !== 'string')
    throw new TypeError('path must be a string, array of strings, or regular expression');

  const firstKey = keys.length;
  const source = rewrite(path, keys);
  numberGroups(source, keys, firstKey);
  return new RegExp(`^${source}${endOf(source, options)}`, flags);
}

/** Adds the capturing groups of an application's own regular expression to `keys`. */
function listGroups({ source }: RegExp, keys: Key[]): void {
  let unnamed = 0;
  for (const group of groupsOf(source))
    keys.push({ name: group[1] || unnamed++, optional: false, offset: group.index });
}

function rewrite(path: string, keys: Key[]): string {
  /** How many characters longer the source is than the path, up to the current position. */
  let growth = 0;
  let position = 0;
  /** The text since the previous parameter of the same segment. The value of the next parameter must not contain it. */
  let between = '';

  return path.replace(REWRITTEN, (match, slash, dot, name, pattern, star, optional, offset: number) => {
    if (match[0] === '\\') {
      between += match;
      position += 2;
      return match;
    }
    if (match === '.') {
      between += '\\.';
      growth += 1;
      position += 1;
      return '\\.';
    }
    if (slash || dot) between = '';
    else between += path.slice(position, offset);
    position = offset + match.length;
    if (match === '*') {
      between = '';
      growth += 3;
      return '(.*)';
    }
    if (match === '/(') {
      between += '/';
      growth += 2;
      return '/(?:';
    }

    keys.push({ name, optional: Boolean(optional), offset: offset + growth });
    const format = dot ? '\\.' : '';
    const value = pattern ? withRest(pattern) : between ? `((?:(?!/|${between}).)+?)` : `([^/${format}]+?)`;
    const rest = star ? `((?:[/${format}].+?)?)` : '';
    const group = `(?:${format}${slash ?? ''}${value}${rest})${optional ?? ''}`;
    between = '';
    growth += group.length - match.length;
    return group;
  });
}

/** Makes the first star in the pattern of a parameter match any text, unless an escaped character precedes it. */
function withRest(pattern: string): string {
  return pattern.replace(/\\.|\*/, (match) => (match === '*' ? '(.*)' : match));
}

/** Adds the unnamed groups to `keys`, numbered from 0. The keys stay sorted by their position in the source. */
function numberGroups(source: string, keys: Key[], firstKey: number): void {
  let unnamed = 0;
  for (const [i, { index: offset }] of groupsOf(source).entries()) {
    const next = keys[firstKey + i];
    if (!next || next.offset > offset)
      keys.splice(firstKey + i, 0, { name: unnamed++, optional: false, offset });
  }
}

function groupsOf(source: string): RegExpExecArray[] {
  return [...source.matchAll(GROUP)].filter(([match]) => match[0] !== '\\');
}

function endOf(source: string, { strict, end = true }: PathOptions): string {
  const endsInSlash = source.endsWith('/');
  const slash = strict ? '' : endsInSlash ? '?' : '/?';
  if (end) return `${slash}$`;
  return strict && endsInSlash ? '' : `${slash}(?=/|$)`;
}
