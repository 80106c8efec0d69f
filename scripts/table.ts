/**
 * Formats one row of a table for the terminal.
 *
 * @param widths The width of each column in characters; negative to align the cell to the left.
 */
export function formatLine(cells: readonly (string | number)[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => {
      const width = widths[index] ?? 0;
      return width < 0 ? `${cell}`.padEnd(-width) : `${cell}`.padStart(width);
    })
    .join('');
}
