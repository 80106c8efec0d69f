import type { Server as HttpServer, ServerResponse } from 'node:http';
import { Server } from 'node:net';

interface Ending {
  /**
   * Milliseconds for which idle kept connections stay open, so that a proxy that is about to use one is answered:
   * longer than the proxy itself keeps them.
   */
  idle?: number;
  /** Milliseconds after which whatever still runs is cut. */
  deadline?: number;
}

/**
 * Stop accepting, finish what runs, close kept connections, and cut what is left at the deadline.
 *
 * `server.close()` alone ends idle connections at once, under the hand of a proxy that may be writing to one, and
 * leaves a busy one open after its answer, until the client or a timeout ends it.
 */
export function endGracefully(
  server: HttpServer,
  { idle = 0, deadline = 10_000 }: Ending = {},
): Promise<void> {
  const lastAnswer = (_req: unknown, res: ServerResponse): void => {
    if (!res.headersSent) res.setHeader('Connection', 'close');
  };
  return new Promise((resolve) => {
    const sweep = setInterval(() => {
      if (Date.now() - began >= idle) server.closeIdleConnections();
      if (Date.now() - began >= deadline) server.closeAllConnections();
    }, 50);
    const began = Date.now();
    // In front of the application, so that it is set before an answer can be sent.
    server.prependListener('request', lastAnswer);
    // The listening socket alone; http's own close would end idle connections now.
    Server.prototype.close.call(server, () => {
      clearInterval(sweep);
      resolve();
    });
  });
}
