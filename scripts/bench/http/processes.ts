/** Measures whole processes: start-up and memory. */
import { join } from 'node:path';
import { formatLine } from '../../table';
import { start } from '../child';
import { ask, load } from '../load';
import { SERVE } from '../measure';
import type { Peer } from '../peers';
import { median, shuffled } from '../statistics';
import { formatRequest, type Workload, workloadsNamed } from '../workloads';

export interface Startup {
  /** CPU milliseconds to load the framework. */
  load: number;
  /** The number of CommonJS modules that the framework loads. ES modules are not counted. */
  modules: number;
  /** CPU milliseconds to register 1,000 routes and listen. */
  register: number;
  /** CPU milliseconds for the first request, which goes to the last route, including lazy initialisation. */
  first: number;
}

/**
 * Bytes of resident memory (`rss`) and of the heap after a garbage collection: `idle` after one request, `after` at the
 * end of all requests.
 */
export interface Memory {
  idle: { rss: number; heap: number };
  after: { rss: number; heap: number };
}

const STARTUP = join(__dirname, 'startup.cjs');
/** Start-up is measured with 1,000 routes and a request to the last one; memory with one route. */
const [ROUTES, HELLO] = workloadsNamed(['routes-1000', 'hello']) as [Workload, Workload];

/**
 * Starts each peer several times and measures the CPU time until its first response.
 *
 * @param node The path of the Node.js binary.
 * @param processes The number of starts per peer.
 * @returns Medians by name of the peer.
 */
export async function measureStartup(
  peers: readonly Peer[],
  node: string,
  processes: number,
): Promise<Record<string, Startup>> {
  const seen = await repeat(peers, processes, async (peer) => {
    const child = start(STARTUP, node, []);
    try {
      return await child.ask<Startup>({ peer, work: ROUTES });
    } finally {
      child.end();
    }
  });
  const widths = [-14, 12, 10, 14, 14];
  console.log(
    '\nstart-up: CPU milliseconds to load, to register 1,000 routes and listen, for the first response',
  );
  console.log(formatLine(['', 'load', 'modules', '1,000 routes', 'response'], widths));
  return mapValues(seen, (name, list) => {
    const figure = {
      load: median(list.map((one) => one.load)),
      modules: median(list.map((one) => one.modules)),
      register: median(list.map((one) => one.register)),
      first: median(list.map((one) => one.first)),
    };
    const { load, modules, register, first } = figure;
    const cells = [load.toFixed(1), String(modules), register.toFixed(1), first.toFixed(1)];
    console.log(formatLine([name, ...cells], widths));
    return figure;
  });
}

/**
 * Measures the memory of each peer, with Node.js's default size of the young generation.
 *
 * @param node The path of the Node.js binary.
 * @returns Medians by name of the peer.
 */
export async function measureMemory(
  peers: readonly Peer[],
  node: string,
  { processes, requests }: { processes: number; requests: number },
): Promise<Record<string, Memory>> {
  const seen = await repeat(peers, processes, async (peer): Promise<Memory> => {
    const child = start(SERVE, node, ['--expose-gc']);
    try {
      const { port } = await child.ask<{ port: number }>({ peer, work: HELLO });
      await ask(port, formatRequest(HELLO));
      const idle = await child.ask<Memory['idle']>({ memory: true });
      await load(port, formatRequest(HELLO), requests);
      return { idle, after: await child.ask<Memory['after']>({ memory: true }) };
    } finally {
      child.end();
    }
  });
  const widths = [-14, 12, 12, 12, 12];
  console.log(
    `\nmemory: MB resident and of the heap after a garbage collection, idle and after ${requests} requests for a short text`,
  );
  console.log(formatLine(['', 'idle RSS', 'idle heap', 'RSS', 'heap'], widths));
  return mapValues(seen, (name, list) => {
    const of = (when: keyof Memory) => ({
      rss: median(list.map((one) => one[when].rss)),
      heap: median(list.map((one) => one[when].heap)),
    });
    const figure = { idle: of('idle'), after: of('after') };
    const cells = [figure.idle, figure.after].flatMap(({ rss, heap }) => [rss, heap]);
    console.log(formatLine([name, ...cells.map((bytes) => (bytes / 1e6).toFixed(1))], widths));
    return figure;
  });
}

/** Calls `act` for all peers several times, each time in random order. */
async function repeat<T>(
  peers: readonly Peer[],
  times: number,
  act: (peer: Peer) => Promise<T>,
): Promise<Map<string, T[]>> {
  const seen = new Map<string, T[]>(peers.map(({ name }) => [name, []]));
  for (let n = 0; n < times; n++) {
    for (const peer of shuffled(peers)) seen.get(peer.name)?.push(await act(peer));
  }
  return seen;
}

function mapValues<T, U>(map: ReadonlyMap<string, T>, make: (key: string, value: T) => U): Record<string, U> {
  return Object.fromEntries([...map].map(([key, value]) => [key, make(key, value)]));
}
