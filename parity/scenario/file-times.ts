/** The files that scenarios serve: their times are set, because Last-Modified and ETag are made from them. */
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isInstalled, ROOT } from '../implementations/implementations';

const FILES = join(ROOT, 'fixtures', 'files');
const MODIFIED = new Date('2024-02-29T12:00:00Z');

/** Those of the checkout alone: nobody else's files are touched. */
export async function setFileTimes(): Promise<void> {
  if (isInstalled()) return;
  for (const name of await readdir(FILES, { recursive: true })) {
    const file = join(FILES, name);
    if ((await stat(file)).mtimeMs !== MODIFIED.getTime()) await utimes(file, MODIFIED, MODIFIED);
  }
}
