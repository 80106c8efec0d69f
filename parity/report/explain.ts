/** Explains a difference: describes its place, finds the clauses that it may concern, and whether it is intended. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { headerOf } from '../client/response';
import { isInstalled, ROOT } from '../implementations/implementations';
import { ABSENT, type Difference } from '../judge/compare';
import type { Divergence } from '../judge/divergence';
import { OF_5X } from '../judge/divergences';
import { moveOf, recogniseMove } from '../judge/express4-moves';
import type { Verdict } from '../judge/judge';

const PARTS: Readonly<Record<string, string>> = {
  asked: 'the request, made from earlier answers,',
  status: 'status line',
  headers: 'order and spelling of the headers',
  framing: 'framing of the body',
  body: 'body',
  trailers: 'order and spelling of the trailers',
  interim: 'interim answers',
  connection: 'what became of the connection',
  fault: 'why the answer is not complete',
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

/** Describes a place: `2.headers.location` is the `header Location of 2 GET /orders`. */
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

/** The intended difference that matches this one, whether it is declared for the scenario or not. */
export function recognise(
  { place, wanted, came }: Difference,
  { seen }: Pick<Verdict, 'seen'>,
): Divergence | undefined {
  const request = seen[1].exchanges[Number(place.split('.', 1)) - 1]?.request;
  const referer = headerOf(request?.headers ?? [], 'referer') ?? headerOf(request?.headers ?? [], 'referrer');
  return OF_5X.find(
    ({ sign }) => sign?.place.test(place) && sign.wanted.test(wanted) && sign.isCame(came, referer),
  );
}

/**
 * The change from Express 4 to 5 that explains a difference, and how to keep the old behaviour; empty if none is
 * known.
 */
export function explainMove(
  difference: Difference,
  { entry, seen }: Pick<Verdict, 'entry' | 'seen'>,
): string[] {
  if (difference.place.startsWith('deprecations') && difference.came === ABSENT)
    return ['Express 5: the form is gone; the warning says what replaces it'];
  const target = seen[0].exchanges[Number(difference.place.split('.', 1)) - 1]?.request.target;
  const [named] = entry.scenario.clauses;
  const move = named === undefined ? recogniseMove(difference, target) : moveOf(named);
  if (!move) return [];
  const { changes, line, clauses } = move;
  return [`Express 5: ${changes} [${named ?? clauses.join(' ')}]`, `to keep it: ${line}`];
}

let sentences: ReadonlyMap<string, string> | undefined;

/** The sentence of a clause; undefined in projects without a list of clauses. */
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
