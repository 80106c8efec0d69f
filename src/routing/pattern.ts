/**
 * A path pattern compiled to a matcher, over path-to-regexp. §4.2 (paths), §2.6 (`req.params`)
 */
import { lazy } from '../wire/lazy';
import { compilePlain, parsePlain, type Segment } from './plain-pattern';

const pathToRegexp = lazy(() => require('path-to-regexp') as typeof import('path-to-regexp'));

export type Params = Record<string | number, string | string[]>;

/** What a pattern made of a path: the parameters, decoded, and the part of the path it took. */
export interface PatternMatch {
  params: Params;
  path: string;
  /** The names of the parameters, where they are known beforehand. */
  keys?: string[];
}

export type Matcher = (path: string) => PatternMatch | false;

export interface PatternOptions {
  /** `/Foo` and `/foo` are different. Default false. */
  sensitive?: boolean | undefined;
  /** `/foo` and `/foo/` are different. Default false. */
  strict?: boolean | undefined;
  /** The pattern must take the whole path; otherwise whole segments at its start. Default true. */
  end?: boolean | undefined;
}

/**
 * Compile one pattern.
 *
 * @throws {TypeError} path-to-regexp's `PathError` for a malformed pattern.
 */
export function compilePattern(pattern: string | RegExp, options: PatternOptions): Matcher {
  if (pattern instanceof RegExp) return compileRegExp(pattern);
  const { sensitive = false, strict = false, end = true } = options;
  // The pattern of every layer of every route.
  if (pattern === '/' && !sensitive && !strict && end) return matchRoot;

  const loose = loosen(pattern, strict);
  const segments = parsePlain(loose);
  if (segments) return compileLater(segments, options);
  return pathToRegexp().match(loose, { sensitive, end, trailing: !strict, decode: decodeParam }) as Matcher;
}

/** A plain pattern is right by now, and compiled when it is first asked: of many routes, most are not for a long time. */
function compileLater(segments: readonly Segment[], options: PatternOptions): Matcher {
  let match: Matcher = (path) => {
    match = compilePlain(segments, options, decodeParam);
    return match(path);
  };
  return (path) => match(path);
}

/** A pattern, unless strict, without its trailing slashes. */
export function loosen(pattern: string, strict: boolean | undefined): string {
  if (strict || pattern === '/') return pattern;
  const text = String(pattern);
  return text.endsWith('/') ? text.replace(/\/+$/, '') : text;
}

const matchRoot: Matcher = compilePlain([''], {}, decodeParam);

// A capturing group of a regular expression's source: "(" not followed by "?", or "(?<name>".
const CAPTURING_GROUP = /\((?:\?<(.*?)>)?(?!\?)/g;

/** A regular expression's groups are parameters: named ones by name, others numbered from 0. */
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
      if (value !== undefined) params[names[i - 1] as string] = decodeParam(value);
    }
    return { params, path: found[0] };
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
