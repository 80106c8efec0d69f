/** Allows differences in a header or in a member of JSON by a rule: a pattern, a tolerance, or a list in any order. */

import type { Divergence, Matcher } from '../divergences/divergence';
import type { Difference } from './compare';

/**
 * Finds the differences that matchers allow.
 *
 * @param expected All places of the baseline, and `actual` those of the candidate.
 * @param id The id of the request in the report.
 * @returns For each divergence with a matcher: the places of this request.
 */
export function matched(
  divergences: readonly Divergence[],
  differences: readonly Difference[],
  [expected, actual]: readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>],
  id: string,
): Divergence[] {
  const rules = divergences.filter(({ match }) => match);
  const places = new Map<Divergence, string[]>(rules.map((rule) => [rule, []]));
  for (const { place } of differences)
    for (const rule of rulesFor(rules, place, expected.get(place), actual.get(place)))
      places.get(rule)?.push(place);
  return [...places]
    .filter(([, own]) => own.length > 0)
    .map(([rule, own]) => ({ ...rule, scenarios: { ...rule.scenarios, [id]: own } }));
}

/** Finds the rules that allow a difference. A body may need several. */
function rulesFor(rules: readonly Divergence[], place: string, expected = '', actual = ''): Divergence[] {
  if (!place.endsWith('.body'))
    return rules.filter(
      ({ match }) =>
        match?.header !== undefined &&
        place.endsWith(`.headers.${match.header.toLowerCase()}`) &&
        isLike(expected, actual, match),
    );
  try {
    const left: unknown = JSON.parse(expected);
    let right: unknown = JSON.parse(actual);
    const used = rules.filter(({ match }) => {
      if (match?.json === undefined) return false;
      const before = JSON.stringify(right);
      right = unify(left, right, match.json.split(/\.|(?=\[\])/).filter(Boolean), match);
      return JSON.stringify(right) !== before;
    });
    return JSON.stringify(left) === JSON.stringify(right) ? used : [];
  } catch {
    return [];
  }
}

/** Returns the second value, with those values of the first that the matcher allows in their place. */
function unify(
  expected: unknown,
  actual: unknown,
  [step, ...rest]: readonly string[],
  match: Matcher,
): unknown {
  if (step === undefined) return isLike(expected, actual, match) ? expected : actual;
  if (step === '[]')
    return Array.isArray(expected) && Array.isArray(actual)
      ? actual.map((one, index) => unify(expected[index], one, rest, match))
      : actual;
  if (typeof expected !== 'object' || typeof actual !== 'object' || !expected || !actual || !(step in actual))
    return actual;
  const [left, right] = [expected, actual] as Record<string, unknown>[];
  return { ...right, [step]: unify(left?.[step], right?.[step], rest, match) };
}

function isLike(expected: unknown, actual: unknown, { pattern, tolerance, unordered }: Matcher): boolean {
  if (unordered && Array.isArray(expected) && Array.isArray(actual))
    return sorted(expected) === sorted(actual);
  if (tolerance !== undefined) return Math.abs(numberOf(expected) - numberOf(actual)) <= tolerance;
  const expression = pattern === undefined ? undefined : new RegExp(pattern);
  return expression !== undefined && [expected, actual].every((value) => expression.test(String(value)));
}

function sorted(list: readonly unknown[]): string {
  return list
    .map((one) => JSON.stringify(one))
    .sort()
    .join();
}

/** A number, or the time of a date in milliseconds. */
function numberOf(value: unknown): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return Number.isNaN(number) ? Date.parse(String(value)) : number;
}
