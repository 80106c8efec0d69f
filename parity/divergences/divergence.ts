/** The entries of the registry: what differs and why, and where and how the difference shows. */
import type { Exchange } from '../client/messages';
import type { Transport } from '../transports/transport';

/** An intended difference between a baseline and a candidate, such as between Express and this package. */
interface Declared {
  readonly id: string;
  /** A sentence: the behaviour of this package, then the behaviour of Express, or of `app.listen` over HTTP/1.1. */
  readonly differs: string;
  readonly why: string;
}

export interface Divergence extends Declared {
  readonly clauses: readonly string[];
  /** A source that justifies the difference: an RFC, or a link to a page in docs. */
  readonly standard?: string;
  /** The places that differ, by scenario id: `{ "4-endpoints/4.5-redirect: …": ["1.body"] }`. See `compare.ts`. */
  readonly scenarios: Readonly<Record<string, readonly string[]>>;
  /** The only values that are allowed, by scenario id and place; default: any. `--accept` writes them. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, AcceptedValue>>>>;
  /** Allows the difference in every request of an application whose values it matches. */
  readonly match?: Matcher;
  /** Whether the difference may also be missing, as a value that varies does; default false. */
  readonly isOptional?: boolean;
  /** Recognises the difference in the report of an application, by its place and by both values. */
  readonly sign?: {
    readonly place: RegExp;
    readonly expected: RegExp;
    /** Whether the divergence explains the value of this package. `referer` is the Referer of the request. */
    isActual(actual: string, referer: string | undefined): boolean;
  };
}

/** The two values of an accepted difference. */
export interface AcceptedValue {
  /** The value of the baseline without secrets and cut, for the review; `actual` is that of the candidate. */
  readonly expected: string;
  readonly actual: string;
  /** Identifies the complete values. */
  readonly digest: string;
}

/** A rule for the values of a header, or of a member of JSON. */
export interface Matcher {
  /** The name of a header: both values must match `pattern`. */
  readonly header?: string;
  /** A path into a JSON body: `user.id`, `items[].at` for each element, `tags`; `''` for the whole body. */
  readonly json?: string;
  /** A regular expression that both values must match. */
  readonly pattern?: string;
  /** How far two numbers, or two dates in milliseconds, may be apart. */
  readonly tolerance?: number;
  /** Whether the elements of a list may have any order. */
  readonly unordered?: boolean;
}

/** A difference between a transport and `app.listen` over HTTP/1.1, by scenario; shown in docs/transports.md. */
export interface TransportDivergence extends Declared {
  readonly transports: readonly Transport[];
  /**
   * Ids of scenarios in which the difference must occur, otherwise the run fails. An id that ends with `*` matches
   * several scenarios, in which the difference may occur.
   */
  readonly scenarios: readonly string[];
  /** Matches the places of an observation that may differ, see `compare.ts`. */
  readonly places: RegExp;
}

/** A difference from Express that only a circumstance shows, by scenario. */
export interface CircumstanceDivergence extends Declared {
  readonly circumstances: readonly string[];
  /** Complete ids of scenarios. The difference must occur in each, otherwise the run fails. */
  readonly scenarios: readonly string[];
  /** Matches the places of an observation that may differ, see `compare.ts`. */
  readonly places: RegExp;
}

/** A difference that a transport can cause in any scenario; shown in docs/transports.md. */
export interface Fold extends Declared {
  readonly transports: readonly Transport[];
  /** Returns a request and its response without the difference. */
  readonly exchange?: (exchange: Exchange) => Exchange;
  /**
   * Returns a line of the log, standard output or standard error without the difference; undefined for a line that is
   * not written over HTTP/1.1.
   */
  readonly line?: (line: string) => string | undefined;
}

/** A difference of a runtime other than Node.js; shown in docs/runtimes.md. */
export interface RuntimeDivergence extends TransportDivergence {
  /** The names in the table of docs/runtimes.md. */
  readonly runtimes: ReadonlyArray<'Bun' | 'Deno' | 'workerd'>;
}

/** How random applications show a difference: `npm run check -- fuzz` does not report it. */
export interface ProgramDivergence {
  /** The id of a `Divergence`, which explains the difference; or another name, with `why`. */
  readonly id: string;
  readonly why?: string;
  /** The versions of Express with this difference; default 5 only. */
  readonly series?: ReadonlyArray<3 | 4 | 5>;
  /**
   * Matches the beginning of events. If Express has more of them than this build, or one where the runs begin to differ
   * that this build has not or logs, the runs are not compared.
   */
  readonly fails?: RegExp;
  /** Matches the text to ignore in received data and in events. */
  readonly hides?: RegExp;
  /** Matches the JSON of an application: with `hides`, only in these; without, these are not compared at all. */
  readonly matches?: RegExp;
}

/** Returns the places that differ if a body differs: the body, its Content-Length and its ETag. */
export function responsePlaces(exchange: number): string[] {
  return [`${exchange}.body`, `${exchange}.headers.content-length`, `${exchange}.headers.etag`];
}
