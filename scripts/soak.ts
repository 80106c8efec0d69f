// Mixed traffic with faults for a given time, to one server on 127.0.0.1. Run before a release, after the build, on Linux:
//
//   npm run soak -- --minutes 10 --clients 8
//
// Reports requests, latencies, unexpected answers, and after warm-up (the first fifth) the slope of the heap and of
// the descriptors. Exit code 1 when a well-formed request failed, or when heap or descriptors grow beyond noise.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { playSteps } from '../parity/exchange';
import { aborted, get, onOneConnection, raw } from '../parity/request';
import { runCommand, toCount } from './command';
import { talkOf } from './fuzz/grammar';
import { randomOf } from './fuzz/random';
import type { Sample } from './soak/server';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const WELL_FORMED: readonly Asked[] = [
  { method: 'GET', path: '/', status: 200 },
  { method: 'HEAD', path: '/', status: 200 },
  {
    method: 'GET',
    path: '/echo/a/b?x[y]=z',
    status: 200,
    headers: { Cookie: 'a=b', 'Accept-Language': 'de, en' },
  },
  {
    method: 'POST',
    path: '/json',
    status: 200,
    headers: JSON_TYPE,
    body: JSON.stringify({ list: Array(200).fill('item') }),
  },
  {
    method: 'POST',
    path: '/form',
    status: 200,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'a[b]=c&d=e',
  },
  { method: 'GET', path: '/static/hello.txt', status: 200 },
  { method: 'GET', path: '/static/hello.txt', status: 206, headers: { Range: 'bytes=0-3' } },
  {
    method: 'GET',
    path: '/fresh',
    status: 304,
    headers: { 'If-Modified-Since': 'Fri, 01 Jan 2027 00:00:00 GMT' },
  },
  { method: 'GET', path: '/view/hello', status: 200 },
  { method: 'GET', path: '/redirect?to=/x', status: 302 },
  { method: 'GET', path: '/none', status: 404 },
  { method: 'POST', path: '/json', status: 400, headers: JSON_TYPE, body: '{' },
  { method: 'OPTIONS', path: '/fresh', status: 200 },
];
/** Between two samples, in milliseconds. */
const INTERVAL = 5000;
/** Between two requests of one client, in milliseconds: the load is bounded. */
const BREATH = 2;

runCommand({
  name: 'soak',
  file: __filename,
  options: { minutes: { type: 'string', default: '10' }, clients: { type: 'string', default: '8' } },
  run: ({ values }) => soak(Number(values.minutes) * 60_000, toCount('clients', values.clients)),
});

async function soak(time: number, clients: number): Promise<boolean> {
  if (!(time > 0 && clients <= 64))
    throw new RangeError('wanted --minutes above 0 and --clients from 1 to 64');
  const child = fork(join(__dirname, 'soak', 'server.ts'), {
    execArgv: ['--expose-gc', '--import', pathToFileURL(require.resolve('tsx')).href],
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const [port] = (await once(child, 'message')) as [number];

  const end = Date.now() + time;
  const latencies = createHistogram();
  const unexpected = new Map<string, number>();
  const counts = { requests: 0, faults: 0 };
  const agent = new Agent({ keepAlive: true, maxSockets: clients });

  const client = async (seed: number): Promise<void> => {
    for (let turn = seed; Date.now() < end; turn++) {
      const asked = WELL_FORMED[turn % WELL_FORMED.length] as Asked;
      const began = process.hrtime.bigint();
      const status = await ask(agent, port, asked).catch(
        (err: NodeJS.ErrnoException) => err.code ?? err.message,
      );
      latencies.record(process.hrtime.bigint() - began);
      counts.requests++;
      if (status !== asked.status) {
        const what = `${asked.method} ${asked.path}: wanted ${asked.status}, got ${status}`;
        unexpected.set(what, (unexpected.get(what) ?? 0) + 1);
      }
      await pause(BREATH);
    }
  };
  const troublemaker = async (): Promise<void> => {
    const random = randomOf(1);
    while (Date.now() < end) {
      const { requests } = talkOf(random, false);
      const bytes = random.once(2) ? raw(requests[0] as Buffer) : get('/static/hello.txt');
      const abort = random.pick(['sent', 'head', random.below(60)] as const);
      await playSteps([random.once(2) ? aborted(bytes, abort) : onOneConnection(bytes)], {
        port,
        patience: 50,
      });
      counts.faults++;
      await pause(BREATH);
    }
  };
  const samples: Sample[] = [];
  const sampler = async (): Promise<void> => {
    while (Date.now() < end) {
      await pause(Math.min(INTERVAL, time / 40));
      child.send('sample');
      const [sample] = (await once(child, 'message')) as [Sample];
      samples.push(sample);
    }
  };

  const workers = Array.from({ length: clients }, (_none, seed) => client(seed));
  await Promise.all([...workers, troublemaker(), sampler()]);
  agent.destroy();
  child.disconnect();
  return report(time, counts, latencies, unexpected, samples.slice(Math.floor(samples.length / 5)));
}

function report(
  time: number,
  counts: { requests: number; faults: number },
  latencies: ReturnType<typeof createHistogram>,
  unexpected: ReadonlyMap<string, number>,
  samples: readonly Sample[],
): boolean {
  const ms = (percentile: number) => (latencies.percentile(percentile) / 1e6).toFixed(2);
  const failed = [...unexpected.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${counts.requests} well-formed requests and ${counts.faults} faulty connections in ${time / 60_000} min`,
  );
  console.log(`latency p50 ${ms(50)} ms, p99 ${ms(99)} ms, p99.9 ${ms(99.9)} ms`);
  console.log(`${failed} unexpected answers`);
  for (const [what, count] of unexpected) console.log(`  ${count} × ${what}`);

  const minutes = (samples.length - 1) * (time / 60_000 / (samples.length * 1.25));
  const isFlat = (['heap', 'resident', 'descriptors'] as const).map((kind) => {
    const unit = kind === 'descriptors' ? 1 : 1024 * 1024;
    const { slope, noise, mean } = trendOf(samples.map((sample) => sample[kind] / unit));
    const growth = slope * (samples.length - 1);
    console.log(
      `${kind}: mean ${mean.toFixed(2)}, slope ${(growth / minutes).toFixed(4)} per minute, growth ${growth.toFixed(3)}, noise ±${noise.toFixed(3)}${unit > 1 ? ' (MB)' : ''}`,
    );
    // What the system keeps resident is its own affair; it is told, not judged.
    return kind === 'resident' || growth < Math.max(3 * noise, unit > 1 ? 0.5 : 1);
  });
  return failed === 0 && isFlat.every(Boolean);
}

/** Least squares over the number of the sample; noise is the standard deviation of what is left. */
function trendOf(values: readonly number[]): { slope: number; noise: number; mean: number } {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = values.reduce((sum, _value, at) => sum + (at - middle) ** 2, 0);
  const slope = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0) / spread;
  const left = values.reduce((sum, value, at) => sum + (value - mean - slope * (at - middle)) ** 2, 0);
  return { slope, noise: Math.sqrt(left / values.length), mean };
}

function ask(
  agent: Agent,
  port: number,
  { method, path, headers = {}, body }: Asked,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const req = request({ agent, port, host: '127.0.0.1', method, path, headers: { ...headers, ...length } });
    req.on('response', (res) =>
      res
        .resume()
        .on('end', () => resolve(res.statusCode))
        .on('error', reject),
    );
    req.on('error', reject).end(body);
  });
}
