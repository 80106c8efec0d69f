/** The directory of files that the workloads of static files ask for, removed when this process ends. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileOf } from './workloads';

export function makeFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nozomi-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const modified = new Date('2020-01-01T00:00:00Z');
  for (const [name, size] of [
    ['10k.txt', 10_000],
    ['1m.txt', 1_000_000],
  ] as const) {
    writeFileSync(join(folder, name), fileOf(size));
    utimesSync(join(folder, name), modified, modified);
  }
  return folder;
}
