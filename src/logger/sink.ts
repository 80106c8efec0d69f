/**
 * Where lines go, and what happens when they cannot. L-1-04 L-2.2-08 L-2.2-09
 *
 * A log that fails must not take the service with it. Where the reference lets the process end, this does not:
 * - `write` throws: that line is lost, the request goes on.
 * - The stream emits 'error' (disk full, pipe closed, file not writable) and **nobody** listens: it is taken.
 *   An application that listens itself, also one that rethrows, sees every error as if the logger were not there.
 * Either is told once per stream by `process.emitWarning`, code `NOZOMI_LOG_STREAM`. A stream that was destroyed
 * ignores what it is given, and a slow one keeps it in its own buffer: the logger holds no line back.
 */
import type { Writable } from 'node:stream';
import type { StreamOptions } from './types';

type Target = StreamOptions & Partial<Pick<Writable, 'on' | 'listenerCount' | 'writableObjectMode'>>;

/** @param interval Milliseconds to gather lines for, `undefined` to write each at once. */
export function openSink(stream: StreamOptions, interval: number | undefined): (line: unknown) => void {
  const target = stream as Target;
  const report = watch(target);

  function write(chunk: unknown): void {
    try {
      target.write(chunk as string);
    } catch (error) {
      report(error);
    }
  }

  if (interval !== undefined) return gather(write, interval);
  return (line) => write(target.writableObjectMode && typeof line === 'object' ? line : endLine(line));
}

const reporters = new WeakMap<object, (error: unknown) => void>();

/** One listener and one report per stream, however many loggers share it. */
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
      code: 'NOZOMI_LOG_STREAM',
    });
  };
  reporters.set(target, report);
  target.on?.('error', (error: unknown) => {
    if (target.listenerCount?.('error') === 1) report(error);
  });
  return report;
}

/** The deprecated `buffer` option: lines wait for each other, never longer than the interval. */
function gather(write: (chunk: string) => void, interval: number): (line: unknown) => void {
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

function endLine(line: unknown): string {
  // biome-ignore lint/style/useTemplate: `+` asks `valueOf` first; as in the reference
  return (line as string) + '\n';
}
