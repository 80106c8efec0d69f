/**
 * The bytes of a small file, to a response: what send does with a read stream, without the stream. §2.11
 *
 * One hop to the thread pool less, and none of the machinery of streams: two thirds of the CPU time of
 * send on a file of 10 kB (`npm run bench -- files`).
 */
import fs from 'node:fs';
import type { ServerResponse } from 'node:http';
import onFinished from 'on-finished';
import type { SendStream } from 'send';

/** Bytes: one chunk of a read stream, so that whoever wraps `res.write` sees what he would see. */
const SMALL = 64 * 1024;

/** Options of a program that reach `fs.createReadStream` through send. */
const STREAM_OPTIONS = [
  'autoClose',
  'emitClose',
  'encoding',
  'fd',
  'flags',
  'fs',
  'highWaterMark',
  'mode',
  'signal',
] as const;

type Sending = SendStream & { res: ServerResponse };

/** The first and the last byte, both sent; and what else the program's options hold. */
interface Extent {
  start: number;
  end: number;
}

/** Stands in place of `stream` in one SendStream; where a stream would be missed, it makes one. */
export function transfer(this: SendStream, path: string, options?: object): void {
  const sending = this as Sending;
  const extent = options as Extent;
  if (isSmall(extent) && !isWatched(sending) && !STREAM_OPTIONS.some((name) => name in extent)) {
    readAndWrite(sending, path, extent);
  } else {
    (Object.getPrototypeOf(sending) as SendStream).stream.call(sending, path, extent);
  }
}

function isSmall({ start, end }: Extent): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end - start < SMALL;
}

/** Whether somebody waits for the stream itself. */
function isWatched(sending: Sending): boolean {
  const { res } = sending;
  return sending.listenerCount('stream') + res.listenerCount('pipe') + res.listenerCount('unpipe') > 0;
}

function readAndWrite(sending: Sending, path: string, { start, end }: Extent): void {
  const { res } = sending;

  fs.open(path, 'r', (error, fd) => {
    if (error) sending.onStatError(error);
    else read(fd, start);
  });

  function read(fd: number, position: number): void {
    const wanted = end - position + 1;
    fs.read(fd, Buffer.allocUnsafeSlow(wanted), 0, wanted, position, (error, length, chunk) => {
      const isGone = res.destroyed || onFinished.isFinished(res);
      // Less than wanted: the file was cut short since its length was told. There may be more, or nothing.
      const isLast = error !== null || length === 0 || length === wanted || isGone;
      const closing = isLast ? close(fd) : undefined;
      const failure = error ?? closing;
      if (isGone) return;
      if (failure) {
        sending.onStatError(failure);
        return;
      }
      if (length > 0) res.write(length < wanted ? chunk.subarray(0, length) : chunk);
      if (isLast) {
        res.end();
        sending.emit('end');
      } else {
        read(fd, position + length);
      }
    });
  }
}

/** A descriptor for reading is closed without a wait: it is worth no hop to the thread pool. */
function close(fd: number): Error | undefined {
  try {
    fs.closeSync(fd);
  } catch (error) {
    return error as Error;
  }
  return undefined;
}
