// CPU time per request without a network: this build beside bare node:http and Express (build first).
//
// A request and its answer go through memory: a stream is handed to the server as a connection, and asks again one turn
// of the event loop after each answer. Every peer is a process of its own with the same young generation, warm before
// the next is started; answers are compared before anything is timed; short slices of all peers in random order, round
// by round; a figure is the median of the ratios within a round, over several such sets of processes.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { countOf, run } from './command';
import { throughMemory } from './js/driver';
import { isBehind, type Ratios, readCommitted, toRatios, writeCommitted } from './js/judge';
import { type Effort, measure } from './measure';
import { nodeOf, versionOf } from './node';
import { buildIn, PEERS, type Peer, peersNamed } from './peers';
import { printRow, type Row, toRow } from './table';
import { WORKLOADS, type Workload, workloadsNamed } from './workloads';

/** What the gate watches. */
const GATE = [
  ...['hello', 'json', 'params', 'middleware', 'subapp', 'routes-1000', 'post-1k', 'headers'],
  'logged-combined',
];
/** A workload that fails the first look gets the second. */
const FIRST_LOOK = { processes: 2, rounds: 6 };
const SECOND_LOOK = { processes: 5, rounds: 8 };

const HELP = `CPU time per request without a network, beside bare node:http and Express.

  npm run bench -- js [options]

  --workloads a,b   of ${without(['static']).join(', ')};
                    default is what the gate watches: ${GATE.join(', ')}
  --peers a,b       of ${Object.keys(PEERS).join(', ')}; default bare,bare again,nozomi,express
  --build folder    another checkout, built, in place of this one
  --beside folder   another checkout, built, as one more peer: before beside after
  --processes n     times that every peer is started anew, default 3
  --rounds n        slices per peer each time, default 8
  --node v          version (24) or path of the Node.js that serves, default this one
  --json file       write the figures there too

  --check           the gate: nothing may fall more than 10 % behind js/ratios.json
  --update          measure thoroughly and write js/ratios.json
  --help

Exit code: 0 good, 1 slower than committed, 2 could not run.
`;

type Values = ReturnType<typeof parse>['values'];

run('bench js', main);

async function main(args: string[]): Promise<number> {
  const { values } = parse(args);
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const works = workloadsNamed(values.workloads?.split(',') ?? GATE);
  const files = works.find(({ program }) => program === 'static');
  if (files) throw new RangeError(`--workloads: ${files.name} needs a network: npm run bench`);
  const node = nodeOf(values.node);
  const version = versionOf(node);
  console.log(`Node ${version}, CPU per request without a network`);
  if (values.check) return check(works, buildOf(values), node, version);
  if (values.update) return update(works, buildOf(values), node, version);
  return compare(works, values, node, version);
}

async function compare(
  works: readonly Workload[],
  values: Values,
  node: string,
  version: string,
): Promise<number> {
  const names = values.peers.split(',');
  const peers = peersNamed(names).map((peer) => (peer.name === 'nozomi' ? buildOf(values) : peer));
  if (values.beside) peers.push(buildIn(resolve(values.beside), 'beside'));
  const effort: Effort = {
    processes: countOf('--processes', values.processes),
    rounds: countOf('--rounds', values.rounds),
    node,
  };
  const results: Record<string, Row> = {};
  for (const work of works) {
    const slices = await measure(work, peers, effort, throughMemory);
    const row = toRow(work, slices);
    results[work.name] = row;
    printRow(work.name, row);
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ node: version, results }, null, 2)}\n`);
  return 0;
}

async function check(
  works: readonly Workload[],
  build: Peer,
  node: string,
  version: string,
): Promise<number> {
  const committed = readCommitted()[majorOf(version)];
  if (!committed)
    throw new Error(`js/ratios.json has nothing for Node ${majorOf(version)}: --update writes it`);
  const [bare, express] = peersNamed(['bare', 'express']) as [Peer, Peer];
  let failed = 0;
  for (const work of works) {
    const wanted = committed[work.name];
    if (!wanted) throw new Error(`js/ratios.json has no ${work.name} for Node ${majorOf(version)}`);
    let got = toRatios(await measure(work, [bare, build], { ...FIRST_LOOK, node }, throughMemory));
    if (isBehind(got, wanted))
      got = toRatios(await measure(work, [bare, build, express], { ...SECOND_LOOK, node }, throughMemory));
    const isBad = isBehind(got, wanted);
    if (isBad) failed++;
    console.log(`${isBad ? '✗' : '✓'} ${work.name.padEnd(18)}${formatRatios(got, wanted)}`);
  }
  console.log(`${works.length - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

async function update(
  works: readonly Workload[],
  build: Peer,
  node: string,
  version: string,
): Promise<number> {
  const peers = [...peersNamed(['bare', 'express']), build];
  const committed = readCommitted();
  for (const work of works) {
    const got = toRatios(
      await measure(work, peers, { ...SECOND_LOOK, node }, throughMemory),
    ) as Required<Ratios>;
    const ofMajor = { ...committed[majorOf(version)], [work.name]: got };
    console.log(`${work.name.padEnd(18)}${formatRatios(got, committed[majorOf(version)]?.[work.name])}`);
    committed[majorOf(version)] = ofMajor;
    writeCommitted(committed);
  }
  return 0;
}

function formatRatios(got: Ratios, committed: Ratios = {}): string {
  return (['bare', 'express'] as const)
    .filter((name) => got[name] !== undefined)
    .map(
      (name) => `${got[name]?.toFixed(2)} of ${name} (committed ${committed[name]?.toFixed(2) ?? 'nothing'})`,
    )
    .join(', ');
}

function buildOf({ build }: Values): Peer {
  return build === undefined ? (peersNamed(['nozomi'])[0] as Peer) : buildIn(resolve(build));
}

function without(programs: readonly string[]): string[] {
  return WORKLOADS.filter(({ program }) => !programs.includes(program)).map(({ name }) => name);
}

function majorOf(version: string): string {
  return version.split('.')[0] as string;
}

function parse(args: string[]) {
  return parseArgs({
    args,
    options: {
      workloads: { type: 'string' },
      peers: { type: 'string', default: 'bare,bare again,nozomi,express' },
      build: { type: 'string' },
      beside: { type: 'string' },
      processes: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '8' },
      node: { type: 'string' },
      json: { type: 'string' },
      check: { type: 'boolean' },
      update: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
}
