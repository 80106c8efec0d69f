/**
 * The request prototype: what every `req` inherits, over the runtime's own. §2.6, §4.4
 */
import { IncomingMessage } from 'node:http';
import fresh from 'fresh';
import parseUrl from 'parseurl';
import type { Options } from 'range-parser';
import type { Descriptors, Part, Request, RequestMembers } from '../types';
import { overridesReads } from '../wire/header-store';
import { lazy } from '../wire/lazy';
import { readSetting } from '../wire/setting';
import { negotiate } from './negotiate';
import { origin } from './origin';

const parseRange = lazy<typeof import('range-parser')>(() => require('range-parser'));

/** Statuses and methods for which the client's copy can still be good. RFC 9110 §13.1 */
const CACHEABLE_METHODS = new Set(['GET', 'HEAD', 'QUERY']);

type Own = 'get' | 'header' | 'range' | 'query' | 'path' | 'fresh' | 'stale' | 'xhr';

const members: Part<Request, Own> = {
  /**
   * A header field by name, whatever its case; `Referrer` and `Referer` are one.
   *
   * @throws {TypeError} without a name, or for one that is no string.
   */
  get: getField,
  header: getField,

  /**
   * The ranges of the field `Range` against a resource of `size` bytes; undefined without the field, -1 when none
   * can be satisfied, -2 for a malformed field.
   */
  range(size: number, options?: Options) {
    const field = this.get('Range');
    return field ? parseRange()(size, field, options) : undefined;
  },

  /** The query string as the setting `query parser` makes it; without a parser, empty. */
  get query(): Request['query'] {
    const parse = readSetting(this.app, 'query parser fn');
    // Whatever a parser of the application makes.
    return parse ? (parse(urlOf(this).query) as Request['query']) : Object.create(null);
  },

  /** The path of the URL, without the mount path. */
  get path(): string {
    return urlOf(this).pathname;
  },

  /** Whether the client's copy is still good for the response as it is now. RFC 9110 §13 */
  get fresh(): boolean {
    if (!CACHEABLE_METHODS.has(this.method)) return false;
    const { res } = this;
    const { statusCode } = res;
    if (!(statusCode >= 200 && statusCode < 300) && statusCode !== 304) return false;
    if (!isConditional(this.headers) && !overridesReads(res)) return false;
    return fresh(this.headers, { etag: res.get('ETag'), 'last-modified': res.get('Last-Modified') });
  },

  get stale(): boolean {
    return !this.fresh;
  },

  /** Whether the field `X-Requested-With` says `XMLHttpRequest`. */
  get xhr(): boolean {
    return (this.get('X-Requested-With') || '').toLowerCase() === 'xmlhttprequest';
  },
};

const descriptors: Descriptors<RequestMembers> = {
  ...Object.getOwnPropertyDescriptors(members),
  ...Object.getOwnPropertyDescriptors(negotiate),
  ...Object.getOwnPropertyDescriptors(origin),
};

export const request: Request = Object.create(IncomingMessage.prototype, descriptors);

/** Whether it has a field of those that `fresh` asks for first. */
function isConditional(headers: Request['headers']): boolean {
  return Boolean(headers['if-modified-since'] || headers['if-none-match']);
}

/** Of a request with a URL, as every server makes it. Null, where @types/express has text, for a part it has not. */
function urlOf(req: Request): Record<'query' | 'pathname', string> {
  return parseUrl(req) as Record<'query' | 'pathname', string>;
}

function getField(this: Request, name: 'set-cookie'): string[] | undefined;
function getField(this: Request, name: string): string | undefined;
function getField(this: Request, name: string): string | string[] | undefined {
  if (!name) throw new TypeError('name argument is required to req.get');
  if (typeof name !== 'string') throw new TypeError('name must be a string to req.get');
  const field = name.toLowerCase();
  if (field === 'referer' || field === 'referrer') return this.headers.referrer || this.headers.referer;
  return this.headers[field];
}
