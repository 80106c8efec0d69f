/** The first built-in middleware of an Express 3 application: sets `req.query`. §9.3 */
import type { IncomingMessage } from 'node:http';
import qs from 'qs';
import { parseTarget } from '../http/target';
import type { Handler, Request } from './types';

const kQuery: unique symbol = Symbol('nozomi.express3.query');

type Slot = Request & { [kQuery]?: Record<string, unknown> };

/** Creates middleware that sets `req.query` once per request, so that changes persist. */
export function createQuery(): Handler {
  return function query(req: Slot, _res, next) {
    if (!Object.hasOwn(req, 'query')) req[kQuery] ??= parseQuery(req);
    next();
  };
}

/** `req.query`: under a symbol, because a mounted Express 5 application has its own `req.query`. */
export const queryProperty: PropertyDescriptor & ThisType<Slot> = {
  configurable: true,
  enumerable: true,
  get() {
    return this[kQuery];
  },
  set(value) {
    this[kQuery] = value;
  },
};

/** Parses the query string. qs drops names such as `hasOwnProperty`, which applications may call. */
export function parseQuery(req: IncomingMessage): Record<string, unknown> {
  const text = parseTarget(req)?.query;
  if (!text) return {};
  // As with the qs of Express 3, lists have no limit, an index is at most 20, and `?a[b]=1&a=2` has the member `a['2']`.
  const arrayLimit = HAS_INDEX.test(text) ? 21 : PARAMETERS;
  // The qs of Express 3 has no option `charset`, so an addition to `Object.prototype` must not set it.
  return qs.parse(text, { arrayLimit, charset: 'utf-8', strictMerge: false });
}

/** The maximum number of parameters that qs parses. */
const PARAMETERS = 1000;
const HAS_INDEX = /(?:\[|%5B)\d/i;
