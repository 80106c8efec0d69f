// Measures the CPU time of a request over HTTP/2. Compares a bare server with Node.js's compatibility API, this build,
// fastify and koa, each in its own process. Run this script after a change to src/transports. For figures to publish,
// run it on an idle machine.
//
//   npm run bench -- http2 --rounds 15
//   npm run bench -- http2 --tls           over TLS
//
// Exit code 1 if this build takes more than 1.15 times the CPU time of the bare server (median over the rounds).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CERTIFICATE, KEY } from '../../parity/transports/certificate';
import { runCommand, toCount } from '../command';
import { table } from '../document';
import { overHttp2 } from './http/over-http2';
import { measure } from './measure';
import { type Peer, peersNamed } from './peers';
import { toRow } from './table';
import { type Workload, workloadsNamed } from './workloads';

const FILES = join(__dirname, '..', '..', 'fixtures', 'files');
const OURS = ['http2.createServer(app)', 'nozomi/http2'];
const REQUESTS = 1500;
const LIMIT = 1.15;

runCommand({
  options: { rounds: { type: 'string', default: '15' }, tls: { type: 'boolean', default: false } },
  async run({ values }) {
    const [bare, nozomi, ...others] = peersNamed(['bare', 'nozomi', 'fastify', 'koa']) as [Peer, Peer];
    const ours = OURS.map((name) => ({ ...nozomi, name }));
    const peers = [
      bare,
      ours[0],
      { ...ours[1], http2: require.resolve('nozomi/http2') },
      ...others,
    ] as Peer[];
    const rounds = toCount('rounds', values.rounds);
    const effort = { processes: 1, rounds, node: process.execPath, files: FILES, requests: REQUESTS };
    const rows: string[][] = [];
    for (const work of workloads(values.tls)) {
      const { figures } = toRow(work, await measure(work, peers, effort, overHttp2));
      for (const { name } of peers) {
        const { cpu = Number.NaN, ratio = Number.NaN } = figures[name] ?? {};
        rows.push([work.about, name, cpu.toFixed(1), (1 / ratio).toFixed(2)]);
      }
    }
    process.stdout.write(table(['Response', 'Server', 'µs of CPU', 'to bare'], rows));
    return rows.every(([, name, , ratio]) => !OURS.includes(name as string) || Number(ratio) <= LIMIT);
  },
});

/** @returns A short text, a small object and a small file. */
function workloads(isSecure: boolean): Workload[] {
  const [hello, json, file] = workloadsNamed(['hello', 'json', 'static-10k']) as [
    Workload,
    Workload,
    Workload,
  ];
  const answer = readFileSync(join(FILES, 'hello.txt'), 'utf8');
  const small = { about: `a file of ${answer.length} bytes`, target: '/hello.txt', answer };
  const tls = isSecure ? { tls: { key: KEY, cert: CERTIFICATE } } : {};
  return [hello, json, { ...file, ...small }].map((work) => ({ ...work, server: 'http2', ...tls }));
}
