// Prepares a clone and runs one script; `npm start` and `npm test` call it. It installs what is missing, or older than
// package-lock.json.
//
//   node scripts/bootstrap.mjs start                 runs the demo on the sources: needs few packages
//   node scripts/bootstrap.mjs test [arguments …]    runs scripts/test.ts, which builds if a step needs it
//
// This file is plain JavaScript and imports nothing from node_modules, because a fresh clone has no node_modules.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the demo loads besides the dependencies of the package. */
const DEMO = ['cookie-parser', 'ejs', 'tsx'];
const QUIETLY = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const isWindows = process.platform === 'win32';
const [what, ...args] = process.argv.slice(2);

if (what !== 'start' && what !== 'test') {
  console.error('bootstrap: usage: node scripts/bootstrap.mjs start|test [arguments …]');
  process.exit(2);
}
// tsx and others leave caches in the folder for temporary files, so it is one that this process removes at its end.
const temporary = mkdtempSync(join(tmpdir(), 'nozomi-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));
const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary };
let used = 0;

// Without the script `prepare` of package.json, which would build, too. No package needs its own install script.
if (what === 'test' && !(isInstalled() && existsSync(join(modules, 'mocha'))))
  step('installing packages', 'npm', ['ci', ...QUIETLY]);
if (what === 'start' && !isInstalled())
  step('installing what the demo needs', 'npm', [
    ...['install', '--omit=dev', '--no-save', '--save-prod', ...QUIETLY],
    ...DEMO,
  ]);
keepCache();

// Seconds, and CPU seconds, which `npm test` adds to those of its steps.
env.NOZOMI_PREPARED = `${performance.now() / 1000} ${used}`;
if (what === 'start') env.TSX_TSCONFIG_PATH = join(root, 'examples', 'demo', 'tsconfig.json');
const program = what === 'start' ? 'examples/demo' : 'scripts/test.ts';
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
  return timeOf(join(modules, '.package-lock.json')) >= timeOf(join(root, 'package-lock.json'));
}

/** @returns The time of the last change, or 0 if there is no such file. */
function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Keeps what tsx has compiled below node_modules for the next run. */
function keepCache() {
  if (isWindows) return;
  const cache = join(modules, '.cache', 'tsx');
  mkdirSync(cache, { recursive: true });
  const name = join(temporary, `tsx-${userInfo().uid}`);
  rmSync(name, { recursive: true, force: true });
  symlinkSync(cache, name);
}

function step(what, command, commandArgs) {
  console.error(`nozomi: ${what} …`);
  // The shell prints its own CPU time and that of its children to the third pipe.
  const timed = ['-c', '"$@"; code=$?; times >&3; exit $code', 'sh', command, ...commandArgs];
  const { status, output } = spawnSync(isWindows ? command : 'sh', isWindows ? commandArgs : timed, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    shell: isWindows,
  });
  for (const [, minutes, seconds] of String(output?.[3] ?? '').matchAll(/(\d+)m([\d.]+)s/g))
    used += Number(minutes) * 60 + Number(seconds);
  if (status !== 0) {
    console.error(`nozomi: ${what} failed, see the output above`);
    process.exit(status ?? 1);
  }
}
