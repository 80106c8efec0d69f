/** A server for one spec, and requests as the bytes they are. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** Serve while `use` runs. `at` is the port. */
export async function serving<T>(
  listener: RequestListener | Server,
  use: (at: number) => Promise<T>,
): Promise<T> {
  const server = typeof listener === 'function' ? createServer(listener) : listener;
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** One request to one listener; the whole answer, head and body. */
export function ask(
  listener: RequestListener,
  url = '/',
  fields: Record<string, string> = {},
): Promise<string> {
  return serving(listener, (at) => send(at, get(url, { ...fields, Connection: 'close' })));
}

export function get(url: string, fields: Record<string, string> = {}, method = 'GET'): string {
  const head = Object.entries({ Host: 'spec.test', ...fields }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${url} HTTP/1.1\r\n${head.join('')}\r\n`;
}

/** All that comes back until the server closes the connection. */
export async function send(at: number, bytes: string): Promise<string> {
  const socket = await open(at);
  socket.write(bytes, 'latin1');
  return text(socket);
}

export async function open(at: number): Promise<Socket> {
  const socket = connect(at, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

export function basic(user: string, password = 'secret'): { Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
