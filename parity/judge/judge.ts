/** Compares two observations of a scenario, and separates declared divergences from other differences. */

import type { Divergence } from '../divergences/divergence';
import type { Observation } from '../implementations/protocol';
import type { Entry } from '../scenario/catalogue';
import { allows } from './allowed';
import { compare, type Difference } from './compare';

/** What a result of the report is about: a scenario, or a request of an application. */
export interface Subject extends Pick<Entry, 'id' | 'section'> {
  readonly scenario: Pick<Entry['scenario'], 'name' | 'clauses'>;
  /** The position of the request in the recording, from 1. */
  readonly number?: number;
}

export interface Verdict {
  readonly entry: Subject;
  readonly state: 'equal' | 'declared' | 'different' | 'broken';
  /** The differences that are not declared. */
  readonly differences: readonly Difference[];
  readonly declared: ReadonlyArray<Difference & { readonly divergence: string }>;
  /** Declared differences that did not occur. Their declarations are out of date. */
  readonly stale: ReadonlyArray<{ readonly place: string; readonly divergence: string }>;
  /** Why nothing was compared: both `build` calls threw, or an observation is missing. */
  readonly problem?: string;
  readonly exchanges: number;
  /** The places that vary between runs otherwise than ids, tokens and times do, so that nothing was compared there. */
  readonly uncompared: readonly string[];
  /** The observations of the baseline and of the candidate. */
  readonly seen: readonly [expected: Observation, actual: Observation];
}

/** The result of several runs, for an application. */
export interface Judged {
  /** The differences to judge; default: those between the two observations. */
  readonly found?: readonly Difference[];
  /** The places that vary between runs. A declaration for such a place is never out of date. */
  readonly unsteady?: ReadonlySet<string>;
  /** See `Verdict`. */
  readonly uncompared?: readonly string[];
}

export function judge(
  entry: Subject,
  expected: Observation,
  actual: Observation,
  divergences: readonly Divergence[],
  judged: Judged = {},
): Verdict {
  const problem = problemOf(expected, actual);
  const found = problem === undefined ? (judged.found ?? compare(expected, actual)) : [];
  const placesOf = (list: readonly Divergence[]): Map<string, string> =>
    new Map(list.flatMap(({ id, scenarios }) => (scenarios[entry.id] ?? []).map((place) => [place, id])));
  // The last one counts, as in `placesOf`.
  const declaring = (difference: Difference): Divergence | undefined =>
    divergences.findLast((one) => allows(one, entry.id, difference));
  const differences = found.filter((one) => !declaring(one));
  const declared = found.flatMap((difference) => {
    const divergence = declaring(difference);
    return divergence === undefined ? [] : [{ ...difference, divergence: divergence.id }];
  });
  const stale = [...placesOf(divergences.filter(({ isOptional }) => !isOptional))]
    .filter(([place]) => problem === undefined && !judged.unsteady?.has(place))
    .filter(([place]) => !found.some((difference) => difference.place === place))
    .map(([place, divergence]) => ({ place, divergence }));
  const state =
    problem !== undefined
      ? 'broken'
      : differences.length + stale.length > 0
        ? 'different'
        : declared.length > 0
          ? 'declared'
          : 'equal';
  const exchanges = expected.exchanges.length;
  return {
    entry,
    state,
    differences,
    declared,
    stale,
    exchanges,
    uncompared: judged.uncompared ?? [],
    seen: [expected, actual],
    ...(problem === undefined ? {} : { problem }),
  };
}

function problemOf(expected: Observation, actual: Observation): string | undefined {
  const lost = [expected.lost, actual.lost].filter((one) => one !== undefined);
  if (lost.length > 0) return lost.join('\n');
  if (expected.threw !== undefined && actual.threw !== undefined)
    return `build threw in both implementations: ${expected.threw}`;
  return undefined;
}
