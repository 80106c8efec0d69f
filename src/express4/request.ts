/** The request prototype of Express 4: the members that every `req` has in addition to those of Node.js. E4-E */
import { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import deprecateFor from 'depd';
import typeIs from 'type-is';
import { listOf } from '../request/negotiate';
import { request as core } from '../request/request';
import type { Part } from '../types';
import { overridesReads } from '../wire/header-store';
import { toMediaType } from './extension';
import { isFresh } from './fresh';
import { typeOf } from './media-type';
import { isStepTaken } from './series';
import type { Request } from './types';

const deprecate = deprecateFor('express');

const { query: _query, ...inherited } = Object.getOwnPropertyDescriptors(core);
const { acceptsEncodings, acceptsCharsets, acceptsLanguages } = core;

/**
 * The offered type that the client prefers, as it was passed; `false` if the client accepts none. Without an
 * argument, all types of the header `Accept`, best first.
 */
function acceptsType(this: Request): string[];
function acceptsType(this: Request, ...given: Array<string | string[]>): string | false;
function acceptsType(this: Request, ...given: Array<string | string[]>): string | string[] | false {
  const offered = listOf(given);
  const negotiator = accepts(this);
  if (offered.length === 0) return negotiator.types();
  const types = offered.map((type) => toMediaType(type) || type);
  const best = negotiator.types(types);
  return typeof best === 'string' && (offered[types.indexOf(best)] ?? best);
}

const members: Part<
  Request,
  | 'accepts'
  | 'acceptsEncoding'
  | 'acceptsCharset'
  | 'acceptsLanguage'
  | 'param'
  | 'is'
  | 'host'
  | 'hostname'
  | 'fresh'
> = {
  accepts: acceptsType,

  acceptsEncoding: deprecate.function(acceptsEncodings, 'req.acceptsEncoding: Use acceptsEncodings instead'),
  acceptsCharset: deprecate.function(acceptsCharsets, 'req.acceptsCharset: Use acceptsCharsets instead'),
  acceptsLanguage: deprecate.function(acceptsLanguages, 'req.acceptsLanguage: Use acceptsLanguages instead'),

  /** The value with that name in `req.params`, `req.body` or `req.query`, in this order. */
  param(...[name, fallback]: [name: string, fallback?: unknown]) {
    // biome-ignore lint/complexity/noArguments: `param(name, undefined)` is not `param(name)`.
    const form = arguments.length === 1 ? 'name' : 'name, default';
    deprecate(`req.param(${form}): Use req.params, req.body, or req.query instead`);
    const { params = {}, body, query } = this;
    if (params?.[name] != null && Object.hasOwn(params, name)) return params[name];
    for (const values of [body, query]) if (values?.[name] != null) return values[name];
    return fallback;
  },

  /**
   * The type of the given ones that the request body has; `false` for none or for a malformed `Content-Type`, `null`
   * without a body.
   */
  is(...given) {
    if (!typeIs.hasBody(this)) return null;
    const type = typeOf(this.headers['content-type']);
    if (type === undefined) return false;
    const types = listOf(given);
    if (types.length === 0) return type;
    const known = types.map((each) => toMediaType(each) || each);
    const index = known.findIndex((each) => typeIs.is(type, [each]));
    if (index === -1) return false;
    const found = types[index];
    return found === undefined || found[0] === '+' || found.includes('*') ? type : found;
  },

  /** The same as `hostname`; with the setting of docs/express4.md, the host with its port. */
  get host() {
    if (isStepTaken(this, 'host')) return hostOf(this);
    deprecate('req.host: Use req.hostname instead');
    return this.hostname;
  },

  /** The host without its port; from a trusted proxy, the first value of `X-Forwarded-Host`. */
  get hostname() {
    const host = hostOf(this);
    if (!host) return host;
    const port = host.indexOf(':', host[0] === '[' ? host.indexOf(']') + 1 : 0);
    return port === -1 ? host : host.slice(0, port);
  },

  /** Whether the client's copy is fresh, given the current headers of the response. */
  get fresh() {
    const { method, res, headers } = this;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'QUERY') return false;
    const { statusCode } = res;
    if (!(statusCode >= 200 && statusCode < 300) && statusCode !== 304) return false;
    const isConditional = headers['if-modified-since'] || headers['if-none-match'];
    if (!isConditional && !overridesReads(res)) return false;
    return isFresh(headers, { etag: res.get('ETag'), 'last-modified': res.get('Last-Modified') });
  },
};

/** The value of `req.host` in Express 5. */
function hostOf(req: Request): string {
  return Reflect.get(core, 'host', req);
}

export const request: Request = Object.create(IncomingMessage.prototype, {
  ...inherited,
  ...Object.getOwnPropertyDescriptors(members),
});
