/**
 * The bytes of a file, to a response: what send does with a read stream, without the stream. §2.11
 *
 * Fewer hops to the thread pool, and none of the machinery of streams: `npm run bench -- files` has the difference.
 */
import fs from 'node:fs';
import { OutgoingMessage, type ServerResponse } from 'node:http';
import onFinished from 'on-finished';
import type { SendStream } from 'send';

/** Bytes: one chunk of a read stream, so that whoever wraps `res.write` sees what he would see. */
const CHUNK = 64 * 1024;
/** Bytes of a chunk where nobody does. */
const LARGE_CHUNK = 4 * CHUNK;

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

const { write } = OutgoingMessage.prototype;

export type Sending = SendStream & { res: ServerResponse };

/** The first and the last byte, both sent; and what else the program's options hold. */
interface Extent {
  start: number;
  end: number;
}

/**
 * Send a part of a file, unless a stream would be missed.
 *
 * @param options What send would give a read stream.
 * @param fd The file, opened for reading, where it is: closed if it is sent.
 * @returns Whether it is sent.
 */
export function transfer(sending: Sending, path: string, options: object | undefined, fd?: number): boolean {
  const extent = options as Extent;
  if (!isPlain(extent) || isWatched(sending, extent)) return false;
  if (fd === undefined) openAndTransfer(sending, path, extent);
  else readAndWrite(sending, fd, extent);
  return true;
}

function isPlain(extent: Extent): boolean {
  const { start, end } = extent;
  return (
    Number.isInteger(start) &&
    Number.isInteger(end) &&
    start >= 0 &&
    !STREAM_OPTIONS.some((name) => name in extent)
  );
}

/** Whether somebody waits for the stream itself, or sees its chunks, or an earlier answer has the connection. */
function isWatched(sending: Sending, { start, end }: Extent): boolean {
  const { res } = sending;
  const isLong = end - start >= CHUNK;
  return (
    sending.listenerCount('stream') + res.listenerCount('pipe') + res.listenerCount('unpipe') > 0 ||
    (isLong && (res.write !== write || !res.socket))
  );
}

function openAndTransfer(sending: Sending, path: string, extent: Extent): void {
  fs.open(path, 'r', (error, fd) => {
    if (error) sending.onStatError(error);
    else readAndWrite(sending, fd, extent);
  });
}

/** Chunk by chunk, each when the connection has taken the one before; closes the file, however it ends. */
function readAndWrite(sending: Sending, fd: number, { start, end }: Extent): void {
  const { res } = sending;
  let position = start;
  readOn();

  function readOn(): void {
    const wanted = Math.min(end - position + 1, LARGE_CHUNK);
    fs.read(fd, Buffer.allocUnsafeSlow(wanted), 0, wanted, position, onRead);
  }

  function onRead(error: Error | null, length: number, chunk: Buffer): void {
    position += length;
    const isGone = res.destroyed || onFinished.isFinished(res);
    // Less than wanted: the file was cut short since its length was told. There may be more, or nothing.
    const isLast = error !== null || length === 0 || position > end || isGone;
    const closing = isLast ? close(fd) : undefined;
    const failure = error ?? closing;
    if (isGone) return;
    if (failure) {
      sending.onStatError(failure);
      return;
    }
    const isFull =
      length > 0 && res.write(length < chunk.length ? chunk.subarray(0, length) : chunk) === false;
    if (isLast) {
      res.end();
      sending.emit('end');
    } else if (isFull) {
      waitForDrain(res, readOn, () => close(fd));
    } else {
      readOn();
    }
  }
}

/** Calls one of the two. */
function waitForDrain(res: ServerResponse, onDrain: () => void, onGone: () => void): void {
  const settle = (callback: () => void) => (): void => {
    res.removeListener('drain', drained);
    res.removeListener('close', gone);
    callback();
  };
  const drained = settle(onDrain);
  const gone = settle(onGone);
  res.on('drain', drained);
  res.on('close', gone);
}

/** A descriptor for reading is closed without a wait: it is worth no hop to the thread pool. */
export function close(fd: number): Error | undefined {
  try {
    fs.closeSync(fd);
  } catch (error) {
    return error as Error;
  }
  return undefined;
}
