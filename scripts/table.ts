/** Prints the tables of commands. */

/** One row: pads each cell to its width, on the left, or on the right for a negative width. */
export function formatLine(cells: readonly (string | number)[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => {
      const width = widths[index] ?? 0;
      return width < 0 ? `${cell}`.padEnd(-width) : `${cell}`.padStart(width);
    })
    .join('');
}
