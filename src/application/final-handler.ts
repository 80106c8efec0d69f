/**
 * The final handler: sends an error page or a 404 page, with the calls and bytes of the package finalhandler. Unlike
 * finalhandler, it responds to every error, whatever the error and the response contain. §7
 */
import { AsyncResource } from 'node:async_hooks';
import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import createDebug from 'debug';
import encodeUrl from 'encodeurl';
import onFinished from 'on-finished';
import parseUrl from 'parseurl';
import statuses from 'statuses';
import { setCheckedHeader } from '../http/header-store';
import { htmlPage, toHtml } from '../http/html-page';
import { isRefused } from '../http/refused-body';
import { ignore } from '../internal/ignore';
import { readSetting } from '../internal/setting';
import type { AnySeries } from '../series';
import type { AnyApplication, AnyRequest, AnyResponse } from '../types';

const { emit, on, read, resume, unpipe } = IncomingMessage.prototype;
const debug = createDebug('finalhandler');

interface UnhandledRequest {
  readonly app: AnyApplication;
  readonly req: AnyRequest;
  readonly res: AnyResponse;
  /** The value of the setting `env` when the request came in. */
  readonly env: string | undefined;
  readonly series: AnySeries;
}

/** A response that the final handler sends when the request has ended. */
interface Page {
  readonly status: number;
  /** The text, before it is escaped. The stack of an error may also be another value, which is converted. */
  readonly message: string;
  /** Headers of the error. */
  readonly headers: object | undefined;
}

/** Sends an error page, or a 404 page if there is no error. */
export function respondFinally(unhandled: UnhandledRequest, err: unknown): void {
  if (!err && sendUnescapedPage(unhandled)) return;
  const { app, req, res, env, series } = unhandled;
  respondToAny(req, res, err, {
    prepare(error) {
      if (!error && res.headersSent) {
        debug('cannot 404 after headers sent');
        return undefined;
      }
      const page = error
        ? errorPage(error, res, env || process.env.NODE_ENV || 'development')
        : notFound(req);
      debug('default %s', page.status);
      if (error) setImmediate(logError, app, error, series);
      if (!res.headersSent) return page;
      debug('cannot %d after headers sent', page.status);
      req.socket?.destroy();
      return undefined;
    },
    write: (page) => write(req, res, page, htmlPage('Error', toHtml(page.message))),
  });
}

const FAILED = 'Failed to respond';
/** Headers with which no client could read the page, or Node.js would not send it. */
const FRAMING = ['Transfer-Encoding', 'Trailer'];

/** The two steps of a response to an error. Both may throw, because they read and call what the application has set. */
interface Steps<Prepared> {
  /** Finds out what to send. Returns undefined if nothing can be sent. */
  prepare(err: unknown): Prepared | undefined;
  /** Sends it. The request has ended. */
  write(prepared: Prepared): void;
}

/**
 * Responds to an error after the whole request has arrived: some clients read no response before they have sent their
 * body. Responds to the exception if a step throws, and without any data of the application if it throws again.
 */
export function respondToAny<Prepared>(
  req: AnyRequest,
  res: AnyResponse,
  err: unknown,
  { prepare, write }: Steps<Prepared>,
): void {
  attempt(err, (failure) => {
    for (const name of FRAMING) orElse(() => res.removeHeader(name), ignore);
    attempt(failure || new Error(FAILED), () => sendBarePage(res));
  });

  function attempt(error: unknown, recover: (failure: unknown) => void): void {
    const prepared = orElse(() => prepare(error), recover);
    if (prepared === undefined) return;
    const send = (): void => orElse(() => write(prepared), recover);
    // Fast path: a request without a body needs no listeners of on-finished.
    if (isUnread(req)) return afterEnd(req, send);
    if (isRefused(req) || onFinished.isFinished(req)) return send();
    // An application may have replaced it by a value that is no function.
    orElse(() => req.unpipe(), ignore);
    onFinished(req, send);
    req.resume();
  }
}

function orElse<T>(body: () => T, recover: (failure: unknown) => void): T | undefined {
  try {
    return body();
  } catch (failure) {
    recover(failure);
    return undefined;
  }
}

const { end, getHeaderNames, removeHeader, writeHead } = ServerResponse.prototype;

/** Sends a page that nothing of the application has a part in: no header, no message, and no method it has wrapped. */
function sendBarePage(res: AnyResponse): void {
  if (res.writableEnded) return;
  try {
    for (const name of Reflect.apply(getHeaderNames, res, [])) Reflect.apply(removeHeader, res, [name]);
    const message = STATUS_CODES[500];
    const body = htmlPage('Error', `${message}`);
    const headers = {
      ...Object.fromEntries(PAGE_HEADERS.map(([, name, value]) => [name, value])),
      'Content-Length': Buffer.byteLength(body),
    };
    Reflect.apply(writeHead, res, [500, message, headers]);
    Reflect.apply(end, res, [body]);
  } catch {
    // The head is already sent, or the response is not one of Node.js.
    res.destroy();
  }
}

