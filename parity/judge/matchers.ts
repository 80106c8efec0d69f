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
  return divergences.flatMap((divergence): Divergence[] => {
    const { match, scenarios } = divergence;
    if (!match) return [];
    const places = differences
      .filter(({ place }) => isAllowed(match, place, wanted.get(place), came.get(place)))
      .map(({ place }) => place);
    return places.length === 0 ? [] : [{ ...divergence, scenarios: { ...scenarios, [id]: places } }];
  });
}

function isAllowed(match: Matcher, place: string, wanted = '', came = ''): boolean {
  if (match.header !== undefined)
    return place.endsWith(`.headers.${match.header.toLowerCase()}`) && isLike(wanted, came, match);
  if (match.json === undefined || !place.endsWith('.body')) return false;
  try {
    const [left, right]: unknown[] = [JSON.parse(wanted), JSON.parse(came)];
    const path = match.json.split(/\.|(?=\[\])/).filter(Boolean);
    return JSON.stringify(left) === JSON.stringify(unify(left, right, path, match));
  } catch {
    return false;
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
