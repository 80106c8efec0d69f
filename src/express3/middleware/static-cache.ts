/** `staticCache`: caches nothing. It exists so that applications of Express 3 start. §9.3 */
import deprecateFor from 'depd';
import { named } from '../../internal/named';
import type { Middleware } from './types';

export interface StaticCacheOptions {
  maxLength?: number | undefined;
  maxObjects?: number | undefined;
}

const deprecate = deprecateFor('connect');

/** Creates middleware that sets `X-Cache: MISS` for GET and HEAD without `Range`, like an empty cache. */
export function staticCache(_options?: StaticCacheOptions): Middleware {
  deprecate('staticCache: use varnish or similar reverse proxy caches');
  return named('staticCache', (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (isRead && !req.headers.range) res.setHeader('X-Cache', 'MISS');
    next();
  });
}
