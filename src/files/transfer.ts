/** Sends a file without a read stream, with fewer thread-pool calls than send (docs/performance.md). §2.11 */
import fs from 'node:fs';
import { OutgoingMessage } from 'node:http';
import onFinished from 'on-finished';
import { waitForDrain } from '../http/drain';
import {
  destroy,
  disconnect,
  type Extent,
  isCutShort,
  isFileSystemReplaced,
  type Sending,
} from '../http/guarded-stream';

/** The bytes per chunk of a read stream. A wrapped `res.write` would notice larger chunks. */
const CHUNK = 64 * 1024;
/** The maximum bytes per chunk here. A longer range is only sent here if `res.write` is not wrapped. */
const LARGE_CHUNK = 4 * CHUNK;

/** Options of the application that send passes to `fs.createReadStream`. If one is set, send must create the stream. */
// biome-ignore format: a table
const STREAM_OPTIONS = [
  'autoClose', 'emitClose', 'encoding', 'fd', 'flags', 'fs', 'highWaterMark', 'mode', 'signal',
] as const;

const { emit, on, once, write } = OutgoingMessage.prototype;

/**
 * Sends a range of a file without a read stream. Sends nothing if code could observe that there is no read stream.
 *
 * @param options The options that send passes to a read stream: the range, and options of the application.
 * @param fd The file, if it is already open. It is closed after it was sent.
 * @returns Whether this function sends the file.
 */
export function transfer(sending: Sending, path: string, options: object | undefined, fd?: number): boolean {
  // If the file is open, `openAndSend` has already checked the file system.
  if (fd === undefined && isFileSystemReplaced()) return false;
  if (!isExtent(options) || isWatched(sending, options)) return false;
  if (fd === undefined) openAndTransfer(sending, path, options);
  else readAndWrite(sending, fd, options);
  return true;
}

function isExtent(options: Partial<Extent> = {}): options is Extent {
  const { start, end } = options;
  return isInteger(start) && isInteger(end) && start >= 0 && !STREAM_OPTIONS.some((name) => name in options);
}

function isInteger(value: number | undefined): value is number {
  return Number.isInteger(value);
}

/** Whether code could observe the calls; also for a long range while an earlier response uses the connection. */
function isWatched(sending: Sending, { start, end }: Extent): boolean {
  const { res } = sending;
  const isLong = end - start >= CHUNK;
  return (
    sending.listenerCount('stream') + res.listenerCount('pipe') + res.listenerCount('unpipe') > 0 ||
    res.on !== on ||
    res.once !== once ||
    res.emit !== emit ||
    (isLong && (res.write !== write || !res.socket))
  );
}

function openAndTransfer(sending: Sending, path: string, extent: Extent): void {
  fs.open(path, 'r', (error, fd) => {
    if (error) sending.onStatError(error);
    else readAndWrite(sending, fd, extent);
  });
}

/** Writes the range in chunks. Waits for `drain` when the connection is full, and closes the file in every case. */
function readAndWrite(sending: Sending, fd: number, extent: Extent): void {
  const { res } = sending;
  const { start, end } = extent;
  let position = start;
  readOn();

  function readOn(): void {
    const wanted = Math.min(end - position + 1, LARGE_CHUNK);
    fs.read(fd, Buffer.allocUnsafeSlow(wanted), 0, wanted, position, onRead);
  }

  function onRead(error: Error | null, length: number, chunk: Buffer): void {
    position += length;
    const isGone = res.destroyed || onFinished.isFinished(res);
    // If the file was truncated after `stat`, the rest may be shorter or empty.
    const isLast = error !== null || length === 0 || position > end || isGone;
    const closing = isLast ? close(fd) : undefined;
    const failure = error ?? closing;
    if (isGone) return;
    if (failure) {
      sending.onStatError(failure);
      return;
    }
    let isFull: boolean;
    try {
      isFull = length > 0 && res.write(length < chunk.length ? chunk.subarray(0, length) : chunk) === false;
      if (isLast) {
        if (isCutShort(res, position - start, extent)) disconnect(res);
        else res.end();
      }
    } catch (err) {
      // For example, a listener of the package on-headers has thrown.
      if (!isLast) close(fd);
      destroy(res, err);
      return;
    }
    if (isLast) {
      sending.emit('end');
    } else if (isFull) {
      waitForDrain(res, readOn, () => close(fd));
    } else {
      readOn();
    }
  }
}

/**
 * Closes a file synchronously. This is fast, because the file was only read: there are no writes to complete.
 *
 * @returns The error, if there is one.
 */
export function close(fd: number): Error | undefined {
  try {
    fs.closeSync(fd);
  } catch (error) {
    return error as Error; // A cast: `closeSync` only throws errors of this type.
  }
  return undefined;
}
