/** `staticCache`: kept so that applications start. §9.3 */
import depd from 'depd';
import { named } from '../../wire/named';
import type { Middleware } from './types';

export interface StaticCacheOptions {
  maxLength?: number | undefined;
  maxObjects?: number | undefined;
}

const deprecate = depd('connect');

/**
 * Passes every request on, like a cache that never hits. Use a caching proxy; the operating system caches files too.
 */
export function staticCache(_options?: StaticCacheOptions): Middleware {
  deprecate('staticCache: use varnish or similar reverse proxy caches');
  return named('staticCache', (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (isRead && !req.headers.range) res.setHeader('X-Cache', 'MISS');
    next();
  });
}
