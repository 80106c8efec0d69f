/** `upgrade` and `onUpgrade`: WebSockets, and other protocols, through an application. RFC 9110 §7.8 · RFC 8441 */
import { randomBytes } from 'node:crypto';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Server, Socket } from 'node:net';
import { type Duplex, Writable } from 'node:stream';
import type { Request } from 'express-serve-static-core';
import { ignore } from '../internal/ignore';
import { ownOptions } from '../internal/own-options';
import { rejection } from '../internal/rejection';
import { exchangeOfConnect } from '../transports/http2';
import { readAgain } from './read-again';
import { translateHead } from './translate-head';

/** An application, or any request listener of a server. */
// biome-ignore lint/suspicious/noExplicitAny: applications and listeners have their own types of requests and responses.
export type Listener = (req: any, res: any) => unknown;

type Next = (err?: unknown) => void;

export interface UpgradeOptions {
  /**
   * The protocols that a GET request of HTTP/1.1 may ask for in its header `Upgrade`, in lower case. A request for another
   * protocol is an ordinary request, as if it had no such header. Default `['websocket']`.
   */
  protocols?: readonly string[];
}

/**
 * Takes over the connection of a request, for example with `handleUpgrade` of the package ws.
 *
 * @param socket The connection. Over HTTP/2 it is the stream of the request.
 * @param head What the client has sent after the request.
 */
export type UpgradeHandler<Req = Request> = (req: Req, socket: Duplex, head: Buffer) => unknown;

/** A CONNECT request over HTTP/2, of the compatibility API of Node.js or of `nozomi/http2`. */
interface Http2Connect {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
  readonly connectProtocol?: unknown;
}

/** The protocol of a CONNECT request, such as `websocket`; empty for an ordinary CONNECT request. RFC 8441 §4 */
function protocolOf({ connectProtocol, headers }: Http2Connect): string {
  return `${connectProtocol ?? headers[':protocol'] ?? ''}`;
}

/** A request whose connection a handler can take over. */
interface Pending {
  readonly socket: Duplex;
  /** Whether something was sent. */
  hasSent(): boolean;
  /** Stops reading from the connection. Returns what the client has sent after the request. */
  release(): Buffer;
  /** Reads from the connection again, for the response that refuses the request. */
  resume(): void;
  /** Separates the response from the connection. */
  detach(): void;
}

const pending = new WeakMap<IncomingMessage, Pending>();

/** The most bytes that a client may send before a handler takes over the connection. RFC 6455 §4.1 allows none. */
const MAX_EARLY_BYTES = 512 * 1024;

/**
 * Passes the upgrade requests of a server to an application, as GET requests. They pass its middleware, parameters and
 * error handlers. A handler accepts one with `onUpgrade`; any other response refuses it, and closes the connection.
 *
 * @param server A server of `node:http`, `node:https` or `node:http2`. For WebSockets over HTTP/2, it must have
 *   `settings.enableConnectProtocol`.
 * @returns The server.
 * @example upgrade(app.listen(3000), app);
 */
export function upgrade<S extends Server>(server: S, app: Listener, options: UpgradeOptions = {}): S {
  const { protocols = ['websocket'] } = ownOptions(options);
  const isWanted = ({ method, httpVersion, headers }: IncomingMessage): boolean =>
    method === 'GET' && httpVersion === '1.1' && protocols.includes(headers.upgrade?.toLowerCase() ?? '');

  if ('shouldUpgradeCallback' in server) Object.assign(server, { shouldUpgradeCallback: isWanted });
  server.on('upgrade', (req: IncomingMessage, socket: HttpSocket, head: Buffer) => {
    const wanted = isWanted(req);
    const watched = watch(server, socket, head, wanted);
    afterEarlierResponses(socket, () => {
      // After an earlier request, Node.js has set `keepAliveTimeout`.
      socket.setTimeout('timeout' in server && typeof server.timeout === 'number' ? server.timeout : 0);
      if (wanted) return handle(app, req, socket, watched);
      const early = watched.release();
      watched.leave();
      readAgain(server, req, socket, early);
    });
  });
  // Only servers of node:http2 have this method.
  if ('updateSettings' in server) {
    server.on('connect', (req: Http2Connect | IncomingMessage, res: ServerResponse | Socket) => {
      const protocol = 'stream' in req ? protocolOf(req) : '';
      if (protocols.includes(protocol)) handleTunnel(app, req as Http2Connect, protocol);
      else if (server.listenerCount('connect') === 1) refuseConnect(res);
    });
  }
  return server;
}

/** Does what Node.js does without a listener for `connect`. */
function refuseConnect(res: ServerResponse | Socket): void {
  if ('statusCode' in res) res.writeHead(405).end();
  else res.destroy();
}

/**
 * Creates middleware that accepts upgrade requests: calls `handler`, which takes over the connection. For an ordinary
 * request, it calls `next`. If `handler` throws or rejects before it has sent anything, the error goes to `next`.
 *
 * @example
 * app.get('/chat', onUpgrade((req, socket, head) => {
 *   wss.handleUpgrade(req, socket, head, (ws) => ws.send('hello'));
 * }));
 */
