/** `strict`: what the RFCs require of a server on the public web and Express does not do. RFC 9110 · RFC 9112 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import createError, { type HttpError } from 'http-errors';
import parseUrl from 'parseurl';
import { createFinalHandler, isHttp2Request, kParts, type Parts } from '../application/handle';
import { named } from '../internal/named';
import { ownOptions } from '../internal/own-options';
import type { AnyApplication, AnyRequest, AnyResponse, Next } from '../types';
import { areCut, type HeadersLimit } from './cut-headers';

/** Each part of `strict`. Unless its value is `false`, it is on. */
export interface StrictOptions {
  /** The setting `strict paths`; `'normalize'` converts paths to their normal form. Default true. */
  paths?: boolean | 'normalize';
  /** The setting `strict host`. Default true. */
  host?: boolean;
  /** The setting `strict body limit`: 413 at once. Default true. */
  bodyLimit?: boolean;
  /**
   * Whether a path that has routes, but none for the method, gets 405 with `Allow`; TRACE and methods that Node.js does
   * not know get 501; and a version of HTTP that Node.js does not implement gets 505. Default true.
   */
  methods?: boolean;
  /**
   * Whether a request with as many headers as Node.js keeps (`server.maxHeadersCount`, by default 1,000) gets 431. Node.js
   * may have dropped further ones silently, such as the `X-Forwarded-For` of a proxy. Default true.
   */
  headers?: boolean;
  /** Milliseconds in which the headers of a request must arrive, else 408. Default 10,000. */
  headersTimeout?: number | false;
  /** Milliseconds in which a whole request must arrive, with its body, else 408. Default 60,000. */
  requestTimeout?: number | false;
}

/** Milliseconds between two checks of the time limits. The default of Node.js is 30 seconds. */
const CHECKS = 1000;

/** An application of `nozomi` or `nozomi/4`. */
export interface StrictApplication {
  // biome-ignore lint/suspicious/noExplicitAny: each Express version has its own types.
  set(name: string, value: any): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: each Express version has its own types.
  listen: any;
}

/**
 * Turns on all strict settings of an application, and the time limits of the server of `app.listen`. A server that you create
 * yourself needs `strictServer` too, an application that you mount needs `strict` for its 405 responses.
 *
 * @returns The application.
 * @throws {TypeError} for an invalid value, or an application of another package, such as Express.
 * @example strict(nozomi()).get('/', (req, res) => res.send('hello')).listen(3000);
 */
export function strict<App extends StrictApplication>(app: App, options: StrictOptions = {}): App {
  const { paths = true, host = true, bodyLimit = true, methods = true, headers = true } = ownOptions(options);
  if (!(kParts in app)) throw new TypeError('strict: app must be an application of nozomi or nozomi/4');
  app.set('strict paths', paths);
  app.set('strict host', host);
  app.set('strict body limit', bodyLimit);
  // A cast: applications of all versions have these members.
  const checked = app as unknown as CheckedApplication;
  if (methods) checkMethods(checked);
  if (headers) checkHeaders(checked);
  const { listen } = app;
  app.listen = function (this: App, ...args: unknown[]): Server {
    return strictServer(Reflect.apply(listen, this, args), options);
  };
  return app;
}

/**
 * Sets the time limits of a server that does not listen yet, and makes it respond with 501 and 505 where Node.js responds
 * with 400. A listener of the application for `clientError` takes precedence.
 *
 * @returns The server.
 */
export function strictServer<S extends Server>(server: S, options: StrictOptions = {}): S {
  const { headersTimeout = 10_000, requestTimeout = 60_000, methods = true } = ownOptions(options);
  if (headersTimeout !== false) server.headersTimeout = headersTimeout;
  if (requestTimeout !== false) server.requestTimeout = requestTimeout;
  // Node.js reads it, but does not document it, when the server begins to listen.
  Object.assign(server, { connectionsCheckingInterval: CHECKS });
  if (methods)
    server.on('clientError', (error: ClientError, socket: Socket & { _httpMessage?: HeadSent }) => {
      if (server.listenerCount('clientError') > 1) return;
      // As in Node.js: another response may be under way.
      if (socket.writable && !socket._httpMessage?._headerSent) {
        const status = statusOf(error);
        socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
      }
      socket.destroy(error);
    });
  return server;
}

type HeadSent = { _headerSent?: boolean } | null;
type ClientError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number };

const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
  HPE_INVALID_VERSION: 505,
};
// A request line whose method is a token of RFC 9110 §5.6.2. Linear: each part ends where the next begins.
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ [^\s]+ HTTP\/1\.[01]\r?\n/;

