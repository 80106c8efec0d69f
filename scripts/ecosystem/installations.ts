/**
 * Installs the packages of spec/ecosystem twice. The first copy has `express` and `morgan` of the lockfile. In the
 * second, this build replaces them: packed, and installed from the tarball.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { install, isInstalled } from '../install';
import { home } from './cases';

export interface Installations {
  readonly express: string;
  readonly nozomi: string;
}

const root = join(home, '..', '..');
const twin = join(home, '.nozomi');

/** The files of a package `morgan` that re-exports the logger of this build. */
const MORGAN: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'morgan', version: '1.12.1', main: 'index.js' }),
  'index.js': "module.exports = require('express/logger');\n",
};

/**
 * Installs the packages if they are missing or the lockfile has changed. Always packs and installs this build again.
 *
 * @returns The folders of both copies.
 */
export function openInstallations(): Installations {
  install(home, 'ecosystem');
  if (!isInstalled(twin, join(home, 'package-lock.json'))) {
    rmSync(twin, { recursive: true, force: true });
    // Rename the folder last: `isInstalled` looks for a marker in node_modules, and a copy can be interrupted.
    link(join(home, 'node_modules'), join(twin, 'linking'));
    renameSync(join(twin, 'linking'), join(twin, 'node_modules'));
  }
  for (const part of ['cases', 'files', 'package.json', 'play.cjs']) {
    rmSync(join(twin, part), { recursive: true, force: true });
    cpSync(join(home, part), join(twin, part), { recursive: true, preserveTimestamps: true });
  }
  installBuild(join(twin, 'node_modules'));
  return { express: home, nozomi: twin };
}

/** Copies a folder with hard links. With symbolic links, Node.js would resolve packages from the original folder. */
function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) link(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}

/** Packs this build and installs it with its dependencies in place of `express` and `morgan`. */
function installBuild(modules: string): void {
  const work = temporaryFolder('ecosystem');
  try {
    npm(['pack', '--ignore-scripts', '--pack-destination', work], root);
    const [tarball = ''] = readdirSync(work);
    writeFileSync(join(work, 'package.json'), '{ "private": true }');
    npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', join(work, tarball)], work);
    const [express, morgan] = [join(modules, 'express'), join(modules, 'morgan')];
    for (const place of [express, morgan]) rmSync(place, { recursive: true, force: true });
    cpSync(join(work, 'node_modules', 'nozomi'), express, { recursive: true, preserveTimestamps: true });
    rmSync(join(work, 'node_modules', 'nozomi'), { recursive: true });
    cpSync(join(work, 'node_modules'), join(express, 'node_modules'), {
      recursive: true,
      preserveTimestamps: true,
    });
    mkdirSync(morgan);
    for (const [file, text] of Object.entries(MORGAN)) writeFileSync(join(morgan, file), text);
  } finally {
    removeFolder(work);
  }
}

function npm(args: readonly string[], cwd: string): void {
  try {
    execFileSync('npm', args, { cwd, stdio: 'pipe', shell: process.platform === 'win32' });
  } catch (err) {
    console.error(String((err as { stderr: Buffer }).stderr));
    throw new Error(`npm ${args.join(' ')} failed, see the output above`);
  }
}
