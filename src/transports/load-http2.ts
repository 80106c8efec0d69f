/** Loads the support of HTTP/2 with the first request of Node.js's HTTP/2 compatibility API. */
import type { ServerResponse } from 'node:http';
import type { Http2Request } from '../application/handle';
import type { ServedApplication } from '../application/server';
import type { Next } from '../types';
import { handleHttp2 } from './http2';

/** Passes a request of Node.js's HTTP/2 compatibility API to `app`, with message objects as over HTTP/1.1. */
export function serveHttp2(
  app: ServedApplication,
  req: Http2Request,
  res: ServerResponse,
  next?: Next,
): void {
  handleHttp2(app, req, res, next);
}
