/** `staticCache`: kept so that programs start. §9.3 */
import depd from 'depd';
import type { Middleware } from './types';

export interface StaticCacheOptions {
  maxLength?: number | undefined;
  maxObjects?: number | undefined;
}

const deprecate = depd('connect');

/** Passes every request on. A cache stands in front of a server, or files are read by the system's own. */
export function staticCache(_options?: StaticCacheOptions): Middleware {
  deprecate('staticCache: use varnish or similar reverse proxy caches');
  return function staticCache(_req, _res, next) {
    next();
  };
}
