/** Entry point `nozomi/graceful`: shuts a server down after its running requests have completed. */
import { Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Http2Session } from 'node:http2';
import { Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { ownOptions } from '../internal/own-options';
import { trackConnections } from '../transports/connections';

export interface GracefulOptions {
  /**
   * How long idle connections stay open after the shutdown begins, in milliseconds. If there is a proxy, choose more
   * than its keep-alive time, because it may still send requests on them. Default 0.
   */
  idle?: number;
  /**
   * How long after the shutdown begins all remaining connections are cut, in milliseconds: those with a running request,
   * and those that never end by themselves, such as WebSockets. Default 10,000.
   */
  deadline?: number;
  /**
   * Signals that close the server and then end the process with `process.exitCode`. If several servers of the process
   * are shutting down, the process ends after the last of them. A second signal ends it immediately. Default none.
   */
  signals?: readonly NodeJS.Signals[];
}

/** Milliseconds between two checks for idle connections and the deadline. */
const INTERVAL = 50;
/** Milliseconds for which a server that shuts down may still accept connections. */
const MAX_ACCEPT_TIME = 1000;
/** A GOAWAY frame with this stream id announces the shutdown, but refuses no stream yet. RFC 9113 §6.8 */
const LAST_STREAM_ID = 2 ** 31 - 1;

/** The unfinished shutdowns of this process. */
const running = new Set<Promise<void>>();

/**
 * Prepares a server for a graceful shutdown. Call this function before the server has connections.
 *
 * A graceful shutdown stops accepting connections, completes running requests and closes idle connections. At the
 * deadline it cuts the remaining connections. `server.close()` of Node.js differs: it closes idle connections
 * immediately, even if a proxy is sending a request on one, keeps a busy connection open after its response, and waits
 * for WebSockets and for clients that send nothing.
 *
 * @param server A server of `node:http`, `node:https` or `node:http2`.
 * @returns A function that begins the shutdown. Its promise is fulfilled when no connection is left, and at the latest
 *   at the deadline.
 * @example graceful(app.listen(3000), { signals: ['SIGTERM', 'SIGINT'] });
 */
export function graceful(server: Server, options: GracefulOptions = {}): () => Promise<void> {
  const { idle = 0, deadline = 10_000, signals = [] } = ownOptions(options);
  const { sockets, sessions } = trackConnections(server);
  let ending: Promise<void> | undefined;

  function close(): Promise<void> {
    if (!ending) {
      const shutdown = shutDown().finally(() => running.delete(shutdown));
      running.add(shutdown);
      ending = shutdown;
    }
    return ending;
  }

  async function shutDown(): Promise<void> {
    const began = performance.now();
    const elapsed = (): number => performance.now() - began;
    // Prepended, so that the header is set before the application responds.
    server.prependListener('request', announceClose);
    server.on('session', announceGoaway);
    for (const socket of sockets) announceCloseOnRunning(socket);
    for (const session of sessions.keys()) announceGoaway(session);

    await acceptWaiting(server, Math.min(deadline, MAX_ACCEPT_TIME));
    let isOver = false;
    // `close` of node:net closes only the listening socket. That of node:http and node:http2 also closes idle
    // connections.
    const closed = new Promise<void>((resolve) => {
      Server.prototype.close.call(server, () => {
        isOver = true;
        resolve();
      });
    });
    while (!isOver && elapsed() < deadline) {
      await Promise.race([closed, pause(INTERVAL)]);
      // Node.js then reads the requests that have arrived, so that their connections are not idle.
      await nextTurn();
      if (elapsed() >= idle) closeIdle();
    }
    cutAll();
    // A connection from before the call of `graceful` can be left.
    await Promise.race([closed, pause(INTERVAL)]);
  }

  function closeIdle(): void {
    // Node.js counts a connection as idle when the application has ended the response, even if the client has received
    // only a part of it.
    const isSending = [...sockets].some((socket) => socket.writableLength > 0);
    // A server of node:http2 can have HTTP/1.1 connections, too.
    if (!isSending) HttpServer.prototype.closeIdleConnections.call(server);
    for (const session of sessions.keys()) if (!session.closed) session.close();
  }

  function cutAll(): void {
    HttpServer.prototype.closeAllConnections.call(server);
    for (const socket of sockets) socket.destroy();
  }

  function onSignal(): void {
    for (const signal of signals) process.off(signal, onSignal);
    void close();
    void exitAfterLast();
  }
  for (const signal of signals) process.on(signal, onSignal);

  return close;
}

/**
 * Accepts the connections that wait in the backlog of the operating system, which would otherwise reset them when the
 * listening socket is closed. Node.js accepts one connection in each turn of its event loop.
 *
 * @param longest Milliseconds after which it ends, even if clients still open connections.
 */
async function acceptWaiting(server: Server, longest: number): Promise<void> {
  const end = performance.now() + longest;
  let hasAccepted = true;
  function onConnection(): void {
    hasAccepted = true;
  }
  server.on('connection', onConnection);
  while (hasAccepted && server.listening && performance.now() < end) {
    hasAccepted = false;
    // Two, because the first can end the turn in which the shutdown began.
    await nextTurn();
    await nextTurn();
  }
  server.off('connection', onConnection);
}

/** Ends the process when no server of it is shutting down. */
async function exitAfterLast(): Promise<void> {
  while (running.size > 0) await Promise.all(running);
  process.exit();
}

/** Sets `Connection: close`, so that the client sends no other request on the connection. */
function announceClose(req: IncomingMessage, res: ServerResponse): void {
  if (req.httpVersionMajor === 1 && !res.headersSent) res.setHeader('Connection', 'close');
}

/** A socket with undocumented properties of `node:http`: the response that runs, and the parser with the last request. */
interface HttpSocket extends Socket {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming: IncomingMessage | null } | null;
}

/** Announces the shutdown in the running response; not before pipelined ones, which Node.js would drop. */
function announceCloseOnRunning({ _httpMessage: res, parser }: HttpSocket): void {
  if (res && res.req === parser?.incoming) announceClose(res.req, res);
}

/** Sends GOAWAY, so that the client opens a new session for its next request. */
function announceGoaway(session: Http2Session): void {
  if (!session.destroyed && !session.closed) session.goaway(0, LAST_STREAM_ID);
}
