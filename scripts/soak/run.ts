// Looks for leaks: sends well-formed and faulty requests to one server for some minutes. Prints latencies, unexpected
// responses, and the growth of memory and of open descriptors. Run this script before a release, after a build, on
// Linux.
//
//   npm run check -- soak --minutes 10 --clients 8
//   npm run check -- soak --implementation reference     the same application on Express; `bare` for a server of Node.js alone
//   npm run check -- soak --heap report/heap             also writes heap snapshots, after the warm-up and at the end
//
// The first third of the time is the warm-up. After it, growth is the slope by least squares, with its 99 % confidence
// interval. Exit code 1 if a well-formed request failed, if the interval for descriptors is above 0, or if that for the
// heap is above 2 bytes per request. A leaked object would be larger, but V8's type feedback grows by less.
import { fork } from 'node:child_process';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { playSteps } from '../../parity/client/exchange';
import { aborted, get, onOneConnection, raw } from '../../parity/client/request';
import { reply } from '../../parity/harness/processes';
import { TARGETS } from '../../parity/programs/example';
import { runCommand, toCount, toNames } from '../command';
import { requestTo } from '../fuzz/arbitrary/requests';
import { IMPLEMENTATIONS, type Implementation, type Question, type Sample, WANTED } from './server';
import { trendOf } from './trend';

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
/** Faulty connections: half of the requests are random, and most clients disconnect before the response ends. */
const TROUBLE = fc.record({
  request: fc.option(requestTo(fc.constantFrom(...TARGETS)), { nil: undefined, freq: 2 }),
  leaves: fc.constantFrom<('sent' | 'head' | number | undefined)[]>(
    undefined,
    undefined,
    'sent',
    'head',
    0,
    20,
    59,
  ),
});
/** Maximum milliseconds between two samples. */
const INTERVAL = 5000;
/** The fraction of the time before the first sample: V8 compiles functions, and caches fill. */
const WARM_UP = 1 / 3;
/** The heap may grow by this many bytes per request, for V8's type feedback. */
const NOTES = 2;
/** Milliseconds between two requests of one client, to limit the load. */
const BREATH = 2;

runCommand({
  options: {
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '8' },
    implementation: { type: 'string', default: 'build' },
    heap: { type: 'string' },
  },
  run: ({ values }) => {
    const [implementation = 'build'] = toNames([values.implementation], IMPLEMENTATIONS, 'implementation');
    const clients = toCount('clients', values.clients);
    return soak(Number(values.minutes) * 60_000, clients, implementation, values.heap);
  },
});

