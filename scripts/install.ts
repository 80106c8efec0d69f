/** Installs the packages of a folder with its own lockfile, on first use and after a change of the lockfile. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lockfile of the last complete installation. It is written last, and removed with the packages. */
const MARK = join('node_modules', '.installed.json');

/** @param command The command that needs the packages, for the message. */
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

export function isInstalled(folder: string, lockfile: string): boolean {
  const mark = join(folder, MARK);
  return existsSync(mark) && readFileSync(mark).equals(readFileSync(lockfile));
}
