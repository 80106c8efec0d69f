/** Writes the differences of a report as divergences, so that later runs report new ones only. */

import { VARIES } from '../divergences';
import type { Divergence } from '../divergences/divergence';
import type { Report } from './report';

/**
 * Returns two divergences: the values that vary between runs, and the differences that every run shows. A review of the
 * file decides which of them may stay.
 */
export function toDivergences({ verdicts }: Report): Divergence[] {
  const of = (places: (verdict: Report['verdicts'][number]) => readonly string[]): Divergence['scenarios'] =>
    Object.fromEntries(
      verdicts
        .map((verdict) => [verdict.entry.id, [...new Set(places(verdict))]] as const)
        .filter(([, list]) => list.length > 0)
        .map(([id, list]) => [id, list]),
    );
  const varying = of(({ declared }) =>
    declared.filter(({ divergence }) => divergence === VARIES).map(({ place }) => place),
  );
  const known = of(({ differences }) => differences.map(({ place }) => place));
  return [
    {
      id: VARIES,
      differs: 'These values differ between runs of one implementation',
      scenarios: varying,
      isOptional: true,
    },
    { id: 'known', differs: 'These values differed when the file was written', scenarios: known },
  ]
    .filter(({ scenarios }) => Object.keys(scenarios).length > 0)
    .map((one) => ({ ...one, clauses: [], why: 'written by nozomi-parity --accept: to be reviewed' }));
}
