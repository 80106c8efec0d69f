/** One line on the terminal that grows while scenarios are played, and is gone when they are done. */

export interface Progress {
  readonly done: number;
  readonly total: number;
  /** So many are not as they should be, so far. */
  readonly failed?: number;
  /** What is counted, or what is being done. */
  readonly what: string;
}

const WIDTH = 28;

/** @param columns Of the terminal: the line never breaks. */
export function progressBar({ done, total, failed = 0, what }: Progress, columns = 80): string {
  const filled = total === 0 ? WIDTH : Math.floor((done / total) * WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  const line = `${bar} ${done}/${total} ${what}${failed > 0 ? `, ${failed} not equal` : ''}`;
  return line.slice(0, columns - 1);
}

/** Writes over the line before; takes it away at the end. Nothing where standard error is no terminal. */
export function showProgress(progress: Progress, stream: NodeJS.WriteStream = process.stderr): void {
  if (!stream.isTTY) return;
  const text = progress.done < progress.total ? progressBar(progress, stream.columns) : '';
  stream.write(`\r${text}\x1b[K`);
}
