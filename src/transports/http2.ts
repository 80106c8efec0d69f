/**
 * Requests over HTTP/2: creates message objects for each stream. RFC 9113
 *
 * Every application loads this module, so it does not import `node:http2`, which takes long to load. A process that
 * receives a request over HTTP/2 has loaded it.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse, Http2Session, ServerHttp2Stream } from 'node:http2';
import { Server } from 'node:net';
import { setImmediate } from 'node:timers';
import type { Http2Request } from '../application/handle';
import {
  createObjects,
  isApplication,
  isFirstListener,
  NODE_CLASSES,
  type ServedApplication,
  type ServerObjects,
} from '../application/server';
import { hasCode } from '../internal/error-code';
import type { Next } from '../types';
import { adoptHttp2Server } from './adopt-http2';
import {
  Exchange,
  type ExchangeResponse,
  exchangeOf,
  type Head,
  type MessageClasses,
  type RequestHead,
  type Transport,
} from './exchange';
import type { Connection } from './stream-socket';

type Headers = Http2ServerRequest['headers'];

// The error codes of RFC 9113 §7, as in `constants` of `node:http2`.
const NGHTTP2_NO_ERROR = 0;
const NGHTTP2_INTERNAL_ERROR = 2;
const NGHTTP2_CANCEL = 8;

/** Returns the module that Node.js has loaded for the server. */
const nodeHttp2 = (): typeof import('node:http2') => require('node:http2');

const transport: Transport<ServerHttp2Stream> = {
  name: 'HTTP/2',

  respond(stream, { status, headers, isWhole, mayHaveTrailers, sendDate }: Head) {
    if (stream.destroyed || stream.closed || stream.headersSent) return;
    // A 204 response must not have a Content-Length. RFC 9110 §8.6
    if (status === 204) delete headers['content-length'];
    headers[':status'] = status;
    const options = { endStream: isWhole, waitForTrailers: mayHaveTrailers, sendDate };
    sendJoined(headers, (given) => stream.respond(given, options));
  },

  inform(stream, status, headers) {
    if (stream.destroyed || stream.closed) return;
    sendJoined({ ':status': status, ...headers }, (given) => stream.additionalHeaders(given));
  },

  sendTrailers(stream, trailers) {
    if (!stream.destroyed && !stream.closed) sendJoined(trailers, (given) => stream.sendTrailers(given));
  },

  cancel(stream, err) {
    if (stream.destroyed) return;
    // If the application has ended the response, all of it is still sent.
    if (!err && stream.writableEnded) return closeLater(stream);
    stream.close(err ? NGHTTP2_INTERNAL_ERROR : NGHTTP2_CANCEL);
    stream.destroy();
  },

  isCut(stream) {
    return stream.aborted || (stream.rstCode !== undefined && stream.rstCode !== NGHTTP2_NO_ERROR);
  },

  refuseRest: closeLater,
};

/** Closes a stream after its response. Later, because Node.js 22 drops a head that is not sent yet. */
function closeLater(stream: ServerHttp2Stream): void {
  setImmediate(() => stream.close(NGHTTP2_NO_ERROR));
}

/** Sends headers. If Node.js refuses several values for one of them, sends them again with the values joined. */
function sendJoined(headers: OutgoingHttpHeaders, send: (headers: OutgoingHttpHeaders) => void): void {
  try {
    send(headers);
  } catch (err) {
    if (!hasCode(err, 'ERR_HTTP2_HEADER_SINGLE_VALUE')) throw err;
    send(joined(headers));
  }
}

/** Joins each list of values except `Set-Cookie`. RFC 9110 §5.2 */
function joined(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) && name !== 'set-cookie' ? value.join(', ') : value,
  ]);
  return Object.fromEntries(entries);
}

/**
 * Passes a request of Node.js's HTTP/2 compatibility API to `app`, with message objects as over HTTP/1.1. All
 * applications receive the same messages of a stream.
 */
export function serveHttp2(
  app: ServedApplication,
  req: Http2Request,
  res: ServerResponse,
  next?: Next,
): void {
  const { stream, headers, rawHeaders } = req;
  let exchange = exchangeOf(stream);
  if (!exchange) {
    // The response of Node.js's compatibility API listens for this event, too, and would send its own trailers.
    stream.removeAllListeners('wantTrailers');
    exchange = openExchange(stream, headers, rawHeaders, classesFor(stream.session, app));
    carryOver(req, exchange.req);
    carryOver(res, exchange.res);
    for (const [name, value] of Object.entries(res.getHeaders())) {
      if (value !== undefined) exchange.res.setHeader(name, value);
    }
    // Only a status that an earlier listener has set: it must not hide one that the application has on `app.response`.
    if (res.statusCode !== 200) exchange.res.statusCode = res.statusCode;
    adopt(app, stream.session, req, res);
  }
  // Called without type checks, because `handle` itself sets the prototypes that its parameter types require.
  Reflect.apply(app.handle, app, [exchange.req, exchange.res, next]);
}

/** Makes the server create the messages for the application, from the second request on. */
function adopt(app: ServedApplication, session: object | undefined, req: object, res: object): void {
  const { Http2ServerRequest, Http2ServerResponse } = nodeHttp2();
  const isOfNode =
    Object.getPrototypeOf(req) === Http2ServerRequest.prototype &&
    Object.getPrototypeOf(res) === Http2ServerResponse.prototype;
  // `server` is an undocumented property of a session.
  const server = session && 'server' in session && session.server;
  if (isOfNode && server instanceof Server) adoptHttp2Server(server, app, openFor);
}

