// Checks that `nozomi-parity --time` measures what the benchmark measures: how much CPU time this build saves. Both get
// the same program and request. Run this script after a build.
//
//   npm run bench -- gain                        the workload json
//   npm run bench -- gain --workloads hello,json also others; not those that serve files
//   npm run bench -- gain --rounds 3             how often each measures; default 5
//   npm run bench -- gain --node 24              version or path of the Node.js that runs the servers and `nozomi-parity`
//
// They measure in turn, because other programs of the machine change the figures of both. Exit code 1 if the medians
// differ by more than three percentage points.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../parity/index';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runParity } from '../applications/compare';
import { runCommand, toCount } from '../command';
import { formatLine } from '../table';
import { overLoopback } from './http/driver';
import { measure } from './measure';
import { nodeOf, versionOf } from './node';
import { peersNamed } from './peers';
import { median } from './statistics';
import { toRow } from './table';
import { formatRequest, type Workload, workloadsNamed } from './workloads';

/** Percentage points. */
const LIMIT = 3;
const WIDTHS = [-18, 12, 12, 12];

runCommand({
  options: {
    workloads: { type: 'string', default: 'json' },
    rounds: { type: 'string', default: '5' },
    node: { type: 'string' },
  },
  async run({ values }) {
    const node = nodeOf(values.node);
    console.log(`Node.js ${versionOf(node)}, percent of the CPU time of Express that this build saves`);
    console.log(formatLine(['', 'benchmark', '--time', 'A/A'], WIDTHS));
    let isGood = true;
    for (const work of workloadsNamed(values.workloads.split(',')))
      isGood = (await compare(work, toCount('rounds', values.rounds), node)) && isGood;
    return isGood;
  },
});

async function compare(work: Workload, rounds: number, node: string): Promise<boolean> {
  const figures: number[][] = [];
  while (figures.length < rounds) {
    const round = [await byBenchmark(work, node), ...(await byTime(work, node))];
    print(`${work.name} ${figures.push(round)}`, round);
  }
  const medians = [0, 1, 2].map((column) => median(figures.map((round) => round[column] as number)));
  print(`${work.name}, median`, medians);
  const [benchmark = Number.NaN, time = Number.NaN] = medians;
  return Math.abs(benchmark - time) <= LIMIT;
}

function print(name: string, figures: readonly number[]): void {
  console.log(formatLine([name, ...figures.map((figure) => figure.toFixed(1))], WIDTHS));
}

async function byBenchmark(work: Workload, node: string): Promise<number> {
  const effort = { processes: 1, rounds: 7, node };
  const { figures } = toRow(
    work,
    await measure(work, peersNamed(['express', 'nozomi']), effort, overLoopback),
  );
  return (1 - 1 / (figures.nozomi?.ratio ?? Number.NaN)) * 100;
}

/** @returns What `--time` says, and how far two processes of Express differ. */
async function byTime(work: Workload, node: string): Promise<[time: number, noise: number]> {
  const file = join(temporaryFolder('gain'), 'requests.http');
  // A request in such a file has its version and its length from the command.
  writeFileSync(file, formatRequest(work).replace(/ HTTP\/1\.1|\r|Content-Length: .*\n/g, ''));
  const { stdout, stderr } = await runParity(
    join(__dirname, 'programs'),
    ['application.cjs', '--requests', file, '--time', '--reporter', 'json', '--', JSON.stringify(work)],
    { node, env: { ...process.env, NODE_ENV: 'production' } },
  );
  const { timing } = (stdout.startsWith('{') ? JSON.parse(stdout) : {}) as Partial<Report>;
  if (!timing) throw new Error(`nozomi-parity --time measured nothing:\n${stdout}${stderr}`);
  const { baseline, candidate, control } = timing;
  return [(1 - candidate / baseline) * 100, Math.abs(1 - control / baseline) * 100];
}
