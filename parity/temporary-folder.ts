/** Temporary folders that are removed when the process ends: normally, by exit() or by a signal. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();
let isInstalled = false;

/**
 * @param name The purpose, which becomes part of the folder's name. @returns The absolute path without symbolic
 *   links.
 */
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

/** Adds the exit handlers, once even if the list of folders becomes empty in between. */
function removeAtExit(): void {
  if (isInstalled) return;
  isInstalled = true;
  process.once('exit', () => {
    for (const folder of made) removeFolder(folder);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      // If another listener exists, it decides whether the process ends.
      if (process.listenerCount(signal) === 0) process.exit(2);
    });
  }
}
