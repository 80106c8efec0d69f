/** Generates applications, plays each on Express and on a build, and shrinks those that differ, with fast-check. */
import fc from 'fast-check';
import { program as programs } from './arbitrary/programs';
import type { Exclusion } from './exclusions';
import { BUILD, type Difference, EXPRESS, type Implementation, Pair } from './pair';
import type { Program } from './program';

export interface FuzzOptions {
  readonly seed: number;
  /** The maximum number of applications. */
  readonly runs: number;
  /** After how many milliseconds no further batch starts. */
  readonly time?: number;
  /** After how many differences the run stops; default 5. */
  readonly enough?: number;
  /** The build to compare with Express; default: this build. */
  readonly build?: Implementation;
  /** The baseline; default: Express with morgan. */
  readonly reference?: Implementation;
  onProgress?(result: FuzzResult): void;
}

export interface Found extends Difference {
  readonly program: Program;
  /** The seed and the path by which fast-check generates the application again, before shrinking. */
  readonly seed: number;
  readonly path: string;
}

export interface FuzzResult {
  readonly programs: number;
  /** The number of responses of Express that were compared. */
  readonly responses: number;
  /** The number of applications that differed between two runs. */
  readonly unsteady: number;
  readonly excluded: ReadonlyMap<Exclusion, number>;
  readonly differences: readonly Found[];
}

/** The distance of the seeds of two batches, so that two runs have different batches. */
const SPREAD = 1_000_003;
/** The number of applications generated from one seed. */
const BATCH = 100;
/** How many milliseconds a batch, and the shrinking of an application, may take. */
const PATIENCE = 120_000;
/** The maximum number of runs to shrink an application. */
const SHRINKS = 1000;

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const {
    seed,
    runs,
    time = Number.POSITIVE_INFINITY,
    enough = 5,
    build = BUILD,
    reference = EXPRESS,
  } = options;
  const pair = new Pair(build, reference);
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
      const found = await fuzzBatch(pair, (Math.imul(seed, SPREAD) + batch) | 0, numRuns);
      // A difference ends its batch.
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
  seed: number,
  numRuns: number,
): Promise<(Found & { at: number }) | undefined> {
  let last: { program: Program; difference: Difference } | undefined;
  let left = SHRINKS;
  const isSame = fc.asyncProperty(programs, async (program) => {
    if (last && left-- <= 0) return true;
    const difference = await (last ? pair.glance(program) : pair.play(program));
    if (!difference) return true;
    last = { program, difference };
    return false;
  });
  const details = await fc.check(isSame, { seed, numRuns, interruptAfterTimeLimit: PATIENCE });
  if (!details.failed || !last || details.counterexamplePath === null) return undefined;
  return {
    ...last.difference,
    program: last.program,
    seed,
    path: details.counterexamplePath,
    at: details.numRuns - 1,
  };
}
