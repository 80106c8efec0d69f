/** Writes the differences of a report as divergences, so that later runs report new ones only. */

import { VARIES } from '../divergences';
import type { AcceptedValue, Divergence } from '../divergences/divergence';
import { digestOf } from './allowed';
import type { Difference } from './compare';
import { excerpt } from './excerpt';
import type { Verdict } from './judge';
import type { Report } from './report';

/**
 * Returns two divergences: the values that vary between runs, and the differences that every run shows. A review of the
 * file decides which of them may stay. A difference is accepted with its values: another value at the same place is
 * reported.
 *
 * @param report The report with the values to accept.
 * @param masked The same report without secrets, whose values are written for the review.
 */
export function toDivergences(report: Report, masked: Report): Divergence[] {
  const of = <T>(findIn: (verdict: Verdict, index: number) => T, isEmpty: (value: T) => boolean) =>
    Object.fromEntries(
      report.verdicts
        .map((verdict, index) => [verdict.entry.id, findIn(verdict, index)] as const)
        .filter(([, value]) => !isEmpty(value)),
    );
  const places = (listOf: (verdict: Verdict) => readonly string[]): Divergence['scenarios'] =>
    of(
      (verdict) => [...new Set(listOf(verdict))],
      ({ length }) => length === 0,
    );
  const varying = places(({ declared, uncompared }) => [
    ...declared.filter(({ divergence }) => divergence === VARIES).map(({ place }) => place),
    ...uncompared,
  ]);
  const values = of(
    ({ differences }, index) => {
      const shown = masked.verdicts[index]?.differences ?? [];
      return Object.fromEntries(
        differences.map((difference, at) => [difference.place, toAccepted(difference, shown[at])]),
      );
    },
    (one) => Object.keys(one).length === 0,
  );
  return [
    {
      id: VARIES,
      differs: 'These values differ between runs of one implementation',
      scenarios: varying,
      isOptional: true,
    },
    {
      id: 'known',
      differs: 'These values differed when the file was written',
      scenarios: places(({ differences }) => differences.map(({ place }) => place)),
      values,
    },
  ]
    .filter(({ scenarios }) => Object.keys(scenarios).length > 0)
    .map((one) => ({ ...one, clauses: [], why: 'written by nozomi-parity --accept: to be reviewed' }));
}

function toAccepted(difference: Difference, shown = difference): AcceptedValue {
  const [expected, actual] = excerpt(shown.expected, shown.actual);
  return { expected, actual, digest: digestOf(difference) };
}
