/** Judges a case: the run on this build must equal that on Express, which must be as the case declares. */
import { isDeepStrictEqual } from 'node:util';
import { DIFFERING, NOT_PLAYED } from '../../parity/divergences/packages';
import type { Case, Series } from './cases';
import type { Entry, Performance } from './play';

export interface Verdict {
  readonly one: Case;
  /** For the table of docs/compatibility.md: `same`, or what differs and why. Undefined: not for the table. */
  readonly outcome: string | undefined;
  readonly isGood: boolean;
  readonly details: readonly string[];
}

/** Shows at most this many differences per case. */
const SHOWN = 8;

export function judge(one: Case, series: Series, express: Performance, nozomi: Performance): Verdict {
  assertFramework('express', express);
  assertFramework('nozomi', nozomi);
  const surprises = compareToDeclared(one, series, express);
  const differences = differ('', express.transcript, nozomi.transcript).slice(0, SHOWN);
  const details = surprises.length > 0 ? surprises : differences;
  const outcome = one.breaks && series === '5' ? `fails as with Express: ${one.breaks}` : 'same';
  return { one, outcome, isGood: details.length === 0, details };
}

/** Judges the runs of this build over HTTP/1.1 and HTTP/2. They must differ as divergences/packages.ts lists. */
export function judgeTransports(one: Case, http1: Performance, http2: Performance): Verdict {
  const skipped = http2.transcript.find((entry) => entry.skipped !== undefined)?.skipped;
  const [cannot, differs] = [NOT_PLAYED[one.name], DIFFERING[one.name]];
  const differences = skipped === undefined ? compareTransports(http1, http2) : [];
  const good = (outcome: string | undefined): Verdict => ({ one, outcome, isGood: true, details: [] });
  const bad = (...details: string[]): Verdict => ({ one, outcome: undefined, isGood: false, details });
  if (skipped !== undefined)
    return cannot ? good(undefined) : bad(`cannot be played over HTTP/2 (${skipped}): add it to NOT_PLAYED`);
  if (cannot) return bad('can be played over HTTP/2: remove it from NOT_PLAYED');
  if (differences.length === 0)
    return differs ? bad('does not differ: remove it from DIFFERING') : good(sameOf(one));
  return differs ? good(differs) : bad(...differences);
}

function sameOf({ ownServer }: Case): string {
  return ownServer ? 'same, with `nozomi/http2`' : 'same';
}

/**
 * Compares the runs over HTTP/1.1 and HTTP/2. Ignores the HTTP version, the case of header names, headers of the
 * connection and the `Content-Length` of a 204.
 *
 * @returns The first `SHOWN` differences.
 */
function compareTransports(http1: Performance, http2: Performance): string[] {
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
function assertFramework(expected: string, { framework = expected }: Performance): void {
  if (framework !== expected)
    throw new Error(
      `require('express') loaded ${framework}, expected ${expected}: remove spec/ecosystem/.nozomi`,
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
