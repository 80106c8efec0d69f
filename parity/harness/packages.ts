/** Installs packages of the npm registry, for the checks that need more than package-lock.json has. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './processes';

const LOCKFILE = 'package-lock.json';
/** A copy of `pinsOf`, written after a complete installation. npm removes it together with the packages. */
const MARK = join('node_modules', '.installed.json');

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Runs `npm install` in a folder, which becomes a project of its own if it is none.
 *
 * @param args Packages such as `helmet@8`, and options of npm.
 * @throws Error if it fails.
 */
export function npmInstall(folder: string, args: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }');
  run('npm', ['install', ...QUIET, ...args], folder);
}

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
  if (pins.endsWith(LOCKFILE)) run('npm', ['ci', '--ignore-scripts', ...QUIET], folder);
  else npmInstall(folder, ['--ignore-scripts', '--no-package-lock']);
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
