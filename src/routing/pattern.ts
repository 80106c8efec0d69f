/**
 * Compiles a path pattern to a matcher. §4.2 (paths), §2.6 (`req.params`)
 *
 * Nearly all patterns are *plain*: every segment is literal text or one parameter, as in `/users/:id/posts`. They have
 * a fast matcher that agrees with path-to-regexp; all others use path-to-regexp.
 */
import { lazy } from '../wire/lazy';

const pathToRegexp = lazy<typeof import('path-to-regexp')>(() => require('path-to-regexp'));

export type Params = Record<string, unknown>;

/** A match: the decoded parameters, and the matched part of the path. */
export interface PatternMatch {
  params: Params;
  path: string;
  /** The names of the parameters. If the matcher does not set them, the layer reads them from `params`. */
  keys?: readonly string[] | undefined;
  /** The pattern that matched; set by the layer. */
  pattern?: unknown;
}

export type Matcher = (path: string) => PatternMatch | false;

export interface PatternOptions {
  /** Whether `/Foo` and `/foo` are different. Default false. */
  sensitive?: boolean | undefined;
  /** Whether `/foo` and `/foo/` are different. Default false. */
  strict?: boolean | undefined;
  /** Whether the pattern must match the whole path, and not only whole segments at its start. Default true. */
  end?: boolean | undefined;
}

/**
 * Compiles one pattern.
 *
 * @throws {TypeError} path-to-regexp's `PathError` for a malformed pattern.
 */
export function compilePattern(pattern: string | RegExp, options: PatternOptions): Matcher {
  if (pattern instanceof RegExp) return compileRegExp(pattern);
  const { sensitive = false, strict = false, end = true } = options;
  // Every layer of a route has this pattern.
  if (pattern === '/' && !sensitive && !strict && end) return matchRoot;

  const loose = loosen(pattern, strict);
  if (isPlain(loose)) return compileLater(loose, options);
  return pathToRegexp().match(loose, { sensitive, end, trailing: !strict, decode: decodeParam });
}

/**
 * Compiles a plain pattern when it is first matched, because an application with many routes needs few of them soon
 * after its start.
 */
function compileLater(pattern: string, options: PatternOptions): Matcher {
  let compiled: PlainPattern | undefined;
  return (path) => {
    compiled ??= new PlainPattern(segmentsOf(pattern), options);
    return compiled.match(path);
  };
}

/** Removes the trailing slashes of a pattern, unless `strict` is set. */
export function loosen(pattern: string, strict: boolean | undefined): string {
  if (strict || pattern === '/') return pattern;
  const text = String(pattern);
  return text.endsWith('/') ? text.replace(/\/+$/, '') : text;
}

