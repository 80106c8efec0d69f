// Compares the routing of this build with that of another checkout, without HTTP. Run this script after a change to
// src/routing or src/application and a build.
//
//   npm run bench -- walk --beside ../other                       every table of routes
//   npm run bench -- walk --beside ../other --tables hello,crud   some of hello, params, middleware, subapp, crud, mixed
//   npm run bench -- walk --beside ../other --processes 4         how often both processes are started
//   npm run bench -- walk --beside ../other --rounds 60           slices of each build per start
//   npm run bench -- walk --beside ../other --node 24             version or path of the Node.js to run
//
// The script calls the application with plain objects that have its prototypes `request` and `response`. It prints the
// CPU time per request: the lower quartile of the slices of a process, because other load only adds time, then the
// median over the processes. Ratios compare two processes that ran at the same time.
import { join } from 'node:path';
import { runCommand, toCount } from '../command';
import { start } from './child';
import { nodeOf } from './node';
import { median, quantile } from './statistics';

const TABLES = ['hello', 'params', 'middleware', 'subapp', 'crud', 'mixed'];
const PROGRAM = join(__dirname, 'programs', 'walk.cjs');

runCommand({
  name: 'bench',
  file: __filename,
  options: {
    beside: { type: 'string' },
    tables: { type: 'string', default: TABLES.join() },
    processes: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '60' },
    node: { type: 'string' },
  },
  async run({ values }) {
    if (values.beside === undefined)
      throw new TypeError('--beside is missing: name the folder of another built checkout');
    const node = nodeOf(values.node);
    const builds = [values.beside, join(__dirname, '..', '..')];
    const [processes, rounds] = [toCount('processes', values.processes), toCount('rounds', values.rounds)];
    console.log('ns per request       other        this      ratio   ratio of each process');
    for (const table of values.tables.split(',')) {
      const figures: Array<[beside: number, own: number]> = [];
      for (let i = 0; i < processes; i++) figures.push(await compare(builds, table, rounds, node));
      const ratios = figures.map(([beside, own]) => own / beside);
      const columns = [median(figures.map(([beside]) => beside)), median(figures.map(([, own]) => own))];
      console.log(
        table.padEnd(14),
        ...columns.map((ns) => ns.toFixed(0).padStart(11)),
        median(ratios).toFixed(3).padStart(10),
        '  ',
        ratios.map((ratio) => ratio.toFixed(3)).join(' '),
      );
    }
    return true;
  },
});

/** Starts both builds and measures alternating slices. @returns CPU nanoseconds per request of each build. */
async function compare(
  builds: readonly string[],
  table: string,
  rounds: number,
  node: string,
): Promise<[beside: number, own: number]> {
  const children = builds.map(() => start(PROGRAM, node));
  const slices: [number[], number[]] = [[], []];
  for (const [i, child] of children.entries()) await child.ask({ build: builds[i], table });
  for (let round = 0; round < rounds; round++) {
    for (const i of round % 2 === 0 ? [0, 1] : [1, 0])
      slices[i as 0 | 1].push(await (children[i] as (typeof children)[0]).ask<number>({ requests: 5000 }));
  }
  for (const child of children) child.end();
  return [quantile(slices[0], 0.25), quantile(slices[1], 0.25)];
}
