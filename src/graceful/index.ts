/**
 * The entry point `nozomi/graceful`: ends a server of Node.js without losing a request.
 */
import { Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Http2Session } from 'node:http2';
import { Server } from 'node:net';
import { trackSessions } from '../transports/sessions';

export interface GracefulOptions {
  /**
   * Milliseconds for which idle connections stay open, so that a request that a proxy is about to send on one gets its
   * response: longer than the proxy itself keeps them. By default 0.
   */
  idle?: number;
  /** Milliseconds after which what still runs is cut. By default 10,000. */
  deadline?: number;
  /**
   * Signals that end the server, and then the process, with `process.exitCode`. A second one ends the process at once. By
   * default none.
   */
  signals?: readonly NodeJS.Signals[];
}

/** Milliseconds between two looks at what still runs. */
const INTERVAL = 50;
/** A GOAWAY with it announces the end, and refuses no stream yet. RFC 9113 §6.8 */
const LAST_STREAM_ID = 2 ** 31 - 1;

/**
 * Prepare a server for a graceful end: it stops accepting connections, finishes what runs, closes idle connections, and cuts
 * what is left at the deadline. Call it before the server has connections.
 *
 * Node.js's own `server.close()` closes idle connections at once, when a proxy may be writing its next request to one, and
 * leaves a busy connection open after its response.
 *
 * @param server A server of `node:http`, `node:https` or `node:http2`.
 * @returns Ends the server; the promise is fulfilled when no connection is left.
 * @example
 * graceful(app.listen(3000), { signals: ['SIGTERM', 'SIGINT'] });
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
        // Also of a server of node:http2, as far as its connections are of HTTP/1.1.
        if (elapsed >= idle) HttpServer.prototype.closeIdleConnections.call(server as HttpServer);
        if (elapsed >= deadline) HttpServer.prototype.closeAllConnections.call(server as HttpServer);
        for (const session of sessions) {
          if (elapsed >= deadline) session.destroy();
          else if (elapsed >= idle && !session.closed) session.close();
        }
      }, INTERVAL);
      // Before the application, so that the header is set when it responds.
      server.prependListener('request', announceClose);
      server.on('session', announceGoaway);
      for (const session of sessions) announceGoaway(session);
      // The listening socket alone: the `close` of node:http and node:http2 would close idle connections now.
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

/** The client sends no other request on the connection. */
function announceClose(req: IncomingMessage, res: ServerResponse): void {
  if (req.httpVersionMajor === 1 && !res.headersSent) res.setHeader('Connection', 'close');
}

/** The client opens a new session for its next request. */
function announceGoaway(session: Http2Session): void {
  if (!session.destroyed && !session.closed) session.goaway(0, LAST_STREAM_ID);
}
