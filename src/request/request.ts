/** The request prototype: the members that every `req` has in addition to those of Node.js. §2.6, §4.4 */
import { IncomingMessage } from 'node:http';
import fresh from 'fresh';
import type { Options } from 'range-parser';
import parseRange from 'range-parser';
import { get, getHeader } from '../http/header-store';
import { parseTarget } from '../http/target';
import { readSetting } from '../internal/setting';
import type { Descriptors, Part, Request, RequestMembers } from '../types';
import { negotiate } from './negotiate';
import { origin } from './origin';
import { addQuietEnd } from './quiet-end';

/** The methods for which `req.fresh` can be true, as in Express. RFC 9110 §13.1 */
const CACHEABLE_METHODS = new Set(['GET', 'HEAD', 'QUERY']);

type Own = 'get' | 'header' | 'range' | 'query' | 'path' | 'fresh' | 'stale' | 'xhr';

const members: Part<Request, Own> = {
  /**
   * Returns the value of a request header, or undefined. The letter case of the name does not matter, and `Referrer`
   * and `Referer` are the same header.
   *
   * @throws {TypeError} if the name is missing or not a string.
   */
  get: getField,
  header: getField,

  /**
   * Parses the header `Range` for a resource of `size` bytes.
   *
   * @returns The ranges. Undefined without the header, -1 if no range can be satisfied, -2 if the header is malformed.
   */
  range(size: number, options?: Options) {
    const field = this.get('Range');
    return field ? parseRange(size, field, options) : undefined;
  },

  /** The query string, parsed according to the setting `query parser`; an empty object if the setting is `false`. */
  get query(): Request['query'] {
    const parse = readSetting(this.app, 'query parser fn');
    // A cast, because a parser of the application may return any value.
    return parse ? (parse(parseTarget(this).query) as Request['query']) : Object.create(null);
  },

  /** The path of `req.url`. Below a mount path, it does not contain the mount path. */
  get path(): string {
    return parseTarget(this).pathname;
  },

  /** Whether the client's copy is fresh, by the headers of the request and of the response. RFC 9110 §13 */
  get fresh(): boolean {
    if (!CACHEABLE_METHODS.has(this.method)) return false;
    const { res } = this;
    const { statusCode } = res;
    if (!(statusCode >= 200 && statusCode < 300) && statusCode !== 304) return false;
    if (!isConditional(this.headers) && res.get === get && res.getHeader === getHeader) return false;
    return fresh(this.headers, { etag: res.get('ETag'), 'last-modified': res.get('Last-Modified') });
  },

  get stale(): boolean {
    return !this.fresh;
  },

  /** Whether the header `X-Requested-With` is `XMLHttpRequest`. */
  get xhr(): boolean {
    return (this.get('X-Requested-With') || '').toLowerCase() === 'xmlhttprequest';
  },
};

const descriptors: Descriptors<RequestMembers> = {
  ...Object.getOwnPropertyDescriptors(members),
  ...Object.getOwnPropertyDescriptors(negotiate),
  ...Object.getOwnPropertyDescriptors(origin),
};

export const request: Request = addQuietEnd(Object.create(IncomingMessage.prototype, descriptors));

/** Whether the request has one of the two headers without which the package fresh always returns false. */
function isConditional(headers: Request['headers']): boolean {
  return Boolean(headers['if-modified-since'] || headers['if-none-match']);
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