function statusOf({ code = '', rawPacket, bytesParsed = 0 }: ClientError): number {
  if (code !== 'HPE_INVALID_METHOD') return STATUSES[code] ?? 400;
  // The packet can contain earlier requests.
  const start = rawPacket ? rawPacket.subarray(0, bytesParsed).lastIndexOf('\n') + 1 : 0;
  const line = rawPacket?.subarray(start).toString('latin1') ?? '';
  return REQUEST_LINE.test(line) ? 501 : 400;
}

type CheckedApplication = AnyApplication & {
  readonly [kParts]: Parts;
  handle(req: AnyRequest, res: AnyResponse, callback?: Next): void;
  readonly router?: Stacked;
  readonly _router?: Stacked;
};

/** The methods that have routes for the path of a request, from applications that it has left. */
const allowedOf = new WeakMap<IncomingMessage, Set<string>>();

function checkMethods(app: CheckedApplication): void {
  const { handle } = app;
  app.handle = function (this: CheckedApplication, req, res, callback) {
    if (isHttp2Request(req)) return Reflect.apply(handle, this, [req, res, callback]);
    const done = callback ?? createFinalHandler(this, req, res, this[kParts].series);
    const refused = refusalOf(req);
    if (refused) return done(refused);
    const finish: Next = (err) => {
      if (err) return done(err);
      const refusal = notAllowed(req, this);
      done(callback ? undefined : refusal);
    };
    Reflect.apply(handle, this, [req, res, finish]);
  };
}

function checkHeaders(app: CheckedApplication): void {
  const { handle } = app;
  app.handle = function (this: CheckedApplication, req, res, callback) {
    if (!areCut(req.rawHeaders, serverOf(req))) return Reflect.apply(handle, this, [req, res, callback]);
    const done = callback ?? createFinalHandler(this, req, res, this[kParts].series);
    done(createError(431));
  };
}

/** Returns the server of a request, from an undocumented property of `node:http`. */
function serverOf({ socket }: IncomingMessage & { socket?: { server?: HeadersLimit } }): HeadersLimit {
  return socket?.server ?? {};
}

/** Returns the error for a request that no resource of this server supports. */
function refusalOf(req: IncomingMessage & { stream?: unknown }): HttpError | undefined {
  // Over HTTP/2, a request has a stream. Node.js also accepts `GET / HTTP/2.0` over HTTP/1.1.
  if (req.httpVersionMajor > 1 && !req.stream) return createError(505);
  return req.method === 'TRACE' || req.method === 'CONNECT' ? createError(501) : undefined;
}

/**
 * Creates middleware that passes an error with status 405 and `Allow` to the error handlers, if the path of the request
 * has routes in this application but none for its method. Use it before your own 404 handler. Without one, `strict` does
 * the same.
 */
export function methodNotAllowed(): (req: IncomingMessage, res: ServerResponse, next: Next) => void {
  return named('methodNotAllowed', (req, _res, next) => {
    // A cast: applications of all versions have these members.
    const asked = req as AnyRequest & { app: CheckedApplication };
    next(notAllowed(asked, asked.app));
  });
}

function notAllowed(req: AnyRequest, app: CheckedApplication): HttpError | undefined {
  const allowed = allowedOf.get(req) ?? new Set();
  allowedOf.set(req, allowed);
  // The getter `router` of Express 4 throws.
  const router = 'lazyrouter' in app ? app._router : app.router;
  collect(router?.stack ?? [], parseUrl(req)?.pathname ?? '', allowed);
  // A handler for this method has called `next`.
  if (allowed.size === 0 || allowed.has(req.method)) return undefined;
  return createError(405, { headers: { Allow: [...allowed].sort().join(', ') } });
}

interface Stacked {
  readonly stack: readonly StackLayer[];
}
interface StackLayer {
  readonly route?: { _methods(): string[] };
  readonly handle: Partial<Stacked>;
  /** The match of Express 5, or whether there is one. */
  match(path: string): { path: string } | boolean;
  readonly path?: string;
}

/** Adds the methods of all routes that match a path, also those of routers in the stack. */
function collect(stack: readonly StackLayer[], path: string, allowed: Set<string>): void {
  for (const layer of stack) {
    if (!layer.route && !layer.handle.stack) continue;
    const match = layer.match(path);
    if (!match) continue;
    if (layer.route) for (const method of layer.route._methods()) allowed.add(method);
    const { length } = (typeof match === 'object' ? match.path : layer.path) ?? '';
    const rest = path.slice(length);
    if (layer.handle.stack) collect(layer.handle.stack, rest[0] === '/' ? rest : `/${rest}`, allowed);
  }
}
