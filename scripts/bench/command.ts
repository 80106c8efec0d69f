/** What the commands have in common: numbers out of options, one line of a table, and how they end. */

/** Run a command and end with its exit code; with 2 and one line when it could not run. */
export function run(name: string, main: (args: string[]) => Promise<number>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // The children end when this process does.
    process.once(signal, () => process.exit(2));
  }
  main(process.argv.slice(2)).then(
    (code) => process.exit(code),
    (err) => {
      console.error(`${name}: ${err.message}`);
      process.exit(2);
    },
  );
}

/** @throws RangeError for what is not a whole number above 0. */
export function countOf(option: string, text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new RangeError(`${option}: wanted a whole number above 0, got ${text}`);
}

/** The first cell to the left, the others to the right, each as wide as it is told. */
export function formatLine(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, n) => (n === 0 ? cell.padEnd(widths[n] as number) : cell.padStart(widths[n] as number)))
    .join('');
}
