/**
 * Compares a case: first the result of Express with the declaration of the case, then the result of this build with
 * that of Express.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Case } from './cases';
import type { Entry, Performance } from './play';

export interface Verdict {
  readonly one: Case;
  /** `theirs`: the case does not do what it declares on Express. `ours`: it does on Express, but not on this build. */
  readonly result: 'same' | 'same failure' | 'ours' | 'theirs';
  readonly isGood: boolean;
  readonly details: readonly string[];
  readonly milliseconds: number;
  readonly express: readonly Entry[];
  readonly nozomi: readonly Entry[];
}

/** The maximum number of differing places that are shown. */
const SHOWN = 8;

export function judge(one: Case, express: Performance, nozomi: Performance): Verdict {
  assertWorld('express', express);
  assertWorld('nozomi', nozomi);
  const surprises = compareToDeclared(one, express);
  const differences = differ('', express.transcript, nozomi.transcript);
  const isGood = surprises.length === 0 && differences.length === 0;
  const good = one.breaks ? 'same failure' : 'same';
  return {
    one,
    result: isGood ? good : surprises.length > 0 ? 'theirs' : 'ours',
    isGood,
    details: surprises.length > 0 ? surprises : differences.slice(0, SHOWN),
    milliseconds: express.milliseconds + nozomi.milliseconds,
    express: express.transcript,
    nozomi: nozomi.transcript,
  };
}

/** The differences of a case between HTTP/2 and HTTP/1.1, without those of docs/transports.md. */
export function compareTransports(http1: Performance, http2: Performance): string[] {
  return differ('', http1.transcript.map(folded), http2.transcript.map(folded)).slice(0, SHOWN);
}

const OF_CONNECTION = /^(connection|keep-alive|transfer-encoding)$/;

/** Members of a request in the JSON of a logger, which other JSON may contain. */
const VERSION = /(httpVersion\\*":\\*")2\.0/g;
const CONNECTION = /(,?)(\\*")connection\2:\2close\2(,?)/g;

function folded(entry: Entry): unknown {
  const headers = entry.headers
    ?.map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !OF_CONNECTION.test(name))
    .filter(([name]) => !(entry.status === 204 && name === 'content-length'));
  const text = JSON.stringify(headers ? { ...entry, headers } : entry);
  return JSON.parse(
    text
      .replaceAll('HTTP/2.0', 'HTTP/1.1')
      .replaceAll(VERSION, '$11.1')
      .replaceAll(CONNECTION, (_all, before, _quote, after) => before && after),
  );
}

/** Checks the framework of a result: a comparison of one framework with itself would always pass. */
function assertWorld(wanted: string, { framework = wanted }: Performance): void {
  if (framework !== wanted)
    throw new Error(`the package installed as "express" must be ${wanted}, got ${framework}`);
}

function compareToDeclared({ statuses, breaks }: Case, { transcript, output }: Performance): string[] {
  const seen = transcript.flatMap(({ status }) => status ?? []);
  const faults = transcript.flatMap(({ threw, unhandled, uncaught }) => threw ?? unhandled ?? uncaught ?? []);
  const lines: string[] = [];
  if (transcript.length === 0) lines.push('express: nothing happened');
  if (!isDeepStrictEqual(seen, statuses))
    lines.push(`express: expected ${statuses.join(' ')}, got ${seen.join(' ')}`);
  if (faults.length > 0 && !breaks)
    lines.push(...faults.map((fault) => `express: ${fault}`), output.slice(-1000));
  if (breaks && faults.length === 0 && seen.every((status) => status < 500)) {
    lines.push(`express: wanted it to fail (${breaks}), got success`);
  }
  return lines;
}

/** Lists the places where two values differ, as `place: theirs → ours`. */
function differ(place: string, theirs: unknown, ours: unknown): string[] {
  if (isDeepStrictEqual(theirs, ours)) return [];
  if (isTree(theirs) && isTree(ours)) {
    const keys = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
    return [...keys].flatMap((key) => differ(`${place}/${key}`, theirs[key], ours[key]));
  }
  return [`${place}: ${brief(theirs)} → ${brief(ours)}`];
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
