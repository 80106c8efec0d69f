/** Finds the declared differences that explain how two runs of a random application differ. */
import { isDeepStrictEqual } from 'node:util';
import { DIVERGENCES } from '../divergences';
import type { ProgramDivergence } from '../divergences/divergence';
import { PROGRAM_DIVERGENCES } from '../divergences/programs';
import type { Program, Series, Transcript } from './program';

/** @returns The id of an entry and what differs, for a line of the report. */
export function formatReason({ id, why }: ProgramDivergence): string {
  return `${id}: ${why ?? DIVERGENCES.find((one) => one.id === id)?.differs}`;
}

/**
 * @returns The entries that together explain all differences between two runs; empty if a difference remains. No entry
 * explains what a run leaves behind (`leaks.ts`).
 */
export function explain(
  program: Program,
  series: Series,
  expected: Transcript,
  actual: Transcript,
): readonly ProgramDivergence[] {
  const exclusions = PROGRAM_DIVERGENCES.filter(({ series: its = [5] }) => its.includes(series));
  const text = JSON.stringify(program);
  if (actual.events.some((event) => event.startsWith('left '))) return [];
  const hiding = exclusions.filter(({ matches, hides }) => hides && (matches?.test(text) ?? true));
  const [hidden, others] = [expected, actual].map((seen) => hiding.reduce(hide, seen)) as [
    Transcript,
    Transcript,
  ];
  const whole = exclusions.find(
    ({ matches, hides, fails }) =>
      (!hides && matches?.test(text)) || (fails && failsFirst(hidden, others, fails)),
  );
  if (whole) return [whole];
  if (!isDeepStrictEqual(hidden, others)) return [];
  return hiding.filter((each) =>
    [expected, actual].some((seen) => !isDeepStrictEqual(hide(seen, each), seen)),
  );
}

/** Whether Express fails where this build goes on. */
function failsFirst(expected: Transcript, actual: Transcript, fails: RegExp): boolean {
  if (countEvents(expected, fails) > countEvents(actual, fails)) return true;
  const at = expected.events.findIndex((event, index) => event !== actual.events[index]);
  const failure = expected.events[at] ?? '';
  if (!fails.test(failure)) return false;
  return !fails.test(actual.events[at] ?? '') || actual.events.includes(failure.replace(fails, 'console '));
}

function countEvents({ events }: Transcript, expected: RegExp): number {
  return events.filter((event) => expected.test(event)).length;
}

function hide({ received, events }: Transcript, { hides = /(?!)/ }: ProgramDivergence): Transcript {
  const without = (texts: readonly string[]): string[] =>
    texts.flatMap((text) => (text === '' ? text : text.replace(hides, '') || []));
  return { received: without(received), events: without(events) };
}
