/**
 * The implicit first middleware of a 3.x application: `req.query`. §9.3
 */
import parseUrl from 'parseurl';
import qs from 'qs';
import type { Handler, Request } from './types';

const kQuery: unique symbol = Symbol('nozomi.express3.query');

type Slot = Request & { [kQuery]?: Record<string, unknown> };

/** Parse the query string once a request: what a mounted application or a program changes later stays. */
export function createQuery(): Handler {
  return function query(req, _res, next) {
    if (!Object.hasOwn(req, 'query')) (req as Slot)[kQuery] ??= parse(req);
    next();
  };
}

/**
 * The member of the request prototype. Kept in a slot, so that a 5.x application that is mounted here has its own
 * `req.query`.
 */
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

/** Without `__proto__` and without names that every object has: a program calls its methods. */
function parse(req: Request): Record<string, unknown> {
  const text = parseUrl(req)?.query;
  return text ? qs.parse(text as string) : {};
}
