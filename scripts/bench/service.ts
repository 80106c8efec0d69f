// Measures what a benchmark of single requests does not show: latency at 80 % of the highest throughput, time of garbage
// collections, memory of idle connections and after mixed traffic, 100 MiB in each direction, event streams, and the
// fetch functions of this build and of Hono. Run this script after a build, on an idle machine.
//
//   npm run bench -- service                      all peers
//   npm run bench -- service --peers nozomi,hono  bare, nozomi, nozomi/4, express, express 4, fastify, hono, polka
//   npm run bench -- service --processes 3        how often every peer is started; the figures are medians
//   npm run bench -- service --minutes 60         the length of the mixed traffic; default 1
//   npm run bench -- service --node 24            version or path of the Node.js that runs the peers
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { runCommand, toCount } from '../command';
import { table } from '../document';
import { type Child, start } from './child';
import { load } from './load';
import { nodeOf, versionOf } from './node';
import { type Peer, peersNamed } from './peers';
import { median, quantile, shuffled } from './statistics';

interface Usage {
  /** Milliseconds of CPU time, and of garbage collections. */
  cpu: number;
  gc: number;
  /** Bytes. */
  rss: number;
  heap: number;
}

/** By column of the table. */
type Figures = Record<string, number | undefined>;

const SERVER = join(__dirname, 'service', 'server.cjs');
const REQUESTS = 50_000;
const SECONDS = 5;
const CONNECTIONS = 1000;
const EVENTS = 20;
const UPLOAD = Buffer.alloc(100 * 2 ** 20, 'x');

