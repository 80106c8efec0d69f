/**
 * Writes the lines and handles write errors. L-1-04 L-2.2-08 L-2.2-09
 *
 * An error of the log must not stop the service. With morgan, two cases can terminate the process:
 * - `write` throws: this logger drops the line, and the request continues.
 * - The stream emits 'error' (disk full, pipe closed) and has **no** listener: this logger handles the event. If the
 *   application has a listener, only that listener handles the event.
 *
 * In both cases the logger reports the error once per stream with `process.emitWarning` and the code
 * `NOZOMI_LOG_STREAM`.
 *
 * Without the option `buffer`, the logger stores no lines itself: a destroyed stream drops them, and a slow stream
 * buffers them.
 */
import type { Writable } from 'node:stream';
import { type ErrorCode, isError } from '../internal/error-code';
import type { StreamOptions } from './interface';

interface Target extends Partial<Pick<Writable, 'on' | 'listenerCount' | 'writableObjectMode'>> {
  /** Receives the line as a string. A stream in object mode receives an object if the format function returned one. */
  write(chunk: unknown): void;
}

/**
 * Returns a function that writes log lines to a stream.
 *
 * @param interval Milliseconds for which lines are collected, or one turn of the event loop; `undefined` to write each
 *   line immediately.
 */
export function openSink(
  stream: StreamOptions,
  interval: number | 'turn' | undefined,
): (line: NonNullable<unknown>) => void {
  const target: Target = stream;
  const report = watch(target);

  function write(chunk: unknown): void {
    try {
      target.write(chunk);
    } catch (error) {
      report(error);
    }
  }

  if (interval === 'turn') return gather(write, setImmediate, true);
  if (interval !== undefined) return gather(write, (flush) => setTimeout(flush, interval), false);
  return (line) => write(target.writableObjectMode && typeof line === 'object' ? line : endLine(line));
}

const reporters = new WeakMap<object, (error: unknown) => void>();

/** Returns the function that reports errors of a stream: one listener and one warning for all its loggers. */
function watch(target: Target): (error: unknown) => void {
  const known = reporters.get(target);
  if (known) return known;

  let reported = false;
  const report = (error: unknown) => {
    if (reported) return;
    reported = true;
    const detail = isError(error) ? error.message : String(error);
    process.emitWarning(`The log stream failed, lines are lost: ${detail}`, {
      type: 'LoggerWarning',
      code: 'NOZOMI_LOG_STREAM' satisfies ErrorCode,
    });
  };
  reporters.set(target, report);
  target.on?.('error', (error: unknown) => {
    if (target.listenerCount?.('error') === 1) report(error);
  });
  return report;
}

/**
 * The option `buffer`: collects lines and writes them together.
 *
 * @param later Schedules the write.
 * @param endsAtExit Whether to write the collected lines when the process exits. morgan loses them.
 */
function gather(
  write: (chunk: string) => void,
  later: (flush: () => void) => unknown,
  endsAtExit: boolean,
): (line: NonNullable<unknown>) => void {
  let lines: string[] = [];
  function flush(): void {
    if (lines.length === 0) return;
    const text = lines.join('');
    lines = [];
    write(text);
  }
  if (endsAtExit) process.once('exit', flush);
  return (line) => {
    if (lines.length === 0) later(flush);
    lines.push(endLine(line));
  };
}

function endLine(line: NonNullable<unknown>): string {
  // biome-ignore lint/style/useTemplate: as in morgan, `+` calls `valueOf` first
  return line + '\n';
}
