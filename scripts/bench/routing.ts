// Compares the router of this build with that of Express, without sockets. Run this script after a change to
// src/routing and a build.
//
//   npm run bench -- routing [--rounds 15] [--patterns 400] [--seed 1]
//
// Both routers get the same routes and requests in one process, and must call the same handlers. The script measures:
//   - CPU time per request of both routers, as medians of alternating slices, and the ratio
//   - the time to register 10,000 routes, and the heap that they take
//   - how the time to match a path grows with its length, for paths that nearly match a random pattern
// Exit code 1 if a figure misses its target, 2 if the routers call different handlers.
import { deepStrictEqual } from 'node:assert';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import express, { type Router } from 'express';
import framework from 'nozomi';
import corpus from '../../fixtures/corpora/github-rest-routes.json';
import { runCommand, toCount } from '../command';
import { formatLine } from '../table';
import { median } from './statistics';

interface Table {
  name: string;
  routes: ReadonlyArray<readonly [method: string, path: string]>;
  /** The paths to request with GET, by label. */
  asked: Readonly<Record<string, string>>;
}

interface Answer {
  route?: unknown;
  params?: object;
}

type Ask = (path: string) => Answer;

/**
 * By number of routes: how many times faster than Express this build must be for the last route. With 10,000 routes this
 * also holds for a path that no route matches. With other numbers of routes it must be at least as fast.
 */
const MUST: Readonly<Record<number, number>> = { 10: 1.5, 1000: 50, 10000: 300 };
/**
 * Upper limits. `growth` compares the time per request with 10,000 routes to that with 10; `heap` and `registration`
 * compare to Express; `exponent` is the power of the path's length by which the time to match may grow.
 */
const MOST = { growth: 1.5, heap: 2, registration: 1, exponent: 1.4 };
const SIZES = [10, 100, 1000, 10_000];
/** The approximate length of a slice in nanoseconds. */
const SLICE = 5e6;
/** The warm-up requests each path of the tables with at most 100 routes 20,000 times. */
const WARM_ROUTES = 100;
const WARM_REQUESTS = 20_000;

const misses: string[] = [];
let rounds = 0;
let collectGarbage: () => void;

runCommand({
  name: 'bench',
  file: __filename,
  options: {
    rounds: { type: 'string', default: '15' },
    patterns: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
  },
  run({ values }) {
    rounds = toCount('rounds', values.rounds);
    setFlagsFromString('--expose-gc');
    collectGarbage = runInNewContext('gc');
    console.log(
      `Node.js ${process.version}, CPU time of Express's router and of this build, ${rounds} rounds\n`,
    );
    benchMatching();
    benchRegistration();
    benchHeap();
    benchHostilePaths(toCount('patterns', values.patterns), toCount('seed', values.seed));
    for (const miss of misses) console.error(`missed target: ${miss}`);
    return misses.length === 0;
  },
});

function benchMatching(): void {
  warmUp();
  const widths = [-20, 7, 8, 13, 13, 10];
  console.log(formatLine(['table', 'routes', 'path', 'express', 'nozomi', 'ratio'], widths));
  const own = new Map<string, number>();
  for (const table of tables()) {
    const [theirs, ours] = [asker(express.Router(), table), asker(framework.Router(), table)];
    for (const [what, path] of Object.entries(table.asked)) {
      deepStrictEqual(ours(path), theirs(path));
      const [reference, nozomi] = time(theirs, ours, path);
      const ratio = reference / nozomi;
      const { length } = table.routes;
      own.set(`${table.name} ${what} ${length}`, nozomi);
      console.log(
        formatLine([table.name, length, what, ns(reference), ns(nozomi), ratio.toFixed(1)], widths),
      );
      const isHeld = what === 'last' || (what === '404' && length === 10_000);
      if (isHeld) atLeast(`${table.name}, ${what} of ${length}`, ratio, MUST[length] ?? 1);
    }
  }
  for (const name of ['one prefix', 'param first']) {
    const growth = (own.get(`${name} last 10000`) as number) / (own.get(`${name} last 10`) as number);
    console.log(
      `nozomi, ${name}: a request with 10,000 routes takes ${growth.toFixed(2)} times as long as with 10`,
    );
    atMost(`growth, ${name}`, growth, MOST.growth);
  }
}

