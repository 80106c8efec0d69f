import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LOCKFILE = 'package-lock.json';
/** A copy of `pinsOf`, written after a complete installation. npm removes it together with the packages. */
const MARK = join('node_modules', '.installed.json');

/**
 * Installs the packages of a folder, if they are missing or its versions have changed: those of its lockfile, or of its
 * package.json if it has none. npm writes no complete lockfile where the registry lacks the binaries for other platforms.
 *
 * @param folder The folder with package.json.
 * @param command The name of the calling command, for the message.
 */
export function install(folder: string, command: string): void {
  const pins = pinsOf(folder);
  if (isInstalled(folder, pins)) return;
  console.error(`${command}: installing packages …`);
  const how = pins.endsWith(LOCKFILE) ? ['ci'] : ['install', '--no-package-lock'];
  execFileSync('npm', [...how, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  copyFileSync(pins, join(folder, MARK));
}

/** @returns The file with the versions to install in a folder. */
export function pinsOf(folder: string): string {
  const lockfile = join(folder, LOCKFILE);
  return existsSync(lockfile) ? lockfile : join(folder, 'package.json');
}

/** @param pins The result of `pinsOf` for the folder that was installed. */
export function isInstalled(folder: string, pins: string): boolean {
  const mark = join(folder, MARK);
  return existsSync(mark) && readFileSync(mark).equals(readFileSync(pins));
}
