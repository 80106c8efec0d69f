/** `timeout`: limits the time for a response, by the package connect-timeout. §9.3 */
import { optional } from './optional';
import type { Middleware } from './types';

export interface TimeoutOptions {
  /** Whether to call `next` with an error of status 503 instead of emitting `timeout`. Default true. */
  respond?: boolean | undefined;
}

type ConnectTimeout = (time?: number | string, options?: TimeoutOptions) => Middleware;

/** @param time Milliseconds, or a string such as `'5s'`. Default 5000. */
export function timeout(time?: number | string, options?: TimeoutOptions): Middleware {
  const connectTimeout = optional<ConnectTimeout>('timeout', 'connect-timeout', () =>
    require('connect-timeout'),
  );
  return connectTimeout(time, options);
}
