/**
 * Entry point `nozomi/http2`: servers for HTTP/2 with limits and timeouts. With TLS, they also serve HTTP/1.1 clients.
 *
 * `http2.createSecureServer(options, app)` of Node.js also works, but sets few limits.
 */
import {
  constants,
  createServer as createCleartextServer,
  createSecureServer,
  type Http2SecureServer,
  type Http2Server,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { ListenOptions, Socket } from 'node:net';
import { setTimeout } from 'node:timers';
import { isApplication } from '../application/server';
import { withCode } from '../internal/error-code';
import { ownOptions } from '../internal/own-options';
import { adoptHttp2Server } from '../transports/adopt-http2';
import { trackConnections } from '../transports/connections';
import { compatibleClasses, openFor } from '../transports/http2';

export interface Http2Options extends SecureServerOptions {
  /** Whether to serve without TLS, for a proxy or for tests. Browsers require TLS. Default false. */
  cleartext?: boolean;
  /**
   * After how many milliseconds without traffic a session is closed. Requests that the application has not responded to
   * are completed first; responses that the client does not receive are cut. 0 means never. Default 72,000.
   */
  sessionTimeout?: number;
  /**
   * How many milliseconds a client may take to send a request. 0 means no limit. Default 300,000, as in `node:http`.
   */
  requestTimeout?: number;
}

export type Server = Http2Server | Http2SecureServer;

/** An application, or any request listener of a server. */
// biome-ignore lint/suspicious/noExplicitAny: applications and listeners have their own types of requests and responses.
export type Listener = (req: any, res: any) => unknown;

const { NGHTTP2_CANCEL, NGHTTP2_STREAM_STATE_HALF_CLOSED_REMOTE } = constants;

/** The limit of concurrent streams per session. RFC 9113 §6.5.2 recommends at least 100. Node.js sets no limit. */
const MAX_CONCURRENT_STREAMS = 100;
const SESSION_TIMEOUT = 72_000;
const REQUEST_TIMEOUT = 300_000;

/**
 * Creates a server. With TLS it serves HTTP/2 to clients that offer it (ALPN), and HTTP/1.1 to others. With `cleartext`
 * it only serves HTTP/2.
 *
 * @param options The options of `http2.createSecureServer` and those of `Http2Options`. Defaults: `allowHTTP1` true,
 * `settings.maxConcurrentStreams` 100.
 * @throws {TypeError} if there is no certificate and `cleartext` is not set.
 */
export function createServer(options: Http2Options, listener: Listener): Server {
  const {
    cleartext = false,
    sessionTimeout = SESSION_TIMEOUT,
    requestTimeout = REQUEST_TIMEOUT,
  } = ownOptions(options);
  if (!cleartext && !hasCertificate(options)) {
    throw withCode(
      new TypeError('HTTP/2 needs TLS: pass key and cert, or cleartext: true to serve without TLS'),
      'NOZOMI_HTTP2_NO_CERTIFICATE',
    );
  }
  const given = {
    allowHTTP1: true,
    ...options,
    ...compatibleClasses(listener, () => server),
    settings: { maxConcurrentStreams: MAX_CONCURRENT_STREAMS, ...options.settings },
  };
  const server: Server = cleartext
    ? createCleartextServer(given, listener)
    : Object.assign(createSecureServer(given, listener), { requestTimeout });
  const { sessions } = trackConnections(server);
  server.on('session', (session: ServerHttp2Session) => {
    const socket = sessions.get(session);
    if (sessionTimeout > 0 && socket) limitSilence(session, socket, sessionTimeout);
    if (requestTimeout > 0) {
      session.on('stream', (stream: ServerHttp2Stream, { ':method': method }) => {
        // A tunnel stays open.
        if (method !== 'CONNECT') limitRequest(stream, requestTimeout);
      });
    }
  });
  if (isApplication(listener)) adoptHttp2Server(server, listener, openFor);
  return server;
}

/**
 * Creates a server and calls its `listen`.
 *
 * @param options The options of `createServer` and of `server.listen`.
 * @param callback Called when the server listens.
 * @example listen(app, { port: 443, key, cert });
 */
export function listen(
  listener: Listener,
  options: Http2Options & ListenOptions,
  callback?: () => void,
): Server {
  return createServer(options, listener).listen(options, callback);
}

function hasCertificate(options: Http2Options): boolean {
  return Boolean(options.cert || options.pfx || options.SNICallback || options.secureContext);
}

/**
 * Closes a session after `timeout` milliseconds without traffic, and the streams that wait for the client. Destroys its
 * socket if all streams do, or if the client does not close its side within the same time.
 */
function limitSilence(session: ServerHttp2Session, socket: Socket, timeout: number): void {
  const open = new Set<ServerHttp2Stream>();
  function onStreamClose(this: ServerHttp2Stream): void {
    open.delete(this);
    if (session.closed && open.size === 0) destroyLater(socket, timeout);
  }
  session.on('stream', (stream: ServerHttp2Stream) => {
    open.add(stream);
    stream.once('close', onStreamClose);
  });
  session.setTimeout(timeout);
  // Not as a callback of `setTimeout`, which Node.js calls only once.
  session.on('timeout', () => {
    const stalled = [...open].filter(isStalled);
    if (open.size > 0 && stalled.length === open.size) return void socket.destroy();
    // `session.close` waits for all streams.
    for (const stream of stalled) stream.close(NGHTTP2_CANCEL);
    session.close();
    if (open.size === 0) destroyLater(socket, timeout);
    // The response to another request may stall later.
    else session.setTimeout(timeout);
  });
}

/** Whether a stream waits for the client. It stays open after `close` while the client does not read from the socket. */
function isStalled({ closed, writableEnded, writableLength }: ServerHttp2Stream): boolean {
  return closed || writableEnded || writableLength > 0;
}

function destroyLater(socket: Socket, delay: number): void {
  const timer = setTimeout(() => socket.destroy(), delay).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Closes a stream if the client has not sent the whole request after `requestTimeout` milliseconds. */
function limitRequest(stream: ServerHttp2Stream, requestTimeout: number): void {
  if (stream.endAfterHeaders) return;
  const timer = setTimeout(() => {
    if (stream.state.state !== NGHTTP2_STREAM_STATE_HALF_CLOSED_REMOTE) stream.close(NGHTTP2_CANCEL);
  }, requestTimeout).unref();
  stream.once('end', () => clearTimeout(timer));
  stream.once('close', () => clearTimeout(timer));
}