/** Creates the messages of a stream for an application that is the only listener of the server. */
export function openFor(
  stream: ServerHttp2Stream,
  headers: Headers,
  rawHeaders: readonly string[],
  app: ServedApplication,
): Exchange {
  return openExchange(stream, headers, rawHeaders, classesFor(stream.session, app));
}

/**
 * Copies the properties that an earlier listener added to a message. Overrides of Node.js's methods are not copied,
 * because they would call the methods of Node.js's own message.
 */
function carryOver(from: object, to: object): void {
  for (const [name, value] of Object.entries(from)) {
    if (!Object.hasOwn(to, name) && !(name in Object.getPrototypeOf(from))) Reflect.set(to, name, value);
  }
}

/** Creates the request and the response of a stream. */
function openExchange(
  stream: ServerHttp2Stream,
  headers: Headers,
  rawHeaders: readonly string[],
  classes: MessageClasses,
): Exchange {
  const exchange = new Exchange(
    stream,
    transport,
    connectionOf(stream.session),
    headOf(stream, headers, rawHeaders),
    classes,
  );
  const { req, res } = exchange;
  req.stream = stream;
  req.authority = headers[':authority'];
  req.scheme = headers[':scheme'];
  res.stream = stream;
  res.createPushResponse = createPushResponse;
  return exchange;
}

/**
 * The classes for the options of a server of `node:http2`; they create the messages of `openExchange`.
 *
 * @param listener The listener of the server. If it is an application and the first listener, the messages have its
 *   prototypes, except for `Expect` and `CONNECT`.
 * @param server Returns the server.
 */
export function compatibleClasses(listener: unknown, server: () => Server): object {
  const app = isApplication(listener) ? listener : undefined;
  function createRequest(
    stream: ServerHttp2Stream,
    headers: Headers,
    _options: unknown,
    list: string[],
  ): unknown {
    const isConnect = headers[':method'] === 'CONNECT';
    const reachesOnlyApplication =
      app && headers.expect === undefined && !isConnect && isFirstListener(server(), app);
    const { req } = openExchange(
      stream,
      headers,
      list,
      reachesOnlyApplication ? classesFor(stream.session, app) : NODE_CLASSES,
    );
    if (isConnect) req.connectProtocol = headers[':protocol'];
    return req;
  }
  function createResponse(stream: ServerHttp2Stream): unknown {
    return exchangeOf(stream)?.res;
  }
  return { Http2ServerRequest: createRequest, Http2ServerResponse: createResponse };
}

/** Returns the messages of a CONNECT request, with the prototypes of Node.js if they do not exist yet. */
export function exchangeOfConnect({
  stream,
  headers,
  rawHeaders,
}: Pick<Http2Request, 'stream' | 'headers' | 'rawHeaders'>): Exchange {
  return exchangeOf(stream) ?? openExchange(stream, headers, rawHeaders, NODE_CLASSES);
}

/**
 * The headers of the request, with `:authority` as `Host`. If the client sent both and they differ, `rawHeaders` has
 * both, and `req.headers.host` is `:authority`. RFC 9113 §8.3.1
 */
function headOf(stream: ServerHttp2Stream, headers: Headers, given: readonly string[]): RequestHead {
  const { ':authority': authority, ':method': method = 'GET', ':path': url = '' } = headers;
  const rawHeaders = authority ? ['host', authority] : [];
  for (let i = 0; i < given.length; i += 2) {
    const { [i]: name = '', [i + 1]: value = '' } = given;
    const isSpare = name[0] === ':' || (name === 'host' && value === authority);
    if (!isSpare) rawHeaders.push(name, value);
  }
  return { method, url, rawHeaders, httpVersion: '2.0', hasBody: !stream.endAfterHeaders };
}

/** The classes for an application's prototypes, cached for each session. */
function classesFor(session: Http2Session | undefined, app: ServedApplication): MessageClasses {
  const known = session && objects.get(session);
  if (known?.app === app && known.reads.count === known.readsBefore) return known;
  const created = createObjects(app);
  if (session) objects.set(session, created);
  return created;
}

const objects = new WeakMap<Http2Session, ServerObjects>();

const connections = new WeakMap<Http2Session, Connection>();

/** The properties of the connection, read once: Node.js returns no address for a closed session. */
function connectionOf(session: Http2Session | undefined): Connection {
  if (!session) return {};
  let connection = connections.get(session);
  if (!connection) {
    const { socket } = session;
    const { remoteAddress, remotePort, remoteFamily, localAddress, localPort, localFamily } = socket;
    const { encrypted, authorized, authorizationError, alpnProtocol, servername }: Connection = socket;
    connection = {
      ...{ remoteAddress, remotePort, remoteFamily, localAddress, localPort, localFamily },
      ...{ encrypted, authorized, authorizationError, alpnProtocol, servername, socket },
    };
    connections.set(session, connection);
  }
  return connection;
}

/** Does the same as `response.createPushResponse` of Node.js. */
function createPushResponse(
  this: ExchangeResponse,
  headers: OutgoingHttpHeaders,
  callback: (err: Error | null, res?: Http2ServerResponse) => void,
): void {
  this.stream?.pushStream(headers, (err, stream) => {
    if (err) callback(err);
    else callback(null, new (nodeHttp2().Http2ServerResponse)(stream));
  });
}
