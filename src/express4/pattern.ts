/**
 * Paths of Express 4 as regular expressions: the syntax of path-to-regexp 0.1.13, of which `layer.regexp` and `layer.keys`
 * show the result. E4-B
 *
 * The text is rewritten, then compiled: what the rewriting leaves alone keeps the meaning that it has in a regular
 * expression, as in `/ab?cd` or `/user/\\d+`.
 */

/** A parameter, with its place in the source of the regular expression. */
export interface Key {
  name: string | number;
  optional: boolean;
  offset: number;
}

export interface PathOptions {
  sensitive?: boolean | undefined;
  strict?: boolean | undefined;
  /** Whether the path must be matched to its end. Default true. */
  end?: boolean | undefined;
}

// A backslash and its character; a name with what is before and after it; a star, a dot, a group after a slash.
const REWRITTEN = /\\.|(\/)?(\.)?:(\w+)(\(.*?\))?(\*)?(\?)?|[.*]|\/\(/g;
// A group that captures, with its name; a backslash hides the parenthesis after it.
const GROUP = /\\.|\((?:\?<(.*?)>)?(?!\?)/g;

/**
 * Compile a path.
 *
 * @param keys Filled with the parameters.
 * @throws {TypeError} for a path that is no string, list or regular expression.
 * @throws {SyntaxError} for text that is no regular expression after the rewriting.
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

/** The groups of the application's own regular expression. */
function listGroups({ source }: RegExp, keys: Key[]): void {
  let unnamed = 0;
  for (const group of groupsOf(source))
    keys.push({ name: group[1] || unnamed++, optional: false, offset: group.index });
}

function rewrite(path: string, keys: Key[]): string {
  /** How much longer the source is than the path, up to here. */
  let growth = 0;
  let position = 0;
  /** What stands between a name and the one before it, in the same segment: no part of its value. */
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

/** In the pattern of a name the first star, unless escaped characters come first, is any text. */
function withRest(pattern: string): string {
  return pattern.replace(/\\.|\*/, (match) => (match === '*' ? '(.*)' : match));
}

/** Groups without a name are numbered, and stand among the keys where they are in the source. */
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
