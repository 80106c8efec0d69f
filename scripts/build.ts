// Builds dist/ from src/, dist/parity/ from parity/, and lib/ for those who ask by path. Run by `npm run build`, and before every start, test and pack.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
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
for (const name of ['express', 'router']) standAs(name);
pack(dist);
showLib();

/**
 * Instrumentations find what they change by package, version and file. So the modules of `dist/seams` stand below a
 * `node_modules`, each in a package of the reference's name and version; in their places are modules that load them.
 */
function standAs(name: string): void {
  const from = join(dist, 'seams', name);
  const to = join(dist, 'node_modules', name);
  for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!/\.js(\.map)?$/.test(file)) continue;
    mkdirSync(dirname(join(to, file)), { recursive: true });
    renameSync(join(from, file), join(to, file));
    if (file.endsWith('.map')) continue;
    const path = relative(dirname(join(from, file)), join(to, file)).replaceAll('\\', '/');
    writeFileSync(join(from, file), `module.exports = require('${path}');\n`);
  }
  const { version } = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8'));
  writeFileSync(join(to, 'package.json'), `${JSON.stringify({ name, version }, null, 2)}\n`);
}

/** What stands in `lib/` of Express stands there too, for programs that go to the file and past `exports`. */
function showLib(): void {
  const lib = join(root, 'lib');
  rmSync(lib, { recursive: true, force: true });
  mkdirSync(lib);
  for (const file of readdirSync(join(dist, 'seams', 'express', 'lib')).filter((one) => one.endsWith('.js')))
    writeFileSync(join(lib, file), `module.exports = require('../dist/seams/express/lib/${file}');\n`);
}
