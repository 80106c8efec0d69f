/** Compares measured ratios with those in js/ratios.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sample } from '../../../parity/client/load';
import type { Slices } from '../measure';
import { median, ratiosOf } from '../statistics';

/** How many requests this build serves in the CPU time that bare node:http or Express takes for one. */
export interface Ratios {
  bare?: number;
  express?: number;
}

/** Ratios by major version of Node.js, then by workload. */
type Committed = Record<string, Record<string, Required<Ratios>>>;

/** The fraction by which a measured ratio may be below its committed ratio. */
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
 * Whether all measured ratios are more than `TOLERANCE` below the committed ones. A slower build lowers both ratios,
 * while noise or another processor often lowers only one. Where both were measured, the tolerance is wider by what the
 * ratio of Express to bare node:http has changed: neither is ours, so this is what the machine does.
 */
export function isBehind(measured: Ratios, committed: Required<Ratios>): boolean {
  const { bare, express } = measured;
  const machine =
    bare && express ? Math.abs(Math.log(bare / express / (committed.bare / committed.express))) : 0;
  const yardsticks = (['bare', 'express'] as const).filter((name) => measured[name] !== undefined);
  return yardsticks.every(
    (name) => (measured[name] as number) < committed[name] * (1 - TOLERANCE) * Math.exp(-machine),
  );
}
