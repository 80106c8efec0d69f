/** Documents that commands write, and read again to tell whether they are still true. */
import { existsSync, readFileSync } from 'node:fs';

/** @returns `undefined` where it has not been written yet. */
export function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** In Markdown, each row a line of its own. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
