/**
 * The request prototype of Express 4, over that of Node.js. E4-E
 */
import { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import deprecateFor from 'depd';
import typeIs from 'type-is';
import { request as core } from '../request/request';
import type { Named } from '../types';
import { overridesReads } from '../wire/overrides';
import { toMediaType } from './extension';
import { isFresh } from './fresh';
import type { Request as PublicRequest } from './interface';
import { typeOf } from './media-type';
import { isStepTaken } from './series';
import type { Request } from './types';

const deprecate = deprecateFor('express');

const { query: _query, ...inherited } = Object.getOwnPropertyDescriptors(core);
const { acceptsEncodings, acceptsCharsets, acceptsLanguages } = core;
const hostOf = inherited.host.get as () => string | undefined;

type Values = Record<string, unknown> | undefined;

const members: Named<
  PublicRequest,
  | 'accepts'
  | 'acceptsEncoding'
  | 'acceptsCharset'
  | 'acceptsLanguage'
  | 'param'
  | 'is'
  | 'host'
  | 'hostname'
  | 'fresh',
  Request
> = {
  /**
   * The best of the types offered, as it was offered; `false` when none is acceptable. Without an offer, all types of the
   * header `Accept`, best first.
   */
  accepts(...given: Array<string | string[]>) {
    const offered = (Array.isArray(given[0]) ? given[0] : given) as string[];
    const negotiator = accepts(this);
    if (offered.length === 0) return negotiator.types();
    const types = offered.map((type) => toMediaType(type) || type);
    const best = negotiator.types(types);
    return best && offered[types.indexOf(best as string)];
  },

  acceptsEncoding: deprecate.function(
    acceptsEncodings as never,
    'req.acceptsEncoding: Use acceptsEncodings instead',
  ),
  acceptsCharset: deprecate.function(
    acceptsCharsets as never,
    'req.acceptsCharset: Use acceptsCharsets instead',
  ),
  acceptsLanguage: deprecate.function(
    acceptsLanguages as never,
    'req.acceptsLanguage: Use acceptsLanguages instead',
  ),

  /** The value of that name in the path, the body or the query, in this order. */
  param(...[name, fallback]: [name: string, fallback?: unknown]) {
    // biome-ignore lint/complexity/noArguments: `param(name, undefined)` is not `param(name)`.
    const form = arguments.length === 1 ? 'name' : 'name, default';
    deprecate(`req.param(${form}): Use req.params, req.body, or req.query instead`);
    const params = (this.params || {}) as Record<string, unknown>;
    if (params[name] != null && Object.hasOwn(params, name)) return params[name];
    for (const values of [this.body, this.query] as Values[]) if (values?.[name] != null) return values[name];
    return fallback;
  },

  /** Whether the body is of one of the types; `false` for a malformed `Content-Type`, `null` without a body. */
  is(...given: Array<string | string[]>) {
    if (!typeIs.hasBody(this)) return null;
    const type = typeOf(this.headers['content-type']);
    if (type === undefined) return false;
    const types = (Array.isArray(given[0]) ? given[0] : given) as string[];
    if (types.length === 0) return type;
    const known = types.map((each) => toMediaType(each) || each);
    const index = known.findIndex((each) => typeIs.is(type, [each]));
    if (index === -1) return false;
    const found = types[index] as string;
    return found[0] === '+' || found.includes('*') ? type : found;
  },

  /** As `hostname`, unless the application wants the port too. */
  get host() {
    if (isStepTaken(this, 'host')) return hostOf.call(this);
    deprecate('req.host: Use req.hostname instead');
    return this.hostname;
  },

  /** The host without its port; of a trusted peer, the first of `X-Forwarded-Host`. */
  get hostname() {
    const host = hostOf.call(this);
    if (!host) return undefined;
    const port = host.indexOf(':', host[0] === '[' ? host.indexOf(']') + 1 : 0);
    return port === -1 ? host : host.slice(0, port);
  },

  /** Whether the client's copy is still good for the response as it is now. */
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

export const request: Request = Object.create(IncomingMessage.prototype, {
  ...(inherited as PropertyDescriptorMap),
  ...Object.getOwnPropertyDescriptors(members),
});
