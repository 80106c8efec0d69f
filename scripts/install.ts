import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A copy of the lockfile, written after a complete installation. `npm ci` removes it together with the packages. */
const MARK = join('node_modules', '.installed.json');

/**
 * Runs `npm ci` in a folder with its own lockfile, if its packages are missing or the lockfile has changed.
 *
 * @param folder The folder with package.json and package-lock.json.
 * @param command The name of the calling command, for the message.
 */
export function install(folder: string, command: string): void {
  const lockfile = join(folder, 'package-lock.json');
  if (isInstalled(folder, lockfile)) return;
  console.error(`${command}: installing packages …`);
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  copyFileSync(lockfile, join(folder, MARK));
}

/** @returns Whether the packages in a folder were installed completely from this lockfile. */
export function isInstalled(folder: string, lockfile: string): boolean {
  const mark = join(folder, MARK);
  return existsSync(mark) && readFileSync(mark).equals(readFileSync(lockfile));
}
