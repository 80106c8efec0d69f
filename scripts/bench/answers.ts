/** What is compared before anything is timed. */
import type { Answer } from './load';
import type { Peer } from './peers';
import type { Workload } from './workloads';

/** @throws Error for an answer that is wrong. */
export function checkAnswer({ name, status, answer }: Workload, peer: Peer, got: Answer): void {
  if (got.status !== status)
    throw new Error(`${name}: wanted status ${status} of ${peer.name}, got ${got.status}`);
  if (answer !== undefined && got.body !== answer)
    throw new Error(`${name}: ${peer.name} answers ${JSON.stringify(got.body.slice(0, 80))}`);
}

/**
 * Those that claim Express's bytes must send Express's fields, in order, and its body. What may differ: the value of
 * the date and of the field that names the framework. An answer 404 is not compared with that of a bare server.
 *
 * @throws Error for one that does not.
 */
export function compareAnswers({ name, status }: Workload, answers: ReadonlyMap<Peer, Answer>): void {
  const [reference] = [...answers].filter(([peer]) => peer.name === 'express').map(([, answer]) => answer);
  if (!reference) return;
  for (const [peer, answer] of answers) {
    if (peer.claims !== 'express' || (status === 404 && peer.program === 'bare')) continue;
    const [wanted, came] = [shown(reference), shown(answer)];
    if (wanted !== came) throw new Error(`${name}: ${peer.name} answers\n${came}\nand Express\n${wanted}`);
  }
}

function shown({ status, fields, body }: Answer): string {
  const lines = fields.map(([name, value]) => `${name}: ${VARYING.has(name) ? '*' : value}`);
  return [status, ...lines, '', body.slice(0, 500)].join('\n');
}

const VARYING = new Set(['Date', 'X-Powered-By']);
