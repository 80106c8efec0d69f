// Builds dist/ from src/, and dist/parity/ from parity/. Run by `npm run build`, and before every start, test and pack.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
