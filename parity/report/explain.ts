/** Explains a difference: describes its place, and finds the reason if it is known. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { headerOf } from '../client/response';
import type { Divergence } from '../divergences/divergence';
import { moveOf, recogniseMove } from '../divergences/express4-moves';
import { OF_5X } from '../divergences/express5';
import { isInstalled, ROOT } from '../implementations/project';
import { ABSENT, type Difference } from '../judge/compare';
import type { Verdict } from '../judge/judge';

const PARTS: Readonly<Record<string, string>> = {
  asked: 'request, built from earlier responses,',
  status: 'status line',
  headers: 'order and spelling of the headers',
  framing: 'framing of the body',
  body: 'body',
  trailers: 'order and spelling of the trailers',
  interim: 'interim responses',
  connection: 'state of the connection',
  fault: 'reason of the incomplete response',
  surplus: 'bytes after the last response',
  uncaught: 'uncaught error',
};

const WRITTEN: Readonly<Record<string, string>> = {
  log: 'line of the log',
  stdout: 'line of standard output',
  stderr: 'line of standard error',
  deprecations: 'deprecation',
  uncaught: 'uncaught error',
};

/** Describes a place in words: `header Location of 2 GET /orders` for `2.headers.location`. */
export function describePlace(place: string, { seen }: Pick<Verdict, 'seen'>): string {
  const [first = '', part = '', ...rest] = place.split('.');
  if (place === 'built') return 'whether the application starts';
  const line = WRITTEN[first];
  if (line !== undefined) return `${line} ${part}`;
  const exchanges = seen.map(({ exchanges }) => exchanges[Number(first) - 1]).filter(Boolean);
  const { method = '', target = '' } = exchanges[0]?.request ?? {};
  const name = rest.join('.');
  const spelled = exchanges
    .flatMap((one) => [...(one?.response.headers ?? []), ...(one?.response.trailers ?? [])])
    .find(([given]) => given.toLowerCase() === name)?.[0];
  const what = name ? `${part === 'trailers' ? 'trailer' : 'header'} ${spelled ?? name}` : PARTS[part];
  return `${what ?? part} of ${first} ${method} ${target.length > 60 ? `${target.slice(0, 60)}…` : target}`;
}

/** Names a place without its request: `X-Request-Id`, `body`, `stdout`. */
export function nameOfPlace(place: string, verdict: Pick<Verdict, 'seen'>): string {
  return describePlace(place, verdict)
    .replace(/ of \d+ .*$/s, '')
    .replace(/^(?:header|trailer) /, '')
    .replace(/^line of (.+) \d+$/, '$1');
}

/** Finds the intended difference from Express 5 whose `sign` recognises this difference; undefined if none does. */
export function recognise(
  { place, expected, actual }: Difference,
  { seen }: Pick<Verdict, 'seen'>,
): Divergence | undefined {
  const request = seen[1].exchanges[Number(place.split('.', 1)) - 1]?.request;
  const referer = headerOf(request?.headers ?? [], 'referer') ?? headerOf(request?.headers ?? [], 'referrer');
  return OF_5X.find(
    ({ sign }) => sign?.place.test(place) && sign.expected.test(expected) && sign.isActual(actual, referer),
  );
}

/** Explains a difference by a change in Express 5: returns lines for the report, none if no change is known. */
export function explainMove(
  difference: Difference,
  { entry, seen }: Pick<Verdict, 'entry' | 'seen'>,
): string[] {
  if (difference.place.startsWith('deprecations') && difference.actual === ABSENT)
    return ['Express 5 removed what Express 4 deprecates here; the deprecation names the replacement'];
  const target = seen[0].exchanges[Number(difference.place.split('.', 1)) - 1]?.request.target;
  const [named] = entry.scenario.clauses;
  const move = named === undefined ? recogniseMove(difference, target) : moveOf(named);
  if (!move) return [];
  const { changes, line, clauses } = move;
  return [`Express 5: ${changes} [${named ?? clauses.join(' ')}]`, `to keep it: ${line}`];
}

let sentences: ReadonlyMap<string, string> | undefined;

/** Returns the text of a clause; undefined for an unknown id, and in projects without `spec/clauses.json`. */
export function clauseText(id: string): string | undefined {
  sentences ??= readClauses();
  return sentences.get(id);
}

function readClauses(): Map<string, string> {
  const file = join(ROOT, 'spec', 'clauses.json');
  if (isInstalled() || !existsSync(file)) return new Map();
  const clauses = JSON.parse(readFileSync(file, 'utf8')) as ReadonlyArray<{ id: string; clause: string }>;
  const ofExpress4 = JSON.parse(readFileSync(join(ROOT, 'spec', 'express4.json'), 'utf8')) as {
    clauses: ReadonlyArray<{ id: string; text: string }>;
  };
  return new Map([
    ...clauses.map(({ id, clause }) => [id, clause] as const),
    ...ofExpress4.clauses.map(({ id, text }) => [id, text] as const),
  ]);
}
