/** Opens connections with upgrade requests, and writes and reads frames of WebSockets. RFC 6455 §5.2 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PATIENCE } from '../support/play';

/** The headers of an upgrade request, each with its line break. */
export const UPGRADE =
  'Host: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

/** @returns A connection that has sent an upgrade request. */
export function knock(port: number, path: string, headers = '', rest: string | Buffer = ''): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\n${UPGRADE}${headers}\r\n`);
  socket.write(rest);
  return socket;
}

/** Waits until the server closes the connection. @returns What it has sent, in Latin-1. */
export async function untilClosed(socket: Duplex): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  if (!socket.closed) await once(socket, 'close', { signal: AbortSignal.timeout(PATIENCE) });
  return text;
}

/** Waits until what the server has sent contains a text. @returns All of it, in Latin-1. */
export async function received(socket: Duplex, expected: string): Promise<string> {
  let text = '';
  const signal = AbortSignal.timeout(PATIENCE);
  while (!text.includes(expected)) {
    const chunk: Buffer | null = socket.read();
    if (chunk) text += chunk.toString('latin1');
    else await once(socket, 'readable', { signal });
  }
  return text;
}

/** @returns A frame with a text, as a client sends it. */
export function frame(text: string): Buffer {
  const data = Buffer.from(text);
  if (data.length > 65_535) throw new RangeError('the text is too long for this function');
  const length = data.length < 126 ? [0x80 | data.length] : [0xfe, data.length >> 8, data.length & 0xff];
  // A mask of zeros leaves the data as it is.
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), data]);
}
