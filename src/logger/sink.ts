/**
 * Writes the lines and handles write errors. L-1-04 L-2.2-08 L-2.2-09
 *
 * An error of the log must not stop the service. In two cases morgan terminates the process:
 * - `write` throws: this logger drops the line, and the request continues.
 * - The stream emits 'error' (disk full, pipe closed, file not writable) and has **no** listener: this logger handles
 *   the event. An application that listens receives every error as without the logger.
 *
 * In both cases `process.emitWarning` reports it once per stream, with the code `NOZOMI_LOG_STREAM`. A destroyed
 * stream drops writes and a slow one buffers them: the logger itself stores no lines.
 */
import type { Writable } from 'node:stream';
import type { ErrorCode } from '../wire/error-code';
import type { StreamOptions } from './types';

interface Target extends Partial<Pick<Writable, 'on' | 'listenerCount' | 'writableObjectMode'>> {
  /** A string; in object mode the result of the format function. */
  write(chunk: unknown): void;
}

/**
 * Returns a function that writes log lines to a stream.
 *
 * @param interval Milliseconds between two writes; `undefined` to write each line immediately.
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

/** Adds one listener and one warning per stream, even if several loggers use it. */
function watch(target: Target): (error: unknown) => void {
  const known = reporters.get(target);
  if (known) return known;

  let reported = false;
  const report = (error: unknown) => {
    if (reported) return;
    reported = true;
    const detail = error instanceof Error ? error.message : String(error);
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
