/**
 * The token `:bytes-sent`, which morgan does not have: counts the bytes of a response, including its head and framing.
 *
 * Over HTTP/1.1 the logger reads the socket's counter `bytesWritten` at the start and at the end of the response. The
 * difference includes bytes that do not pass through `res.write`. For an aborted response, it is the number of bytes
 * that the socket counted until then.
 *
 * Over HTTP/2, responses share a connection. So the logger counts the writes to the stream of the response: its body
 * only.
 */
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { LoggedResponse } from './logged-messages';

type Written = (error?: Error | null) => void;

interface Meter {
  bytes(): number;
}

const kMeter: unique symbol = Symbol('meter');

interface MeteredResponse extends LoggedResponse {
  [kMeter]?: Meter;
}

/** Starts counting the bytes of a response, unless another logger already counts them. */
export function measureBytes(res: MeteredResponse): void {
  if (res[kMeter]) return;
  if (res.stream) res[kMeter] = meterStream(res.stream);
  else if (res.socket) res[kMeter] = meterSocket(res, res.socket);
  // A pipelined response has no socket until the response before it is complete.
  else
    res.once?.('socket', (socket: Socket) => {
      res[kMeter] ??= meterSocket(res, socket);
    });
}

/**
 * Returns the number of bytes sent so far; `undefined` if no format needs the count, or the response has no socket yet.
 */
export function bytesSent(res: MeteredResponse): number | undefined {
  return res[kMeter]?.bytes();
}

function meterSocket(res: LoggedResponse, socket: Socket): Meter {
  const start = socket.bytesWritten;
  let end = Number.POSITIVE_INFINITY;
  // Read at 'prefinish': at 'finish', the next pipelined response may already have written to the socket.
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
    ...rest: [encoding?: BufferEncoding | Written, callback?: Written]
  ) {
    const encoding = typeof rest[0] === 'string' ? rest[0] : undefined;
    bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
    return Reflect.apply(write, this, [chunk, ...rest]);
  };
  return { bytes: () => bytes };
}
