/**
 * What a run may leave uncompared. A run with such a gap is inconclusive, unless the user allows the kind of gap by an
 * option.
 */

/** The kinds of gaps. Each is also the name of the option that allows it: `--allow-left-out`. */
export const GAPS = {
  'left-out': 'entries of the recording that were not played',
  unanswered: 'requests without a response',
  'other-responses': 'responses of Express that are not like the recorded ones',
  'error-responses':
    'responses with status 401, 403, 407, 429 or 5xx to requests without a recorded response',
  'uncaught-errors': 'errors that end an application, because nothing catches them',
  varying: 'values that vary between runs, other than ids, tokens and times',
  accepted: 'declared differences',
  'missed-routes': 'routes whose handlers no request called (with --coverage)',
} as const;

export type GapKind = keyof typeof GAPS;

export const GAP_KINDS = Object.keys(GAPS) as readonly GapKind[];

export interface Gap {
  readonly kind: GapKind;
  /** What was not compared, how much of it, and why. */
  readonly cause: string;
  /** The ids of the results that are concerned, as in the report: `app.js: GET /`. */
  readonly ids: readonly string[];
  /** Whether the user allows this kind of gap. */
  readonly isAllowed: boolean;
}
