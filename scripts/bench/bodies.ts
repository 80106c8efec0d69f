// Measures the CPU time of the body parsers and of body-parser, without sockets. Run this script after a change to
// src/body and a build.
//
//   npm run bench -- bodies [--rounds 40]
//
// Both parse the same bodies in one process, from instances of Node.js's `IncomingMessage`. The parsed bodies are
// compared first. Each round measures a slice of both, in random order. The script prints medians over the rounds: CPU
// time per body, and the ratio within a round. To measure whole requests, run `npm run bench -- http --workloads
// post-1k,post-100k,form`. Exit code 1 if a ratio misses its target, 2 if the parsed bodies differ.
import { deepStrictEqual } from 'node:assert';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import bodyParser from 'body-parser';
import framework from 'nozomi';
import { runCommand, toCount } from '../command';
import { formatLine } from '../table';
import { median } from './statistics';

interface Row {
  name: string;
  parser: 'json' | 'text' | 'urlencoded';
  type: string;
  options?: object;
  body: string;
  /** Minimum speed relative to body-parser. Slightly below 1 where both are equally fast, to allow for noise. */
  must: number;
}

type Middleware = (req: IncomingMessage, res: never, next: (err?: unknown) => void) => void;

/** Maximum bytes per chunk: Node.js reads at most this many from a socket at once. */
const PIECE = 64 * 1024;
const FORM = 'application/x-www-form-urlencoded';
const list = (length: number): string =>
  JSON.stringify(
    Array.from({ length }, (_, id) => ({ id, name: `user name ${id}`, tags: ['a', 'b'], ok: true })),
  );
const fields = (name: (n: number) => string): string =>
  Array.from({ length: 24 }, (_, n) => `${name(n)}=some+value+number%20${n}+and+more`).join('&');

const ROWS: readonly Row[] = [
  { name: 'JSON 1 kB', parser: 'json', type: 'application/json', body: list(17), must: 1.1 },
  { name: 'JSON 100 kB', parser: 'json', type: 'application/json', body: list(1500), must: 0.97 },
  { name: 'form 1 kB', parser: 'urlencoded', type: FORM, body: fields((n) => `field_${n}`), must: 1.25 },
  {
    name: 'nested form 1 kB',
    parser: 'urlencoded',
    type: FORM,
    options: { extended: true },
    body: fields((n) => `f[${n % 5}][name_${n}]`),
    must: 0.97,
  },
  { name: 'text 1 kB', parser: 'text', type: 'text/plain', body: 'x'.repeat(1000), must: 1.1 },
  { name: 'text 100 kB', parser: 'text', type: 'text/plain', body: 'x'.repeat(100_000), must: 0.97 },
];

/** A socket that always reports `readable`: otherwise body-parser treats the request as finished and skips its body. */
const SOCKET = Object.defineProperty(new Socket(), 'readable', { value: true });

runCommand({
  name: 'bench',
  file: __filename,
  options: { rounds: { type: 'string', default: '40' } },
  async run({ values }) {
    const misses = await bench(toCount('rounds', values.rounds));
    for (const miss of misses) console.error(miss);
    return misses.length === 0;
  },
});

async function bench(rounds: number): Promise<string[]> {
  const misses: string[] = [];
  console.log(`Node.js ${process.version}, CPU microseconds per body, medians of ${rounds} rounds\n`);
  const widths = [-18, 12, 10, 8];
  console.log(formatLine(['body', 'body-parser', 'nozomi', 'ratio'], widths));
  for (const row of ROWS) {
    const theirs = { parse: bodyParser[row.parser](row.options) as Middleware, times: [] as number[] };
    const ours = {
      parse: framework[row.parser](row.options) as unknown as Middleware,
      times: [] as number[],
    };
    deepStrictEqual(await bodyOf(ours.parse, row), await bodyOf(theirs.parse, row));
    const count = row.body.length > PIECE ? 100 : 1500;
    for (let round = -5; round < rounds; round++) {
      for (const one of Math.random() < 0.5 ? [ours, theirs] : [theirs, ours]) {
        const time = await timeOf(one.parse, row, count);
        if (round >= 0) one.times.push(time);
      }
    }
    const ratios = ours.times.map((time, round) => (theirs.times[round] as number) / time);
    const [before, now] = [median(theirs.times), median(ours.times)];
    const ratio = median(ratios);
    console.log(formatLine([row.name, before.toFixed(2), now.toFixed(2), ratio.toFixed(2)], widths));
    if (ratio < row.must)
      misses.push(`${row.name}: expected ${row.must} times as fast, got ${ratio.toFixed(2)}`);
  }
  return misses;
}

async function timeOf(parse: Middleware, row: Row, count: number): Promise<number> {
  const start = process.cpuUsage();
  for (let n = 0; n < count; n++) await bodyOf(parse, row);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}

function bodyOf(parse: Middleware, { type, body }: Row): Promise<unknown> {
  const bytes = Buffer.from(body);
  const req = new IncomingMessage(SOCKET);
  req.headers = { 'content-type': type, 'content-length': String(bytes.length) };
  return new Promise((resolve, reject) => {
    parse(req, {} as never, (err) => (err ? reject(err) : resolve((req as { body?: unknown }).body)));
    for (let at = 0; at < bytes.length; at += PIECE) req.push(bytes.subarray(at, at + PIECE));
    req.complete = true;
    req.push(null);
  });
}
