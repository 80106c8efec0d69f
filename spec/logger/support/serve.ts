/** Sends requests as given bytes, over a socket. */
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { receive } from '../../support/connections';
import { serving } from '../../support/serve';

/** Serves a listener for one request. @returns The whole response, head and body. */
export function ask(
  listener: RequestListener,
  url = '/',
  headers: Record<string, string> = {},
): Promise<string> {
  return serving(listener, (at) => receive(at, get(url, { ...headers, Connection: 'close' })));
}

export function get(url: string, headers: Record<string, string> = {}, method = 'GET'): string {
  const head = Object.entries({ Host: 'spec.test', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${url} HTTP/1.1\r\n${head.join('')}\r\n`;
}

export async function open(at: number): Promise<Socket> {
  const socket = connect(at, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}
