// The client: keep-alive connections that send one request after another, by fixed count. It only counts the bytes of
// the answers, which are all of one length, so that it costs little beside the server it measures.
import { connect, type Socket } from 'node:net';
import { Inbox, readResponse } from '../../parity/client/response';

export interface Answer {
  status: number;
  /** In the order sent, as sent. */
  headers: Array<readonly [name: string, value: string]>;
  body: string;
  /** Bytes on the wire. */
  size: number;
}

const CONNECTIONS = 8;

/** Ask once and read the whole answer: to compare before anything is timed. */
export async function ask(port: number, request: string): Promise<Answer> {
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  const inbox = new Inbox(socket);
  socket.setTimeout(5000, () => inbox.fail(`no whole answer in 5 s, got ${socket.bytesRead} bytes`));
  try {
    const { status, headers, body } = await readResponse(inbox, request.split(' ', 1)[0] ?? '');
    return { status, headers: [...headers], body: body.toString(), size: socket.bytesRead };
  } finally {
    socket.destroy();
  }
}

/** Send `count` requests whose answers are `size` bytes each. @returns Seconds. */
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
      socket.destroy(new Error('an answer came short: its length is not constant')),
    );
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      pending -= chunk.length;
      if (pending < 0) socket.destroy(new Error('an answer came long: its length is not constant'));
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
