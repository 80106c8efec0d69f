/** Sends requests as given bytes, over a socket. */
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { serving } from '../../support/serve';

/** Serves a listener for one request. @returns The whole response, head and body. */
export function ask(
  listener: RequestListener,
  url = '/',
  headers: Record<string, string> = {},
): Promise<string> {
  return serving(listener, (at) => send(at, get(url, { ...headers, Connection: 'close' })));
}

export function get(url: string, headers: Record<string, string> = {}, method = 'GET'): string {
  const head = Object.entries({ Host: 'spec.test', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${url} HTTP/1.1\r\n${head.join('')}\r\n`;
}

/** Sends bytes to a port. @returns All bytes until the server closes the connection. */
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
