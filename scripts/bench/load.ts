// The HTTP client of the benchmarks. Each keep-alive connection has one request in flight. The client only counts the
// bytes of responses of a known length, to use little CPU time beside the server.
import { connect, type Socket } from 'node:net';
import { Inbox, readResponse } from '../../parity/client/response';

export interface Answer {
  status: number;
  /** In the order and spelling that the server sent. */
  headers: Array<readonly [name: string, value: string]>;
  body: string;
  /** Length of the whole response in bytes, headers included. */
  size: number;
}

const CONNECTIONS = 8;

/** Sends one request and parses the whole response, so that responses of peers can be compared. */
export async function ask(port: number, request: string): Promise<Answer> {
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  const inbox = new Inbox(socket);
  socket.setTimeout(5000, () => inbox.fail(`no complete response within 5 s, got ${socket.bytesRead} bytes`));
  try {
    const { status, headers, body } = await readResponse(inbox, request.split(' ', 1)[0] ?? '');
    return { status, headers: [...headers], body: body.toString(), size: socket.bytesRead };
  } finally {
    socket.destroy();
  }
}

/**
 * Sends `count` requests, rounded up to a multiple of `CONNECTIONS`, whose responses are `size` bytes each.
 *
 * @returns The seconds until the last response.
 */
export async function load(port: number, request: string, size: number, count: number): Promise<number> {
  const started = process.hrtime.bigint();
  const share = Math.ceil(count / CONNECTIONS);
  await Promise.all(Array.from({ length: CONNECTIONS }, () => converse(port, request, size, share)));
  return Number(process.hrtime.bigint() - started) / 1e9;
}

function converse(port: number, request: string, size: number, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = count;
    let pending = size;
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(request));
    socket.setTimeout(10_000, () =>
      socket.destroy(
        new Error('a response is too short: all responses of a workload must have the same length'),
      ),
    );
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      pending -= chunk.length;
      if (pending < 0)
        socket.destroy(
          new Error('a response is too long: all responses of a workload must have the same length'),
        );
      if (pending !== 0) return;
      if (--left === 0) {
        socket.end(resolve);
      } else {
        pending = size;
        socket.write(request);
      }
    });
  });
}
