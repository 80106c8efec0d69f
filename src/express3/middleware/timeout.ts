/** `timeout`: limits the time until a response begins, with the package connect-timeout. §9.3 */
import { loadPackage } from './load-package';
import type { Middleware } from './types';

export interface TimeoutOptions {
  /** Whether to call `next` with a 503 error after the request has emitted `timeout`. Default true. */
  respond?: boolean | undefined;
}

type ConnectTimeout = (time?: number | string, options?: TimeoutOptions) => Middleware;

/**
 * Creates middleware that fails a request if its response has not begun in time.
 *
 * @param time Milliseconds, or a string such as `'5s'`. Default 5000.
 */
export function timeout(time?: number | string, options?: TimeoutOptions): Middleware {
  const connectTimeout = loadPackage<ConnectTimeout>('timeout', 'connect-timeout', () =>
    require('connect-timeout'),
  );
  return connectTimeout(time, options);
}
