/** What the comparison does not count: each is declared in `parity/divergences.ts`, or says why it is here. */
import type { Difference } from './pair';
import type { Program } from './program';

export interface Exclusion {
  /** Of `parity/divergences.ts`; a name of its own where the difference is no behaviour. */
  readonly id: string;
  readonly why: string;
  /** Whether all of a difference is this. */
  readonly matches: (program: Program, difference: Difference) => boolean;
}

export const EXCLUSIONS: readonly Exclusion[] = [];

export function exclusionOf(program: Program, difference: Difference): Exclusion | undefined {
  return EXCLUSIONS.find(({ matches }) => matches(program, difference));
}
