/** The client of `--time` and of the benchmarks. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join, relative } from 'node:path';
import { createServer as createSecureServer } from 'node:tls';
import { expect } from 'chai';
import { Connections, type Repeated } from '../../parity/client/load';
import { temporaryFolder } from '../../parity/temporary-folder';
import { CERTIFICATE, KEY } from '../../parity/transports/certificate';

const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n';
/** Responses with the method of the request, the status, and the length of the body. */
const RESPONSES: Readonly<Record<string, readonly [method: string, status: number, length: number]>> = {
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello': ['GET', 200, 5],
  'HTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n': ['POST', 200, 0],
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n': ['HEAD', 200, 0],
  'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n': ['GET', 304, 0],
  'HTTP/1.1 204 No Content\r\n\r\n': ['GET', 204, 0],
  [`${CHUNKED}5;x=y\r\nhello\r\n0B\r\n0\r\n\r\n0\r\n\r\n!!!\r\n0\r\n\r\n`]: ['GET', 200, 16],
  [`${CHUNKED}1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n`]: ['GET', 200, 1],
};

/** Responses that only the end of the connection ends. */
const ENDLESS = ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel', 'HTTP/1.1 200 OK\r\n\r\nhello'];

describe('the client that repeats a request', () => {
  for (const [response, [method, status, length]] of Object.entries(RESPONSES)) {
    it(`finds the end of ${JSON.stringify(response)} for ${method}, in pieces of any length`, async () => {
      for (const piece of [1, 7, response.length]) {
        const { sent, outcome } = await repeat([response], piece, { method, status, length });

        expect(outcome).to.equal(undefined);
        expect(sent).to.equal(24);
      }
    });
  }

  for (const [what, place] of Object.entries<ServerKind>({
    'a server with TLS': { isSecure: true },
    'a Unix socket': { path: join(temporaryFolder('load'), 's') },
    'a server on ::1': { host: '::1' },
  }))
    it(`repeats a request to ${what}`, async () => {
      const [response = ''] = Object.keys(RESPONSES);
      const { sent, outcome } = await repeat(
        [response],
        100,
        { method: 'GET', status: 200, length: 5 },
        place,
      );

      expect(outcome).to.equal(undefined);
      expect(sent).to.equal(24);
    });

  for (const [response, message] of Object.entries({
    'HTTP/1.1 429 Too Many Requests\r\nContent-Length: 5\r\n\r\nhello': '200 → 429',
    [`HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n${'x'.repeat(70)}`]: '5 → 70 bytes',
    ...Object.fromEntries(ENDLESS.map((response) => [response, 'the server closes the connection'])),
  })) {
    it(`fails for ${JSON.stringify(response.slice(0, 60))}: ${message}`, async () => {
      const first = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
      const { outcome } = await repeat([first, response], 100, { method: 'GET', status: 200, length: 5 });

      expect(outcome).to.equal(message);
    });
  }
});

interface ServerKind {
  readonly isSecure?: boolean;
  readonly host?: string;
  /** The path of a Unix socket. */
  readonly path?: string;
}

/**
 * Sends 24 requests to a server whose connections send the responses in pieces, and then repeat the last one. A
 * response without an end closes the connection.
 *
 * @returns How many requests arrived, and the message of the error.
 */
async function repeat(
  responses: readonly string[],
  piece: number,
  { method, status, length }: { method: string; status: number; length: number },
  { isSecure = false, host, path }: ServerKind = {},
): Promise<{ sent: number; outcome: string | undefined }> {
  let sent = 0;
  const serve = async (socket: Socket): Promise<void> => {
    socket.on('error', () => {});
    let number = 0;
    for await (const _request of socket) {
      sent++;
      const response = responses[Math.min(number++, responses.length - 1)] ?? '';
      for (let at = 0; at < response.length && socket.writable; at += piece) {
        await new Promise((done) => socket.write(response.slice(at, at + piece), done));
        await new Promise(setImmediate);
      }
      if (ENDLESS.includes(response)) socket.end();
    }
  };
  const server = isSecure ? createSecureServer({ key: KEY, cert: CERTIFICATE }, serve) : createServer(serve);
  if (path === undefined) server.listen(0, host);
  else server.listen(relative(process.cwd(), path));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const at = path === undefined ? { port, host: host ?? '127.0.0.1' } : { path };
  const connections = new Connections({ at, isSecure });
  const repeated: Repeated = {
    bytes: `${method} / HTTP/1.1\r\n\r\n`,
    isHead: method === 'HEAD',
    status,
    length,
  };
  const outcome = await connections.measure(repeated, 24).then(
    () => undefined,
    (error: Error) => error.message,
  );
  connections.close();
  server.close();
  return { sent, outcome };
}
