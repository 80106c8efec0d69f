/** Shows a progress line on the terminal, and removes the line at the end. */

export interface Progress {
  readonly done: number;
  readonly total: number;
  /** The number of failures so far. */
  readonly failed?: number;
  /** The label after the count: `scenarios`, or the current run of an application. */
  readonly what: string;
}

const WIDTH = 28;

/**
 * Formats a progress line.
 *
 * @param columns The width of the terminal. The bar is shorter if the text needs the width; the line does not wrap.
 */
export function progressBar({ done, total, failed = 0, what }: Progress, columns = 80): string {
  const text = `${done}/${total} ${what}${failed > 0 ? `, ${failed} not equal` : ''}`;
  const width = Math.max(0, Math.min(WIDTH, columns - text.length - 2));
  const filled = total === 0 ? width : Math.floor((done / total) * width);
  const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
  return `${bar} ${text}`.trimStart().slice(0, columns - 1);
}

/** Overwrites the previous progress line, and clears the line at the end. Writes nothing without a terminal. */
export function showProgress(progress: Progress, stream: NodeJS.WriteStream = process.stderr): void {
  if (!stream.isTTY) return;
  // Pseudoterminals of containers and of `script` may have the width 0.
  const text = progress.done < progress.total ? progressBar(progress, stream.columns || 80) : '';
  stream.write(`\r${text}\x1b[K`);
}
