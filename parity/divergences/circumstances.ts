/** The intended differences from Express that only a circumstance shows, by scenario. */
import type { CircumstanceDivergence } from './divergence';

export const CIRCUMSTANCE_DIVERGENCES: readonly CircumstanceDivergence[] = [];
