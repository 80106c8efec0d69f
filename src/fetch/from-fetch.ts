/** `fromFetch`: turns a function from `Request` to `Response` into middleware. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import createError from 'http-errors';
import { isAuthority, parseOrigin } from '../http/authority';
import { destroy } from '../http/guarded-stream';
import { withCode } from '../internal/error-code';
import { ignore } from '../internal/ignore';
import { origin } from '../request/origin';
import { copyHead, pump } from '../response/web-body';

/** Returns the response to a request, or nothing to continue with the next middleware. */
export type FetchHandler = (
  request: Request,
) => Response | undefined | null | Promise<Response | undefined | null>;

export interface FromFetchOptions {
  /** Whether to remove the mount path from the URLs that the handler receives. Default false. */
  stripMountPath?: boolean;
}

type Next = (err?: unknown) => void;
/** A request of `node:http`, or of an application. */
type AnyRequest = IncomingMessage & { originalUrl?: string; protocol?: string; app?: unknown };
type Middleware = (req: AnyRequest, res: ServerResponse, next: Next) => Promise<void>;

/**
 * Turns a fetch handler, such as an application of Hono or Remix, into middleware.
 *
 * Mount it before body parsers, because the handler reads the body itself. If the handler throws or rejects, the error
 * goes to `next`.
 *
 * @example app.use('/api', fromFetch(hono.fetch));
 */
export function fromFetch(handler: FetchHandler, options: FromFetchOptions = {}): Middleware {
  return async function fetchHandler(req, res, next) {
    // A URL cannot express the target of `OPTIONS *`.
    if (req.url === '*') return next();
    const controller = new AbortController();
    const abort = (): void => {
      if (!res.writableFinished) controller.abort();
    };
    res.once('close', abort);
    let response: Response | undefined | null;
    try {
      response = await handler(toRequest(req, options, controller.signal));
      if (response?.type === 'error')
        throw withCode(
          new TypeError(
            'the fetch handler returned a network error (Response.error()): return a response with a status',
          ),
          'NOZOMI_FETCH_NETWORK_ERROR',
        );
    } catch (err) {
      return res.destroyed ? undefined : next(err);
    } finally {
      if (!response) res.off('close', abort);
    }
    if (!response) return next();
    if (res.destroyed) return cancel(response);
    try {
      await send(req, res, response);
    } catch (err) {
      // Express 3 and 4 ignore promises: a rejection would end the process.
      next(err);
    }
  };
}

function toRequest(req: AnyRequest, { stripMountPath }: FromFetchOptions, signal: AbortSignal): Request {
  const { method = 'GET', headers, rawHeaders } = req;
  const url = toURL(req, (stripMountPath ? undefined : req.originalUrl) ?? req.url ?? '/');
  const list = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const { [i]: name = '', [i + 1]: value = '' } = rawHeaders;
    list.append(name, value);
  }
  const hasBody =
    method !== 'GET' &&
    method !== 'HEAD' &&
    (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);
  if (hasBody && req.readableEnded) {
    throw withCode(
      new Error('a body parser has already read the request: mount fromFetch before body parsers'),
      'NOZOMI_FETCH_BODY_READ',
    );
  }
  const body = hasBody ? Readable.toWeb(req) : null;
  return new Request(url, { method, headers: list, body, signal, duplex: 'half' });
}

/**
 * Returns the URL of a request. Its path is always that of the target: with a `Host` such as `h/admin?`, the URL parser
 * would find another path than the router and the log.
 *
 * @throws {HttpError} with status 400 for a host, protocol or target that cannot be a part of a URL.
 */
function toURL(req: AnyRequest, target: string): URL {
  const { host: own } = req.headers;
  // Not `req.host`, which has no port in Express 4 and 3.
  const host = req.app ? Reflect.get(origin, 'host', req) : own;
  const { protocol = 'encrypted' in req.socket && req.socket.encrypted ? 'https' : 'http' } = req;
  const isPath = target[0] === '/';
  const text = isPath ? `${protocol}://${host || 'localhost'}${target}` : target;
  const hosts = isPath ? [own || 'localhost', host || 'localhost'] : [parseOrigin(target)?.authority ?? ''];
  if (!/^https?$/i.test(protocol) || !hosts.every(isAuthority) || !URL.canParse(text))
    throw withCode(createError(400, 'Invalid URL', { type: 'url.invalid' }), 'NOZOMI_FETCH_INVALID_URL');
  return new URL(text);
}

async function send(req: IncomingMessage, res: ServerResponse, response: Response): Promise<void> {
  const { body } = response;
  copyHead(res, response);
  if (!body || req.method === 'HEAD') {
    res.end();
    return cancel(response);
  }
  res.flushHeaders();
  await pump(res, body).catch((err: unknown) => destroy(res, err));
}

/** Cancels a body that is not sent. A body that has already failed, because the client has left, rejects. */
function cancel({ body }: Response): void {
  body?.cancel().catch(ignore);
}
