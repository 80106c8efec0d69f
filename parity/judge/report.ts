/** The report on a comparison: the results, their counts, and what a reader must know about the run. */

import type { Divergence } from '../divergences/divergence';
import type { Entry } from '../scenario/catalogue';
import type { Gap } from './gap-kinds';
import type { Verdict } from './judge';

/** A request that is not played, with the reason. */
export interface LeftOut {
  readonly why: 'other origin' | 'WebSocket' | 'body not recorded';
  /** The method and path: `POST /covers`. */
  readonly what: string;
}

export interface Coverage {
  /** The number of routes of the application. */
  readonly routes: number;
  /** Those that no request reaches: `GET /users/:id`. */
  readonly missed: readonly string[];
}

export interface Timing {
  /** How many requests each process was sent while it was measured. */
  readonly requests: number;
  /** The CPU time of the process for one request in microseconds. */
  readonly baseline: number;
  readonly candidate: number;
  /** The CPU time of the second process of the baseline. How far it is from that of the first is the error. */
  readonly control: number;
  /** By method and path, in the order of the requests. */
  readonly paths: readonly PathTiming[];
  /** The ids of the requests that were not measured, with the reasons. */
  readonly left: ReadonlyArray<{ readonly what: string; readonly why: string }>;
}

export interface PathTiming extends Pick<Timing, 'baseline' | 'candidate' | 'control'> {
  /** The method and path: `GET /users/3`. */
  readonly what: string;
  /** Microseconds from a request to the end of the response, with several connections at once: of each process. */
  readonly latencies: readonly number[];
}

/** How the baseline responded to the recorded requests. Reports use it to detect a run that tested nothing. */
export interface Recording {
  /** The name of the HAR or text file, for messages. */
  readonly name: string;
  /** The number of requests for which the file has a status. */
  readonly recorded: number;
  /**
   * The requests to which the baseline did not respond as in the recording; without a recorded response, those to which
   * it responded with an error.
   */
  readonly deviations: ReadonlyArray<{
    readonly id: string;
    /** The position of the request, from 1. */
    readonly number: number;
    /** The recorded status; undefined if the file has none. */
    readonly recorded: number | undefined;
    readonly status: number | undefined;
    /** What differs, such as `200 → 401`. */
    readonly why: string;
    /** Whether the request has a masked value that is not known. */
    readonly lacksSecrets: boolean;
  }>;
  readonly leftOut: readonly LeftOut[];
  /** The number of requests that got a response from the baseline. */
  readonly answered: number;
}

/** The name of the result that compares the output of an application. */
export const OUTPUT = 'what it writes';

export interface Report {
  readonly kind: 'scenarios' | 'application';
  /** The baseline and the candidate, with the packages and versions that they load. */
  readonly observers: ReadonlyArray<{ readonly name: string; readonly description: string }>;
  /** One result for each scenario or request, in the order of the catalogue or of the traffic file, then `OUTPUT`. */
  readonly verdicts: readonly Verdict[];
  readonly passed: number;
  /** What was not compared, with its cause; only in the report on an application. */
  readonly gaps: readonly Gap[];
  /** The number of results that are equal as far as they were compared, but have a gap that is not allowed. */
  readonly inconclusive: number;
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
  /** Whether Express 4 is compared with Express 5. `divergences/express4-moves.ts` then explains the differences. */
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

/** Creates a report from the results, and counts those that passed and failed. */
export function reportOn(
  verdicts: readonly Verdict[],
  {
    unknown = [],
    gaps = [],
    isMove = false,
    ...rest
  }: Pick<Report, 'kind' | 'observers' | 'ofBuild' | 'divergences' | 'seed' | 'milliseconds'> &
    Partial<
      Pick<Report, 'unknown' | 'gaps' | 'recording' | 'remarks' | 'coverage' | 'timing' | 'runs' | 'isMove'>
    >,
): Report {
  const alike = verdicts.filter(({ state }) => state === 'equal' || state === 'declared');
  const ids = new Set(gaps.filter(({ isAllowed }) => !isAllowed).flatMap((gap) => gap.ids));
  const inconclusive = alike.filter(({ entry }) => ids.has(entry.id)).length;
  return {
    verdicts,
    passed: alike.length - inconclusive,
    gaps,
    inconclusive,
    failed: verdicts.length - alike.length + unknown.length,
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
