/**
 * Counts the bytes of a response that went to the connection: head, framing and body. Beyond morgan: `:bytes-sent`.
 *
 * Nothing is wrapped, so writers that bypass `res.write` count too: the difference of the socket's own counter, read
 * when the response gets the socket and when its last byte was written. For an aborted response it is what the
 * operating system had accepted. HTTP/2 multiplexes responses on one connection, so there the counter is that of the
 * stream: the body alone.
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

/** Starts counting, unless another logger already does. */
export function measureBytes(res: MeteredResponse): void {
  if (res[kMeter]) return;
  if (res.stream) res[kMeter] = meterStream(res.stream);
  else if (res.socket) res[kMeter] = meterSocket(res, res.socket);
  // Pipelined behind another response, which still has the socket.
  else
    res.once?.('socket', (socket: Socket) => {
      res[kMeter] ??= meterSocket(res, socket);
    });
}

/** `undefined` if no format asked for the count. */
export function bytesSent(res: MeteredResponse): number | undefined {
  return res[kMeter]?.bytes();
}

function meterSocket(res: LoggedResponse, socket: Socket): Meter {
  const start = socket.bytesWritten;
  let end = Number.POSITIVE_INFINITY;
  // At 'finish' the next pipelined response may already have written.
  res.once('prefinish', () => {
    end = socket.bytesWritten;
  });
  return { bytes: () => Math.min(end, socket.bytesWritten) - start };
}

function meterStream(stream: ServerHttp2Stream): Meter {
  const write = stream.write;
  let bytes = 0;
  stream.write = function count(
    this: ServerHttp2Stream,
    chunk: string | Uint8Array,
    ...rest: [BufferEncoding?]
  ) {
    bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk, rest[0]) : chunk.byteLength;
    return Reflect.apply(write, this, [chunk, ...rest]);
  } as typeof stream.write;
  return { bytes: () => bytes };
}
