/** Generates applications with fast-check, plays each on Express and on this build, and shrinks those that differ. */
import fc from 'fast-check';
import type { ProgramDivergence } from '../../parity/divergences/divergence';
import { BUILD, type Difference, EXPRESS, type Modules, Pair } from '../../parity/programs/pair';
import type { Program, Series } from '../../parity/programs/program';
import { programOf } from './arbitrary/programs';

export interface FuzzOptions {
  readonly seed: number;
  /** The maximum number of applications. */
  readonly runs: number;
  /** Milliseconds after which no further batch starts; default no limit. */
  readonly time?: number;
  /** Stops after this many differences; default 5. */
  readonly enough?: number;
  /** The version of Express; default 5. */
  readonly series?: Series;
  /** The candidate; default this build. */
  readonly build?: Modules;
  /** The baseline; default Express with morgan. */
  readonly reference?: Modules;
  onProgress?(result: FuzzResult): void;
}

export interface Found extends Difference {
  readonly program: Program;
  /** Seed and path with which fast-check generates the same application again. */
  readonly seed: number;
  readonly path: string;
}

export interface FuzzResult {
  readonly programs: number;
  /** The number of responses of Express that were compared. */
  readonly responses: number;
  /** The number of differences that did not occur again, or changed, when the application was repeated. */
  readonly unsteady: number;
  /** How often each exclusion explained a difference or a part of it. */
  readonly excluded: ReadonlyMap<ProgramDivergence, number>;
  readonly differences: readonly Found[];
}

/** Multiplied by the seed of a run, to get the seed of its first batch: batches of two runs must not overlap. */
const SPREAD = 1_000_003;
/** The maximum number of applications that fast-check generates from one seed. */
const BATCH = 100;
/** The maximum number of milliseconds for a batch, including shrinking. */
const PATIENCE = 120_000;
/** The maximum number of runs for shrinking one application. */
const SHRINKS = 1000;

/** Plays generated applications until a limit of the options is reached. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const {
    seed,
    runs,
    time = Number.POSITIVE_INFINITY,
    enough = 5,
    series = 5,
    build = BUILD[series],
    reference = EXPRESS[series],
  } = options;
  const pair = new Pair(series, build, reference);
  const began = performance.now();
  const differences: Found[] = [];
  let count = 0;
  const result = (): FuzzResult => ({
    programs: count,
    responses: pair.responses,
    unsteady: pair.unsteady,
    excluded: pair.excluded,
    differences,
  });
  try {
    for (let batch = 0; count < runs && differences.length < enough; batch++) {
      if (performance.now() - began > time) break;
      const numRuns = Math.min(BATCH, runs - count);
      const found = await fuzzBatch(pair, series, (Math.imul(seed, SPREAD) + batch) | 0, numRuns);
      // fast-check ends a batch at the first difference.
      count += found ? found.at + 1 : numRuns;
      if (found) differences.push(found);
      options.onProgress?.(result());
    }
    return result();
  } finally {
    pair.stop();
  }
}

async function fuzzBatch(
  pair: Pair,
  series: Series,
  seed: number,
  numRuns: number,
): Promise<(Found & { at: number }) | undefined> {
  let last: { program: Program; difference: Difference } | undefined;
  let left = SHRINKS;
  const isSame = fc.asyncProperty(programOf(series), async (program) => {
    if (last && left-- <= 0) return true;
    const difference = await (last ? pair.glance(program) : pair.play(program));
    if (!difference) return true;
    last = { program: difference.earlier ?? program, difference };
    return false;
  });
  const details = await fc.check(isSame, { seed, numRuns, interruptAfterTimeLimit: PATIENCE });
  // Playing failed: a process did not start.
  if (details.failed && !last) throw details.errorInstance;
  if (!last || details.counterexamplePath === null) return undefined;
  return {
    ...last.difference,
    program: last.program,
    seed,
    path: details.counterexamplePath,
    at: details.numRuns - 1,
  };
}
