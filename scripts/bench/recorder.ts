// Measures the CPU time per request that `nozomi-parity/recorder` adds to an application. Run this script after a build.
//
//   npm run bench -- recorder [--rounds 60] [--requests 1500] [--sets 3]
//
// There are two workloads. With one route, the recorder soon has enough samples and stops inspecting requests. With
// 4000 paths, it inspects every request.
//
// Each application runs in its own process and is warm before the measurement. Each round measures all of them, in
// random order. The script prints the median of the ratios to the application without a recorder in the same round. A
// second application without a recorder shows the noise. Exit code 1 if the recorder adds more than 5 %, or if the noise
// is above 3 %.
import { type ChildProcess, fork } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { reply } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runCommand, toCount } from '../command';
import { formatLine } from '../table';
import { ask, load } from './load';
import { median, shuffled } from './statistics';

const VARIANTS = ['plain', 'plain again', 'recorded'] as const;
type Variant = (typeof VARIANTS)[number];

const WORKLOADS = ['one route', '4000 paths'] as const;
type Workload = (typeof WORKLOADS)[number];

const [LIMIT, RESOLUTION] = [1.05, 1.03];
const PATHS = 4000;
const BODY = JSON.stringify({ book: 3, copies: 2, note: 'wrapped, please' });
const REQUEST =
  'POST /orders/42?expand=lines HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) bench\r\n' +
  'Accept: */*\r\nCookie: sid=1234567890; theme=dark\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${BODY.length}\r\n\r\n${BODY}`;

const [role, ...given] = process.argv.slice(2);
if (role === '--serve') serve(given[0] as Workload, given[1] as Variant, given[2] ?? '');
else
  runCommand({
    name: 'bench',
    file: __filename,
    options: {
      rounds: { type: 'string', default: '60' },
      requests: { type: 'string', default: '1500' },
      sets: { type: 'string', default: '3' },
    },
    run: ({ values: { rounds, requests, sets } }) =>
      main(toCount('rounds', rounds), toCount('requests', requests), toCount('sets', sets)),
  });

function serve(workload: Workload, variant: Variant, file: string): void {
  const express = require('nozomi') as typeof import('express');
  const app = express();
  let count = 0;
  if (workload === '4000 paths')
    app.use((req, _res, next) => {
      req.url = `/orders/${(count++ % PATHS).toString(36)}x`;
      next();
    });
  if (variant === 'recorded') {
    const { recorder } = require('../../dist/parity/recorder') as typeof import('../../parity/recorder');
    app.use(recorder({ file }));
  }
  app.use(express.json());
  app.post('/orders/:order', (req, res) => {
    res.json({ order: 'one', lines: [req.body], at: 1767225600 });
  });
  const server = app.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ micros: user + system });
  });
  process.on('disconnect', () => process.exit());
}

interface Peer {
  readonly variant: Variant;
  readonly child: ChildProcess;
  readonly port: number;
  /** The length of one response in bytes, by which the client knows its end. */
  readonly size: number;
}

/** @returns Whether the overhead of the recorder and the noise of the measurement are within their limits. */
async function main(rounds: number, requests: number, sets: number): Promise<boolean> {
  console.log(
    `Node.js ${process.version}, ${sets} sets of processes, ${rounds} rounds of ${requests} requests each`,
  );
  const widths = [-12, 10, 13, 10];
  console.log(formatLine(['', 'µs plain', 'plain again', 'recorded'], widths));
  let isGood = true;
  for (const workload of WORKLOADS) {
    const rows: Array<Record<Variant, number>> = [];
    for (let set = 0; set < sets; set++) rows.push(...(await measure(workload, rounds, requests)));
    const [again, recorded] = (['plain again', 'recorded'] as const).map((variant) =>
      median(rows.map((row) => row[variant] / row.plain)),
    ) as [number, number];
    const plain = median(rows.map((row) => row.plain));
    console.log(formatLine([workload, plain.toFixed(1), again.toFixed(3), recorded.toFixed(3)], widths));
    if (recorded > LIMIT || Math.abs(again - 1) > RESOLUTION - 1) isGood = false;
  }
  return isGood;
}

/** Measures one set of new processes. @returns One row per round: CPU microseconds per request of each variant. */
async function measure(
  workload: Workload,
  rounds: number,
  requests: number,
): Promise<Array<Record<Variant, number>>> {
  const peers: Peer[] = [];
  try {
    for (const variant of shuffled(VARIANTS)) {
      const peer = await start(workload, variant);
      peers.push(peer);
      await load(peer.port, REQUEST, peer.size, 5000);
    }
    const rows: Array<Record<Variant, number>> = [];
    for (let round = 0; round < rounds; round++) {
      const row = { plain: 0, 'plain again': 0, recorded: 0 };
      for (const peer of shuffled(peers)) row[peer.variant] = await costOf(peer, requests);
      rows.push(row);
    }
    return rows;
  } finally {
    for (const { child } of peers) child.kill('SIGKILL');
  }
}

async function start(workload: Workload, variant: Variant): Promise<Peer> {
  const file = join(temporaryFolder('bench-recorder'), 'traffic.har');
  const child = fork(__filename, ['--serve', workload, variant, file], {
    execArgv: [...process.execArgv, '--min-semi-space-size=16', '--max-semi-space-size=16'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const { port } = await reply<{ port: number }>(child);
  const { size } = await ask(port, REQUEST);
  return { variant, child, port, size };
}

async function costOf({ child, port, size }: Peer, requests: number): Promise<number> {
  const before = await reply<{ micros: number }>(child, {});
  await load(port, REQUEST, size, requests);
  const after = await reply<{ micros: number }>(child, {});
  return (after.micros - before.micros) / requests;
}
