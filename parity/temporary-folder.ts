/** Temporary folders that are removed when the process ends, by its last line, exit() or a signal. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();
let isInstalled = false;

/** @param name Purpose: part of the folder's name. @returns Its absolute path without symbolic links. */
export function temporaryFolder(name: string): string {
  removeAtExit();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), `nozomi-${name}-`));
  made.add(folder);
  return folder;
}

/** Removes a folder early, for callers that create many. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  made.delete(folder);
}

/** Installed once, although all folders may be gone in between. */
function removeAtExit(): void {
  if (isInstalled) return;
  isInstalled = true;
  process.once('exit', () => {
    for (const folder of made) removeFolder(folder);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      // Another listener decides whether the process ends; without one, this handler must end it.
      if (process.listenerCount(signal) === 0) process.exit(2);
    });
  }
}