// A capturing group in a regular expression's source: "(" not followed by "?", or "(?<name>".
const CAPTURING_GROUP = /\((?:\?<(.*?)>)?(?!\?)/g;

/** The groups of a regular expression become parameters: a named group by its name, the others by number from 0. */
function compileRegExp(pattern: RegExp): Matcher {
  const names: Array<string | number> = [];
  let unnamed = 0;
  for (const group of pattern.source.matchAll(CAPTURING_GROUP)) names.push(group[1] || unnamed++);

  return function matchRegExp(path) {
    const found = pattern.exec(path);
    if (!found) return false;
    const params: Params = {};
    for (let i = 1; i < found.length; i++) {
      const value = found[i];
      const name = names[i - 1];
      if (value !== undefined && name !== undefined) params[name] = decodeParam(value);
    }
    return { params, path: found[0], keys: undefined, pattern: undefined };
  };
}

/** @throws {URIError} with status 400 for a malformed escape. */
function decodeParam(value: string): string {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch (err) {
    if (err instanceof URIError) {
      err.message = `Failed to decode param '${value}'`;
      Object.assign(err, { statusCode: 400, status: 400 });
    }
    throw err;
  }
}

/** A segment of a plain pattern: literal text, or one parameter. */
type Segment = string | { param: string };

// In ABNF: 1*( "/" ( ":" name / *text ) ). `name` is an ASCII identifier, although path-to-regexp accepts more. `text`
// is any character except the slash and those that path-to-regexp treats specially (also a colon within a segment).
// Linear time: a slash begins each segment and is part of none.
const PLAIN = /^(?:\/(?::[A-Za-z_$][\w$]*|[^/\\*{}()[\]+?!:]*))+$/;

export function isPlain(pattern: string): boolean {
  return typeof pattern === 'string' && PLAIN.test(pattern);
}

/** The segments of a plain pattern, without the leading slash. */
export function segmentsOf(pattern: string): Segment[] {
  return pattern
    .slice(1)
    .split('/')
    .map((text) => (text[0] === ':' ? { param: text.slice(1) } : text));
}

/** A parameter of a plain pattern, the literal text after it, and the parameter that follows. */
interface PlainParam {
  readonly name: string;
  readonly after: string;
  readonly next: PlainParam | undefined;
}

/** The matcher of a plain pattern. It never backtracks, because a parameter always ends at the next slash. */
class PlainPattern {
  /** The literal text before the first parameter. */
  readonly #head: string;
  readonly #first: PlainParam | undefined;
  readonly #keys: readonly string[];
  readonly #sensitive: boolean;
  readonly #strict: boolean;
  readonly #end: boolean;

  constructor(segments: readonly Segment[], { sensitive, strict, end = true }: PatternOptions) {
    const { head, first } = splitSegments(segments);
    this.#head = head;
    this.#first = first;
    this.#keys = [
      ...new Set(segments.flatMap((segment) => (typeof segment === 'string' ? [] : segment.param))),
    ];
    this.#sensitive = Boolean(sensitive);
    this.#strict = Boolean(strict);
    this.#end = end;
  }

  match(path: string): PatternMatch | false {
    const length = this.#lengthIn(path);
    if (length === -1) return false;
    const params = this.#paramsOf(path);
    return { params, path: path.slice(0, length), keys: this.#keys, pattern: undefined };
  }

  /** The length of the matched part; -1 without a match. */
  #lengthIn(path: string): number {
    let at = this.#endOfText(path, 0, this.#head);
    for (let param = this.#first; param && at !== -1; param = param.next) {
      const stop = endOfSegment(path, at);
      at = stop === at ? -1 : this.#endOfText(path, stop, param.after);
    }
    if (at === -1 || at === path.length) return at;
    // After the match only a slash may follow: a trailing one, which the match includes unless strict, or the next
    // segment below a mount path.
    if (path.charCodeAt(at) !== SLASH) return -1;
    if (!this.#strict && at + 1 === path.length) return path.length;
    return this.#end ? -1 : at;
  }

  /** The position after `text`, if the path has it at `at`; -1 otherwise. */
  #endOfText(path: string, at: number, text: string): number {
    const end = at + text.length;
    const found = path.slice(at, end);
    return found === text || (!this.#sensitive && isSameText(found, text)) ? end : -1;
  }

  /** The parameters of a matching path. */
  #paramsOf(path: string): Params {
    const params: Params = Object.create(null);
    let at = this.#head.length;
    for (let param = this.#first; param; param = param.next) {
      const stop = endOfSegment(path, at);
      params[param.name] = decodeParam(path.slice(at, stop));
      at = stop + param.after.length;
    }
    return params;
  }
}

const SLASH = 47;

function endOfSegment(path: string, from: number): number {
  const slash = path.indexOf('/', from);
  return slash === -1 ? path.length : slash;
}

/** The parameters of a plain pattern as a linked list, and the text before the first one. */
function splitSegments(segments: readonly Segment[]): { head: string; first: PlainParam | undefined } {
  let text = '';
  let first: PlainParam | undefined;
  for (const segment of segments.toReversed()) {
    if (typeof segment === 'string') {
      text = `/${segment}${text}`;
      continue;
    }
    first = { name: segment.param, after: text, next: first };
    text = '/';
  }
  return { head: text, first };
}

/** Whether two texts are equal if letter case is ignored. §2.5 `caseSensitive` */
function isSameText(text: string, other: string): boolean {
  if (text.length !== other.length) return false;
  for (let i = 0; i < text.length; i++) {
    const a = text.charCodeAt(i);
    const b = other.charCodeAt(i);
    if (a !== b && !isSameLetter(a, b)) return false;
  }
  return true;
}

/**
 * Whether two UTF-16 units are the same letter in upper or lower case, as for regular expressions with the flag `i`.
 */
function isSameLetter(a: number, b: number): boolean {
  if (a >= 128 && b >= 128) return toUpperCase(a) === toUpperCase(b);
  const letter = a | 32;
  return a < 128 && letter === (b | 32) && letter >= LETTER_A && letter <= LETTER_Z;
}

const LETTER_A = 97;
const LETTER_Z = 122;

/**
 * The upper-case form of a UTF-16 unit; the unit itself if that form has several units or is ASCII.
 * ECMA-262 §22.2.2.7.3
 */
function toUpperCase(unit: number): number {
  const upper = String.fromCharCode(unit).toUpperCase();
  return upper.length !== 1 || upper.charCodeAt(0) < 128 ? unit : upper.charCodeAt(0);
}

const matchRoot: Matcher = compileLater('/', {});
