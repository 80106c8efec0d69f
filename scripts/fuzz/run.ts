// Runs random applications on Express with morgan and on this build, and compares all that can be observed: the bytes
// that clients receive, calls of handlers, errors, warnings and log lines. The applications have settings, nested
// routers, changed prototypes and overridden methods. Run this script before a release, after a build.
//
//   npm run check -- fuzz                              100,000 applications, with a seed from the clock
//   npm run check -- fuzz --runs 5000 --seed 42     this many applications from this seed
//   npm run check -- fuzz --time 600                as many applications as ten minutes allow
//   npm run check -- fuzz --enough 5                stops after this many differences
//   npm run check -- fuzz --replay report/fuzz/42-1.json
//                                             plays one stored application again
//   npm run check -- fuzz --entry 4                 applications of Express 4, with nozomi/4; also 3
//   npm run check -- fuzz --node 24                 with this version of Node.js, installed if it is missing
//   npm run check -- fuzz --build ../other/dist     another build instead of this one
//
// fast-check shrinks each application that differs, and the script stores it in report/fuzz/. Exit code 1 if an
// application differs.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildIn } from '../../parity/implementations/implementations';
import { formatReason } from '../../parity/programs/explain';
import { BUILD, bySeries, type Difference, EXPRESS, type Modules, Pair } from '../../parity/programs/pair';
import type { Program, Series } from '../../parity/programs/program';
import { nodeOf } from '../bench/node';
import { runCommand, toCount } from '../command';
import { type Found, type FuzzOptions, type FuzzResult, fuzz } from './fuzz';

const FOLDER = join(__dirname, '../../report/fuzz');
/** Prints at most this many characters of an event. */
const WIDTH = 600;
/** Minimum milliseconds between two progress lines. */
const INTERVAL = 10_000;

runCommand({
  options: {
    runs: { type: 'string' },
    seed: { type: 'string', default: `${Date.now() % 2 ** 31}` },
    time: { type: 'string' },
    enough: { type: 'string', default: '5' },
    replay: { type: 'string' },
    build: { type: 'string' },
    entry: { type: 'string', default: '5' },
    node: { type: 'string' },
  },
  run: ({ values }) => {
    const series = toEntry(values.entry);
    const node = nodeOf(values.node);
    const reference = { ...EXPRESS[series], node };
    const builds = values.build === undefined ? BUILD : bySeries(buildIn(resolve(values.build)));
    const build = { ...builds[series], node };
    if (values.replay !== undefined) return replay(values.replay, series, build, reference);
    const time = values.time === undefined ? Number.POSITIVE_INFINITY : toCount('time', values.time) * 1000;
    const runs =
      values.runs === undefined
        ? values.time === undefined
          ? 100_000
          : Number.POSITIVE_INFINITY
        : toCount('runs', values.runs);
    const seed = toCount('seed', values.seed, 0);
    return run({ seed, runs, time, enough: toCount('enough', values.enough), series, build, reference });
  },
});

async function run(options: FuzzOptions): Promise<boolean> {
  const { seed } = options;
  console.log(`seed ${seed}`);
  const began = performance.now();
  let printed = began;
  let shown = 0;
  const printNew = (result: FuzzResult): void => {
    for (const found of result.differences.slice(shown)) show(found, store(seed, ++shown, found));
  };
  const result = await fuzz({
    ...options,
    onProgress(progress) {
      printNew(progress);
      if (performance.now() - printed < INTERVAL) return;
      printed = performance.now();
      console.log(`${summary(progress)}, ${((printed - began) / 1000).toFixed(0)} s`);
    },
  });
  const seconds = (performance.now() - began) / 1000;
  console.log(`${summary(result)}, ${(result.responses / seconds).toFixed(0)} responses a second`);
  for (const [one, count] of result.excluded) console.log(`  ${count} × ${formatReason(one)}`);
  if (result.responses < result.programs / 2) throw new Error('too few responses: does the build work?');
  const { length } = result.differences;
  console.log(`${length} ${length === 1 ? 'difference' : 'differences'}`);
  return length === 0;
}

function summary({ programs, responses, unsteady }: FuzzResult): string {
  return `${programs} applications, ${responses} responses, ${unsteady} with a flaky difference`;
}

async function replay(file: string, series: Series, build: Modules, reference: Modules): Promise<boolean> {
  const stored = JSON.parse(readFileSync(file, 'utf8')) as Program | Found;
  const program = 'program' in stored ? stored.program : stored;
  const pair = new Pair(series, build, reference);
  try {
    const difference = await pair.play(program);
    if (difference) show({ ...difference, program }, file);
    else console.log(pair.unsteady > 0 ? 'flaky difference' : 'no difference');
    for (const [one] of pair.excluded) console.log(`excluded: ${formatReason(one)}`);
    return difference === undefined;
  } finally {
    pair.stop();
  }
}

function toEntry(text: string): Series {
  const series = Number(text);
  if (series === 3 || series === 4 || series === 5) return series;
  throw new TypeError(`--entry: expected 5, 4 or 3, got "${text}"`);
}

function store(seed: number, number: number, found: Found): string {
  const file = join(FOLDER, `${seed}-${number}.json`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
  return file;
}

function show({ program, way, expected, actual }: Difference & { program: Program }, file: string): void {
  console.log(`\n${file} (${way === 'listen' ? 'app.listen' : 'own server'})\n  ${JSON.stringify(program)}`);
  for (const kind of ['received', 'events'] as const) {
    const length = Math.max(expected[kind].length, actual[kind].length);
    const at = Array.from({ length }, (_none, index) => index).find(
      (index) => expected[kind][index] !== actual[kind][index],
    );
    if (at === undefined) continue;
    console.log(`  first difference: ${kind}[${at}]`);
    console.log(`    Express ${JSON.stringify(expected[kind][at])?.slice(0, WIDTH)}`);
    console.log(`    build   ${JSON.stringify(actual[kind][at])?.slice(0, WIDTH)}`);
  }
}
