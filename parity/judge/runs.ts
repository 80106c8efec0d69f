/**
 * Compares several runs of a baseline and a candidate. It reports only differences that every run shows, because a
 * clock or an id also differs between two runs of the baseline.
 *
 * If a text varies, the judge still compares the parts that are equal in all runs of the baseline, and the shape of the
 * other parts.
 */
import type { Exchange } from '../client/messages';
import { headerOf } from '../client/response';
import type { Observation } from '../implementations/protocol';
import { ABSENT, common, type Difference, toPlaces, WRITTEN } from './compare';
import { isRecognised } from './recognised';
import { differInShape } from './shape';
import { areTexts, haveOneLayout, haveOneLength, SPLITTERS, type Values, withoutVarying } from './varying';

export interface JudgedRuns {
  /** The differences that every run shows. */
  readonly differences: readonly Difference[];
  /** Other differences: those that only some runs show, such as a clock, and those of a compression threshold. */
  readonly varying: readonly Difference[];
  /** The places whose value differs between runs of the baseline, and lists whose number of lines varies. */
  readonly unsteady: ReadonlySet<string>;
  /** The places that vary otherwise than ids, tokens and times do, so that nothing was compared there. */
  readonly uncompared: readonly string[];
}

type Verdict = 'equal' | 'varies' | 'differs';

/**
 * Compares all runs of the baseline with all runs of the candidate, place by place.
 *
 * @param baselines The runs of the baseline: at least one, and two or more to recognise values that vary.
 * @param lengths The result of `lengthsAtThreshold`.
 */
export function judgeRuns(
  baselines: readonly Observation[],
  candidates: readonly Observation[],
  lengths: readonly number[] = [],
): JudgedRuns {
  const all = shortenStreams([...baselines, ...candidates]);
  const [ours, theirs] = [all.slice(0, baselines.length), all.slice(baselines.length)];
  const places = [placesOf(ours), placesOf(theirs)] as const;
  const keys = new Set([...places[0], ...places[1]].flatMap((one) => [...one.keys()]));
  const differences: Difference[] = [];
  const varying: Difference[] = [];
  const unsteady = new Set<string>();
  const uncompared: string[] = [];
  for (const place of keys) {
    const [a, b] = [places[0].map((one) => one.get(place)), places[1].map((one) => one.get(place))];
    if (new Set(a).size > 1) unsteady.add(place);
    const verdict = place.endsWith('.headers') ? judgeOrder(a, b) : judgeValues(a, b);
    if (verdict === 'equal') continue;
    const difference = { place, expected: a[0] ?? ABSENT, actual: b[0] ?? ABSENT };
    const isExcused = isOfThreshold(place, ours, theirs) || isLengthInLog(a[0], b[0], lengths);
    if (verdict === 'differs' && !isExcused) differences.push({ place, ...withoutVarying(a, b) });
    else {
      if (difference.expected !== difference.actual) varying.push(difference);
      if (!isExcused && !isRecognised(place, a, b)) uncompared.push(place);
    }
  }
  for (const name of WRITTEN) {
    const lists = [ours, theirs].map((runs) => runs.map((run) => run[name]));
    const judged = judgeLines(name, lists[0] ?? [], lists[1] ?? [], lengths);
    differences.push(...judged.differences);
    varying.push(...judged.varying);
    uncompared.push(...judged.uncompared);
    for (const place of judged.unsteady) unsteady.add(place);
  }
  return { differences, varying, unsteady, uncompared };
}

/**
 * Returns the lengths, in the baseline, of pages that only one implementation compressed. Such a page contains stack
 * frames, whose paths make it longer than the compression threshold in one implementation only.
 */
export function lengthsAtThreshold(
  baselines: readonly Observation[],
  candidates: readonly Observation[],
): number[] {
  return baselines.flatMap(({ exchanges }, run) =>
    exchanges
      .filter((one, index) => isThreshold(one, candidates[run]?.exchanges[index]))
      .map(({ response }) => response.body?.length ?? 0),
  );
}

/** Returns the places of each run without its printed lines, which `judgeLines` compares. */
function placesOf(runs: readonly Observation[]): Array<Map<string, string>> {
  const none = { log: [], stdout: [], stderr: [], deprecations: [], uncaught: [] };
  return runs.map((run) => toPlaces({ ...run, ...none }));
}

function judgeValues(a: Values, b: Values): Verdict {
  const [ours, theirs] = [new Set(a), new Set(b)];
  if (ours.size === 1 && theirs.size === 1) return a[0] === b[0] ? 'equal' : 'differs';
  if (b.some((value) => ours.has(value))) return 'varies';
  if (!areTexts(a)) return 'varies';
  // Every run of the baseline has the value. It is a difference if no run of the candidate has it.
  if (!areTexts(b)) return theirs.size === 1 ? 'differs' : 'varies';
  return differInParts(a, b) || differInShape(a, b) ? 'differs' : 'varies';
}

