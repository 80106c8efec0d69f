// Run first by `npm start` and `npm test`, also on a fresh clone: installs what package-lock.json names if node_modules
// is missing or older, builds dist/, then runs one script.
//
//   node scripts/bootstrap.mjs --run <script.ts> [arguments …]
//
// Plain JavaScript without imports from node_modules, because there may be none yet.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [flag, program, ...args] = process.argv.slice(2);

if (flag !== '--run' || !program) {
  console.error('bootstrap: expected --run <script> [arguments …]');
  process.exit(2);
}
if (!isInstalled()) step('installing packages', 'npm', ['ci', '--no-audit', '--no-fund']);
step('building', process.execPath, ['--import', 'tsx', 'scripts/build.ts']);

const child = spawn(process.execPath, ['--import', 'tsx', program, ...args], { cwd: root, stdio: 'inherit' });
// SIGINT is not forwarded: the terminal sends Ctrl-C to both processes, and the script decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => signal === 'SIGINT' || child.kill(signal));
}
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

/** Whether node_modules matches the lockfile: npm writes its own copy of the lockfile last. */
function isInstalled() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  return (
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
  );
}

function step(what, command, commandArgs) {
  console.error(`nozomi: ${what} …`);
  const { status } = spawnSync(command, commandArgs, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(`nozomi: ${what} failed`);
    process.exit(status ?? 1);
  }
}
