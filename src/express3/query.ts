/** The first implicit middleware of a 3.x application: sets `req.query`. §9.3 */
import qs from 'qs';
import { parseTarget } from '../earlier/target';
import type { Handler, Request } from './types';

const kQuery: unique symbol = Symbol('nozomi.express3.query');

type Slot = Request & { [kQuery]?: Record<string, unknown> };

/**
 * Creates middleware that parses the query string once per request, so that changes by middleware or a mounted
 * application persist.
 */
export function createQuery(): Handler {
  return function query(req: Slot, _res, next) {
    if (!Object.hasOwn(req, 'query')) req[kQuery] ??= parse(req);
    next();
  };
}

/**
 * The property `req.query` of the 3.x request prototype. It stores its value separately, so that a mounted 5.x
 * application has its own `req.query`.
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

/**
 * Parses a query without the names `__proto__` and those of `Object.prototype`, because applications call these
 * methods.
 */
function parse(req: Request): Record<string, unknown> {
  const text = parseTarget(req)?.query;
  return text ? qs.parse(text) : {};
}
