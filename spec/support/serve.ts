/** Starts servers for specs on a free port of 127.0.0.1, and closes them with all connections. */
import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

const HOST = '127.0.0.1';

type Application = RequestListener & { listen?(port: number, host: string): http.Server };

/** Serves an application or a listener, or lets a server listen. @returns The listening server. */
export async function serverOf(served: Application): Promise<http.Server>;
export async function serverOf<S extends Server>(served: S): Promise<S>;
export async function serverOf(served: Application | Server): Promise<Server> {
  const server =
    typeof served === 'function'
      ? (served.listen?.(0, HOST) ?? http.createServer(served).listen(0, HOST))
      : served.listen(0, HOST);
  await once(server, 'listening');
  return server;
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Closes a server. Closes its connections too, if it is a server of node:http or node:https. */
export async function close(server: Server & { closeAllConnections?(): void }): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections?.();
  await closed;
}

/** Serves an application while `use` runs. */
export async function serving<T>(
  served: Application | Server,
  use: (port: number, server: Server) => Promise<T>,
): Promise<T> {
  const server = await (typeof served === 'function' ? serverOf(served) : serverOf(served));
  try {
    return await use(portOf(server), server);
  } finally {
    await close(server);
  }
}
