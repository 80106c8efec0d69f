// Builds build/ and dist/ from src/, dist/parity/ from parity/, and lib/ for applications that require Express's files by
// path. Run by `npm run build`, and before every start, test and pack.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundle, COMPILED } from './build/bundle';
import { removeUnreachable } from './build/declarations';

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
  await bundle(dist);
  cpSync(COMPILED, dist, { recursive: true, filter: (path) => !/\.(js|map)$/.test(path) });
  writeLib();
  // parity/ imports the package by its name.
  compile('tsconfig.parity.json');
  removeUnreachable(dist);
  const page = join('parity', 'report', 'html');
  for (const name of ['page.html', 'page.css', 'page.js'])
    cpSync(join(root, page, name), join(dist, page, name));
}

function compile(project: string): void {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * APM agents find the files they change by package, version and path. So the adapters of `src/agents` are below a
 * `node_modules`, each in a package with the expected name and version.
 */
function moveAdapter(name: string): void {
  const folder = join(COMPILED, 'node_modules', name);
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(join(COMPILED, 'agents', name), folder);
  const { version } = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, version }, null, 2)}\n`);
}

/** The files of `lib/` of Express, for applications that require them by path, past `exports`. */
function writeLib(): void {
  mkdirSync(lib);
  for (const file of readdirSync(join(dist, 'lib')).filter((one) => one.endsWith('.js')))
    writeFileSync(join(lib, file), `module.exports = require('../dist/lib/${file}');\n`);
}
