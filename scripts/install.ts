/** The packages of a folder that has a lockfile of its own: installed at first use, and when the lockfile has changed. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lockfile that was installed: written last, and gone when the packages are. */
const MARK = join('node_modules', '.installed.json');

/** @param command Who wants them. */
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
