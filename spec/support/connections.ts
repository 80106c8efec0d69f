/** Sends raw bytes over connections, for requests that no HTTP client sends. */
import { type AddressInfo, connect, type Server } from 'node:net';
import { PATIENCE } from './play';

/**
 * Sends bytes over a new connection.
 *
 * @param bytes In Latin-1, if a string.
 * @param patience Milliseconds without a byte after which the client closes the connection.
 * @returns In Latin-1 what arrives until the connection is closed. It may be reset: the server need not read all bytes.
 */
export async function receive(port: number, bytes: string | Buffer, patience = PATIENCE): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  socket.on('data', (piece) => {
    text += piece;
  });
  socket.on('error', () => undefined);
  socket.setTimeout(patience, () => socket.destroy());
  socket.write(Buffer.from(bytes as string, 'latin1'));
  await new Promise((resolve) => socket.on('close', resolve));
  return text;
}

/**
 * Sends a text over a new connection, then waits until the server closes it.
 *
 * @param text In Latin-1. The part after a form feed is sent when the server has begun to respond.
 * @returns The response in Latin-1, without the header `Date` and the name of the framework.
 * @throws {Error} If the connection fails, or stays open without data for 10 s.
 */
export async function sendRaw(server: Server, text: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' });
  socket.setTimeout(PATIENCE, () => socket.destroy(new Error(`left open after ${JSON.stringify(text)}`)));
  const parts = text.split('\f');
  let actual = '';
  socket.write(parts.shift() as string, 'latin1');
  socket.on('data', (data) => {
    actual += data.toString('latin1');
    const next = parts.shift();
    if (next !== undefined) socket.write(next, 'latin1');
  });
  socket.on('error', (err: NodeJS.ErrnoException) => {
    if (err.code !== 'ECONNRESET' && err.code !== 'EPIPE') actual += String(err);
  });
  // Not `once`, which rejects at any error.
  await new Promise<void>((closed) => socket.on('close', () => closed()));
  return actual.replace(/^(Date|X-Powered-By): .*\r\n/gm, '');
}

/** Unusual or invalid requests, by title. The server closes the connection after each. */
export const HOSTILE_CONNECTIONS: Readonly<Record<string, string>> = {
  'no host': 'GET / HTTP/1.1\r\n\r\n',
  'no host, and another request behind it': 'GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n',
  'two hosts': 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
  'HTTP/1.0 without a host': 'GET / HTTP/1.0\r\n\r\n',
  'HTTP/1.0 with a host': 'GET / HTTP/1.0\r\nHost: h\r\n\r\n',
  'an unknown version': 'GET / HTTP/3.7\r\nHost: h\r\n\r\n',
  'an unknown method': 'STEAL / HTTP/1.1\r\nHost: h\r\n\r\n',
  'no request at all': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
  'a header without a colon': 'GET / HTTP/1.1\r\nHost: h\r\nbroken\r\n\r\n',
  'a header without a name': 'GET / HTTP/1.1\r\nHost: h\r\n: value\r\n\r\n',
  'a NUL in a header': 'GET / HTTP/1.1\r\nHost: h\r\nX-A: a\x00b\r\n\r\n',
  'a space before the colon': 'GET / HTTP/1.1\r\nHost : h\r\n\r\n',
  'a folded header': 'GET / HTTP/1.1\r\nHost: h\r\nX-A: a\r\n b\r\nConnection: close\r\n\r\n',
  'headers of 20 kB': `GET / HTTP/1.1\r\nHost: h\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
  'a target of 20 kB': `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: h\r\n\r\n`,
  'a thousand headers': `GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${'X: 1\r\n'.repeat(1000)}\r\n`,
  'an expectation that is met':
    'POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n\fab',
  'an expectation that is not met': 'GET / HTTP/1.1\r\nHost: h\r\nExpect: tea\r\nConnection: close\r\n\r\n',
  'an expectation without a host': 'GET / HTTP/1.1\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n',
  'an upgrade that nobody takes':
    'GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n',
  'a tunnel that nobody makes': 'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n',
  'two lengths': 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  'a length and chunks':
    'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a chunk of no size': 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'bytes behind a request': 'GET / HTTP/1.1\r\nHost: h\r\n\r\na=1\r\n\r\n',
  'bytes behind a response': 'GET / HTTP/1.1\r\nHost: h\r\n\r\n\fa=1\r\n\r\n',
  'three requests, the last without a host':
    'GET / HTTP/1.1\r\nHost: h\r\n\r\nHEAD / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\n\r\n',
  'an absolute target': 'GET http://other.test/a?b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
  'a target that is a star': 'OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
  'a target of broken escapes': 'GET /%zz%c0 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
};
