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
 * Without the deprecated option `buffer`, the logger stores no lines itself: a destroyed stream drops them, and a slow
 * stream buffers them.
 */
import type { Writable } from 'node:stream';
import { type ErrorCode, isError } from '../internal/error-code';
import type { StreamOptions } from './types';

interface Target extends Partial<Pick<Writable, 'on' | 'listenerCount' | 'writableObjectMode'>> {
  /** Receives the line as a string. A stream in object mode receives an object if the format function returned one. */
  write(chunk: unknown): void;
}

/**
 * Returns a function that writes log lines to a stream.
 *
 * @param interval Milliseconds for which lines are collected; `undefined` to write each line immediately.
 */
export function openSink(
  stream: StreamOptions,
  interval: number | undefined,
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

  if (interval !== undefined) return gather(write, interval);
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

/** The deprecated option `buffer`: collects the lines of an interval and writes them together. */
function gather(write: (chunk: string) => void, interval: number): (line: NonNullable<unknown>) => void {
  let lines: string[] = [];
  return (line) => {
    if (lines.length === 0) {
      setTimeout(() => {
        const text = lines.join('');
        lines = [];
        write(text);
      }, interval);
    }
    lines.push(endLine(line));
  };
}

function endLine(line: NonNullable<unknown>): string {
  // biome-ignore lint/style/useTemplate: as in morgan, `+` calls `valueOf` first
  return line + '\n';
}
