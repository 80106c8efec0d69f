/** Compares the responses of all peers. A benchmark is only valid if every peer does the same work. */
import type { Answer } from './load';
import type { Peer } from './peers';
import type { Workload } from './workloads';

/** @returns How a response differs from the one that the workload expects; undefined if it does not differ. */
export function problemOf({ status, answer }: Workload, got: Answer): string | undefined {
  if (got.status !== status) return `responds with ${got.status}, not ${status}`;
  if (answer !== undefined && got.body !== answer && plain(got.body) !== plain(answer))
    return `responds with the wrong body: ${JSON.stringify(got.body.slice(0, 80))}`;
  return undefined;
}

/**
 * Checks that each peer with `claims: 'express'` sends the status of Express, its headers in the same order, and the
 * first 500 characters of its body. Only the values of `Date` and `X-Powered-By` may differ. Does nothing if Express is
 * not measured.
 *
 * @throws Error for the first peer that differs.
 */
export function compareAnswers({ name }: Workload, answers: ReadonlyMap<Peer, Answer>): void {
  const reference = answerOf(answers, 'express');
  if (!reference) return;
  for (const [peer, answer] of answers) {
    if (peer.claims !== 'express') continue;
    const [expected, actual] = [shown(reference), shown(answer)];
    if (expected !== actual)
      throw new Error(
        `${name}: ${peer.name} sends a different response from Express:\n${actual}\nExpress:\n${expected}`,
      );
  }
}

/**
 * Describes in one line how the headers of a response differ from those of Express, or else of bare node:http. Results
 * show this line, because a peer that sends fewer headers does less work.
 */
export function differenceOf(answers: ReadonlyMap<Peer, Answer>, got: Answer): string {
  const reference = answerOf(answers, 'express') ?? answerOf(answers, 'bare');
  if (!reference) return '';
  const [expected, actual] = [headersOf(reference), headersOf(got)];
  const names = [...expected.keys()];
  const list = (word: string, some: readonly string[]) =>
    some.length > 0 ? [`${word} ${some.join(', ')}`] : [];
  return [
    ...list(
      'no',
      names.filter((name) => !actual.has(name)),
    ),
    ...list(
      'other',
      names.filter((name) => actual.has(name) && actual.get(name) !== expected.get(name)),
    ),
    ...list(
      'more:',
      [...actual.keys()].filter((name) => !expected.has(name)),
    ),
  ].join('; ');
}

/** Removes white space from JSON: frameworks may format JSON differently. */
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
