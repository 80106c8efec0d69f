// Tests whether the verdict of `nozomi-parity` is reliable, with examples/bookshop, whose responses contain ids, times
// and stack traces. Without a fault, every run must report that all is equal. With a seeded fault, every run must
// report a difference.
//
//   npm run verify -- trust                     30 runs without and 30 with a fault; takes 40 minutes or more
//   npm run verify -- trust --runs 2            2 runs without and 2 with a fault
//   npm run verify -- trust --load 2            runs two busy processes at the same time
//   taskset -c 0 npm run verify -- trust        uses one core
//
// Exit code: 0 if all verdicts are right, 1 if one is wrong, 2 if the script could not run.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { runParity } from '../applications/compare';
import { runCommand } from '../command';

const BOOKSHOP = join(__dirname, '..', '..', 'examples', 'bookshop');
const SEEDED = join(__dirname, 'seeded');
/** Milliseconds to read a stream that never ends. In this time the bookshop sends more than ten events. */
const PATIENCE = '700';

/** The code of a process that keeps a processor busy until its parent process ends. */
const BUSY =
  'const parent = process.ppid; setInterval(() => { if (process.ppid !== parent) process.exit(); for (const end = Date.now() + 50; Date.now() < end; ); }, 0);';

const { FAULTS } = require('./seeded') as { FAULTS: readonly string[] };

runCommand({
  name: 'trust',
  file: __filename,
  options: { runs: { type: 'string', default: '30' }, load: { type: 'string', default: '0' } },
  async run({ values }) {
    const [runs, load] = [Number(values.runs), Number(values.load)];
    if (!Number.isSafeInteger(runs) || runs < 1)
      throw new RangeError(`--runs: expected a whole number from 1 on, got "${values.runs}"`);
    const busy = Array.from({ length: load }, () =>
      spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }),
    );
    try {
      return await judge(runs);
    } finally {
      for (const child of busy) end(child);
    }
  },
});

async function judge(runs: number): Promise<boolean> {
  let [green, red] = [0, 0];
  // Every other run loads the module with the faults, but enables none: loading it must not cause a difference.
  for (let run = 0; run < runs; run++)
    green += Number(await compare(`run ${run + 1}, no fault`, 0, run % 2 === 0 ? undefined : ''));
  for (let run = 0; run < runs; run++) {
    const fault = FAULTS[run % FAULTS.length] ?? '';
    red += Number(await compare(`run ${run + 1}, ${fault}`, 1, fault));
  }
  console.log(`${green} of ${runs} runs without a fault are equal, ${red} of ${runs} with a fault differ`);
  return green === runs && red === runs;
}

/** Runs `nozomi-parity` once. @returns Whether its exit code is `wanted`. */
async function compare(what: string, wanted: number, fault?: string): Promise<boolean> {
  const started = performance.now();
  const { status, stdout, stderr } = await runParity(
    BOOKSHOP,
    [
      ...['app.js', '--requests', 'traffic.http', '--patience', PATIENCE],
      ...(fault === undefined ? [] : ['--candidate', SEEDED]),
    ],
    { env: { ...process.env, ...(fault !== undefined && { FAULT: fault }) } },
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