async function soak(
  time: number,
  clients: number,
  implementation: Implementation,
  heap?: string,
): Promise<boolean> {
  if (!(time > 0 && clients <= 64))
    throw new RangeError('expected --minutes above 0 and --clients from 1 to 64');
  const child = fork(join(__dirname, 'server.ts'), [implementation], {
    execArgv: ['--expose-gc', '--require', require.resolve('tsx/cjs')],
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const port = await reply<number>(child);

  const end = Date.now() + time;
  const latencies = createHistogram();
  const unexpected = new Map<string, number>();
  const counts = { requests: 0, faults: 0 };
  const agent = new Agent({ keepAlive: true, maxSockets: clients });

  const client = async (seed: number): Promise<void> => {
    for (let turn = seed; Date.now() < end; turn++) {
      const asked = WELL_FORMED[turn % WELL_FORMED.length] as Asked;
      const sent = process.hrtime.bigint();
      const status = await ask(agent, port, asked).catch(
        (err: NodeJS.ErrnoException) => err.code ?? err.message,
      );
      latencies.record(process.hrtime.bigint() - sent);
      counts.requests++;
      if (status !== asked.status) {
        const what = `${asked.method} ${asked.path}: expected ${asked.status}, got ${status}`;
        unexpected.set(what, (unexpected.get(what) ?? 0) + 1);
      }
      await pause(BREATH);
    }
  };
  const troublemaker = async (): Promise<void> => {
    for (let seed = 1; Date.now() < end; seed++) {
      for (const { request, leaves } of fc.sample(TROUBLE, { seed, numRuns: 100 })) {
        if (Date.now() >= end) return;
        const asked = request === undefined ? get('/static/hello.txt') : raw(Buffer.from(request, 'latin1'));
        const step = leaves === undefined ? onOneConnection(asked) : aborted(asked, leaves);
        await playSteps([step], { port, patience: 50 });
        counts.faults++;
        await pause(BREATH);
      }
    }
  };
  const began = Date.now();
  const question = (asked: Question): Promise<Sample> => reply(child, asked);
  const samples: (readonly [minute: number, sample: Sample])[] = [];
  const picture = async (name: string): Promise<unknown> =>
    heap === undefined ? undefined : question({ file: join(process.cwd(), `${heap}-${name}.heapsnapshot`) });
  const sampler = async (): Promise<void> => {
    let isWarm = false;
    while (Date.now() < end) {
      await pause(Math.min(INTERVAL, time / 40));
      const isPast = Date.now() - began > time * WARM_UP;
      if (isPast && !isWarm) await picture('warm');
      isWarm = isPast;
      const sample = await question('sample');
      if (isWarm) samples.push([(Date.now() - began) / 60_000, sample]);
    }
  };

  const workers = Array.from({ length: clients }, (_none, seed) => client(seed));
  await Promise.all([...workers, troublemaker(), sampler()]);
  await picture('end');
  agent.destroy();
  child.disconnect();
  return report(time, counts, latencies, implementation === 'bare' ? new Map() : unexpected, samples);
}

function report(
  time: number,
  counts: { requests: number; faults: number },
  latencies: ReturnType<typeof createHistogram>,
  unexpected: ReadonlyMap<string, number>,
  samples: readonly (readonly [minute: number, sample: Sample])[],
): boolean {
  const ms = (percentile: number) => (latencies.percentile(percentile) / 1e6).toFixed(2);
  const failed = [...unexpected.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${counts.requests} well-formed requests and ${counts.faults} faulty connections in ${time / 60_000} min`,
  );
  console.log(`latency p50 ${ms(50)} ms, p99 ${ms(99)} ms, p99.9 ${ms(99.9)} ms`);
  console.log(`${failed} unexpected responses`);
  for (const [what, count] of unexpected) console.log(`  ${count} × ${what}`);

  const isFlat = (['heap', 'code', 'resident', 'descriptors'] as const).map((kind) => {
    const unit = kind === 'descriptors' ? 1 : 1024 * 1024;
    const trend = trendOf(samples.map(([minute, sample]) => [minute, sample[kind] / unit]));
    const [mean, slope, low, high] = [trend.mean, trend.slope, trend.low, trend.high].map((one) =>
      one.toFixed(3),
    );
    const mb = unit > 1 ? ' MB' : '';
    console.log(
      `${kind}: mean ${mean}${mb}, growth ${slope}${mb} per minute (99 % interval ${low} to ${high})`,
    );
    if (kind === 'heap') {
      const requests = (counts.requests + counts.faults) / (time / 60_000);
      const [least, most] = [trend.low, trend.high].map((one) => (one * unit) / requests) as [number, number];
      console.log(`  ${least.toFixed(2)} to ${most.toFixed(2)} bytes per request`);
      return least <= NOTES;
    }
    // Do not check compiled code and resident memory, which depend on V8 and on the operating system.
    return kind === 'code' || kind === 'resident' || trend.low <= 0;
  });
  return failed === 0 && isFlat.every(Boolean);
}

function ask(
  agent: Agent,
  port: number,
  { method, path, status, headers = {}, body }: Asked,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const req = request({
      agent,
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: { ...headers, ...length, [WANTED]: status },
    });
    req.on('response', (res) =>
      res
        .resume()
        .on('end', () => resolve(res.statusCode))
        .on('error', reject),
    );
    req.on('error', reject).end(body);
  });
}