const request = (line: string, more = ''): string => `${line} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
const HELLO = request('GET /');
const POST = `${request('POST /up', 'Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n')}${'x'.repeat(1000)}`;
const UP = request(
  'POST /up',
  `Content-Type: application/octet-stream\r\nConnection: close\r\nContent-Length: ${UPLOAD.length}\r\n`,
);

runCommand({
  options: {
    peers: { type: 'string', default: 'bare,nozomi,express,fastify,hono,polka' },
    processes: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '1' },
    node: { type: 'string' },
  },
  async run({ values }) {
    const peers = peersNamed(values.peers.split(','));
    const [processes, minutes] = [toCount('processes', values.processes), toCount('minutes', values.minutes)];
    const node = nodeOf(values.node);
    const seen = new Map<string, Figures[]>(peers.map(({ name }) => [name, []]));
    for (let n = 0; n < processes; n++)
      for (const peer of shuffled(peers)) seen.get(peer.name)?.push(await measure(peer, node, minutes));
    const columns = Object.keys([...seen.values()][0]?.[0] ?? {});
    const rows = columns.map((column) => [column, ...[...seen.values()].map((list) => format(list, column))]);
    console.log(`Node.js ${versionOf(node)}`);
    process.stdout.write(table(['', ...seen.keys()], rows));
    return true;
  },
});

function format(list: readonly Figures[], column: string): string {
  const values = list.map((figures) => figures[column]).filter((value) => value !== undefined);
  return values.length > 0 ? median(values).toPrecision(3) : '–';
}

async function measure(peer: Peer, node: string, minutes: number): Promise<Figures> {
  const child = start(SERVER, node, ['--expose-gc']);
  try {
    const { port } = await child.ask<{ port: number }>({ peer });
    await load(port, HELLO, REQUESTS);
    const [idle, streaming] = [await connections(child, port, HELLO), await events(child, port)];
    const gc = await during(child, () => load(port, HELLO, REQUESTS));
    const times = await latencies(port);
    const [up, down] = [await during(child, () => upload(port)), await during(child, () => download(port))];
    const fetch = await child.ask<{ cpu?: number }>({ fetch: REQUESTS / 5 });
    await mix(port, minutes);
    const { rss, heap } = await child.ask<Usage>({ usage: true });
    return {
      'p50 at 80 % load, ms': quantile(times, 0.5),
      'p99 at 80 % load, ms': quantile(times, 0.99),
      'garbage collection, ms per 1,000 requests': (gc.gc / REQUESTS) * 1000,
      'an idle connection, kB of heap': idle.heap / CONNECTIONS / 1000,
      'an idle connection, kB resident': idle.rss / CONNECTIONS / 1000,
      'an event stream, kB of heap': streaming.heap / CONNECTIONS / 1000,
      'an event, µs of CPU': (streaming.cpu / CONNECTIONS / EVENTS) * 1000,
      '100 MiB up, ms of CPU': up.cpu,
      '100 MiB down, ms of CPU': down.cpu,
      'a call of fetch, µs of CPU': fetch.cpu,
      'resident after mixed traffic, MB': rss / 1e6,
      'heap after mixed traffic, MB': heap / 1e6,
    };
  } finally {
    child.end();
  }
}

/** Returns how much the usage of the server grows while `act` runs. */
async function during(child: Child, act: () => Promise<unknown>): Promise<Usage> {
  const before = await child.ask<Usage>({ usage: true });
  await act();
  // The observer receives garbage collections in a later turn of the event loop.
  await setTimeout(100);
  const after = await child.ask<Usage>({ usage: true });
  const grown = (key: keyof Usage): number => after[key] - before[key];
  return { cpu: grown('cpu'), gc: grown('gc'), rss: grown('rss'), heap: grown('heap') };
}

/** Opens connections, and waits for the first bytes of a response on each. */
async function connections(
  child: Child,
  port: number,
  first: string,
  then?: () => Promise<unknown>,
): Promise<Usage> {
  const sockets: Socket[] = [];
  const usage = await during(child, async () => {
    for (let i = 0; i < CONNECTIONS; i++) sockets.push(await exchange(port, first));
    await then?.();
  });
  for (const socket of sockets) socket.destroy();
  await setTimeout(500);
  return usage;
}

function exchange(port: number, text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.once('data', () => resolve(socket.resume())).on('error', reject);
  });
}

async function events(child: Child, port: number): Promise<Usage> {
  let cpu = 0;
  const usage = await connections(child, port, request('GET /events'), async () => {
    const publish = async (): Promise<void> => {
      for (let i = 0; i < EVENTS; i++) await child.ask({ publish: true });
    };
    ({ cpu } = await during(child, publish));
  });
  return { ...usage, cpu };
}

/**
 * Sends requests at 80 % of the highest throughput. The latency counts from the time at which a request was due, so that
 * waiting for a free connection counts, too.
 *
 * @returns Milliseconds for each request.
 */
async function latencies(port: number): Promise<number[]> {
  const rate = (0.8 * REQUESTS) / (await load(port, HELLO, REQUESTS));
  const free = await Promise.all(Array.from({ length: 64 }, () => exchange(port, HELLO)));
  const sockets = [...free];
  const times: number[] = [];
  const started = performance.now();
  let sent = 0;
  while (performance.now() - started < SECONDS * 1000) {
    while (free.length > 0 && sent < ((performance.now() - started) * rate) / 1000) {
      const due = started + (sent++ / rate) * 1000;
      const socket = free.pop() as Socket;
      socket.once('data', () => {
        times.push(performance.now() - due);
        free.push(socket);
      });
      socket.write(HELLO);
    }
    await setImmediate();
  }
  for (const socket of sockets) socket.destroy();
  return times;
}

async function upload(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.write(UP);
  socket.end(UPLOAD);
  let text = '';
  for await (const chunk of socket) text += chunk;
  if (!text.includes(String(UPLOAD.length)))
    throw new Error(`the server received less than it was sent: ${text}`);
}

async function download(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(request('GET /down', 'Connection: close\r\n')),
  );
  let length = 0;
  for await (const chunk of socket) length += chunk.length;
  if (length < UPLOAD.length) throw new Error(`the server sent only ${length} bytes`);
}

/** Sends short texts, bodies of 1 kB and requests without a route, in turns. */
async function mix(port: number, minutes: number): Promise<void> {
  const end = Date.now() + minutes * 60_000;
  while (Date.now() < end) {
    for (const text of [HELLO, POST, request('GET /none')]) await load(port, text, 2000);
  }
}
