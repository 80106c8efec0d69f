/**
 * Compiles a path pattern to a matcher. §4.2 (paths), §2.6 (`req.params`)
 *
 * In most patterns, every segment is literal text or one parameter, as in `/users/:id/posts`. Such *segment patterns*
 * have a faster matcher with the same results as path-to-regexp. path-to-regexp compiles all other strings. A regular
 * expression is used as it is.
 */

import { match } from 'path-to-regexp';
import type { Path } from '../types';
import type { ParamName, Params } from './dialect';

/** A match of one pattern with a path. */
export interface PatternMatch {
  params: Params;
  /** The part of the path that matched. */
  path: string;
  /** The names of the parameters. If undefined, `Layer.match` takes the keys of `params`. */
  keys?: readonly ParamName[] | undefined;
  /** The pattern that matched. `Layer.match` sets it. */
  pattern?: Path | undefined;
}

export type Matcher = (path: string) => PatternMatch | false;

export interface PatternOptions {
  /** Whether `/Foo` and `/foo` are different. Default false. */
  sensitive?: boolean | undefined;
  /** Whether `/foo` and `/foo/` are different. Default false. */
  strict?: boolean | undefined;
  /** True to match the whole path, false to match whole segments at its start. Default true. */
  end?: boolean | undefined;
}

/**
 * Compiles one pattern to a function that matches paths.
 *
 * @param options Ignored for a regular expression.
 * @returns The matcher. It throws a URIError with status 400 for a parameter that cannot be decoded.
 * @throws {PathError} path-to-regexp's subclass of TypeError, for a malformed pattern.
 */
export function compilePattern(pattern: string | RegExp, options: PatternOptions): Matcher {
  if (pattern instanceof RegExp) return compileRegExp(pattern);
  const { sensitive = false, strict = false, end = true } = options;
  // Every layer in the stack of a route has this pattern, so all of them share one matcher.
  if (pattern === '/' && !sensitive && !strict && end) return matchRoot;

  const loose = loosen(pattern, strict);
  if (isSegmented(loose)) return compileLater(loose, options);
  return match(loose, { sensitive, end, trailing: !strict, decode: decodeParam });
}

/** Postpones the compilation of a segment pattern until the first match, for a fast start with many routes. */
function compileLater(pattern: string, options: PatternOptions): Matcher {
  let compiled: SegmentPattern | undefined;
  return (path) => {
    compiled ??= new SegmentPattern(segmentsOf(pattern), options);
    return compiled.match(path);
  };
}

/** Removes the trailing slashes of a pattern, unless `strict` is set or it is `/`. Converts it to a string. */
export function loosen(pattern: string, strict: boolean | undefined): string {
  if (strict || pattern === '/') return pattern;
  const text = String(pattern);
  return text.endsWith('/') ? text.replace(/(?<!\/)\/+$/, '') : text;
}

// Finds capturing groups: "(" not followed by "?", or "(?<name>". As in Express, it also counts an escaped "\(" and a
// "(" in a character class.
const CAPTURING_GROUP = /\((?:\?<(.*?)>)?(?!\?)/g;

/** Compiles a regular expression. A named group sets the parameter of its name; others are numbered from 0. */
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

/** Decodes the percent escapes of a parameter. @throws {URIError} with status 400 for a malformed escape. */
export function decodeParam(value: string): string {
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

/** A segment of a segment pattern: literal text, or one parameter. */
type Segment = string | { param: string };

// Each segment is `:name` or literal text. The name is an ASCII identifier; path-to-regexp also accepts other names.
// The text contains no character that is special to path-to-regexp. The expression takes linear time, because every
// segment starts with a slash and contains no other slash.
const SEGMENTED = /^(?:\/(?::[A-Za-z_$][\w$]*|[^/\\*{}()[\]+?!:]*))+$/;

export function isSegmented(pattern: string): boolean {
  return typeof pattern === 'string' && SEGMENTED.test(pattern);
}

/** Splits a segment pattern into its segments, without the slashes. */
export function segmentsOf(pattern: string): Segment[] {
  return pattern
    .slice(1)
    .split('/')
    .map((text) => (text[0] === ':' ? { param: text.slice(1) } : text));
}

/** A parameter of a segment pattern, as an element of a linked list. */
interface SegmentParam {
  readonly name: string;
  /** The literal text after this parameter, up to the next parameter or the end of the pattern. */
  readonly after: string;
  readonly next: SegmentParam | undefined;
}

/** The matcher of a segment pattern. It never backtracks: a parameter ends at the next slash. */
class SegmentPattern {
  /** The literal text before the first parameter; the whole pattern if it has no parameters. */
  readonly #head: string;
  readonly #first: SegmentParam | undefined;
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
    // Fast path: a pattern without parameters, and the same text.
    const length = path === this.#head && !this.#first ? path.length : this.#lengthIn(path);
    if (length === -1) return false;
    const params = this.#paramsOf(path);
    return { params, path: path.slice(0, length), keys: this.#keys, pattern: undefined };
  }

  /** Returns the length of the matched part of `path`, or -1 if the pattern does not match. */
  #lengthIn(path: string): number {
    let at = this.#endOfText(path, 0, this.#head);
    for (let param = this.#first; param && at !== -1; param = param.next) {
      const stop = endOfSegment(path, at);
      at = stop === at ? -1 : this.#endOfText(path, stop, param.after);
    }
    if (at === -1 || at === path.length) return at;
    // Only a slash may follow the matched text. Unless `strict` is set, a slash at the end of the path belongs to the
    // match. Any other slash may follow only if `end` is false, as for a mount path.
    if (path.charCodeAt(at) !== SLASH) return -1;
    if (!this.#strict && at + 1 === path.length) return path.length;
    return this.#end ? -1 : at;
  }

  /** Returns the position after `text` if `path` contains it at `at`, otherwise -1. */
  #endOfText(path: string, at: number, text: string): number {
    const end = at + text.length;
    if (path.startsWith(text, at)) return end;
    return !this.#sensitive && isSameText(path.slice(at, end), text) ? end : -1;
  }

  /** Reads the parameters from a path that matches. */
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

/** Returns the parameters of `segments` as a linked list, and the literal text before the first parameter. */
function splitSegments(segments: readonly Segment[]): { head: string; first: SegmentParam | undefined } {
  let text = '';
  let first: SegmentParam | undefined;
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

/** Whether two texts are equal apart from letter case. §2.5 `caseSensitive` */
function isSameText(text: string, other: string): boolean {
  if (text.length !== other.length) return false;
  for (let i = 0; i < text.length; i++) {
    const a = text.charCodeAt(i);
    const b = other.charCodeAt(i);
    if (a !== b && !isSameLetter(a, b)) return false;
  }
  return true;
}

/** Whether two different UTF-16 units are one letter in upper and lower case, as with the flag `i`. */
function isSameLetter(a: number, b: number): boolean {
  if (a >= 128 && b >= 128) return toUpperCase(a) === toUpperCase(b);
  const letter = a | 32;
  return a < 128 && letter === (b | 32) && letter >= LETTER_A && letter <= LETTER_Z;
}

const LETTER_A = 97;
const LETTER_Z = 122;

/** Returns the upper-case form of a UTF-16 unit, or itself if that is ASCII or longer. ECMA-262 §22.2.2.7.3 */
function toUpperCase(unit: number): number {
  const upper = String.fromCharCode(unit).toUpperCase();
  return upper.length !== 1 || upper.charCodeAt(0) < 128 ? unit : upper.charCodeAt(0);
}

const matchRoot: Matcher = compileLater('/', {});
