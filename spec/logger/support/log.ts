/** A log that remembers, and can be waited for. */
import { once } from 'node:events';
import { Writable } from 'node:stream';

/** How long a line may take, in milliseconds: far more than any does, far less than the runner allows. */
const PATIENCE = 10_000;

export class Log extends Writable {
  readonly lines: string[] = [];

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.lines.push(String(chunk));
    done();
    this.emit('line');
  }

  /**
   * All lines, once there are as many. A line is written after the client has its response, so specs wait.
   *
   * @throws Error that says how many lines there are, when no further one comes
   */
  async until(count: number): Promise<string[]> {
    while (this.lines.length < count) {
      await once(this, 'line', { signal: AbortSignal.timeout(PATIENCE) }).catch((cause: unknown) => {
        throw new Error(`${this.lines.length} of ${count} lines after ${PATIENCE} ms`, { cause });
      });
    }
    return this.lines;
  }
}

/** What may differ between two readings of a clock: `1.234` and dates, each only if it looks like one. */
export function withoutTimes(line: string): string {
  return line
    .replace(
      /\d{2}\/(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\/\d{4}(?::\d{2}){3} \+0000/g,
      '<clf>',
    )
    .replace(/\d{4}-\d{2}-\d{2}T(?:\d{2}:){2}\d{2}\.\d{3}Z/g, '<iso>')
    .replace(/[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} (?:\d{2}:){2}\d{2} GMT/g, '<web>')
    .replace(/\b\d+\.\d{3}\b/g, '<ms>');
}
