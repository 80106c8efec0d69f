// Sends generated and mutated requests, byte by byte, to Express and to this build, each in a process of its own, and
// compares every answer, the fate of every connection and every log line. Run before a release, after the build:
//
//   npm run fuzz                                  100,000 requests with a seed of the day's
//   npm run fuzz -- --requests 5000 --seed 42     repeat a run
//   npm run fuzz -- --replay report/fuzz/42-1.json
//
// A difference is played again, made small and stored in report/fuzz/. Exit code 1 when there is one, or when an
// event loop was kept longer than 50 ms by its own work.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, toCount } from './command';
import { type Difference, Duel } from './fuzz/duel';
import type { Talk } from './fuzz/grammar';
import { fuzz, judge } from './fuzz/run';

/** Milliseconds no input of up to 1 MB may keep an event loop. */
const BOUND = 50;

interface Stored extends Omit<Talk, 'requests'> {
  /** In base64. */
  readonly requests: readonly string[];
  readonly wanted: readonly string[];
  readonly came: readonly string[];
}

runCommand({
  name: 'fuzz',
  file: __filename,
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: `${Date.now() % 2 ** 31}` },
    replay: { type: 'string' },
  },
  run: ({ values }) =>
    values.replay === undefined
      ? run(toCount('seed', values.seed, 0), toCount('requests', values.requests))
      : replay(values.replay),
});

async function run(seed: number, requests: number): Promise<boolean> {
  console.log(`seed ${seed}`);
  const began = performance.now();
  let told = 0;
  const result = await fuzz({
    seed,
    requests,
    onProgress(count) {
      if (count - told < 10_000) return;
      told = count;
      console.log(`${count} requests, ${((performance.now() - began) / 1000).toFixed(0)} s`);
    },
  });
  for (const [index, difference] of result.differences.entries())
    show(difference, store(seed, index + 1, difference));
  const [theirs, ours] = result.kept;
  console.log(
    `${result.requests} requests on ${result.connections} connections, ${result.again} played again`,
  );
  console.log(`event loop kept at most ${ours.toFixed(1)} ms here, ${theirs.toFixed(1)} ms in the reference`);
  console.log(`${result.differences.length} differences`);
  return result.differences.length === 0 && ours <= BOUND;
}

async function replay(file: string): Promise<boolean> {
  const {
    requests,
    wanted: _wanted,
    came: _came,
    ...talk
  } = JSON.parse(readFileSync(file, 'utf8')) as Stored;
  const duel = new Duel();
  try {
    await duel.start();
    const bytes = requests.map((text) => Buffer.from(text, 'base64'));
    const difference = await judge(duel, { ...talk, requests: bytes });
    if (difference) show(difference, file);
    else console.log('no difference any more');
    return difference === undefined;
  } finally {
    await duel.stop();
  }
}

function store(seed: number, number: number, { talk, wanted, came }: Difference): string {
  const folder = join(__dirname, '..', 'report', 'fuzz');
  const file = join(folder, `${seed}-${number}.json`);
  const stored: Stored = {
    ...talk,
    requests: talk.requests.map((bytes) => bytes.toString('base64')),
    wanted,
    came,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(stored, null, 2)}\n`);
  return file;
}

function show({ talk, wanted, came }: Difference, file: string): void {
  console.log(`\n${file}${talk.pipelined ? ' (pipelined)' : ''}`);
  for (const bytes of talk.requests) console.log(`  asked   ${JSON.stringify(bytes.toString('latin1'))}`);
  for (const text of wanted) console.log(`  wanted  ${JSON.stringify(text)}`);
  for (const text of came) console.log(`  came    ${JSON.stringify(text)}`);
}
