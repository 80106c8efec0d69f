// Measures the CPU time per request of this build, bare node:http and Express, without a network. Run this script after
// a build.
//
//   npm run bench -- js                        the workloads that --check measures
//   npm run bench -- js --workloads a,b        hello, json, params, middleware, subapp, routes-100, routes-1000,
//                                              routes-5000 (each also with -middle and -404), post-1k, post-100k, form,
//                                              headers, changing, no-etag, json-unicode, logged-combined, -dev, -json; some
//                                              also with -own-server or -wrapped
//   npm run bench -- js --peers bare,fastify   default: bare,bare again,nozomi,express; ratios are to bare, or else to the
//                                              first
//   npm run bench -- js --peers 'bare,nozomi/4,express 4,nozomi,express' --workloads hello,params,middleware,routes-1000
//                                              the entry point nozomi/4 and Express 4.22.3
//   npm run bench -- js --build ../other       another built checkout instead of this one
//   npm run bench -- js --beside ../other      another built checkout as an additional peer
//   npm run bench -- js --processes 3          how often every peer is started
//   npm run bench -- js --rounds 8             slices per peer and start
//   npm run bench -- js --node 24              version or path of the Node.js that runs the peers
//   npm run bench -- js --json file            also writes the figures there
//   npm run bench -- js --profile              CPU time per file and function; default peers: bare,nozomi
//   npm run bench -- js --check                fails if a workload is more than 10 % slower than js/ratios.json
//   npm run bench -- js --update               measures with more processes and writes js/ratios.json
//
// Requests and responses go through memory: the connection is a stream that sends the next request one turn of the
// event loop after each response. Every peer runs in its own process, with a young generation of the same size, and is
// warm before the next one starts; all run on one processor. The responses are compared first. Each round measures one
// slice of every peer, in random order. A figure is the median of the ratios within a round, over all starts.
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

/** The workloads that `--check` measures, and the default of `--workloads`. */
const GATE =
  'hello,json,params,middleware,subapp,routes-1000,routes-1000-404,post-1k,headers,logged-combined,hello-own-server,middleware-own-server,subapp-own-server,post-1k-own-server,hello-wrapped'.split(
    ',',
  );
/** `--check` starts with few rounds, and repeats what fails with more (`SECOND_LOOK`), up to `REPEATS` times. */
const FIRST_LOOK = { processes: 1, rounds: 8 };
const SECOND_LOOK = { processes: 5, rounds: 8 };
/**
 * Each repetition runs after all other workloads: what else the machine does can change the ratios for minutes, while a
 * slower build is slower each time.
 */
const REPEATS = 2;
/** The width of the column of names, left-aligned. */
const NAME = -22;

interface Setting {
  works: readonly Workload[];
  build: Peer;
  /** The path of the Node.js binary. */
  node: string;
  version: string;
}

runCommand({
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
      throw new TypeError(
        `--workloads: ${files.name} needs a network; run npm run bench -- http --workloads ${files.name}`,
      );
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
    console.log(`Node.js ${setting.version}, CPU time per request without a network`);
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

/**
 * @returns Whether every workload is at most 10 % slower than its ratio in js/ratios.json; true if the file has no
 * ratios for this version of Node.js.
 */
async function check({ works, build, node, version }: Setting): Promise<boolean> {
  const committed = readCommitted()[majorOf(version)];
  if (!committed) {
    console.log(
      `js/ratios.json has no ratios for Node.js ${majorOf(version)}, so nothing is checked; add them with --update`,
    );
    return true;
  }
  const [bare, express] = peersNamed(['bare', 'express']) as [Peer, Peer];
  const lookAt = async (chosen: readonly Workload[], peers: Peer[], effort: typeof FIRST_LOOK) => {
    const behind: Workload[] = [];
    for (const work of chosen) {
      const expected = committed[work.name];
      if (!expected)
        throw new Error(
          `js/ratios.json has no ratio of ${work.name} for Node.js ${majorOf(version)}; add it with --update`,
        );
      const got = toRatios((await measure(work, peers, { ...effort, node }, throughMemory)).slices);
      const isBad = isBehind(got, expected);
      if (isBad) behind.push(work);
      console.log(formatLine([isBad ? '✗' : '✓', work.name, formatRatios(got, expected)], [-2, NAME]));
    }
    return behind;
  };
  let behind = await lookAt(works, [bare, build], FIRST_LOOK);
  for (let n = 0; n < REPEATS && behind.length > 0; n++) {
    console.log(`measured again: ${behind.map(({ name }) => name).join(', ')}`);
    behind = await lookAt(behind, [bare, build, express], SECOND_LOOK);
  }
  console.log(`${works.length - behind.length} passed, ${behind.length} failed`);
  return behind.length === 0;
}

async function update({ works, build, node, version }: Setting): Promise<boolean> {
  const peers = [...peersNamed(['bare', 'express']), build];
  const major = majorOf(version);
  for (const work of works) {
    const { slices } = await measure(work, peers, { ...SECOND_LOOK, node }, throughMemory);
    const got = toRatios(slices) as Required<Ratios>;
    const committed = readCommitted();
    console.log(formatLine([work.name, formatRatios(got, committed[major]?.[work.name])], [NAME]));
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
