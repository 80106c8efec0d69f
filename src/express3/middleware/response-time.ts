/** `responseTime`: sends the duration of a response in a header. It uses the package response-time. §9.3 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadPackage } from './load-package';
import type { Middleware } from './types';

export interface ResponseTimeOptions {
  /** The number of decimals of the duration. Default 3. */
  digits?: number | undefined;
  /** The name of the header. Default `X-Response-Time`. */
  header?: string | undefined;
  /** Whether to append `ms` to the number. Default true. */
  suffix?: boolean | undefined;
}

/** Called instead of setting the header. `time` is the duration in milliseconds. */
export type OnResponseTime = (req: IncomingMessage, res: ServerResponse, time: number) => void;

type Library = (options?: number | ResponseTimeOptions | OnResponseTime) => Middleware;

/** Sets the header `X-Response-Time`, with the package response-time. */
export function responseTime(options?: number | ResponseTimeOptions | OnResponseTime): Middleware {
  const library = loadPackage<Library>('responseTime', 'response-time', () => require('response-time'), {
    major: 2,
    manifest: () => require('response-time/package.json'),
  });
  return library(options);
}
