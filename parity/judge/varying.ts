/** Replaces what varies between the runs of one implementation, so that a report shows the difference alone. */
import { ABSENT } from './compare';
import { differInShape } from './shape';

export type Values = ReadonlyArray<string | undefined>;

/** Stands for a part of a value that differs in each run. */
const VARYING = '(varies)';

/**
 * Two ways to split a text: into words that include the characters of base64, and into words. The first keeps a random
 * token in one part; the second finds smaller differences.
 */
export const SPLITTERS: ReadonlyArray<(text: string) => string[]> = [
  (text) => text.match(/[\w+/%.~-]+={0,2}|[^\w+/%.~-]/g) ?? [],
  (text) => text.match(/\w+|\W/g) ?? [],
];

export function areTexts(values: Values): values is readonly string[] {
  return values.every((value) => value !== undefined);
}

/**
 * Returns the values of the first runs, without what varies.
 *
 * @param a The values of one place in each run of the baseline.
 * @param b Those of the candidate.
 */
export function withoutVarying(a: Values, b: Values): { expected: string; actual: string } {
  const original = { expected: a[0] ?? ABSENT, actual: b[0] ?? ABSENT };
  if (!areTexts(a) || !areTexts(b) || new Set(a).size + new Set(b).size === 2) return original;
  for (const split of SPLITTERS) {
    const [ours, theirs] = [a.map(split), b.map(split)];
    if (!haveOneLength(ours) || !haveOneLength(theirs)) continue;
    const areParallel = haveOneLength([...ours, ...theirs]);
    const at = (runs: ReadonlyArray<readonly string[]>, index: number): string[] =>
      runs.map((parts) => parts[index] ?? '');
    const mask = (own: ReadonlyArray<readonly string[]>): string =>
      (own[0] ?? [])
        .map((part, index) => {
          // One run of the candidate does not show what varies: the baseline does.
          const runs = areParallel && own.length === 1 ? at(ours, index) : at(own, index);
          if (new Set(runs).size === 1) return part;
          return areParallel && differInShape(at(ours, index), at(theirs, index)) ? part : VARYING;
        })
        .join('');
    const [expected, actual] = [mask(ours), mask(theirs)];
    if (expected !== actual) return { expected, actual };
  }
  return original;
}

/** Whether texts were split into equally many parts. */
export function haveOneLength(runs: ReadonlyArray<readonly string[]>): boolean {
  return new Set(runs.map(({ length }) => length)).size === 1;
}

/** Whether the separators of all texts are at the same places. Numbers may have more or fewer digits. */
export function haveOneLayout(runs: ReadonlyArray<readonly string[]>): boolean {
  const layouts = runs.map((parts) => parts.map((part) => (/^\d+$/.test(part) ? '0' : part.length)).join());
  return new Set(layouts).size === 1;
}
