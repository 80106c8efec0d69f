/** Plays scenarios with two implementations and reports the differences. */

import { DIVERGENCES } from './divergences';
import type { Divergence } from './divergences/divergence';
import { each, WIDTH } from './each';
import { BUILD, REFERENCE } from './implementations/implementations';
import { type Observer, WorkerPool } from './implementations/observe';
import { isInstalled } from './implementations/project';
import type { Implementation } from './implementations/protocol';
import { judge, type Verdict } from './judge/judge';
import { type Report, reportOn, unknownScenarios } from './judge/report';
import { type Entry, readCatalogue } from './scenario/catalogue';
import { setFileTimes } from './scenario/file-times';
import { shuffle } from './seed';

export interface ParityOptions {
  /** The baseline defines the expected behaviour; the candidate is compared with it. Default: Express and this package. */
  readonly implementations?: readonly [Implementation, Implementation];
  /** Used instead of `implementations`. The baseline can be a recording, so that Express need not be installed. */
  readonly observers?: readonly [Observer, Observer];
  readonly entries?: readonly Entry[];
  readonly divergences?: readonly Divergence[];
  /** Whether Express 4 is compared with Express 5. The report then says how to keep the behaviour of Express 4. */
  readonly isMove?: boolean;
  /** How many scenarios run at once; default: the number of processors, at least 2. */
  readonly concurrency?: number;
  /** Shuffles the scenarios with this seed; default: the order of the catalogue. */
  readonly seed?: number;
  /** How many milliseconds to wait for a reply of an implementation before killing its process; default 30000. */
  readonly deadline?: number;
  /** Called after each comparison, in any order. `done` counts the comparisons so far. */
  onVerdict?(verdict: Verdict, done: number, total: number): void;
}

/**
 * Plays scenarios with a baseline and a candidate, and reports every difference.
 *
 * @throws ImplementationLost if the baseline or the candidate cannot start.
 */
export async function runParity(options: ParityOptions = {}): Promise<Report> {
  const started = performance.now();
  const { implementations = [REFERENCE, BUILD] as const } = options;
  const entries = options.entries ?? readCatalogue();
  await setFileTimes();
  const [right, judged] = options.observers ?? [
    new WorkerPool(implementations[0], options.deadline),
    new WorkerPool(implementations[1], options.deadline),
  ];
  // Two implementations that both follow Express, or both the specification, must not differ at all.
  const declared = options.divergences ?? (isInstalled() ? [] : DIVERGENCES);
  const divergences = right.follows === judged.follows ? [] : declared;
  const verdicts: Verdict[] = [];
  try {
    await Promise.all([right.start(), judged.start()]);
    let done = 0;
    const numbered = [...entries.entries()];
    const order = options.seed === undefined ? numbered : shuffle(numbered, options.seed);
    await each(order, options.concurrency ?? WIDTH, async ([index, entry]) => {
      const [expected, actual] = await Promise.all([right.observe(entry), judged.observe(entry)]);
      const verdict = judge(entry, expected, actual, divergences);
      verdicts[index] = verdict;
      options.onVerdict?.(verdict, ++done, entries.length);
    });
  } finally {
    await Promise.all([right.stop(), judged.stop()]);
  }
  return reportOn(verdicts, {
    kind: 'scenarios',
    ofBuild: judged.follows === 'document',
    ...(options.isMove && { isMove: true }),
    observers: [right, judged].map(({ name, description }) => ({ name, description })),
    divergences,
    unknown: options.entries ? [] : unknownScenarios(divergences, entries),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    milliseconds: Math.round(performance.now() - started),
  });
}