/** A decimal number, with or without a unit. Its whole part may happen to be equal in all runs of the baseline. */
const DECIMAL = /^\d+\.\d+[a-zµ%]*$/i;

/**
 * Whether every run of the candidate differs from the baseline in the number of parts, or at a part that all runs of
 * the baseline share. A part that varies is split further if its runs share a word; otherwise it is a random token.
 *
 * False if the number varies within the baseline or the candidate.
 */
function differInParts(a: readonly string[], b: readonly string[], level = 0): boolean {
  const split = SPLITTERS[level];
  if (!split || a.every((text) => DECIMAL.test(text))) return false;
  const [ours, theirs] = [a.map(split), b.map(split)];
  const [[first = []], [actual = []]] = [ours, theirs];
  const isShared = (part: string, index: number): boolean => ours.every((parts) => parts[index] === part);
  if (!haveOneLength(ours) || !haveOneLength(theirs)) return false;
  if (level > 0 && !first.some((part, index) => /\w/.test(part) && isShared(part, index))) return false;
  // A random token contains separators, too, but elsewhere in each run.
  if (first.length !== actual.length) return level === 0 || (haveOneLayout(ours) && haveOneLayout(theirs));
  return first.some((part, index) => {
    const at = (runs: readonly string[][]): string[] => runs.map((parts) => parts[index] ?? '');
    if (isShared(part, index))
      return theirs.every((parts) => parts[index] !== part) && !isClose(part, at(theirs));
    return differInParts(at(ours), at(theirs), level + 1);
  });
}

/** By how many seconds the times of the same request differ between runs at most. */
const MAX_SECONDS_BETWEEN_RUNS = 5;

/**
 * Whether a number varies in the candidate by a few seconds, around that of the baseline. A clock in whole seconds may
 * happen to be equal in all runs of the baseline.
 */
function isClose(expected: string, actual: readonly string[]): boolean {
  if (![expected, ...actual].every((value) => /^\d{1,3}$/.test(value))) return false;
  const numbers = actual.map(Number);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const spread = most - least;
  return (
    spread > 0 &&
    spread <= MAX_SECONDS_BETWEEN_RUNS &&
    Number(expected) >= least - spread &&
    Number(expected) <= most + spread
  );
}

/** Compares the order and spelling of the header names that both sides have. */
function judgeOrder(a: Values, b: Values): Verdict {
  const isEqual = (left = '', right = ''): boolean => common(left, right) === common(right, left);
  if (a.every((left) => b.every((right) => isEqual(left, right)))) return 'equal';
  const isSteady = a.every((left) => isEqual(left, a[0]));
  return isSteady && a.every((left) => b.every((right) => !isEqual(left, right))) ? 'differs' : 'varies';
}

function judgeLines(
  name: string,
  a: ReadonlyArray<readonly string[]>,
  b: ReadonlyArray<readonly string[]>,
  lengths: readonly number[],
): { differences: Difference[]; varying: Difference[]; unsteady: string[]; uncompared: string[] } {
  const [differences, varying]: [Difference[], Difference[]] = [[], []];
  const [unsteady, uncompared]: [string[], string[]] = [[], []];
  const counts = new Set([...a, ...b].map((lines) => lines.length));
  if (counts.size === 1) {
    for (const index of (a[0] ?? []).keys()) {
      const [ours, theirs] = [a.map((lines) => lines[index]), b.map((lines) => lines[index])];
      const place = `${name}.${index + 1}`;
      if (new Set(ours).size > 1) unsteady.push(place);
      const verdict = judgeValues(ours, theirs);
      const difference = { place, expected: JSON.stringify(ours[0]), actual: JSON.stringify(theirs[0]) };
      if (verdict === 'differs' && !isLengthInLog(ours[0], theirs[0], lengths)) {
        const { expected, actual } = withoutVarying(ours, theirs);
        differences.push({ place, expected: JSON.stringify(expected), actual: JSON.stringify(actual) });
      } else if (verdict !== 'equal') {
        if (ours[0] !== theirs[0]) varying.push(difference);
        if (verdict === 'varies' && !isRecognised(place, ours, theirs)) uncompared.push(place);
      }
    }
    return { differences, varying, unsteady, uncompared };
  }
  // The number of lines differs between runs: compare how often each line occurs, in any order.
  const [ours, theirs] = [a.map(countShapes), b.map(countShapes)];
  const shapes = new Set([...ours, ...theirs].flatMap((one) => [...one.keys()]));
  for (const shape of shapes) {
    const [left, right] = [ours, theirs].map((runs) => runs.map((run) => run.get(shape) ?? 0)) as [
      number[],
      number[],
    ];
    const [least, most] = [Math.min(...left), Math.max(...left)];
    const isMissing = least > Math.max(...right);
    if (!isMissing && most >= Math.min(...right)) continue;
    const find = (runs: ReadonlyArray<readonly string[]>): string =>
      JSON.stringify(runs[0]?.find((line) => shapeOf(line) === shape) ?? shape);
    const lines = isMissing ? (a[0] ?? []) : (b[0] ?? []);
    differences.push({
      place: `${name}.${lines.findIndex((line) => shapeOf(line) === shape) + 1}`,
      expected: left[0] ? `${find(a)}${times(left[0])}` : ABSENT,
      actual: right[0] ? `${find(b)}${times(right[0])}` : ABSENT,
    });
  }
  if (differences.length === 0) {
    varying.push({ place: name, expected: `${a[0]?.length} lines`, actual: `${b[0]?.length} lines` });
    unsteady.push(name);
    uncompared.push(name);
  }
  return { differences, varying, unsteady, uncompared };
}

