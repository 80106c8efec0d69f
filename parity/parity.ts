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
  /** The baseline, which is right, and the candidate, which is compared with it. */
  readonly implementations?: readonly [Implementation, Implementation];
  /** Sources of observations, instead of implementations. */
  readonly observers?: readonly [Observer, Observer];
  readonly entries?: readonly Entry[];
  readonly divergences?: readonly Divergence[];
  /** Whether the comparison is between Express 4 and 5. */
  readonly isMove?: boolean;
  /** How many scenarios are played at the same time; default: the number of processors, at least 2. */
  readonly concurrency?: number;
  /** The seed of the order of the scenarios. Without it they are played in the order of the catalogue. */
  readonly seed?: number;
  /** After how many milliseconds an implementation without a reply counts as hanging. */
  readonly deadline?: number;
  /** Called when a scenario has been compared, in any order. */
  onVerdict?(verdict: Verdict, done: number, total: number): void;
}

/** The result of playing a recording to an application. */
export interface Recording {
  /** The name of the file. */
  readonly name: string;
  /** The number of requests whose recorded status is known. */
  readonly recorded: number;
  /** The requests to which the baseline responded with another status than the recording has. */
  readonly deviations: ReadonlyArray<{
    readonly id: string;
    readonly recorded: number;
    readonly status: number | undefined;
  }>;
  readonly leftOut: readonly LeftOut[];
  /** The number of requests to which the baseline responded. */
  readonly answered: number;
}

export interface Report {
  readonly kind: 'scenarios' | 'application';
  readonly observers: ReadonlyArray<Pick<Observer, 'name' | 'description'>>;
  /** The results, in the order of the catalogue. */
  readonly verdicts: readonly Verdict[];
  readonly passed: number;
  /** The number of scenarios that differ or could not be played, and of divergences whose scenario does not exist. */
  readonly failed: number;
  readonly exchanges: number;
  /** Divergences whose scenario does not exist. */
  readonly unknown: ReadonlyArray<{ readonly divergence: string; readonly scenario: string }>;
  /** The declared differences. */
  readonly divergences: readonly Divergence[];
  /** The seed, with which the order of the run can be repeated. */
  readonly seed?: number;
  /** Whether the candidate is this package, so that an intended difference may explain a failure. */
  readonly ofBuild: boolean;
  /** Whether the comparison is between Express 4 and 5, where `judge/express4-moves.ts` explains differences. */
  readonly isMove: boolean;
  /** The result for an application. */
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
  // Divergences apply only between implementations that follow different sources (`follows`).
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

/** Creates a report with its totals. */
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
