/** Loads the handling of HTTP/2 when the first such request comes. */
import type { ServerResponse } from 'node:http';
import type { CompatibleRequest, ServedApplication } from '../application/server';
import type { Next } from '../types';
import { lazy } from '../wire/lazy';

const http2 = lazy<typeof import('./http2')>(() => require('./http2'));

/** Lets `app` handle a request of the compatibility interface, with HTTP/1.1 message objects. */
export function handleCompatible(
  app: ServedApplication,
  req: CompatibleRequest,
  res: ServerResponse,
  next?: Next,
): void {
  http2().handleHttp2(app, req, res, next);
}
