/** Sets constant modification times on files that scenarios serve, because Last-Modified and ETag depend on them. */
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isInstalled, ROOT } from '../implementations/project';

const FOLDERS = ['files', 'express4'].map((name) => join(ROOT, 'fixtures', name));
export const MODIFIED: Date = new Date('2024-02-29T12:00:00Z');

/** Sets the modification times in `FOLDERS`. The installed package contains no fixtures. */
export async function setFileTimes(): Promise<void> {
  if (isInstalled()) return;
  for (const folder of FOLDERS) {
    for (const name of await readdir(folder, { recursive: true })) {
      const file = join(folder, name);
      if ((await stat(file)).mtimeMs !== MODIFIED.getTime()) await utimes(file, MODIFIED, MODIFIED);
    }
  }
}
