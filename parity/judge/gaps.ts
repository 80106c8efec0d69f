/** Finds what a run of an application did not compare. */

import type { Exchange } from '../client/messages';
import { VARIES } from '../divergences';
import type { Divergence } from '../divergences/divergence';
import { GAP_KINDS, type Gap, type GapKind } from './gap-kinds';
import type { Verdict } from './judge';
import type { Coverage, Recording } from './report';

/** What gaps are found in. */
export interface Compared {
  readonly verdicts: readonly Verdict[];
  readonly recording: Recording;
  readonly divergences: readonly Divergence[];
  readonly coverage: Coverage | undefined;
  readonly allowed: readonly GapKind[];
}

/** The number of names that a cause lists at most. */
const MAX_NAMES_SHOWN = 3;
const MAX_ROUTES_SHOWN = 10;

/** Finds what a run did not compare, in the order of `GAPS`. */
export function findGaps({ verdicts, recording, divergences, coverage, allowed }: Compared): Gap[] {
  const gaps: Gap[] = [];
  const add = (kind: GapKind, ids: readonly string[], cause: string): void =>
    void gaps.push({ kind, ids, cause, isAllowed: allowed.includes(kind) });
  const { name, deviations, leftOut } = recording;
  if (leftOut.length > 0) {
    const bodies = leftOut.filter(({ why }) => why === 'body not recorded').map(({ what }) => what);
    const reasons = tally(leftOut.map(({ why }) => why));
    add(
      'left-out',
      [],
      `${name}: ${leftOut.length} ${leftOut.length === 1 ? 'entry' : 'entries'} left out: ${reasons}${bodies.length > 0 ? ` (${bodies.join(', ')})` : ''}`,
    );
  }
  const requests = verdicts.filter(({ entry }) => entry.number !== undefined);
  const unanswered = requests.filter(({ seen: [expected] }) => !expected.exchanges.every(isAnswered));
  if (unanswered.length > 0) {
    const faults = unanswered.map(({ seen: [expected] }) => expected.exchanges[0]?.fault ?? 'no response');
    add('unanswered', idsOf(unanswered), `no response to ${named(unanswered)}: ${tally(faults)}`);
  }
  const answered = new Set(unanswered.map(({ entry }) => entry.number));
  const others = deviations.filter(({ number, recorded }) => recorded !== undefined && !answered.has(number));
  if (others.length > 0)
    add(
      'other-responses',
      idsAt(requests, others),
      `${name}: ${count(others.length, 'response')} of the baseline ${others.length === 1 ? 'differs' : 'differ'} from the recording: ${tally(others.map(({ why }) => why))}; ${listed(others.map(({ id }) => id))}`,
    );
  const errors = deviations.filter(({ recorded }) => recorded === undefined);
  if (errors.length > 0)
    add(
      'error-responses',
      idsAt(requests, errors),
      `${name}: ${count(errors.length, 'response')} of the baseline ${errors.length === 1 ? 'is an error' : 'are errors'} that ${name} does not expect: ${tally(errors.map(({ why }) => why))}; ${listed(errors.map(({ id }) => id))}`,
    );
  const failing = verdicts.filter(
    ({ seen: [expected] }) =>
      !expected.catchesAll &&
      (expected.uncaught.length > 0 || expected.exchanges.some((one) => one.uncaught?.length)),
  );
  if (failing.length > 0)
    add(
      'uncaught-errors',
      idsOf(failing),
      `uncaught errors, which end the application outside of this command: ${named(failing)}`,
    );
  const varying = verdicts.filter(({ uncompared }) => uncompared.length > 0);
  if (varying.length > 0)
    add(
      'varying',
      idsOf(varying),
      `not compared, because it varies between runs: ${listed(varying.map(({ entry, uncompared }) => `${uncompared.join(', ')} of ${entry.scenario.name}`))}`,
    );
  const known = new Set(divergences.map(({ id }) => id).filter((id) => id !== VARIES));
  const accepted = verdicts.filter(({ declared }) =>
    declared.some(({ divergence }) => known.has(divergence)),
  );
  if (accepted.length > 0)
    add('accepted', idsOf(accepted), `different as declared, which is not equal: ${named(accepted)}`);
  if (coverage && coverage.missed.length > 0)
    add(
      'missed-routes',
      [],
      `no request for ${coverage.missed.length} of ${count(coverage.routes, 'route')}: ${coverage.missed.slice(0, MAX_ROUTES_SHOWN).join('; ')}${coverage.missed.length > MAX_ROUTES_SHOWN ? ' …' : ''}`,
    );
  return gaps.sort((one, other) => GAP_KINDS.indexOf(one.kind) - GAP_KINDS.indexOf(other.kind));
}

export function isAnswered({ response }: Exchange): boolean {
  return response.status !== undefined;
}

function idsOf(verdicts: readonly Verdict[]): string[] {
  return verdicts.map(({ entry }) => entry.id);
}

function idsAt(verdicts: readonly Verdict[], deviations: Recording['deviations']): string[] {
  const numbers = new Set(deviations.map(({ number }) => number));
  return idsOf(verdicts.filter(({ entry: { number = 0 } }) => numbers.has(number)));
}

function named(verdicts: readonly Verdict[]): string {
  return listed(verdicts.map(({ entry }) => entry.scenario.name));
}

function listed(names: readonly string[]): string {
  return (
    names.slice(0, MAX_NAMES_SHOWN).join(', ') +
    (names.length > MAX_NAMES_SHOWN ? ` … (${names.length})` : '')
  );
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** Lists texts, with the count of those that repeat: `200 → 500 (2), 200 → 401`. */
export function tally(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, number]) => (number === 1 ? text : `${text} (${number})`)).join(', ');
}
