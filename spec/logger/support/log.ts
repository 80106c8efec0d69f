/** A log in memory, whose lines a spec can wait for. */
import { once } from 'node:events';
import { Writable } from 'node:stream';

/** Milliseconds to wait for a line. It is less than mocha's timeout, because the error here says more. */
const PATIENCE = 10_000;

export class Log extends Writable {
  readonly lines: string[] = [];

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.lines.push(String(chunk));
    done();
    this.emit('line');
  }

  /**
   * Waits for `count` lines, because the logger writes a line after the client has received the response.
   *
   * @returns All lines.
   * @throws Error with the number of lines if no further line arrives within 10 s.
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

/** Masks times and dates in a line: numbers such as `1.234`, and dates in the forms of the logger. */
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
