// Measures the CPU time of a request over HTTP/2. Compares a bare server with Node.js's compatibility API, this build,
// fastify and koa, each in its own process. Run this script after a change to src/transports. For figures to publish,
// run it on an idle machine.
//
//   npm run bench -- http2 --rounds 15
//   npm run bench -- http2 --tls           over TLS
//
// Exit code 1 if this build takes more than 1.15 times the CPU time of the bare server (median over the rounds).
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install } from '../../parity/harness/packages';
import { runCommand, toCount } from '../command';
import { table } from '../document';
import { median } from './statistics';

const PATHS = ['/hello', '/json', '/hello.txt'] as const;
/** The second and the third run this build: see `OURS`. */
const SERVERS = ['bare', 'http2.createServer(app)', 'nozomi/http2', 'fastify', 'koa'] as const;
const OURS: readonly string[] = SERVERS.slice(1, 3);
const REQUESTS = 1500;
const AT_ONCE = 50;
const LIMIT = 1.15;

runCommand({
  name: 'bench http2',
  file: __filename,
  options: { rounds: { type: 'string', default: '15' }, tls: { type: 'boolean', default: false } },
  run: ({ values }) => measure(toCount('rounds', values.rounds), values.tls),
});

async function measure(rounds: number, isSecure: boolean): Promise<boolean> {
  install(join(__dirname, 'packages'), 'bench');
  const servers = await Promise.all(SERVERS.map((name) => start(name, isSecure)));
  const ratios = new Map<string, number[]>();
  const micros = new Map<string, number[]>();
  for (let round = -3; round < rounds; round++) {
    for (const path of PATHS) {
      const costs: number[] = [];
      for (const server of servers) costs.push(await costOf(server, path));
      if (round < 0) continue;
      for (const [i, name] of SERVERS.entries()) {
        push(micros, `${path} ${name}`, costs[i] as number);
        push(ratios, `${path} ${name}`, (costs[i] as number) / (costs[0] as number));
      }
    }
  }
  for (const { child } of servers) child.disconnect();
  const rows = PATHS.flatMap((path) =>
    SERVERS.map((name) => {
      const key = `${path} ${name}`;
      const ratio = median(ratios.get(key) ?? []);
      return [path, name, median(micros.get(key) ?? []).toFixed(1), ratio.toFixed(2)];
    }),
  );
  process.stdout.write(table(['Path', 'Server', 'µs of CPU', 'to bare'], rows));
  return rows.every(([, name, , ratio]) => !OURS.includes(name as string) || Number(ratio) <= LIMIT);
}

interface Running {
  readonly child: ChildProcess;
  readonly origin: string;
}

async function start(name: string, isSecure: boolean): Promise<Running> {
  const child = fork(join(__dirname, 'programs', 'http2-server.ts'), [name, isSecure ? 'tls' : ''], {
    execArgv: ['--import', pathToFileURL(require.resolve('tsx')).href],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, origin: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}` };
}

/** @returns CPU microseconds that the server takes per request. */
async function costOf({ child, origin }: Running, path: string): Promise<number> {
  const session = connect(origin, { rejectUnauthorized: false });
  const before = await cpuOf(child);
  let left = REQUESTS;
  const ask = async (): Promise<void> => {
    while (left-- > 0) {
      const stream = session.request({ ':path': path });
      stream.resume();
      await once(stream, 'close');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  const after = await cpuOf(child);
  session.close();
  return (after - before) / REQUESTS;
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: number }];
  return cpu;
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
