/**
 * Installs the packages of the cases, and copies the folder for each implementation: in the copies another Express, or
 * this build, replaces `express`. This build is packed and installed from its tarball, also in place of `morgan`.
 */
import {
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { install, isInstalled, npmInstall, pinsOf } from '../../parity/harness/packages';
import { run } from '../../parity/harness/processes';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { makeTarball } from '../package/tarball';
import { type Case, home, type Series } from './cases';

/** A folder with the packages for each implementation. */
export interface Installations {
  readonly express: string;
  readonly nozomi: string;
}

/** The folder with the newest versions, below the one with the versions of a lockfile. */
const LATEST = '.latest';

/** The files of a package `morgan` that re-exports the logger of this build. */
const MORGAN: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'morgan', version: '1.12.1', main: 'index.js' }),
  'index.js': "module.exports = require('express/logger');\n",
};

/** What `node_modules/express` is in a copy: an argument of `npm install`, or the tarball of this build. */
type Replacement = { readonly name: string; readonly install: (folder: string) => string };

/**
 * Installs the packages of a folder if they are missing or its lockfile has changed. Always packs and installs this
 * build again.
 *
 * @param base The folder with the packages: the `base` of a case, or the result of `installLatest`.
 */
export function openInstallations(series: Series, base: string): Installations {
  if (basename(base) !== LATEST) install(base, 'ecosystem');
  const express: Replacement = {
    name: `express${series}`,
    install: () => `express@${expressOf(series)}`,
  };
  const nozomi: Replacement = { name: `nozomi${series}`, install: (folder) => makeTarball(series, folder) };
  return {
    express: series === '5' && base === home ? base : copyOf(base, express),
    nozomi: copyOf(base, nozomi),
  };
}

/** @returns The version of Express that the cases run with. */
export function expressOf(series: Series): string {
  const manifest = require.resolve(`express${series === '5' ? '' : series}/package.json`);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

/**
 * Installs the newest published versions of all packages that some cases use.
 *
 * @param base The `base` of the cases.
 * @returns The folder, and the versions by name.
 */
export function installLatest(
  base: string,
  cases: readonly Case[],
): {
  folder: string;
  versions: Readonly<Record<string, string>>;
} {
  const folder = join(base, LATEST);
  const manifest = JSON.parse(readFileSync(join(base, 'package.json'), 'utf8'));
  const used = new Set(cases.flatMap(({ packages }) => packages.map((each) => each.replace(/@[^@]+$/, ''))));
  // The exact version, because npm installs an older one where the newest does not support this Node.js.
  const versions = Object.fromEntries(
    [...used].map((name) => [name, run('npm', ['view', `${name}@latest`, 'version'], home).trim()]),
  );
  const { express, morgan } = manifest.dependencies;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const expected = { ...manifest, dependencies: { ...versions, express, morgan } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(expected, null, 2));
  console.error(`ecosystem: installing the newest versions of ${used.size} packages …`);
  npmInstall(folder, ['--ignore-scripts', '--legacy-peer-deps']);
  for (const part of PLAYED) cpSync(join(home, part), join(folder, part), { recursive: true });
  copyFileSync(join(folder, 'package-lock.json'), join(folder, 'node_modules', '.installed.json'));
  return { folder, versions };
}

/** What a case needs besides its packages. */
const PLAYED = ['cases', 'files', 'play.cjs'];

/** Copies `base` to a folder below it, with another `node_modules/express`. Keeps an existing copy of the packages. */
function copyOf(base: string, replacement: Replacement): string {
  const copy = join(base, `.${replacement.name}`);
  if (!isInstalled(copy, pinsOf(base))) {
    rmSync(copy, { recursive: true, force: true });
    // Rename the folder last: `isInstalled` looks for a marker in node_modules, and a copy can be interrupted.
    link(join(base, 'node_modules'), join(copy, 'linking'));
    renameSync(join(copy, 'linking'), join(copy, 'node_modules'));
  }
  for (const part of [...PLAYED, 'package.json']) {
    rmSync(join(copy, part), { recursive: true, force: true });
    cpSync(join(home, part), join(copy, part), { recursive: true, preserveTimestamps: true });
  }
  replaceExpress(join(copy, 'node_modules'), replacement);
  return copy;
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

/** Installs a package with its dependencies in place of `express`; this build also in place of `morgan`. */
function replaceExpress(modules: string, replacement: Replacement): void {
  const work = temporaryFolder('ecosystem');
  try {
    npmInstall(work, ['--ignore-scripts', replacement.install(work)]);
    const installed = replacement.name.replace(/\d$/, '');
    const express = join(modules, 'express');
    rmSync(express, { recursive: true, force: true });
    cpSync(join(work, 'node_modules', installed), express, { recursive: true, preserveTimestamps: true });
    rmSync(join(work, 'node_modules', installed), { recursive: true });
    const options = { recursive: true, preserveTimestamps: true };
    cpSync(join(work, 'node_modules'), join(express, 'node_modules'), options);
    if (installed === 'nozomi') writeMorgan(join(modules, 'morgan'));
  } finally {
    removeFolder(work);
  }
}

function writeMorgan(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [file, text] of Object.entries(MORGAN)) writeFileSync(join(folder, file), text);
}
