/** Plays scenarios with two implementations and reports the differences. */

import type { Timing } from './application/time';
import type { LeftOut } from './application/traffic';
import { each, WIDTH } from './each';
import { BUILD, isInstalled, REFERENCE } from './implementations/implementations';
import { type Observer, WorkerPool } from './implementations/observe';
import type { Implementation } from './implementations/protocol';
import type { Coverage } from './inspect/model';
import type { Divergence } from './judge/divergence';
import { DIVERGENCES } from './judge/divergences';
import { judge, type Verdict } from './judge/judge';
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

/** How the baseline responded to the recorded requests. Reports use it to detect a run that tested nothing. */
export interface Recording {
  /** The name of the HAR or text file, for messages. */
  readonly name: string;
  /** The number of requests for which the file has a status. */
  readonly recorded: number;
  /** The requests to which the baseline responded with a status other than the recorded one. */
  readonly deviations: ReadonlyArray<{
    readonly id: string;
    readonly recorded: number;
    readonly status: number | undefined;
    /** Whether the request has a masked value that is not known. */
    readonly lacksSecrets: boolean;
  }>;
  readonly leftOut: readonly LeftOut[];
  /** The number of requests that got a response from the baseline. */
  readonly answered: number;
}

export interface Report {
  readonly kind: 'scenarios' | 'application';
  readonly observers: ReadonlyArray<Pick<Observer, 'name' | 'description'>>;
  /** One result for each scenario or request, in the order of the catalogue or of the traffic file. */
  readonly verdicts: readonly Verdict[];
  readonly passed: number;
  /** The number of results that differ or could not be played, plus the length of `unknown`. */
  readonly failed: number;
  readonly exchanges: number;
  /** Divergences declared for a scenario that does not exist. */
  readonly unknown: ReadonlyArray<{ readonly divergence: string; readonly scenario: string }>;
  /** The divergences that were allowed in this comparison. */
  readonly divergences: readonly Divergence[];
  /** The seed that repeats this run: the order of the scenarios, or the random values of the application. */
  readonly seed?: number;
  /** Whether the candidate is this package. If so, the report marks the differences that are intended. */
  readonly ofBuild: boolean;
  /** Whether Express 4 is compared with Express 5. `judge/express4-moves.ts` then explains the differences. */
  readonly isMove: boolean;
  /** The responses to the recorded traffic; only in the report on an application. */
  readonly recording?: Recording;
  /** What is not compared: servers that get no requests, copies of Express that are not replaced. */
  readonly remarks?: readonly string[];
  /** The routes that no request reaches; only with --coverage. */
  readonly coverage?: Coverage;
  /** The CPU time, if it was measured. */
  readonly timing?: Timing;
  /** How many times the baseline ran; only in the report on an application. */
  readonly runs?: number;
  readonly milliseconds: number;
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

/** Creates a report from the results, and counts those that passed and failed. */
export function reportOn(
  verdicts: readonly Verdict[],
  {
    unknown = [],
    isMove = false,
    ...rest
  }: Pick<Report, 'kind' | 'observers' | 'ofBuild' | 'divergences' | 'seed' | 'milliseconds'> &
    Partial<Pick<Report, 'unknown' | 'recording' | 'remarks' | 'coverage' | 'timing' | 'runs' | 'isMove'>>,
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
