// Compares this build with bare node:http, Express and other frameworks over loopback. Run this script after a build.
//
//   npm run bench -- http                              every workload with every peer, then start-up and memory
//   npm run bench -- http --workloads a,b           hello, json, params, middleware, subapp, routes-100, routes-1000,
//                                              routes-5000 (each also with -middle and -404), post-1k, post-100k, form,
//                                              headers, changing, no-etag, json-unicode, logged-combined, -dev, -json,
//                                              static-10k, -1m, -range, -304, startup, memory; some also with -own-server
//                                              or -wrapped
//   npm run bench -- http --peers a,b               nozomi, express, nozomi/4, express 4, fastify, hono, koa, polka, tinyhttp,
//                                              h3, restana; two copies of bare node:http are always measured
//   npm run bench -- http --processes 3             how often every peer is started
//   npm run bench -- http --rounds 7                slices per peer and start
//   npm run bench -- http --quick                   one start, three rounds, a tenth of the requests for memory
//   npm run bench -- http --node 24                 version or path of the Node.js that runs the peers
//   NODE_COMPILE_CACHE=folder npm run bench -- http --workloads startup
//                                              with the compile cache of Node.js 22.10 and later
//   npm run bench -- http --json report/bench.json  the file for the figures (this is the default); charts are written beside it
//
// The script compares the responses first. This build and bare node:http must send the status, headers and body of
// Express, except for the values of Date and X-Powered-By. Others are only measured if they send the expected status
// and body; the script reports how their headers differ.
//
// Then every peer runs in its own process, with a young generation of the same size, and is warmed up alone. A slice
// takes a tenth of a second and yields CPU time per request and requests per second. Each round measures one slice of
// every peer, in random order. A figure is the median, with quartiles, of the ratios to bare node:http within a round.
// A second copy of bare node:http shows the noise: a workload with more than 5 % of noise is measured
// again; if the noise stays, it is void.
//
// The first run installs the other frameworks in packages/.
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runCommand, toCount } from '../command';
import { toCharts } from './charts';
import { overLoopback } from './http/driver';
import { measureMemory, measureStartup } from './http/processes';
import { type Effort, measure } from './measure';
import { nodeOf, versionOf } from './node';
import { PEERS, peersNamed } from './peers';
import type { Results } from './results';
import { printRow, toRow } from './table';
import { fileOf, WORKLOADS, workloadsNamed } from './workloads';

/** Names that `--workloads` also accepts: they measure whole processes, not requests. */
const OF_PROCESSES = ['startup', 'memory'];
const STARTS = 3;
const REQUESTS = 200_000;

runCommand({
  options: {
    workloads: { type: 'string' },
    peers: { type: 'string', default: Object.keys(PEERS).join() },
    processes: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '7' },
    quick: { type: 'boolean', default: false },
    node: { type: 'string' },
    json: { type: 'string', default: join('report', 'bench.json') },
  },
  async run({ values }) {
    const names = values.workloads?.split(',') ?? [...WORKLOADS.map(({ name }) => name), ...OF_PROCESSES];
    const works = workloadsNamed(names.filter((name) => !OF_PROCESSES.includes(name)));
    const peers = peersNamed([...new Set(['bare', 'bare again', ...values.peers.split(',')])]);
    const node = nodeOf(values.node);
    const processes = values.quick ? 1 : toCount('processes', values.processes);
    const rounds = values.quick ? 3 : toCount('rounds', values.rounds);
    const results: Results = {
      node: versionOf(node),
      versions: Object.fromEntries(peers.flatMap(({ name, version }) => (version ? [[name, version]] : []))),
      command: ['npm run bench -- http', ...process.argv.slice(2)].join(' '),
      machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, ${process.platform} ${process.arch}`,
      rows: {},
    };
    console.log(`Node.js ${results.node}, over loopback, ${results.machine}`);
    const write = (): void => writeResults(results, values.json);

    const effort: Effort = { processes, rounds, node, files: makeFiles() };
    for (const work of works) {
      let row = toRow(work, await measure(work, peers, effort, overLoopback));
      if (row.void) row = toRow(work, await measure(work, peers, effort, overLoopback));
      results.rows[work.name] = row;
      printRow(work.name, row);
      write();
    }
    if (names.includes('startup')) results.startup = await measureStartup(peers, node, processes * STARTS);
    if (names.includes('memory')) {
      const requests = values.quick ? REQUESTS / 10 : REQUESTS;
      results.memory = await measureMemory(peers, node, { processes, requests });
    }
    write();
    return true;
  },
});

function writeResults(results: Results, file: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  for (const old of readdirSync(folder)) {
    if (/^bench-.*\.svg$/.test(old)) rmSync(join(folder, old));
  }
  for (const [name, chart] of toCharts(results)) writeFileSync(join(folder, name), chart);
}

function makeFiles(): string {
  const folder = temporaryFolder('bench');
  const modified = new Date('2020-01-01T00:00:00Z');
  for (const [name, size] of [
    ['10k.txt', 10_000],
    ['1m.txt', 1_000_000],
    ['twin.js', 10_000],
    ['twin.js.br', 2000],
  ] as const) {
    writeFileSync(join(folder, name), fileOf(size));
    utimesSync(join(folder, name), modified, modified);
  }
  return folder;
}
