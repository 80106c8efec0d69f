// The client: keep-alive connections, each with one request at a time, up to a fixed number. It only counts bytes of
// responses of one known length, so that it uses little CPU beside the server.
import { connect, type Socket } from 'node:net';
import { Inbox, readResponse } from '../../parity/client/response';

export interface Answer {
  status: number;
  /** The headers in the order and spelling of the response. */
  headers: Array<readonly [name: string, value: string]>;
  body: string;
  /** Bytes on the wire. */
  size: number;
}

const CONNECTIONS = 8;

/** Sends one request and reads the whole response, for the comparison before the measurement. */
export async function ask(port: number, request: string): Promise<Answer> {
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  const inbox = new Inbox(socket);
  socket.setTimeout(5000, () => inbox.fail(`no complete response in 5 s, got ${socket.bytesRead} bytes`));
  try {
    const { status, headers, body } = await readResponse(inbox, request.split(' ', 1)[0] ?? '');
    return { status, headers: [...headers], body: body.toString(), size: socket.bytesRead };
  } finally {
    socket.destroy();
  }
}

/** Sends `count` requests whose responses are `size` bytes each. @returns Seconds. */
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
      socket.destroy(new Error('a response is too short: responses must have one length')),
    );
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      pending -= chunk.length;
      if (pending < 0) socket.destroy(new Error('a response is too long: responses must have one length'));
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
