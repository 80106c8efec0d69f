/**
 * Counts the bytes of a response that the server sent: head, framing and body. Not in morgan: `:bytes-sent`.
 *
 * It reads the socket's counter of written bytes when the response gets the socket and when its last byte was
 * written; the difference is the count. So it includes bytes that do not pass through `res.write`. For an aborted
 * response it is the number of bytes that the operating system accepted. Over HTTP/2 responses share a connection, so
 * there it is the counter of the stream, which has only the body.
 */
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { LoggedResponse } from './exchange';

type Written = (error?: Error | null) => void;

interface Meter {
  bytes(): number;
}

const kMeter: unique symbol = Symbol('meter');

interface MeteredResponse extends LoggedResponse {
  [kMeter]?: Meter;
}

/** Starts to count, unless another logger has. */
export function measureBytes(res: MeteredResponse): void {
  if (res[kMeter]) return;
  if (res.stream) res[kMeter] = meterStream(res.stream);
  else if (res.socket) res[kMeter] = meterSocket(res, res.socket);
  // A pipelined response: the one before it still has the socket.
  else
    res.once?.('socket', (socket: Socket) => {
      res[kMeter] ??= meterSocket(res, socket);
    });
}

/** The number of bytes; `undefined` if no format needed the count. */
export function bytesSent(res: MeteredResponse): number | undefined {
  return res[kMeter]?.bytes();
}

function meterSocket(res: LoggedResponse, socket: Socket): Meter {
  const start = socket.bytesWritten;
  let end = Number.POSITIVE_INFINITY;
  // Not at 'finish': the next pipelined response may have written by then.
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
