// Measures the CPU time per request without a network: this build, bare node:http and Express. Run after a build.
//
//   npm run bench -- js                        the workloads of the gate
//   npm run bench -- js --workloads a,b        hello, json, params, middleware, subapp, routes-100, routes-1000,
//                                              routes-5000 (each also with -middle and -404), post-1k, post-100k, form,
//                                              headers, changing, no-etag, hello-own-server, logged-combined, -dev, -json
//   npm run bench -- js --peers bare,fastify   default: bare,bare again,nozomi,express; the first is the yardstick
//   npm run bench -- js --peers 'bare,nozomi/4,express 4,nozomi,express' --workloads hello,params,middleware,routes-1000
//                                              the entry point of Express 4 beside Express 4.22.3
//   npm run bench -- js --build ../other       another checkout, built, in place of this one
//   npm run bench -- js --beside ../before     another checkout, built, as one more peer
//   npm run bench -- js --processes 3          restarts of every peer
//   npm run bench -- js --rounds 8             slices per peer and restart
//   npm run bench -- js --node 24              version or path of the Node.js that serves
//   npm run bench -- js --json file            also write the figures there
//   npm run bench -- js --profile              where the time goes; default peers: bare,nozomi
//   npm run bench -- js --check                the gate: is nothing more than 10 % behind js/ratios.json?
//   npm run bench -- js --update               measure thoroughly and write js/ratios.json
//
// Requests and responses go through memory: the server gets a stream as a connection, which sends the next request
// one turn of the event loop after each response. Every peer is a process of its own with the same young generation,
// warm before the next one starts; responses are compared before anything is measured. Each round measures a short
// slice of every peer in random order; a figure is the median of the ratios within a round, over all restarts.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runCommand, toCount } from '../command';
import { formatLine } from '../table';
import { throughMemory } from './js/driver';
import { isBehind, type Ratios, readCommitted, toRatios, writeCommitted } from './js/judge';
import { profile } from './js/profile';
import { measure } from './measure';
import { nodeOf, versionOf } from './node';
import { buildIn, type Peer, peersNamed } from './peers';
import { printRow, type Row, toRow } from './table';
import { type Workload, workloadsNamed } from './workloads';

/** The workloads of the gate. */
const GATE =
  'hello,json,params,middleware,subapp,routes-1000,routes-1000-404,post-1k,headers,logged-combined,hello-own-server,middleware-own-server,subapp-own-server,post-1k-own-server,hello-wrapped'.split(
    ',',
  );
/** Rounds of the first measurement. A workload that fails is measured again with more rounds. */
const FIRST_LOOK = { processes: 2, rounds: 6 };
const SECOND_LOOK = { processes: 5, rounds: 8 };

interface Setting {
  works: readonly Workload[];
  build: Peer;
  /** The path and the version of the Node.js binary. */
  node: string;
  version: string;
}

runCommand({
  name: 'bench',
  file: __filename,
  options: {
    workloads: { type: 'string' },
    peers: { type: 'string' },
    build: { type: 'string' },
    beside: { type: 'string' },
    processes: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '8' },
    node: { type: 'string' },
    json: { type: 'string' },
    profile: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
  },
  async run({ values }) {
    const works = workloadsNamed(values.workloads?.split(',') ?? GATE);
    const files = works.find(({ program }) => program === 'static');
    if (files)
      throw new TypeError(`--workloads: ${files.name} is not measured without a network; use npm run bench`);
    const node = nodeOf(values.node);
    const build = values.build ? buildIn(resolve(values.build)) : (peersNamed(['nozomi'])[0] as Peer);
    const setting: Setting = { works, build, node, version: versionOf(node) };
    const names = values.peers ?? (values.profile ? 'bare,nozomi' : 'bare,bare again,nozomi,express');
    const peers = peersNamed(names.split(',')).map((peer) => (peer.name === 'nozomi' ? build : peer));
    if (values.beside) peers.push(buildIn(resolve(values.beside), 'beside'));
    const effort = {
      processes: toCount('processes', values.processes),
      rounds: toCount('rounds', values.rounds),
    };
    console.log(`Node.js ${setting.version}, CPU per request without a network`);
    if (values.profile) {
      for (const work of works) await profile(work, peers, node);
      return true;
    }
    if (values.check) return check(setting);
    if (values.update) return update(setting);
    return compare(setting, peers, effort, values.json);
  },
});

async function compare(
  { works, node, version }: Setting,
  peers: readonly Peer[],
  effort: { processes: number; rounds: number },
  json: string | undefined,
): Promise<boolean> {
  const results: Record<string, Row> = {};
  for (const work of works) {
    const row = toRow(work, await measure(work, peers, { ...effort, node }, throughMemory));
    results[work.name] = row;
    printRow(work.name, row);
  }
  if (json) writeFileSync(json, `${JSON.stringify({ node: version, results }, null, 2)}\n`);
  return true;
}

/** @returns Whether every workload is as fast as its committed ratio. */
async function check({ works, build, node, version }: Setting): Promise<boolean> {
  const committed = readCommitted()[majorOf(version)];
  if (!committed) {
    console.log(`js/ratios.json has no ratios for Node.js ${majorOf(version)}: no workload is judged`);
    return true;
  }
  const [bare, express] = peersNamed(['bare', 'express']) as [Peer, Peer];
  const look = async (work: Workload, peers: Peer[], effort: typeof FIRST_LOOK): Promise<Ratios> =>
    toRatios((await measure(work, peers, { ...effort, node }, throughMemory)).slices);
  let failed = 0;
  for (const work of works) {
    const wanted = committed[work.name];
    if (!wanted) throw new Error(`js/ratios.json has no ${work.name} for Node.js ${majorOf(version)}`);
    let got = await look(work, [bare, build], FIRST_LOOK);
    if (isBehind(got, wanted)) got = await look(work, [bare, build, express], SECOND_LOOK);
    const isBad = isBehind(got, wanted);
    if (isBad) failed++;
    console.log(formatLine([isBad ? '✗' : '✓', work.name, formatRatios(got, wanted)], [-2, -18]));
  }
  console.log(`${works.length - failed} passed, ${failed} failed`);
  return failed === 0;
}

async function update({ works, build, node, version }: Setting): Promise<boolean> {
  const peers = [...peersNamed(['bare', 'express']), build];
  const major = majorOf(version);
  for (const work of works) {
    const { slices } = await measure(work, peers, { ...SECOND_LOOK, node }, throughMemory);
    const got = toRatios(slices) as Required<Ratios>;
    const committed = readCommitted();
    console.log(formatLine([work.name, formatRatios(got, committed[major]?.[work.name])], [-18]));
    writeCommitted({ ...committed, [major]: { ...committed[major], [work.name]: got } });
  }
  return true;
}

function formatRatios(got: Ratios, committed: Ratios = {}): string {
  return (['bare', 'express'] as const)
    .filter((name) => got[name] !== undefined)
    .map(
      (name) => `${got[name]?.toFixed(2)} of ${name} (committed ${committed[name]?.toFixed(2) ?? 'nothing'})`,
    )
    .join(', ');
}

function majorOf(version: string): string {
  return version.split('.')[0] as string;
}
