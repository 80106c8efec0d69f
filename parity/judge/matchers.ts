/** Allows differences in a header or in a member of JSON by a rule: a pattern, a tolerance, or a list in any order. */

import type { Divergence, Matcher } from '../divergences/divergence';
import type { Difference } from './compare';

/**
 * Finds the differences that matchers allow.
 *
 * @param wanted All places of the baseline, and `came` those of the candidate.
 * @param id The id of the request in the report.
 * @returns For each divergence with a matcher: the places of this request.
 */
export function matched(
  divergences: readonly Divergence[],
  differences: readonly Difference[],
  [wanted, came]: readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>],
  id: string,
): Divergence[] {
  const rules = divergences.filter(({ match }) => match);
  const places = new Map<Divergence, string[]>(rules.map((rule) => [rule, []]));
  for (const { place } of differences)
    for (const rule of rulesFor(rules, place, wanted.get(place), came.get(place)))
      places.get(rule)?.push(place);
  return [...places]
    .filter(([, own]) => own.length > 0)
    .map(([rule, own]) => ({ ...rule, scenarios: { ...rule.scenarios, [id]: own } }));
}

/** Finds the rules that allow a difference. A body may need several. */
function rulesFor(rules: readonly Divergence[], place: string, wanted = '', came = ''): Divergence[] {
  if (!place.endsWith('.body'))
    return rules.filter(
      ({ match }) =>
        match?.header !== undefined &&
        place.endsWith(`.headers.${match.header.toLowerCase()}`) &&
        isLike(wanted, came, match),
    );
  try {
    const left: unknown = JSON.parse(wanted);
    let right: unknown = JSON.parse(came);
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
function unify(wanted: unknown, came: unknown, [step, ...rest]: readonly string[], match: Matcher): unknown {
  if (step === undefined) return isLike(wanted, came, match) ? wanted : came;
  if (step === '[]')
    return Array.isArray(wanted) && Array.isArray(came)
      ? came.map((one, index) => unify(wanted[index], one, rest, match))
      : came;
  if (typeof wanted !== 'object' || typeof came !== 'object' || !wanted || !came || !(step in came))
    return came;
  const [left, right] = [wanted, came] as Record<string, unknown>[];
  return { ...right, [step]: unify(left?.[step], right?.[step], rest, match) };
}

function isLike(wanted: unknown, came: unknown, { pattern, tolerance, unordered }: Matcher): boolean {
  if (unordered && Array.isArray(wanted) && Array.isArray(came)) return sorted(wanted) === sorted(came);
  if (tolerance !== undefined) return Math.abs(numberOf(wanted) - numberOf(came)) <= tolerance;
  const expression = pattern === undefined ? undefined : new RegExp(pattern);
  return expression !== undefined && [wanted, came].every((value) => expression.test(String(value)));
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
