/**
 * Whether a request came over HTTP/2. All that a request over HTTP/1.1 pays for it is one comparison.
 */
import { IncomingMessage } from 'node:http';
import type { Application, Next, Request, Response } from '../types';
import { lazy } from '../wire/lazy';

const http2 = lazy(() => require('./http2') as typeof import('./http2'));

/** Whether `req` is of Node.js's compatibility interface, whose classes are not those that applications extend. */
export function isCompatible(req: Request): boolean {
  return req.httpVersionMajor === 2 && !(req instanceof IncomingMessage);
}

/** Let `app` handle a request of the compatibility interface, by messages like those of HTTP/1.1. */
export function handleCompatible(app: Application, req: Request, res: Response, next?: Next): void {
  http2().handleHttp2(app, req, res, next);
}
