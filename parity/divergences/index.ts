/**
 * The registry of intended differences from Express and morgan. `why` gives the reason of each, such as the specification
 * (`follow: "document"` in `spec/clauses.json`), a standard, or speed.
 *
 * Any other difference is a failure. A declared place that no longer differs is a failure, too.
 */
import type { Divergence } from './divergence';
import { EXPRESS3_DIVERGENCES } from './express3';
import { EXPRESS3_MIDDLEWARE_DIVERGENCES } from './express3-middleware';
import { OF_5X } from './express5';

/** The id for differences of an application that only some runs show. No entry declares them. */
export const VARIES = 'varies';

export const DIVERGENCES: readonly Divergence[] = [
  ...OF_5X,
  ...EXPRESS3_DIVERGENCES,
  ...EXPRESS3_MIDDLEWARE_DIVERGENCES,
];
