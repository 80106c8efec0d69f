/**
 * The final handler: sends an error page or a 404 page. The package finalhandler writes these pages, except for the
 * most frequent 404 pages, which have a fast path. §7
 */
import { AsyncResource } from 'node:async_hooks';
import { IncomingMessage } from 'node:http';
import createDebug from 'debug';
import parseUrl from 'parseurl';
import type { AnyApplication, AnyRequest, AnyResponse } from '../types';
import { setCheckedHeader } from '../wire/header-store';
import { lazy } from '../wire/lazy';
import { readSetting } from '../wire/setting';

const finalhandler = lazy<typeof import('finalhandler')>(() => require('finalhandler'));
const onFinished = lazy<typeof import('on-finished')>(() => require('on-finished'));
const { emit, on, read, resume, unpipe } = IncomingMessage.prototype;
const debug = createDebug('finalhandler');

interface UnhandledRequest {
  readonly app: AnyApplication;
  readonly req: AnyRequest;
  readonly res: AnyResponse;
  /** The value of the setting `env` when the request came in. */
  readonly env: string | undefined;
  /** Writes an error to the log. */
  readonly log: (err: unknown) => void;
}

/** Sends an error page, or a 404 page if there is no error. */
export function respondFinally({ app, req, res, env = '', log }: UnhandledRequest, err: unknown): void {
  if (!err && sendPlainPage(req, res)) return;
  // Over HTTP/2, finalhandler does not replace the status message, and Node.js throws if it contains an invalid
  // character, such as a line break.
  if (req.httpVersionMajor >= 2 && isInvalidMessage(res.statusMessage)) res.statusMessage = '';
  finalhandler()(req, res, { env, onerror: (failure) => logError(app, failure, log) })(err);
}

/** Whether Node.js throws for a status message, because of a character that HTTP does not allow. */
function isInvalidMessage(message: unknown): boolean {
  return typeof message === 'string' && /[^\t\x20-\x7e\x80-\xff]/.test(message);
}

function logError(app: AnyApplication, err: unknown, log: (err: unknown) => void): void {
  if (readSetting(app, 'env') !== 'test') log(err);
}

/** Characters that need neither URL encoding nor HTML escaping. */
const PLAIN_PATH = /^[\w./~-]+$/;
const PLAIN_METHOD = /^[A-Z]+$/;

/**
 * Fast path: sends the 404 page without finalhandler. Requires a path and a method of plain characters, and a request
 * that `isPlain` accepts.
 *
 * @returns Whether the page will be sent.
 */
function sendPlainPage(req: AnyRequest, res: AnyResponse): boolean {
  if (res.headersSent || !isPlain(req)) return false;
  const pathname = pathnameOf(req);
  if (!PLAIN_PATH.test(pathname) || !PLAIN_METHOD.test(req.method)) return false;
  debug('default %s', 404);
  const page = pageOf(`Cannot ${req.method} ${pathname}`);
  afterEnd(req, () => write(req, res, page));
  return true;
}

/** Whether a request over HTTP/1.x has no body, and no code has begun to read it or overridden its methods. */
function isPlain(req: AnyRequest): boolean {
  return (
    typeof req.originalUrl === 'string' &&
    typeof req.method === 'string' &&
    onFinished().isFinished(req) === false &&
    // The fake request of a test may lack properties. finalhandler throws for it, and the error must reach the
    // application.
    typeof req.socket.on === 'function' &&
    Array.isArray(req.rawHeaders) &&
    hasNodeMethods(req) &&
    req.readableFlowing === null &&
    !req.destroyed &&
    req.httpVersionMajor < 2 &&
    req.headers['content-length'] === undefined &&
    req.headers['transfer-encoding'] === undefined
  );
}

/**
 * Whether the request has the original methods that run when finalhandler discards the body. If the application has
 * overridden one of them, it could observe that the fast path calls it differently.
 */
function hasNodeMethods(req: AnyRequest): boolean {
  return (
    req.on === on && req.emit === emit && req.resume === resume && req.read === read && req.unpipe === unpipe
  );
}

/** Returns the path as the client sent it; empty if the target is not a URL. */
function pathnameOf(req: AnyRequest): string {
  try {
    return parseUrl.original(req)?.pathname ?? '';
  } catch {
    return '';
  }
}

/**
 * Calls `callback` once, in the current async context, when the request has ended or closed. Until then, other code may
 * still set headers.
 */
function afterEnd(req: AnyRequest, callback: () => void): void {
  const scope = new AsyncResource('bound-anonymous-fn');
  let isEnded = false;
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    scope.runInAsyncScope(callback);
  };
  req.unpipe();
  req.on('end', end);
  req.on('close', end);
  req.resume();
}

const PAGE_HEADERS = [
  ['content-security-policy', 'Content-Security-Policy', "default-src 'none'"],
  ['x-content-type-options', 'X-Content-Type-Options', 'nosniff'],
  ['content-type', 'Content-Type', 'text/html; charset=utf-8'],
] as const;

/**
 * Writes the page with the same calls in the same order as finalhandler, because applications override these methods.
 */
function write(req: AnyRequest, res: AnyResponse, page: string): void {
  res.statusCode = 404;
  res.statusMessage = 'Not Found';
  res.removeHeader('Content-Encoding');
  res.removeHeader('Content-Language');
  res.removeHeader('Content-Range');
  for (const header of PAGE_HEADERS) setCheckedHeader(res, res.setHeader, header);
  setCheckedHeader(res, res.setHeader, ['content-length', 'Content-Length', Buffer.byteLength(page)]);
  if (req.method === 'HEAD') res.end();
  else res.end(page, 'utf8');
}

function pageOf(message: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Error</title>
</head>
<body>
<pre>${message}</pre>
</body>
</html>
`;
}
