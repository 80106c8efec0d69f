// The HTTP client of the benchmarks.
import { connect } from 'node:net';
import { localServer } from '../../parity/client/connect';
import { Connections, type Repeated } from '../../parity/client/load';
import { Inbox, readResponse } from '../../parity/client/response';

export interface Answer {
  status: number;
  /** In the order and spelling that the server sent. */
  headers: Array<readonly [name: string, value: string]>;
  body: string;
  /** Length of the body in bytes. */
  length: number;
  /** Length of the whole response in bytes, headers included. */
  size: number;
}

/** Sends one request and parses the whole response, so that responses of peers can be compared. */
export async function ask(port: number, request: string): Promise<Answer> {
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  const inbox = new Inbox(socket);
  socket.setTimeout(5000, () => inbox.fail(`no complete response within 5 s, got ${socket.bytesRead} bytes`));
  try {
    const { status, headers, body } = await readResponse(inbox, request.split(' ', 1)[0] ?? '');
    return {
      status,
      headers: [...headers],
      body: body.toString(),
      length: body.length,
      size: socket.bytesRead,
    };
  } finally {
    socket.destroy();
  }
}

/**
 * Sends a request over a few keep-alive connections.
 *
 * @param count How often at least.
 * @returns The seconds until the last response.
 */
export async function load(port: number, request: string, count: number): Promise<number> {
  const connections = new Connections(localServer({ port }));
  const { throughput } = await connections.measure(toRepeated(request, await ask(port, request)), count);
  connections.close();
  return count / throughput;
}

export function toRepeated(request: string, { status, length }: Answer): Repeated {
  return { bytes: request, isHead: request.startsWith('HEAD '), status, length };
}
