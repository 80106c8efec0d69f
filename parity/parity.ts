/** Plays scenarios with two implementations and reports the differences. */

import type { LeftOut } from './application/traffic';
import { each, WIDTH } from './each';
import { BUILD, isInstalled, REFERENCE } from './implementations/implementations';
import { type Observer, WorkerPool } from './implementations/observe';
import type { Implementation } from './implementations/protocol';
import type { Divergence } from './judge/divergence';
import { DIVERGENCES } from './judge/divergences';
import { judge, type Verdict } from './judge/judge';
import { type Entry, readCatalogue } from './scenario/catalogue';
import { setFileTimes } from './scenario/file-times';
import { shuffle } from './seed';

export interface ParityOptions {
  /** The implementation that is right, and the one that is judged. */
  readonly implementations?: readonly [Implementation, Implementation];
  /** Other sources of observations, in place of implementations. */
  readonly observers?: readonly [Observer, Observer];
  readonly entries?: readonly Entry[];
  readonly divergences?: readonly Divergence[];
  /** From Express 4 to 5. */
  readonly isMove?: boolean;
  /** Scenarios at a time; by default the number of processors, at least 2. */
  readonly concurrency?: number;
  /** Seed of the order in which scenarios are played; by default the order of the catalogue. */
  readonly seed?: number;
  /** Milliseconds after which an implementation that does not reply counts as hanging. */
  readonly deadline?: number;
  /** Called as each scenario is judged, in any order. */
  onVerdict?(verdict: Verdict, done: number, total: number): void;
}

/** The result of playing a recording. */
export interface Recording {
  /** The file. */
  readonly name: string;
  /** Requests whose recorded status is known. */
  readonly recorded: number;
  /** Requests to which the baseline responded with another status than was recorded. */
  readonly deviations: ReadonlyArray<{
    readonly id: string;
    readonly recorded: number;
    readonly status: number | undefined;
  }>;
  readonly leftOut: readonly LeftOut[];
  /** Requests that the baseline responded to. */
  readonly answered: number;
}

export interface Report {
  readonly kind: 'scenarios' | 'application';
  readonly observers: ReadonlyArray<Pick<Observer, 'name' | 'description'>>;
  /** In the order of the catalogue. */
  readonly verdicts: readonly Verdict[];
  readonly passed: number;
  /** Scenarios that differ or could not be played, and divergences whose scenario does not exist. */
  readonly failed: number;
  readonly exchanges: number;
  /** Divergences whose scenario does not exist. */
  readonly unknown: ReadonlyArray<{ readonly divergence: string; readonly scenario: string }>;
  /** Declared differences. */
  readonly divergences: readonly Divergence[];
  /** Repeats the order of the run. */
  readonly seed?: number;
  /** The candidate is this package: an intended difference may explain a failure. */
  readonly ofBuild: boolean;
  /** From Express 4 to 5: `judge/express4-moves.ts` explains differences. */
  readonly isMove: boolean;
  /** For an application. */
  readonly recording?: Recording;
  /** How often the baseline was played. */
  readonly runs?: number;
  readonly milliseconds: number;
}

export async function runParity(options: ParityOptions = {}): Promise<Report> {
  const started = performance.now();
  const { implementations = [REFERENCE, BUILD] as const } = options;
  const entries = options.entries ?? readCatalogue();
  await setFileTimes();
  const [right, judged] = options.observers ?? [
    new WorkerPool(implementations[0], options.deadline),
    new WorkerPool(implementations[1], options.deadline),
  ];
  // Two implementations with the same `follow` should not differ.
  const declared = options.divergences ?? (isInstalled() ? [] : DIVERGENCES);
  const divergences = right.follows === judged.follows ? [] : declared;
  const verdicts: Verdict[] = [];
  try {
    await Promise.all([right.start(), judged.start()]);
    let done = 0;
    const numbered = [...entries.entries()];
    const order = options.seed === undefined ? numbered : shuffle(numbered, options.seed);
    await each(order, options.concurrency ?? WIDTH, async ([index, entry]) => {
      const [wanted, came] = await Promise.all([right.observe(entry), judged.observe(entry)]);
      const verdict = judge(entry, wanted, came, divergences);
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

/** Counts. */
export function reportOn(
  verdicts: readonly Verdict[],
  {
    unknown = [],
    isMove = false,
    ...rest
  }: Pick<Report, 'kind' | 'observers' | 'ofBuild' | 'divergences' | 'seed' | 'milliseconds'> &
    Partial<Pick<Report, 'unknown' | 'recording' | 'runs' | 'isMove'>>,
): Report {
  const passed = verdicts.filter(({ state }) => state === 'equal' || state === 'declared').length;
  return {
    verdicts,
    passed,
    failed: verdicts.length - passed + unknown.length,
    exchanges: verdicts.reduce((sum, { exchanges }) => sum + exchanges, 0),
    unknown,
    isMove,
    ...rest,
  };
}

export function unknownScenarios(
  divergences: readonly Divergence[],
  entries: ReadonlyArray<Pick<Entry, 'id'>>,
): Report['unknown'] {
  const known = new Set(entries.map(({ id }) => id));
  return divergences.flatMap(({ id, scenarios }) =>
    Object.keys(scenarios)
      .filter((scenario) => !known.has(scenario))
      .map((scenario) => ({ divergence: id, scenario })),
  );
}
