/** Takes the place of parity/transports/serve.ts in a bundle: `toFetch(app)` on the servers of Bun, Deno and workerd. */
import { createServer, Server as HttpServer, type RequestListener } from 'node:http';
import type { Built } from '../../parity/scenario/scenario';
import type { Transport } from '../../parity/transports/transport';

type Handler = (request: Request, peer?: unknown) => Promise<Response>;

/** The members of a server that child.ts uses. */
interface OwnServer {
  readonly listening: boolean;
  address(): { port: number };
  close(done: () => void): void;
  on(): void;
}

/** The functions of Bun, Deno and workerd that serve a fetch handler. */
interface Runtimes {
  Bun?: { serve(options: object): { port: number; stop(isNow: boolean): Promise<void> } };
  Deno?: { serve(options: object, handler: Handler): { addr: { port: number }; shutdown(): Promise<void> } };
  /** Defined in workerd/prelude.mjs: passes all further requests to the handler, or to the server. */
  serveFetch?: (handler: Handler | undefined) => void;
  serveNode?: (server: HttpServer) => void;
}

const RUNTIMES = globalThis as typeof globalThis & Runtimes;

export function serve(
  built: Built,
  transport: Transport,
  load: (name: string) => unknown,
): HttpServer | OwnServer {
  const listener = built instanceof HttpServer ? (built.listeners('request')[0] as RequestListener) : built;
  if (transport !== 'fetch') {
    const server = createServer(listener);
    RUNTIMES.serveNode?.(server);
    return server;
  }
  const { toFetch } = load('nozomi/fetch') as typeof import('nozomi/fetch');
  return serveFetch(toFetch(listener, { remoteAddress: '127.0.0.1' }));
}

function serveFetch(handler: Handler): OwnServer {
  const { Bun, Deno, serveFetch: serveInWorkerd } = RUNTIMES;
  const where = { port: 0, hostname: '127.0.0.1' };
  if (Bun) {
    const server = Bun.serve({ ...where, fetch: handler, error: refuse });
    return {
      ...OPEN,
      address: () => ({ port: server.port }),
      close: (done) => void server.stop(true).then(done),
    };
  }
  if (Deno) {
    const server = Deno.serve({ ...where, onListen() {}, onError: refuse }, handler);
    return {
      ...OPEN,
      address: () => ({ port: server.addr.port }),
      close: (done) => void server.shutdown().then(done),
    };
  }
  serveInWorkerd?.(handler);
  const close = (done: () => void): void => {
    serveInWorkerd?.(undefined);
    done();
  };
  // The parent process of workerd knows its port.
  return { ...OPEN, address: () => ({ port: 0 }), close };
}

const OPEN = { listening: true, on(): void {} };

function refuse(error: Error): Response {
  return new Response(`rejected: ${error.message}`, { status: 599 });
}