/** Runs both routers with the small tables first, so that no measurement includes V8's compilation. */
function warmUp(): void {
  for (const table of tables()) {
    if (table.routes.length > WARM_ROUTES) continue;
    for (const ask of [asker(express.Router(), table), asker(framework.Router(), table)]) {
      for (const path of Object.values(table.asked)) sliceOf(ask, path, WARM_REQUESTS);
    }
  }
}

function* tables(): Generator<Table> {
  for (const size of SIZES) {
    yield numbered('one prefix', size, (id) => [`/api/v1/resource-${id}/:id`, `/api/v1/resource-${id}/42`]);
  }
  for (const size of SIZES) {
    yield numbered('param first', size, (id) => [
      `/:tenant/resource-${id}/items`,
      `/acme/resource-${id}/items`,
    ]);
  }
  const routes = corpus.routes.map((route): [string, string] => {
    const [method, path] = route.split(' ') as [string, string];
    return [method.toLowerCase(), path.replace(/\{\?.*\}$/, '').replace(/\{(\w+)\}/g, ':$1')];
  });
  const gets = routes.filter(([method]) => method === 'get').map(([, path]) => path.replace(/:\w+/g, 'x1'));
  yield {
    name: 'GitHub REST API',
    routes,
    asked: {
      first: gets[0] as string,
      middle: gets[gets.length >> 1] as string,
      last: gets[gets.length - 1] as string,
      404: '/repos/x1/x1/nowhere',
    },
  };
}

/**
 * Creates a table of `size` similar routes. All ids have the same length, so that only the number of routes differs.
 */
function numbered(name: string, size: number, make: (id: string) => [string, string]): Table {
  const ids = Array.from({ length: size }, (_, i) => String(i).padStart(5, '0'));
  const [, last] = make(ids[size - 1] as string);
  const [, missing] = make('99999');
  return { name, routes: ids.map((id) => ['get', make(id)[0]] as const), asked: { last, 404: missing } };
}

function register(router: Router, { routes }: Pick<Table, 'routes'>): Router {
  for (const [method, path] of routes) {
    router[method as 'get'](path, (req, _res, _next) => {
      (req as unknown as { answer: Answer }).answer = { route: req.route.path, params: req.params };
    });
  }
  return router;
}

/**
 * @returns A function that sends a GET request to the router and returns the path and parameters of the route, or `{}`.
 */
function asker(router: Router, table: Table): Ask {
  register(router, table);
  const handle = router as unknown as (req: object, res: object, done: () => void) => void;
  const done = (): void => undefined;
  return (path) => {
    const req = { method: 'GET', url: path, answer: {} as Answer };
    handle(req, {}, done);
    return req.answer;
  };
}

/** @returns Median CPU nanoseconds per request of each router, from alternating slices. */
function time(theirs: Ask, ours: Ask, path: string): [number, number] {
  const asks = [theirs, ours];
  const counts = asks.map((ask) => {
    // Discard the first slice: V8 may compile functions during it.
    sliceOf(ask, path, 50);
    return Math.max(3, Math.ceil(SLICE / sliceOf(ask, path, 50)));
  });
  const times: [number[], number[]] = [[], []];
  for (let round = -3; round < rounds; round++) {
    for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const spent = sliceOf(asks[i] as Ask, path, counts[i] as number);
      if (round >= 0) times[i as 0 | 1].push(spent);
    }
  }
  return [median(times[0]), median(times[1])];
}

function sliceOf(ask: Ask, path: string, count: number): number {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) ask(path);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / count;
}

function benchRegistration(): void {
  const times: [number[], number[]] = [[], []];
  const table = [...tables()].find(({ routes }) => routes.length === 10_000) as Table;
  for (let round = -1; round < 7; round++) {
    for (const [i, make] of [express.Router, framework.Router].entries()) {
      const before = process.cpuUsage();
      register(make(), table);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times[i as 0 | 1].push((user + system) / 1000);
    }
  }
  const [reference, nozomi] = times.map((slices) => median(slices)) as [number, number];
  console.log(
    `\nregistering 10,000 routes: express ${reference.toFixed(0)} ms, nozomi ${nozomi.toFixed(0)} ms`,
  );
  atMost('registration', nozomi / reference, MOST.registration);
}

