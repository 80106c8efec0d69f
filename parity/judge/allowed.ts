/** Decides whether a divergence, which declares intended differences, covers a difference that was found. */
import { createHash } from 'node:crypto';
import type { Divergence } from '../divergences/divergence';
import type { Difference } from './compare';

/** Whether a divergence allows a difference in this result: at its place and, if it names values, with these. */
export function allows({ scenarios, values }: Divergence, id: string, difference: Difference): boolean {
  if (!scenarios[id]?.includes(difference.place)) return false;
  const accepted = values?.[id]?.[difference.place];
  return accepted === undefined || accepted.digest === digestOf(difference);
}

/** Identifies both values of a difference without showing them: they may contain secrets. */
export function digestOf({ expected, actual }: Difference): string {
  return createHash('sha256')
    .update(JSON.stringify([expected, actual]))
    .digest('base64url')
    .slice(0, 22);
}
