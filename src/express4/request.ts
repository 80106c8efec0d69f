/** The request prototype of Express 4: the members that every `req` has in addition to those of Node.js. E4-E */
import { IncomingMessage } from 'node:http';
import deprecateFor from 'depd';
import type { Options } from 'range-parser';
import parseRange from 'range-parser';
import typeIs from 'type-is';
import { get, getHeader } from '../http/header-store';
import { typeOf } from '../legacy/media-type';
import { listOf } from '../request/negotiate';
import { withoutPort } from '../request/origin';
import { addQuietEnd } from '../request/quiet-end';
import { request as core } from '../request/request';
import type { Part } from '../types';
import { isFresh } from './fresh';
import { hasFutureFlag } from './future-flags';
import { lookupType } from './lookup-type';
import { negotiate } from './negotiate';
import { toWellFormed } from './range';
import type { Request } from './types';

const deprecate = deprecateFor('express');

const { query: _query, ...inherited } = Object.getOwnPropertyDescriptors(core);
const { acceptsEncodings, acceptsCharsets, acceptsLanguages } = negotiate;

// biome-ignore format: a table
type Member =
  | keyof typeof negotiate | 'acceptsEncoding' | 'acceptsCharset' | 'acceptsLanguage'
  | 'param' | 'range' | 'is' | 'host' | 'hostname' | 'fresh';

const members: Part<Request, Member> = {
  ...negotiate,

  acceptsEncoding: deprecate.function(acceptsEncodings, 'req.acceptsEncoding: Use acceptsEncodings instead'),
  acceptsCharset: deprecate.function(acceptsCharsets, 'req.acceptsCharset: Use acceptsCharsets instead'),
  acceptsLanguage: deprecate.function(acceptsLanguages, 'req.acceptsLanguage: Use acceptsLanguages instead'),

  /** Returns the first value of this name in `req.params`, `req.body` and `req.query`, or else `fallback`. */
  param(...[name, fallback]: [name: string, fallback?: unknown]) {
    // biome-ignore lint/complexity/noArguments: `param(name, undefined)` differs from `param(name)`.
    const form = arguments.length === 1 ? 'name' : 'name, default';
    deprecate(`req.param(${form}): Use req.params, req.body, or req.query instead`);
    const { params = {}, body, query } = this;
    if (params?.[name] != null && Object.hasOwn(params, name)) return params[name];
    for (const values of [body, query]) if (values?.[name] != null) return values[name];
    return fallback;
  },

  /**
   * Parses the header `Range` for a resource of `size` bytes.
   *
   * @returns The ranges. Undefined without the header, -1 if no range can be satisfied, -2 if the header has no `=`.
   */
  range(size: number, options?: Options) {
    const field = this.get('Range');
    if (!field) return undefined;
    const ranges = parseRange(size, toWellFormed(field), options);
    // range-parser 1.3 also returns -2 if `size` is not a number.
    return ranges === -2 && field.includes('=') ? -1 : ranges;
  },

  /**
   * Returns the first of the given types that fits the request body. If that type has a wildcard or is a suffix such as
   * `+json`, or if no types are given, returns the actual type.
   *
   * Returns `false` if none fits or `Content-Type` is missing or malformed, and `null` without a body.
   */
  is(...given) {
    if (!typeIs.hasBody(this)) return null;
    const type = typeOf(this.headers['content-type']);
    if (type === undefined) return false;
    const types = listOf(given);
    if (types.length === 0) return type;
    const known = types.map((each) => lookupType(each) || each);
    const index = known.findIndex((each) => typeIs.is(type, [each]));
    if (index === -1) return false;
    const found = types[index];
    return found === undefined || found[0] === '+' || found.includes('*') ? type : found;
  },

  /**
   * The host without its port, like `hostname`. After `app.set('host', 5)`, the host with its port (docs/express4.md).
   */
  get host() {
    if (hasFutureFlag(this, 'host')) return hostOf(this);
    deprecate('req.host: Use req.hostname instead');
    return this.hostname;
  },

  /** The host without its port; behind a trusted proxy, the first of `X-Forwarded-Host`. */
  get hostname() {
    return withoutPort(hostOf(this));
  },

  /** Whether the client's copy is fresh, by the headers of the request and of the response. */
  get fresh() {
    const { method, res, headers } = this;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'QUERY') return false;
    const { statusCode } = res;
    if (!(statusCode >= 200 && statusCode < 300) && statusCode !== 304) return false;
    const isConditional = headers['if-modified-since'] || headers['if-none-match'];
    if (!isConditional && res.get === get && res.getHeader === getHeader) return false;
    return isFresh(headers, { etag: res.get('ETag'), 'last-modified': res.get('Last-Modified') });
  },
};

/** Returns the host with its port, as `req.host` does in Express 5. */
function hostOf(req: Request): string {
  return Reflect.get(core, 'host', req);
}

export const request: Request = addQuietEnd(
  Object.create(IncomingMessage.prototype, {
    ...inherited,
    ...Object.getOwnPropertyDescriptors(members),
  }),
);