function benchHeap(): void {
  const table = [...tables()].find(({ routes }) => routes.length === 10_000) as Table;
  const [reference, nozomi] = [express.Router, framework.Router].map((make) => {
    const before = heap();
    const ask = asker(make(), table);
    // Include what the first request allocates: the index of this build, and regular expressions that V8 compiles.
    ask(table.asked[404] as string);
    const grown = heap() - before;
    ask(table.asked.last as string);
    return grown;
  }) as [number, number];
  console.log(`heap of 10,000 routes: express ${mb(reference)}, nozomi ${mb(nozomi)}`);
  atMost('heap', nozomi / reference, MOST.heap);
}

function heap(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/**
 * Matches random patterns of up to eight tokens against long paths that repeat one text. Prints the slowest match, and
 * the strongest growth of the time with the length of the path.
 */
function benchHostilePaths(count: number, seed: number): void {
  const random = randomFrom(seed);
  let worst = { exponent: 0, ms: 0, pattern: '', unit: '' };
  let slowest = worst;
  let tried = 0;
  while (tried < count) {
    const pattern = randomPattern(random);
    const layer = layerOf(pattern);
    if (!layer) continue;
    tried++;
    for (const unit of ['/', 'a', '-', 'a-', '/a', 'a/', '-/', '/a-', '--a', 'a-a/']) {
      const ms = matchTime(layer, unit, 65_536);
      if (ms > slowest.ms) slowest = { exponent: 0, ms, pattern, unit };
      // Shorter times are within the noise, so they say nothing about the growth.
      if (ms < 0.5) continue;
      const exponent = Math.log(ms / matchTime(layer, unit, 8192)) / Math.log(8);
      if (exponent > worst.exponent) worst = { exponent, ms, pattern, unit };
    }
  }
  const describe = ({ pattern, unit, ms }: typeof worst): string =>
    `${pattern} with "${unit}" repeated, ${ms.toFixed(2)} ms`;
  console.log(`hostile paths of 64 kB, ${count} patterns: slowest ${describe(slowest)}`);
  console.log(`  worst growth: length to the power of ${worst.exponent.toFixed(2)}, ${describe(worst)}`);
  atMost('exponent', worst.exponent, MOST.exponent);
}

interface Matching {
  match(path: string): unknown;
}

function layerOf(pattern: string): Matching | undefined {
  try {
    return framework.Router().get(pattern, () => undefined).stack[0] as unknown as Matching;
  } catch {
    return undefined;
  }
}

/**
 * @returns The shortest of nine times, in milliseconds, to match a path of about `length` characters that ends in `/!`.
 */
function matchTime(layer: Matching, unit: string, length: number): number {
  let fastest = Number.POSITIVE_INFINITY;
  const path = `/${unit.repeat(Math.ceil(length / unit.length))}/!`;
  for (let i = 0; i < 9; i++) {
    const before = process.hrtime.bigint();
    layer.match(path);
    fastest = Math.min(fastest, Number(process.hrtime.bigint() - before) / 1e6);
  }
  return fastest;
}

function randomPattern(random: () => number): string {
  const tokens = ['/', '/a', 'a', '-', '.', ':', ':', '*', '{', '}'];
  let pattern = '/';
  let open = 0;
  for (let left = 1 + Math.floor(random() * 8); left > 0; left--) {
    const token = tokens[Math.floor(random() * tokens.length)] as string;
    if (token === '}' && open === 0) continue;
    if (token === '{') open++;
    if (token === '}') open--;
    pattern += token === ':' || token === '*' ? `${token}"p${left}"` : token;
  }
  return pattern + '}'.repeat(open);
}

/** Creates a linear congruential generator: the same seed gives the same patterns on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

function atLeast(what: string, figure: number, least: number): void {
  if (!(figure >= least)) misses.push(`${what}: expected at least ${least}, got ${figure.toFixed(2)}`);
}

function atMost(what: string, figure: number, most: number): void {
  if (!(figure <= most)) misses.push(`${what}: expected at most ${most}, got ${figure.toFixed(2)}`);
}

function ns(time: number): string {
  return `${time.toFixed(0)} ns`;
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
