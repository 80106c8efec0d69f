/** Folders for the length of one process: removed when it ends, be it by its last line, by exit() or by a signal. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();
let isMinded = false;

/** @param name What it is for: part of the folder's own name. @returns Its absolute path, free of symbolic links. */
export function temporaryFolder(name: string): string {
  mindTheEnd();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), `nozomi-${name}-`));
  made.add(folder);
  return folder;
}

/** Before the process ends, where many are made. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  made.delete(folder);
}

/** Once: all may have been removed before the next is made. */
function mindTheEnd(): void {
  if (isMinded) return;
  isMinded = true;
  process.once('exit', () => {
    for (const folder of made) removeFolder(folder);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      // Whoever else listens decides; nobody else means that the system would end the process unheard.
      if (process.listenerCount(signal) === 0) process.exit(2);
    });
  }
}
