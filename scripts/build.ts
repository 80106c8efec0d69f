// Builds build/ and dist/ from src/, dist/parity/ (the package nozomi-parity) from parity/, and lib/ for applications that require files of Express by
// path. `npm start`, `npm test` and `npm pack` run this script first.
//
//   npm run build
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import manifest from '../package.json';
import { bundle, COMPILED } from './build/bundle';
import { removeUnreachable } from './build/declarations';
import { writePaths } from './build/paths';
import { TOOLS, TOOLS_FOLDER } from './package/tools';

const root = join(__dirname, '..');
const dist = join(root, 'dist');
const lib = join(root, 'lib');

build().catch((err) => {
  console.error(err instanceof Error ? err.message : err);
  process.exitCode = 1;
});

async function build(): Promise<void> {
  for (const folder of [COMPILED, dist, lib]) rmSync(folder, { recursive: true, force: true });
  compile('tsconfig.build.json');
  for (const name of ['express', 'router']) moveAdapter(name);
  moveAdapter('path-to-regexp', 'express4');
  for (const series of ['express3', 'express4']) {
    moveAdapter('express', series);
    rmSync(join(COMPILED, series, 'agents'), { recursive: true });
  }
  writePaths(COMPILED);
  await bundle(dist);
  cpSync(COMPILED, dist, { recursive: true, filter: (path) => !/\.(js|map)$/.test(path) });
  writeLib(lib, join(dist, 'lib'));
  for (const series of ['express3', 'express4']) {
    const folder = join(dist, series);
    writeLib(join(folder, 'lib'), join(folder, 'node_modules', 'express', 'lib'));
  }
  removeUnreachable(dist, manifest.exports);
  // Compile parity/ last: it imports the declarations of dist/ by the name of the package.
  compile('tsconfig.parity.json');
  removeUnreachable(join(root, TOOLS_FOLDER), TOOLS.exports);
  const page = join('report', 'html');
  for (const name of ['page.html', 'page.css', 'page.js'])
    cpSync(join(root, 'parity', page, name), join(root, TOOLS_FOLDER, page, name));
}

function compile(project: string): void {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Moves an adapter into a package below `node_modules`, with the name and version that APM agents expect. Agents find
 * the files to instrument by package, version and path.
 *
 * @param name `express`, or the name of a package that it requires.
 * @param series The folder of an earlier series, such as `express4`; default that of Express 5.
 */
function moveAdapter(name: string, series = ''): void {
  const folder = join(COMPILED, series, 'node_modules', name);
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(join(COMPILED, series, 'agents', name), folder);
  const express = require.resolve(`${series || 'express'}/package.json`);
  const manifest = name === 'express' ? express : createRequire(express).resolve(`${name}/package.json`);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, version }, null, 2)}\n`);
}

/** Writes one file to `folder` for each file below `from`, which it re-exports: the paths are those of Express. */
function writeLib(folder: string, from: string): void {
  for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js')) continue;
    const target = relative(dirname(join(folder, file)), join(from, file)).replaceAll('\\', '/');
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `module.exports = require('${target}');\n`);
  }
}
