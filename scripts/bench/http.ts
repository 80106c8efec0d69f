// This build beside bare node:http, Express and other peers, over loopback (build first).
//
// Answers are compared before anything is timed. Then, per workload: a process per peer, started and warmed one after
// the other; short slices of a fixed number of requests, peers in random order each round; per slice the CPU time per
// request and the requests per second. The figure is the median of ratios to bare node:http in the same round, with
// its quartiles, over several such sets of processes. A second copy of bare node:http tells the noise: more than 5 %
// off voids the workload's run.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { countOf, run } from './command';
import { makeFiles } from './files-served';
import { overLoopback } from './http/driver';
import { type Effort, measure } from './measure';
import { nodeOf, versionOf } from './node';
import { PEERS, peersNamed } from './peers';
import { printRow, type Row, toRow } from './table';
import { WORKLOADS, workloadsNamed } from './workloads';

const HELP = `This build beside bare node:http, Express and other peers, over loopback.

  npm run bench -- [http] [options]

  --workloads a,b   of ${WORKLOADS.map(({ name }) => name).join(', ')}; default all
  --peers a,b       of ${Object.keys(PEERS).join(', ')}; default all;
                    two copies of bare node:http are always among them
  --processes n     times that every peer is started anew, default 3
  --rounds n        slices per peer each time, default 7
  --node v          version (24) or path of the Node.js that serves, default this one
  --json file       write the figures there too
  --help
`;

run('bench', main);

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      workloads: { type: 'string' },
      peers: { type: 'string' },
      processes: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '7' },
      node: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const works = values.workloads ? workloadsNamed(values.workloads.split(',')) : WORKLOADS;
  const names = values.peers?.split(',') ?? Object.keys(PEERS);
  const peers = peersNamed([...new Set(['bare', 'bare again', ...names])]);
  const node = nodeOf(values.node);
  const effort: Effort = {
    processes: countOf('--processes', values.processes),
    rounds: countOf('--rounds', values.rounds),
    node,
    files: makeFiles(),
  };
  const version = versionOf(node);
  console.log(`Node ${version}, over loopback`);
  const results: Record<string, Row> = {};
  for (const work of works) {
    const row = toRow(work, await measure(work, peers, effort, overLoopback));
    results[work.name] = row;
    printRow(work.name, row);
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ node: version, results }, null, 2)}\n`);
  return 0;
}
