/** The final handler. finalhandler sends every error and every 404 but the plainest, which a fast path sends. §7 */
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

interface Unanswered {
  readonly app: AnyApplication;
  readonly req: AnyRequest;
  readonly res: AnyResponse;
  /** The setting, as it was when the request came. */
  readonly env: string | undefined;
  /** Writes an error to the log. */
  readonly log: (err: unknown) => void;
}

/** Sends 404, or the page of an error. */
export function respondFinally({ app, req, res, env = '', log }: Unanswered, err: unknown): void {
  if (!err && answerPlainly(req, res)) return;
  // finalhandler sets the message for HTTP/1 only; over HTTP/2, Node.js also throws for a line break in it.
  if (req.httpVersionMajor >= 2 && isRefused(res.statusMessage)) res.statusMessage = '';
  finalhandler()(req, res, { env, onerror: (failure) => logError(app, failure, log) })(err);
}

/** Whether Node.js throws for that status message. */
function isRefused(message: unknown): boolean {
  return typeof message === 'string' && /[^\t\x20-\x7e\x80-\xff]/.test(message);
}

function logError(app: AnyApplication, err: unknown, log: (err: unknown) => void): void {
  if (readSetting(app, 'env') !== 'test') log(err);
}

/** Characters that need neither URL encoding nor HTML escaping. */
const PLAIN_PATH = /^[\w./~-]+$/;
const PLAIN_METHOD = /^[A-Z]+$/;

/**
 * Sends the 404 page for a plain path if only the end of the request has to be awaited.
 *
 * @returns Whether it will be sent.
 */
function answerPlainly(req: AnyRequest, res: AnyResponse): boolean {
  if (res.headersSent || !isPlain(req)) return false;
  const pathname = pathnameOf(req);
  if (!PLAIN_PATH.test(pathname) || !PLAIN_METHOD.test(req.method)) return false;
  debug('default %s', 404);
  const page = pageOf(`Cannot ${req.method} ${pathname}`);
  afterEnd(req, () => write(req, res, page));
  return true;
}

/** Whether Node.js created the request, nothing reads it yet, and it has no body. */
function isPlain(req: AnyRequest): boolean {
  return (
    typeof req.originalUrl === 'string' &&
    typeof req.method === 'string' &&
    onFinished().isFinished(req) === false &&
    // Fake requests may lack properties; finalhandler throws for them, and its error becomes the response.
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

/** Whether an application could not observe a difference from finalhandler's calls. */
function hasNodeMethods(req: AnyRequest): boolean {
  return (
    req.on === on && req.emit === emit && req.resume === resume && req.read === read && req.unpipe === unpipe
  );
}

/** As the client sent it; empty for a target that is not a URL. */
function pathnameOf(req: AnyRequest): string {
  try {
    return parseUrl.original(req)?.pathname ?? '';
  } catch {
    return '';
  }
}

/** Calls back once, in the current async context, after the request was read: handlers may set headers until then. */
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

/** The same calls in the same order as finalhandler, for applications that override these methods. */
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
