// Tests the verdict of `nozomi parity`: compares examples/bookshop, whose responses contain ids, clocks and stack
// traces, again and again. Without a fault every run must find it equal; with each of twenty faults every run must find
// a difference.
//
//   npm run trust                        30 runs of either kind; 40 minutes and more on a busy machine
//   npm run trust -- --runs 2            two of either kind
//   taskset -c 0 npm run trust           on one core; --load 2 keeps two processes busy meanwhile
//
// Exit code: 0 all verdicts are right, 1 a false alarm or a fault that was not found, 2 could not run.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runCommand } from '../command';

const ROOT = join(__dirname, '..', '..');
const BOOKSHOP = join(ROOT, 'examples', 'bookshop');
const SEEDED = join(__dirname, 'seeded');
/** How many milliseconds a stream that never ends is read, which is enough for dozens of events. */
const PATIENCE = '700';

/** Keeps a processor busy until its parent process ends. */
const BUSY =
  'const parent = process.ppid; setInterval(() => { if (process.ppid !== parent) process.exit(); for (const end = Date.now() + 50; Date.now() < end; ); }, 0);';

const { FAULTS } = require('./seeded') as { FAULTS: readonly string[] };

runCommand({
  name: 'trust',
  file: __filename,
  options: { runs: { type: 'string', default: '30' }, load: { type: 'string', default: '0' } },
  run({ values }) {
    const [runs, load] = [Number(values.runs), Number(values.load)];
    if (!Number.isSafeInteger(runs) || runs < 1)
      throw new RangeError(`--runs: expected a number, got "${values.runs}"`);
    const busy = Array.from({ length: load }, () =>
      spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }),
    );
    try {
      return judge(runs);
    } finally {
      for (const child of busy) end(child);
    }
  },
});

function judge(runs: number): boolean {
  // Every other run loads the module of faults without enabling one: it must not make a difference by itself.
  const green = Array.from({ length: runs }, (_, index) =>
    compare(`run ${index + 1}, no fault`, 0, index % 2 === 0 ? undefined : ''),
  ).filter(Boolean);
  const red = Array.from({ length: runs }, (_, index) => {
    const fault = FAULTS[index % FAULTS.length] ?? '';
    return compare(`run ${index + 1}, ${fault}`, 1, fault);
  }).filter(Boolean);
  console.log(
    `${green.length} of ${runs} runs without a fault are equal, ${red.length} of ${runs} with a fault differ`,
  );
  return green.length === runs && red.length === runs;
}

/** @returns Whether the comparison ends with the expected exit code. */
function compare(what: string, wanted: number, fault?: string): boolean {
  const started = performance.now();
  const bin = join(ROOT, 'dist', 'parity', 'command', 'bin.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...[bin, 'parity', 'app.js', '--requests', 'traffic.http', '--patience', PATIENCE],
      ...(fault === undefined ? [] : ['--candidate', SEEDED]),
    ],
    {
      cwd: BOOKSHOP,
      encoding: 'utf8',
      env: { ...process.env, ...(fault !== undefined && { FAULT: fault }) },
    },
  );
  const isRight = status === wanted;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${isRight ? '✓' : '✗'} ${what}: exit code ${status} in ${seconds} s`);
  if (!isRight) console.log(`${stdout}${stderr}`);
  return isRight;
}

function end(child: ChildProcess): void {
  child.kill('SIGKILL');
}
