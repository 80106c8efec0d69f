/** Where the time of a request goes, for some peers side by side. */
import { start } from '../child';
import { ask } from '../load';
import { type Sample, SERVE } from '../measure';
import type { Peer } from '../peers';
import { formatLine } from '../table';
import { formatRequest, type Workload } from '../workloads';
import { throughMemory } from './driver';

/** Microseconds per request, by place. */
type Costs = Map<string, number>;

/** Microseconds of CPU that are profiled, about. */
const TIME = 2_000_000;
/** Lines of a table. */
const FILES = 16;
const FUNCTIONS = 24;

export async function profile(work: Workload, peers: readonly Peer[], node: string): Promise<void> {
  const costs: Costs[] = [];
  for (const peer of peers) costs.push(await costsOf(work, peer, node));
  const names = peers.map(({ name }) => name);
  console.log(`\n${work.name}: ${work.about}; µs per request`);
  print(
    ['by file', ...names],
    costs.map((list) => grouped(list, ([, file]) => file)),
    FILES,
  );
  print(
    ['by function', ...names],
    costs.map((list) => grouped(list, ([name, file]) => `${name} ${file}`)),
    FUNCTIONS,
  );
}

/** Shares by the profiler, of the CPU time of a run without it. */
async function costsOf(work: Workload, peer: Peer, node: string): Promise<Costs> {
  const child = start(SERVE, node);
  try {
    const { port } = await child.ask<{ port: number }>({ peer, work, isQuiet: true });
    if (port === 0) return new Map();
    const request = formatRequest(work);
    const { size } = await ask(port, request);
    const rough = await throughMemory.warm({ child, port, request, size });
    const count = Math.ceil(TIME / rough);
    const { cpu } = await child.ask<Sample>({ run: count });
    const { places } = await child.ask<{ places: Record<string, number> }>({ profile: count });
    return new Map(Object.entries(places).map(([place, share]) => [place, share * cpu]));
  } finally {
    child.end();
  }
}

function grouped(costs: Costs, keyOf: (place: [name: string, file: string]) => string): Costs {
  const groups: Costs = new Map();
  for (const [place, micros] of costs) {
    const key = keyOf(split(place));
    groups.set(key, (groups.get(key) ?? 0) + micros);
  }
  return groups;
}

/** Paths from the package on; what has no file is the engine's. */
function split(place: string): [name: string, file: string] {
  const space = place.lastIndexOf(' ');
  const [name, url] = [place.slice(0, space), place.slice(space + 1).replace(/:\d+$/, '')];
  if (url === '') return [name, name.startsWith('(') ? name : '(engine)'];
  return [name, url.replace(/^.*\/(node_modules|dist|scripts\/bench)\//, '$1/')];
}

/** The dearest of the last peer first, and the sum of all. */
function print(head: readonly string[], costs: readonly Costs[], most: number): void {
  const last = costs.at(-1) ?? new Map<string, number>();
  const widths = [52, ...costs.map(() => 12)];
  const line = (key: string, values: readonly number[]): string =>
    formatLine([key.slice(0, 50), ...values.map((value) => value.toFixed(2))], widths);
  const sums = costs.map((list) => [...list.values()].reduce((sum, value) => sum + value, 0));
  console.log(formatLine([...head], widths));
  for (const [key] of [...last].sort(([, a], [, b]) => b - a).slice(0, most)) {
    console.log(
      line(
        key,
        costs.map((list) => list.get(key) ?? 0),
      ),
    );
  }
  console.log(line('all', sums));
}