export function onUpgrade<Req extends IncomingMessage = Request>(
  handler: UpgradeHandler<Req>,
): (req: Req, res: ServerResponse, next: Next) => Promise<void> {
  return async function upgradeHandler(req, res, next) {
    const upgrade = pending.get(req);
    if (!upgrade) return next();
    const { socket } = upgrade;
    pending.delete(req);
    // Too late: the client has disconnected, or other code has responded.
    if (socket.destroyed || res.writableEnded) return;
    try {
      await handler(req, socket, upgrade.release());
    } catch (err) {
      // The client has received a part of another protocol: it could not read an error page.
      if (upgrade.hasSent()) socket.destroy();
      else upgrade.resume();
      return next(rejection(err));
    }
    upgrade.detach();
    try {
      // A library that refuses the request ends the connection after its own response.
      conclude(res, socket.writableEnded ? 400 : 101);
    } catch (err) {
      // Express 4 ignores promises, so a rejection would end the process.
      next(rejection(err));
    }
  };
}

/** A socket with an undocumented property of `node:http`: the response that uses it. */
interface HttpSocket extends Socket {
  _httpMessage?: ServerResponse | null;
}

/** Waits until the responses of earlier requests on the connection are sent (pipelining). */
function afterEarlierResponses(socket: HttpSocket, callback: () => void): void {
  if (socket.destroyed) return;
  const { _httpMessage: earlier } = socket;
  if (earlier) earlier.once('close', () => afterEarlierResponses(socket, callback));
  else callback();
}

/** A socket from which Node.js has removed its listeners for an upgrade request. */
interface Watched {
  /** Stops reading. Returns what the client has sent after the request. */
  release(): Buffer;
  /** Reads again. */
  resume(): void;
  /** Removes the other listeners. */
  leave(): void;
}

/**
 * Listens as Node.js does for an ordinary request. Reads too: otherwise nothing shows that the client has disconnected.
 *
 * @param isLimited Whether to destroy the socket if the client sends too much. Otherwise, reading pauses.
 */
function watch(server: Server, socket: HttpSocket, head: Buffer, isLimited: boolean): Watched {
  const early = [head];
  let length = head.length;
  const onData = (chunk: Buffer): void => {
    early.push(chunk);
    length += chunk.length;
    if (length <= MAX_EARLY_BYTES) return;
    if (isLimited) socket.destroy();
    else socket.pause();
  };
  const onEnd = (): void => void socket.destroy();
  const onTimeout = (): void => {
    const isHeard = [socket._httpMessage?.emit('timeout', socket), server.emit('timeout', socket)];
    if (!isHeard.includes(true)) socket.destroy();
  };
  const onDrain = (): void => void socket._httpMessage?.emit('drain');
  const resume = (): void => void socket.on('data', onData).on('end', onEnd).on('timeout', onTimeout);
  // An error without a listener ends the process.
  socket.on('error', ignore).on('drain', onDrain);
  resume();
  return {
    release() {
      socket.off('data', onData).off('end', onEnd).off('timeout', onTimeout);
      // As Node.js leaves a socket for a listener of `upgrade`: the next listener for `data` resumes it.
      Object.assign(socket, { readableFlowing: null });
      return Buffer.concat(early);
    },
    resume,
    leave: () => void socket.off('error', ignore).off('drain', onDrain),
  };
}

/** Calls the application with a response that closes the connection when it is sent. */
function handle(app: Listener, req: IncomingMessage, socket: HttpSocket, watched: Watched): void {
  const onClose = (): void => void req.destroy();
  const onFinish = (): void => socket.destroySoon();
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  res.on('finish', onFinish);
  socket.on('close', onClose);
  const { bytesWritten } = socket;

  pending.set(req, {
    socket,
    hasSent: () => socket.bytesWritten > bytesWritten,
    release: watched.release,
    resume: watched.resume,
    detach() {
      socket.off('close', onClose);
      res.off('finish', onFinish);
      res.detachSocket(socket);
      watched.leave();
      // Not without a listener of the handler: an error would end the process.
      if (socket.listenerCount('error') === 0) socket.on('error', ignore);
    },
  });
  // Node.js does the same for an ordinary request.
  if (req.headers.host === undefined) res.writeHead(400).end();
  else app(req, res);
}

/** Calls the application with the messages of an HTTP/2 stream, and a request as over HTTP/1.1. RFC 8441 §5 */
function handleTunnel(app: Listener, connect: Http2Connect, upgrade: string): void {
  const { stream } = connect;
  const exchange = exchangeOfConnect(connect);
  const { req, res } = exchange;
  Object.assign(req, { method: 'GET', upgrade: true });
  // Libraries for WebSockets refuse a request without a key, which HTTP/2 does not have.
  const key = randomBytes(16).toString('base64');
  Object.assign(req.headers, { connection: 'Upgrade', upgrade, 'sec-websocket-key': key });
  // The stream has no body: what the client sends belongs to the other protocol.
  delete req.headers['transfer-encoding'];

  pending.set(req, {
    socket: stream,
    hasSent: () => stream.headersSent,
    release() {
      translateHead(stream);
      return Buffer.alloc(0);
    },
    resume: ignore,
    detach: () => exchange.release(),
  });
  app(req, res);
}

/** Ends a response without sending it, so that sessions are saved and the logger writes its line. */
function conclude(res: ServerResponse, status: number): void {
  const sink = new Writable({ write: (_chunk, _encoding, callback) => callback() });
  res.assignSocket(sink as Socket);
  res.once('finish', () => sink.destroy());
  res.statusCode = status;
  res.end();
}
