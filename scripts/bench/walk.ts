// Compares an application with that of another checkout, without HTTP. Run after a change to src/routing or
// src/application and a build.
//
//   npm run bench -- walk --beside ../before                       every table
//   npm run bench -- walk --beside ../before --tables hello,crud   hello, params, middleware, subapp, crud, mixed
//   npm run bench -- walk --beside ../before --processes 4         restarts of both
//   npm run bench -- walk --beside ../before --rounds 60           slices of each per restart
//   npm run bench -- walk --beside ../before --node 24             version or path of the Node.js that serves
//
// Requests and responses are objects with the application's prototypes, and the last handler does nothing. A figure
// is the CPU time per request: the lower quartile of the slices of a process, because other load only adds time, then
// the median over the processes. The ratio is that of processes that ran side by side.
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
    if (values.beside === undefined) throw new TypeError('--beside: expected the folder of a built checkout');
    const node = nodeOf(values.node);
    const builds = [values.beside, join(__dirname, '..', '..')];
    const [processes, rounds] = [toCount('processes', values.processes), toCount('rounds', values.rounds)];
    console.log('ns per request      beside        this      ratio   of each process');
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

/** Nanoseconds per request, of slices in turns. */
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
