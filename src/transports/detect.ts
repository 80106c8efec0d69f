/**
 * Whether a request came over HTTP/2. All that a request over HTTP/1.1 pays for it is one comparison.
 */
import { IncomingMessage, type ServerResponse } from 'node:http';
import type { ServedApplication } from '../application/server';
import type { Next } from '../types';
import { lazy } from '../wire/lazy';

const http2 = lazy<typeof import('./http2')>(() => require('./http2'));

/** Whether `req` is of Node.js's compatibility interface, whose classes are not those that applications extend. */
export function isCompatible(req: IncomingMessage): boolean {
  return req.httpVersionMajor === 2 && !(req instanceof IncomingMessage);
}

/** Let `app` handle a request of the compatibility interface, by messages like those of HTTP/1.1. */
export function handleCompatible(
  app: ServedApplication,
  req: IncomingMessage,
  res: ServerResponse,
  next?: Next,
): void {
  http2().handleHttp2(app, req, res, next);
}
