/** Prints the files and functions that take most CPU time, with one column per peer. */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Sample } from '../../../parity/client/load';
import { formatLine } from '../../table';
import { start } from '../child';
import { ask } from '../load';
import { SERVE } from '../measure';
import type { Peer } from '../peers';
import { formatRequest, type Workload } from '../workloads';
import { throughMemory } from './driver';

/** CPU microseconds per request by place: the function's name, a space, then `url:line`. */
type Costs = Map<string, number>;

/** The approximate length of the profiled run in CPU microseconds. */
const TIME = 2_000_000;
/** Maximum number of lines in the table of files and, below, in that of functions. */
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

/** Multiplies the shares from V8's profiler by the CPU time of a run without the profiler, which slows the peer. */
async function costsOf(work: Workload, peer: Peer, node: string): Promise<Costs> {
  const child = start(SERVE, node);
  try {
    const { port } = await child.ask<{ port: number }>({ peer, work, isQuiet: true });
    if (port === 0) return new Map();
    const request = formatRequest(work);
    const answer = await ask(port, request);
    const rough = await throughMemory.warm({ child, port, request, answer, work });
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

/**
 * Splits a place into the name of the function and a path that begins at `node_modules`, `dist` or `scripts/bench`. For
 * bundled code the path is that of the source file. For functions of V8 it is `(engine)` or a name such as `(program)`.
 */
function split(place: string): [name: string, file: string] {
  const space = place.lastIndexOf(' ');
  const [, url, line] = /^(.*?):(\d+)$/.exec(place.slice(space + 1)) as unknown as [string, string, string];
  const name = place.slice(0, space);
  if (url === '') return [name, name.startsWith('(') ? name : '(engine)'];
  return [name, sourceOf(url, Number(line)).replace(/^.*\/(node_modules|dist|scripts\/bench)\//, '$1/')];
}

const maps = new Map<string, SourceMap | undefined>();

function sourceOf(url: string, line: number): string {
  if (!maps.has(url)) maps.set(url, mapOf(url));
  const entry = maps.get(url)?.findEntry(line - 1, Number.MAX_SAFE_INTEGER);
  return entry && 'originalSource' in entry ? entry.originalSource.replace(/^(\.\.\/)+/, '') : url;
}

function mapOf(url: string): SourceMap | undefined {
  const file = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : '';
  return existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

/** Prints the places where the last peer spends most CPU time, largest first, then the sums of all places. */
function print(head: readonly string[], costs: readonly Costs[], most: number): void {
  const last = costs.at(-1) ?? new Map<string, number>();
  const widths = [-52, ...costs.map(() => 12)];
  const line = (key: string, values: readonly number[]): string =>
    formatLine([key.slice(0, 50), ...values.map((value) => value.toFixed(2))], widths);
  const sums = costs.map((list) => [...list.values()].reduce((sum, value) => sum + value, 0));
  console.log(formatLine(head, widths));
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
