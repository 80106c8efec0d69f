// Prepares a clone and runs one script; `npm start` and `npm test` call it. First it runs `npm ci` if node_modules is
// missing or older than package-lock.json, then it builds dist/.
//
//   node scripts/bootstrap.mjs --run <script.ts> [arguments …]
//
// This file is plain JavaScript and imports nothing from node_modules, because a fresh clone has no node_modules.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [flag, program, ...args] = process.argv.slice(2);

if (flag !== '--run' || !program) {
  console.error('bootstrap: usage: node scripts/bootstrap.mjs --run <script.ts> [arguments …]');
  process.exit(2);
}
// tsx and others leave caches in the folder for temporary files, so it is one that this process removes at its end.
const temporary = mkdtempSync(join(tmpdir(), 'nozomi-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));
const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary };

// Without the script `prepare` of package.json, which would build, too. No package needs its own install script.
if (!isInstalled()) step('installing packages', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
step('building', process.execPath, ['--require', 'tsx/cjs', 'scripts/build.ts']);

const child = spawn(process.execPath, ['--require', 'tsx/cjs', program, ...args], {
  cwd: root,
  env,
  stdio: 'inherit',
});
// SIGINT is ignored here: the terminal sends Ctrl-C to the child process too, which decides when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => signal === 'SIGINT' || child.kill(signal));
}
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

/** Whether node_modules is up to date. npm writes node_modules/.package-lock.json at the end of an installation. */
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
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(`nozomi: ${what} failed, see the output above`);
    process.exit(status ?? 1);
  }
}
