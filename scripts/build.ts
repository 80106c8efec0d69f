// Builds build/ and dist/ from src/, dist/parity/ (the package nozomi-parity) from parity/, and lib/ for applications that require files of Express by
// path. `npm test` and `npm pack` run this script first.
//
//   npm run build
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import manifest from '../package.json';
import { bundle, COMPILED, outputOf } from './build/bundle';
import { bundleDeclarations, entryPointsOf } from './build/declarations';
import { declareLocalNames, writePaths } from './build/paths';
import { reexport } from './build/reexport';
import { TOOLS, TOOLS_FOLDER } from './package/tools';

const root = join(__dirname, '..');
const dist = join(root, 'dist');
const lib = join(root, 'lib');

// Matches the name of a value that a namespace exports.
const DECLARED_NAME = /^ {2}(?:export )?(?:(?:function|var|class) |\{ .*Itself as (?!default))(\w+)/gm;

build().catch((err) => {
  console.error(err instanceof Error ? err.message : err);
  process.exitCode = 1;
});

async function build(): Promise<void> {
  const began = new Date();
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
  declareLocalNames(dist);
  for (const entry of ['index', 'logger/index', 'express4/index', 'express3/index']) listNames(entry);
  // What is left: the package.json of each adapter.
  cpSync(COMPILED, dist, { recursive: true, filter: (path) => !/\.(js|map|d\.ts)$/.test(path) });
  await bundleDeclarations(COMPILED, dist, entryPointsOf(manifest.exports));
  writeLib();
  for (const series of ['express3', 'express4']) {
    const folder = join(dist, series);
    reexport(join(folder, 'lib'), join(folder, 'node_modules', 'express', 'lib'));
  }
  // Compile parity/ last: it imports the declarations of dist/ by the name of the package.
  compile('tsconfig.parity.json');
  await bundleDeclarations(join(COMPILED, 'parity'), join(root, TOOLS_FOLDER), entryPointsOf(TOOLS.exports));
  const page = join('report', 'html');
  for (const name of ['page.html', 'page.css', 'page.js'])
    cpSync(join(root, 'parity', page, name), join(root, TOOLS_FOLDER, page, name));
  // `npm test` does not build again before a source is newer than this file.
  writeFileSync(join(COMPILED, 'began'), '');
  utimesSync(join(COMPILED, 'began'), began, began);
}

/**
 * Adds the names of its exports to an entry point, where Node.js and bundlers look for them: a statement that never runs.
 * Without it, an ES module could only import the function itself.
 */
function listNames(entry: string): void {
  const file = join(dist, `${entry}.js`);
  const declarations = join(root, 'src', dirname(entry), 'interface.d.ts');
  const names = existsSync(declarations)
    ? [...readFileSync(declarations, 'utf8').matchAll(DECLARED_NAME)].map(([, name]) => name)
    : Object.keys(require(file));
  const list = [...new Set(names)].map((name) => `  ${name}: null,\n`).join('');
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(/(?=^\/\/# sourceMappingURL=)/m, `0 && (module.exports = {\n${list}});\n`),
  );
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

/** Writes the files of lib/, which export the modules of src/lib. Tools that ignore `exports` find them, too. */
function writeLib(): void {
  mkdirSync(lib);
  for (const file of readdirSync(join(COMPILED, 'lib')).filter((one) => one.endsWith('.js'))) {
    const module = `lib/${file.slice(0, -'.js'.length)}`;
    writeFileSync(
      join(lib, file),
      `module.exports = require('../dist/${outputOf(module)}.js')['${module}'];\n`,
    );
  }
}
