/** Finds differences that several requests share, so that a report shows each of them once. */
import { ABSENT, type Difference } from '../judge/compare';
import type { Verdict } from '../judge/judge';
import { MASKED } from './mask';

export class Causes {
  readonly #requests = new Map<string, Verdict[]>();

  constructor(verdicts: readonly Verdict[]) {
    for (const verdict of verdicts) {
      for (const key of new Set(verdict.differences.map(keyOf)))
        this.#requests.set(key, [...(this.#requests.get(key) ?? []), verdict]);
    }
  }

  /** Whether an earlier request has the same difference. */
  isKnown(difference: Difference, verdict: Verdict): boolean {
    return this.#requests.get(keyOf(difference))?.[0] !== verdict;
  }

  /** Returns the other requests with the same difference. */
  others(difference: Difference): readonly Verdict[] {
    return this.#requests.get(keyOf(difference))?.slice(1) ?? [];
  }
}

/** What is the same in differences with one cause: the part of the response, and the texts that were exchanged. */
function keyOf({ place, expected, actual }: Difference): string {
  const part = place.replace(/^\d+\./, '');
  if (expected === ABSENT || actual === ABSENT)
    return JSON.stringify([part, expected === ABSENT, actual === ABSENT]);
  // Masked values differ from request to request, though they differ for one reason.
  const isMaskOnly = expected.replace(MASKED, '') === actual.replace(MASKED, '');
  if (isMaskOnly) return JSON.stringify([part, expected.replace(MASKED, '')]);
  const [start, end] = commonEnds(expected, actual);
  return JSON.stringify([
    part,
    expected.slice(start, expected.length - end),
    actual.slice(start, actual.length - end),
  ]);
}

/** Returns the lengths of the common start and of the common end of two texts. */
export function commonEnds(left: string, right: string): [start: number, end: number] {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start++;
  let end = 0;
  while (end < most - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  return [start, end];
}
