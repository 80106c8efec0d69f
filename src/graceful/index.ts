/** Entry point `nozomi/graceful`: shuts a server down after its running requests have completed. */
import { Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Http2Session } from 'node:http2';
import { Server } from 'node:net';
import { trackSessions } from '../transports/sessions';

export interface GracefulOptions {
  /**
   * How long idle connections stay open after the shutdown begins, in milliseconds. If there is a proxy, choose more
   * than its keep-alive time, because it may still send requests on them. Default 0.
   */
  idle?: number;
  /** How long after the shutdown begins the remaining requests are aborted, in milliseconds. Default 10,000. */
  deadline?: number;
  /**
   * Signals that close the server and then end the process with `process.exitCode`. A second signal ends the process
   * immediately. Default none.
   */
  signals?: readonly NodeJS.Signals[];
}

/** Milliseconds between two checks for idle connections and the deadline. */
const INTERVAL = 50;
/** A GOAWAY frame with this stream id announces the shutdown, but refuses no stream yet. RFC 9113 §6.8 */
const LAST_STREAM_ID = 2 ** 31 - 1;

/**
 * Prepares a server for a graceful shutdown. Call this function before the server has connections.
 *
 * A graceful shutdown stops accepting connections, completes running requests and closes idle connections. At the
 * deadline it aborts the remaining requests. `server.close()` of Node.js differs: it closes idle connections
 * immediately, even if a proxy is sending a request on one, and keeps a busy connection open after its response.
 *
 * @param server A server of `node:http`, `node:https` or `node:http2`.
 * @returns A function that begins the shutdown. Its promise is fulfilled when no connection is left.
 * @example graceful(app.listen(3000), { signals: ['SIGTERM', 'SIGINT'] });
 */
export function graceful(server: Server, options: GracefulOptions = {}): () => Promise<void> {
  const { idle = 0, deadline = 10_000, signals = [] } = options;
  const sessions = trackSessions(server);
  let ending: Promise<void> | undefined;

  function close(): Promise<void> {
    ending ??= new Promise((resolve) => {
      const began = Date.now();
      const sweep = setInterval(() => {
        const elapsed = Date.now() - began;
        // A server of node:http2 can have HTTP/1.1 connections, too.
        if (elapsed >= idle) HttpServer.prototype.closeIdleConnections.call(server);
        if (elapsed >= deadline) HttpServer.prototype.closeAllConnections.call(server);
        for (const session of sessions) {
          if (elapsed >= deadline) session.destroy();
          else if (elapsed >= idle && !session.closed) session.close();
        }
      }, INTERVAL);
      // Prepended, so that the header is set before the application responds.
      server.prependListener('request', announceClose);
      server.on('session', announceGoaway);
      for (const session of sessions) announceGoaway(session);
      // `close` of node:net closes only the listening socket. That of node:http and node:http2 also closes idle
      // connections.
      Server.prototype.close.call(server, () => {
        clearInterval(sweep);
        resolve();
      });
    });
    return ending;
  }

  function onSignal(): void {
    for (const signal of signals) process.off(signal, onSignal);
    void close().then(() => process.exit());
  }
  for (const signal of signals) process.on(signal, onSignal);

  return close;
}

/** Sets `Connection: close`, so that the client sends no other request on the connection. */
function announceClose(req: IncomingMessage, res: ServerResponse): void {
  if (req.httpVersionMajor === 1 && !res.headersSent) res.setHeader('Connection', 'close');
}

/** Sends GOAWAY, so that the client opens a new session for its next request. */
function announceGoaway(session: Http2Session): void {
  if (!session.destroyed && !session.closed) session.goaway(0, LAST_STREAM_ID);
}
