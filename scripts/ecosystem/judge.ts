/** Judges a case: compares the run on Express with what the case declares, then the run on this build with Express. */
import { isDeepStrictEqual } from 'node:util';
import type { Case, Series } from './cases';
import type { Entry, Performance } from './play';

export interface Verdict {
  readonly one: Case;
  /**
   * `theirs`: the run on Express is not as the case declares. `ours`: the run on this build differs from Express.
   * `same failure`: both fail in the same way, as the case declares.
   */
  readonly result: 'same' | 'same failure' | 'ours' | 'theirs';
  readonly isGood: boolean;
  readonly details: readonly string[];
  readonly milliseconds: number;
  readonly express: readonly Entry[];
  readonly nozomi: readonly Entry[];
}

/** Shows at most this many differences per case. */
const SHOWN = 8;

export function judge(one: Case, series: Series, express: Performance, nozomi: Performance): Verdict {
  assertFramework('express', express);
  assertFramework('nozomi', nozomi);
  const surprises = compareToDeclared(one, series, express);
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

/**
 * Compares the runs over HTTP/1.1 and HTTP/2. Ignores the HTTP version, the case of header names, headers of the
 * connection and the `Content-Length` of a 204.
 *
 * @returns The first `SHOWN` differences.
 */
export function compareTransports(http1: Performance, http2: Performance): string[] {
  return differ('', http1.transcript.map(folded), http2.transcript.map(folded)).slice(0, SHOWN);
}

const OF_CONNECTION = /^(connection|keep-alive|transfer-encoding)$/;

/** Match the HTTP version and the header `Connection` in log lines that contain a request as JSON, also escaped. */
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

/** @throws Error if a run loaded another framework: comparing a framework with itself would always pass. */
function assertFramework(wanted: string, { framework = wanted }: Performance): void {
  if (framework !== wanted)
    throw new Error(
      `require('express') loaded ${framework}, expected ${wanted}: remove spec/ecosystem/.nozomi`,
    );
}

function compareToDeclared(
  { statuses: declared, breaks }: Case,
  series: Series,
  { transcript, output }: Performance,
): string[] {
  const statuses = declared[series] ?? [];
  const seen = transcript.flatMap(({ status }) => status ?? []);
  const faults = transcript.flatMap(({ threw, unhandled, uncaught }) => threw ?? unhandled ?? uncaught ?? []);
  const lines: string[] = [];
  if (transcript.length === 0) lines.push('express: the case sent no request and noted nothing');
  if (!isDeepStrictEqual(seen, statuses))
    lines.push(`express: expected ${statuses.join(' ')}, got ${seen.join(' ')}`);
  if (faults.length > 0 && !breaks)
    lines.push(...faults.map((fault) => `express: ${fault}`), output.slice(-1000));
  if (breaks && faults.length === 0 && seen.every((status) => status < 500)) {
    lines.push(`express: expected a failure (${breaks}), but the case succeeded`);
  }
  return lines;
}

/** @returns One line for each place where two values differ: `/2/status: 200 → 404`. */
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
