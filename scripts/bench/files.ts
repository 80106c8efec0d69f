// Compares `express.static` of this build with serve-static, each on a bare node:http server. Run this script after a
// change to src/files and a build.
//
//   npm run bench -- files [--rounds 15] [--requests 600]
//
// Each server runs in its own process and is warm before the measurement. The responses are compared first, except for
// `Date`. Every round sends both servers the same number of requests, in random order. The script prints medians over
// the rounds: CPU time per request, user and system, and the ratio within a round. To measure static files in a whole
// application, run `npm run bench -- http --workloads static-10k,static-1m,static-range,static-304`. Exit code 1 if a
// ratio misses its target, 2 if the responses differ.
import { deepStrictEqual } from 'node:assert';
import { type ChildProcess, fork } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import framework from 'nozomi';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runCommand, toCount } from '../command';
import { reply } from '../reply';
import { formatLine } from '../table';
import { ask, load } from './load';
import { median } from './statistics';

const WIDTHS = [-16, 14, 10, 8];

interface Row {
  name: string;
  request: string;
  /** Minimum speed relative to serve-static. Slightly below 1 where both are equally fast, to allow for noise. */
  must: number;
  /** The fraction of `--requests` that a slice sends: fewer requests for large files. */
  share: number;
}

const get = (target: string, header = ''): string => `GET ${target} HTTP/1.1\r\nHost: bench\r\n${header}\r\n`;

const ROWS: readonly Row[] = [
  { name: '10 kB', request: get('/10k.txt'), must: 1.4, share: 1 },
  { name: '1 MB', request: get('/1m.txt'), must: 1.15, share: 0.1 },
  { name: '1 kB of 10 kB', request: get('/10k.txt', 'Range: bytes=1000-1999\r\n'), must: 1.3, share: 1 },
  {
    name: 'not modified',
    request: get('/10k.txt', 'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT\r\n'),
    must: 0.94,
    share: 1,
  },
  { name: 'missing', request: get('/none.txt'), must: 0.94, share: 1 },
];
const SERVERS = ['serve-static', 'nozomi'] as const;

const [role, name = '', root = ''] = process.argv.slice(2);
if (role === '--serve') serve(name, root);
else
  runCommand({
    name: 'bench',
    file: __filename,
    options: { rounds: { type: 'string', default: '15' }, requests: { type: 'string', default: '600' } },
    run: ({ values }) => main(toCount('rounds', values.rounds), toCount('requests', values.requests)),
  });

function serve(middleware: string, files: string): void {
  // Express exports serve-static as `express.static`.
  const make = middleware === 'nozomi' ? framework.static : express.static;
  const handle = make(files) as unknown as (...args: unknown[]) => void;
  const listener: RequestListener = (req, res) => handle(req, res, () => res.writeHead(404).end('missing'));
  const server = createServer(listener).listen(0, '127.0.0.1', () => {
    process.send?.((server.address() as AddressInfo).port);
  });
  process.on('message', () => process.send?.(process.cpuUsage()));
}

/** @returns Whether every ratio reaches its target. */
async function main(rounds: number, requests: number): Promise<boolean> {
  const files = makeFiles();
  const misses: string[] = [];
  const children: ChildProcess[] = [];
  try {
    console.log(`Node.js ${process.version}, CPU microseconds per request, medians of ${rounds} rounds\n`);
    console.log(formatLine(['file', 'serve-static', 'nozomi', 'ratio'], WIDTHS));
    for (const row of ROWS) {
      const count = Math.ceil(requests * row.share);
      const miss = await benchRow(row, files, count, rounds, children);
      if (miss) misses.push(miss);
    }
  } finally {
    for (const child of children) child.kill();
  }
  for (const miss of misses) console.error(miss);
  return misses.length === 0;
}

async function benchRow(
  { name, request, must }: Row,
  files: string,
  count: number,
  rounds: number,
  children: ChildProcess[],
): Promise<string | undefined> {
  const runners = [];
  for (const server of SERVERS) {
    const child = fork(__filename, ['--serve', server, files], { execArgv: ['--import', 'tsx'] });
    children.push(child);
    const port = await reply<number>(child);
    const { size, ...answer } = await ask(port, request);
    answer.headers = answer.headers.filter(([header]) => header !== 'Date');
    // Warm up each server before the next one starts: of servers that start together, the last is slower.
    await load(port, request, size, count * 3);
    runners.push({ child, port, answer, size, times: [] as number[] });
  }
  deepStrictEqual(runners[1]?.answer, runners[0]?.answer);
  for (let round = 0; round < rounds; round++) {
    for (const runner of Math.random() < 0.5 ? runners : [...runners].reverse()) {
      const before = await cpuOf(runner.child);
      await load(runner.port, request, runner.size, count);
      runner.times.push(((await cpuOf(runner.child)) - before) / count);
    }
  }
  for (const { child } of runners) child.kill();
  const [theirs, ours] = runners.map(({ times }) => times) as [number[], number[]];
  const ratio = median(ours.map((time, round) => (theirs[round] as number) / time));
  console.log(
    formatLine([name, median(theirs).toFixed(1), median(ours).toFixed(1), ratio.toFixed(2)], WIDTHS),
  );
  return ratio < must ? `${name}: expected ${must} times as fast, got ${ratio.toFixed(2)}` : undefined;
}

function makeFiles(): string {
  const files = temporaryFolder('bench');
  for (const [file, length] of [
    ['10k.txt', 10_000],
    ['1m.txt', 1_000_000],
  ] as const) {
    writeFileSync(join(files, file), 'x'.repeat(length));
    utimesSync(join(files, file), new Date(0), new Date(0));
  }
  return files;
}

/** @returns CPU microseconds since the process started, user and system. */
async function cpuOf(child: ChildProcess): Promise<number> {
  const { user, system } = await reply<NodeJS.CpuUsage>(child, 'cpu');
  return user + system;
}
