/** Creates temporary folders, and removes them when the process ends: normally, by SIGINT, SIGTERM or SIGHUP. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();
let isInstalled = false;

/**
 * Creates an empty folder, which is removed when the process ends.
 *
 * @param name A word for the name of the folder: `fresh` gives `nozomi-fresh-…`.
 * @returns The absolute path, without symbolic links.
 */
export function temporaryFolder(name: string): string {
  removeAtExit();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), `nozomi-${name}-`));
  made.add(folder);
  return folder;
}

/** Removes a folder before the process ends, for callers that create many folders. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  made.delete(folder);
}

/**
 * Gives the processes that this one starts a folder for temporary files, which is removed when this process ends: packages
 * of others leave files behind.
 */
export function ownTemporaryFiles(): void {
  const folder = temporaryFolder('files');
  Object.assign(process.env, { TMPDIR: folder, TEMP: folder, TMP: folder });
}

/** Adds the handlers that remove all folders when the process ends; once per process. */
function removeAtExit(): void {
  if (isInstalled) return;
  isInstalled = true;
  process.once('exit', () => {
    for (const folder of made) removeFolder(folder);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      // Exit only if there is no other listener for the signal, because another listener decides when to exit.
      if (process.listenerCount(signal) === 0) process.exit(2);
    });
  }
}