/** Returns the page of an error: with its status, its headers if it has a status, and outside production its stack. */
function errorPage(error: unknown, res: AnyResponse, env: string): Page {
  const err = Object(error);
  const { status: first } = err;
  const own = isErrorStatus(first) ? first : err.statusCode;
  const status = [own, res.statusCode].find(isErrorStatus) ?? 500;
  const headers = isErrorStatus(own) ? err.headers : undefined;
  const text = env === 'production' ? undefined : err.stack || textOf(error);
  return {
    status,
    headers: headers && typeof headers === 'object' ? { ...headers } : undefined,
    message: text || statuses.message[status],
  };
}

function isErrorStatus(status: unknown): status is number {
  return typeof status === 'number' && status >= 400 && status < 600;
}

function textOf(error: unknown): unknown {
  const method: unknown = Reflect.get(Object(error), 'toString');
  return typeof method === 'function' ? Reflect.apply(method, error, []) : undefined;
}

function notFound(req: AnyRequest): Page {
  const message = `Cannot ${req.method} ${encodeUrl(pathnameOf(req) ?? 'resource')}`;
  return { status: 404, message, headers: undefined };
}

/** Returns the path as the client sent it; undefined if the target is not a URL. */
function pathnameOf(req: AnyRequest): string | undefined {
  try {
    const url = parseUrl.original(req);
    // As in finalhandler, a target without a path is printed as `null`.
    return url && String(url.pathname);
  } catch {
    return undefined;
  }
}

/** Whether Node.js throws for a status message, because of a character that HTTP does not allow. */
function isInvalidMessage(message: unknown): boolean {
  return typeof message === 'string' && /[^\t\x20-\x7e\x80-\xff]/.test(message);
}

function logError(app: AnyApplication, err: unknown, series: AnySeries): void {
  if (readSetting(app, 'env') !== 'test') logSafely(err, series);
}

/** Logs an error. Logs a message instead if the error cannot be printed, for example because a getter throws. */
export function logSafely(err: unknown, { errors }: AnySeries): void {
  try {
    console.error(errors.toLogged(err));
  } catch {
    console.error('Error that cannot be printed');
  }
}

/** Characters that need neither URL encoding nor HTML escaping. */
const UNESCAPED_PATH = /^[\w./~-]+$/;
const UNESCAPED_METHOD = /^[A-Z]+$/;

/**
 * Fast path: sends the 404 page without encoding the path, and without the listeners of on-finished. Requires a path and
 * a method of such characters, and a request that `isUnread` accepts.
 *
 * @returns Whether the page will be sent.
 */
function sendUnescapedPage(unhandled: UnhandledRequest): boolean {
  const { req, res } = unhandled;
  if (res.headersSent || !isUnread(req)) return false;
  const pathname = pathnameOf(req) ?? '';
  if (!UNESCAPED_PATH.test(pathname) || !UNESCAPED_METHOD.test(req.method)) return false;
  debug('default %s', 404);
  const page = htmlPage('Error', `Cannot ${req.method} ${pathname}`);
  afterEnd(req, () => {
    orElse(
      () => write(req, res, { status: 404, headers: undefined }, page),
      (failure) => respondFinally(unhandled, failure || new Error(FAILED)),
    );
  });
  return true;
}

/** Whether a request over HTTP/1.x has no body, and no code has begun to read it or overridden its methods. */
function isUnread(req: AnyRequest): boolean {
  return (
    typeof req.originalUrl === 'string' &&
    typeof req.method === 'string' &&
    onFinished.isFinished(req) === false &&
    // The fake request of a test may lack properties. on-finished throws for it, as in Express, and the error must reach
    // the application.
    typeof req.socket?.on === 'function' &&
    Array.isArray(req.rawHeaders) &&
    hasNodeMethods(req) &&
    req.readableFlowing === null &&
    !req.destroyed &&
    req.httpVersionMajor < 2 &&
    req.headers['content-length'] === undefined &&
    req.headers['transfer-encoding'] === undefined
  );
}

/** Whether the request has the methods of Node.js, so that nothing can observe the fast path. */
function hasNodeMethods(req: AnyRequest): boolean {
  return (
    req.on === on && req.emit === emit && req.resume === resume && req.read === read && req.unpipe === unpipe
  );
}

/** Calls `callback` once, in the current async context, when the request has ended or closed. */
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

/** Writes a page with the same calls in the same order as finalhandler, because applications override these methods. */
function write(
  req: AnyRequest,
  res: AnyResponse,
  { status, headers = {} }: Pick<Page, 'status' | 'headers'>,
  body: string,
): void {
  res.statusCode = status;
  // Over HTTP/2, finalhandler keeps the status message, and Node.js throws if it contains an invalid character, such as
  // a line break.
  if (req.httpVersionMajor < 2) res.statusMessage = statuses.message[status] ?? '';
  else if (isInvalidMessage(res.statusMessage)) res.statusMessage = '';
  res.removeHeader('Content-Encoding');
  res.removeHeader('Content-Language');
  res.removeHeader('Content-Range');
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  for (const header of PAGE_HEADERS) setCheckedHeader(res, res.setHeader, header);
  setCheckedHeader(res, res.setHeader, ['content-length', 'Content-Length', Buffer.byteLength(body)]);
  if (req.method === 'HEAD') res.end();
  else res.end(body, 'utf8');
}
