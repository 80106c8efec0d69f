/** Compares responses before anything is measured. */
import type { Answer } from './load';
import type { Peer } from './peers';
import type { Workload } from './workloads';

/** @returns The problem of a response; undefined if it is right. */
export function problemOf({ status, answer }: Workload, got: Answer): string | undefined {
  if (got.status !== status) return `answers ${got.status}, not ${status}`;
  if (answer !== undefined && got.body !== answer && plain(got.body) !== plain(answer))
    return `answers ${JSON.stringify(got.body.slice(0, 80))}`;
  return undefined;
}

/**
 * Checks that peers that claim Express's bytes send its headers in order and its body. Only the values of `Date` and
 * `X-Powered-By` may differ.
 *
 * @throws Error for a peer that differs.
 */
export function compareAnswers({ name }: Workload, answers: ReadonlyMap<Peer, Answer>): void {
  const reference = answerOf(answers, 'express');
  if (!reference) return;
  for (const [peer, answer] of answers) {
    if (peer.claims !== 'express') continue;
    const [wanted, came] = [shown(reference), shown(answer)];
    if (wanted !== came) throw new Error(`${name}: ${peer.name} responds\n${came}\nand Express\n${wanted}`);
  }
}

/**
 * Describes in one line how the headers differ from Express's: a peer that sends fewer headers has less work.
 *
 * @param answers The responses of at least one peer that claims Express's bytes.
 */
export function differenceOf(answers: ReadonlyMap<Peer, Answer>, got: Answer): string {
  const reference = answerOf(answers, 'express') ?? answerOf(answers, 'bare');
  if (!reference) return '';
  const [wanted, came] = [headersOf(reference), headersOf(got)];
  const names = [...wanted.keys()];
  const list = (word: string, some: readonly string[]) =>
    some.length > 0 ? [`${word} ${some.join(', ')}`] : [];
  return [
    ...list(
      'no',
      names.filter((name) => !came.has(name)),
    ),
    ...list(
      'other',
      names.filter((name) => came.has(name) && came.get(name) !== wanted.get(name)),
    ),
    ...list(
      'more:',
      [...came.keys()].filter((name) => !wanted.has(name)),
    ),
  ].join('; ');
}

/** JSON without white space, which may differ. */
function plain(body: string): string {
  return body.startsWith('{') ? body.replace(/\s/g, '') : body;
}

const VARYING = new Set(['date', 'x-powered-by']);

function answerOf(answers: ReadonlyMap<Peer, Answer>, name: string): Answer | undefined {
  return [...answers].find(([peer]) => peer.name === name)?.[1];
}

function headersOf({ headers }: Answer): Map<string, string> {
  return new Map(
    headers.map(([name, value]) => [name.toLowerCase(), VARYING.has(name.toLowerCase()) ? '' : value]),
  );
}

function shown({ status, headers, body }: Answer): string {
  const lines = headers.map(([name, value]) => `${name}: ${VARYING.has(name.toLowerCase()) ? '*' : value}`);
  return [status, ...lines, '', body.slice(0, 500)].join('\n');
}
