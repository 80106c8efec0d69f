import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** @returns The text of a file, or undefined if the file does not exist. */
export function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Formats a Markdown table. @returns One line per row, with the head first. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** @returns The paths of everything below a folder, relative to it, sorted, with slashes. */
export function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}
