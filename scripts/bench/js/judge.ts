/** Compares a measurement with the committed ratios. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Slices } from '../measure';
import type { Sample } from '../statistics';
import { median, ratiosOf } from '../statistics';

/** The number of requests that this build serves in the CPU time of one request of the yardstick. */
export interface Ratios {
  bare?: number;
  express?: number;
}

/** By major version of Node.js, by workload. */
type Committed = Record<string, Record<string, Required<Ratios>>>;

/** How far below the committed ratio a result may be. */
const TOLERANCE = 0.1;
const FILE = join(__dirname, 'ratios.json');

export function readCommitted(): Committed {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

export function writeCommitted(committed: Committed): void {
  writeFileSync(FILE, `${JSON.stringify(committed, null, 2)}\n`);
}

export function toRatios({ bare, express, nozomi = [] }: Slices): Ratios {
  const ratio = (base: readonly Sample[]): number => Number(median(ratiosOf(base, nozomi)).toFixed(3));
  return { ...(bare ? { bare: ratio(bare) } : {}), ...(express ? { express: ratio(express) } : {}) };
}

/**
 * Whether a build is slower than the committed one. A slower build is slower than every yardstick; another processor,
 * or noise in one yardstick, affects one ratio only.
 */
export function isBehind(measured: Ratios, committed: Required<Ratios>): boolean {
  const yardsticks = (['bare', 'express'] as const).filter((name) => measured[name] !== undefined);
  return yardsticks.every((name) => (measured[name] as number) < committed[name] * (1 - TOLERANCE));
}
