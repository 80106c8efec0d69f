/** `responseTime`: how long an answer took, in a field of its head, by response-time. §9.3 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { optional } from './optional';
import type { Middleware } from './types';

export interface ResponseTimeOptions {
  /** Decimals of the milliseconds. Default 3. */
  digits?: number | undefined;
  /** Default `X-Response-Time`. */
  header?: string | undefined;
  /** Write `ms` after the number. Default true. */
  suffix?: boolean | undefined;
}

/** Called in place of setting a field; `time` is in milliseconds. */
export type OnResponseTime = (req: IncomingMessage, res: ServerResponse, time: number) => void;

type Library = (options?: number | ResponseTimeOptions | OnResponseTime) => Middleware;

export function responseTime(options?: number | ResponseTimeOptions | OnResponseTime): Middleware {
  const library = optional<Library>('responseTime', 'response-time', () => require('response-time'), {
    major: 2,
    manifest: () => require('response-time/package.json'),
  });
  return library(options);
}