function times(count: number): string {
  return count === 1 ? '' : `, ${count} times`;
}

function countShapes(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(shapeOf(line), (counts.get(shapeOf(line)) ?? 0) + 1);
  return counts;
}

/** Replaces numbers and UUIDs in a line, because they vary between runs. */
function shapeOf(line: string): string {
  return line.replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '(id)').replace(/\d+/g, '0');
}

/**
 * Shortens endless streams, whose number of events depends on timing: each run keeps as many events as the shortest.
 *
 * A run with more than `2 * n + 1` events, if the shortest has `n`, keeps one more: the comparison then reports it.
 */
function shortenStreams(runs: readonly Observation[]): Observation[] {
  const most = Math.max(...runs.map(({ exchanges }) => exchanges.length));
  const shortest = Array.from({ length: most }, (_, index) => {
    const exchanges = runs.map((run) => run.exchanges[index]);
    if (!exchanges.every((one) => one?.outcome === 'silent' && one.response.status !== undefined))
      return undefined;
    return Math.min(...exchanges.map((one) => (one ? piecesOf(one).length : 0)));
  });
  return runs.map((run) => ({
    ...run,
    exchanges: run.exchanges.map((exchange, index) => {
      const count = shortest[index];
      if (count === undefined) return exchange;
      const pieces = piecesOf(exchange);
      const isMuchMore = pieces.length > 2 * count + 1;
      const body = Buffer.from(pieces.slice(0, isMuchMore ? count + 1 : count).join(''));
      return { ...exchange, response: { ...exchange.response, body } };
    }),
  }));
}

/** Splits a stream into complete events or lines. The timeout of the client may have cut off the last one. */
function piecesOf({ response }: Exchange): string[] {
  const isEvents = /^text\/event-stream/i.test(headerOf(response.headers ?? [], 'content-type') ?? '');
  const text = response.body?.toString('utf8') ?? '';
  return text.match(isEvents ? /[\s\S]*?\n\n/g : /[^\n]*\n/g) ?? [];
}

const SIZE_DEPENDENT = /\.(headers\.(content-encoding|transfer-encoding|content-length|etag|vary)|framing)$/;

/**
 * Whether a difference comes from a compression threshold: only one implementation compressed the page, because its
 * stack frames made the page longer.
 */
function isOfThreshold(place: string, ours: readonly Observation[], theirs: readonly Observation[]): boolean {
  if (!SIZE_DEPENDENT.test(place)) return false;
  const index = Number(place.split('.', 1)) - 1;
  return ours.some(({ exchanges }, run) => isThreshold(exchanges[index], theirs[run]?.exchanges[index]));
}

function isThreshold(ours: Exchange | undefined, theirs: Exchange | undefined): boolean {
  if (!ours?.response.hasFrames || !theirs?.response.hasFrames) return false;
  const [one, other] = [ours, theirs].map(({ response }) => response.encodedLength !== undefined);
  return one !== other;
}

/** Whether two log lines differ only in a body length: `-` in one line, and one of `lengths` in the other. */
function isLengthInLog(left = '', right = '', lengths: readonly number[] = []): boolean {
  if (lengths.length === 0) return false;
  const [a, b] = [left, right].map((line) => line.split(/(\s)/));
  if (!a || !b || a.length !== b.length) return false;
  return a.every((part, index) => {
    const other = b[index];
    return part === other || (part === '-' && isAmong(other)) || (other === '-' && isAmong(part));
  });
  function isAmong(part = ''): boolean {
    return lengths.includes(Number(part));
  }
}
