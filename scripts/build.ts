// Builds dist/ from src/, dist/parity/ from parity/, and lib/ for those who ask by path. Run by `npm run build`, and before every start, test and pack.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pack } from './build/pack';

const root = join(__dirname, '..');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
// The harness imports the package by its name: it comes second.
for (const project of ['tsconfig.build.json', 'tsconfig.parity.json']) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
for (const name of ['express', 'router']) moveAdapter(name);
pack(dist);
showLib();

/**
 * APM agents find what they change by package, version and file. So the adapters of `src/agents` stand below a
 * `node_modules`, each in a package of the name and version that it stands for.
 */
function moveAdapter(name: string): void {
  const folder = join(dist, 'node_modules', name);
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(join(dist, 'agents', name), folder);
  const { version } = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, version }, null, 2)}\n`);
}

/** What stands in `lib/` of Express stands there too, for programs that go to the file and past `exports`. */
function showLib(): void {
  const lib = join(root, 'lib');
  rmSync(lib, { recursive: true, force: true });
  mkdirSync(lib);
  for (const file of readdirSync(join(dist, 'lib')).filter((one) => one.endsWith('.js')))
    writeFileSync(join(lib, file), `module.exports = require('../dist/lib/${file}');\n`);
}
