/** The tables that commands print. */

/** One row: a cell fills its width from the right, or from the left where the width is negative. */
export function formatLine(cells: readonly (string | number)[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => {
      const width = widths[index] ?? 0;
      return width < 0 ? `${cell}`.padEnd(-width) : `${cell}`.padStart(width);
    })
    .join('');
}
