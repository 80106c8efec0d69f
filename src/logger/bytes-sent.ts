/**
 * How many bytes of a response went to the connection: head, framing and body. Beyond morgan: `:bytes-sent`.
 *
 * Sockets count for themselves, so nothing is wrapped and `sendfile`-like writers are seen too: the counter is
 * read when the response gets the socket and when its last byte was handed over. For an aborted response it is
 * what the operating system had accepted. HTTP/2 mixes the frames of many responses on one connection; there
 * the body alone is counted, at its stream.
 */
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { LoggedResponse } from './exchange';

interface Meter {
  bytes(): number;
}

const kMeter: unique symbol = Symbol('meter');

interface MeteredResponse extends LoggedResponse {
  [kMeter]?: Meter;
  readonly stream?: ServerHttp2Stream;
}

/** Count from here on, unless somebody counts already. */
export function measureBytes(res: MeteredResponse): void {
  if (res[kMeter]) return;
  if (res.stream) res[kMeter] = meterStream(res.stream);
  else if (res.socket) res[kMeter] = meterSocket(res, res.socket);
  // Pipelined behind another response: the socket is still that one's.
  else
    res.once?.('socket', (socket: Socket) => {
      res[kMeter] ??= meterSocket(res, socket);
    });
}

/** `undefined` when nobody counted. */
export function bytesSent(res: MeteredResponse): number | undefined {
  return res[kMeter]?.bytes();
}

function meterSocket(res: LoggedResponse, socket: Socket): Meter {
  const start = socket.bytesWritten;
  let end = Number.POSITIVE_INFINITY;
  // At 'finish' the next pipelined response may have written already.
  res.once('prefinish', () => {
    end = socket.bytesWritten;
  });
  return { bytes: () => Math.min(end, socket.bytesWritten) - start };
}

function meterStream(stream: ServerHttp2Stream): Meter {
  const write = stream.write;
  let bytes = 0;
  stream.write = function count(this: ServerHttp2Stream, chunk: string | Uint8Array, ...rest: unknown[]) {
    bytes +=
      typeof chunk === 'string' ? Buffer.byteLength(chunk, rest[0] as BufferEncoding) : chunk.byteLength;
    return Reflect.apply(write, this, [chunk, ...rest]);
  } as typeof stream.write;
  return { bytes: () => bytes };
}
