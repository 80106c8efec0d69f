/** Sends bytes to a server through memory, and records what the server does with them. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

/** What an application and a client observe, in order. */
export type Observed = unknown[];

/** A connection in memory, with the methods of `net.Socket` that Node.js's HTTP server calls. */
class Connection extends Duplex {
  remoteAddress = '127.0.0.1';
  sent = '';

  constructor() {
    super({ allowHalfOpen: true });
  }
  override _read(): void {}
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.sent += chunk.toString('latin1');
    done();
  }
  setTimeout(): this {
    return this;
  }
  destroySoon(): void {
    this.destroy();
  }
}

/** The parser of a connection. */
interface Parsed {
  parser?: { execute(chunk: Buffer): unknown };
}

/** Records requests with their bodies, and responds. */
export function recorder(observed: () => Observed): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    const seen = observed();
    const { method, url, httpVersion, rawHeaders, headers, headersDistinct, upgrade } = req;
    const number = seen.push({ method, url, httpVersion, rawHeaders, headers, headersDistinct, upgrade });
    const body: Buffer[] = [];
    req.on('data', (chunk: Buffer) => body.push(chunk));
    req.on('end', () => {
      const { complete, rawTrailers } = req;
      seen.push([number, 'end', Buffer.concat(body).toString('latin1'), complete, rawTrailers]);
      if (!res.writableEnded) res.end(`${body.length}`.slice(0, 0));
    });
    req.on('aborted', () => seen.push([number, 'aborted']));
    req.on('error', (err: NodeJS.ErrnoException) => seen.push([number, 'error', err.code]));
  };
}

/** A bare request that opens a connection, so that Node.js's parser has read one. */
const FIRST = 'GET /first HTTP/1.1\r\nHost: first\r\n\r\n';

/**
 * Sends pieces over a new connection, one for each turn of the event loop, then ends it.
 *
 * @param server Its listener records to `observed`.
 * @param isOpen Whether to send a plain request first.
 * @returns How often Node.js's parser was called for the pieces.
 */
export async function converse(
  server: Server,
  pieces: readonly Buffer[],
  observed: Observed,
  isOpen: boolean,
): Promise<number> {
  const connection: Connection & Parsed = new Connection();
  connection.on('error', () => undefined);
  server.emit('connection', connection);
  if (isOpen) {
    connection.push(FIRST);
    await turn();
  }
  let calls = 0;
  const { parser } = connection;
  if (parser) {
    const { execute } = parser;
    parser.execute = function (chunk) {
      calls++;
      return execute.call(this, chunk);
    };
    connection.once('close', () => Reflect.deleteProperty(parser, 'execute'));
  }
  for (const piece of pieces) {
    if (!connection.destroyed) connection.push(piece);
    await turn();
  }
  if (!connection.destroyed) connection.push(null);
  await turn();
  observed.push(connection.destroyed, connection.sent.replace(/^(Date): .*$/gm, '$1'));
  connection.destroy();
  await turn();
  return calls;
}
