/** An intended difference between a baseline and a candidate, such as between Express and this package. */

export interface Divergence {
  readonly id: string;
  readonly clauses: readonly string[];
  /** A sentence: the behaviour of this package, then the behaviour of Express. */
  readonly differs: string;
  readonly why: string;
  /** A source that justifies the difference: an RFC, or a link to a page in docs. */
  readonly standard?: string;
  /** The places that differ, by scenario id: `{ "4-endpoints/4.5-redirect: …": ["1.body"] }`. See `compare.ts`. */
  readonly scenarios: Readonly<Record<string, readonly string[]>>;
  /** Allows the difference in every request of an application whose values it matches. */
  readonly match?: Matcher;
  /** Whether the difference may also be missing, as a value that varies does; default false. */
  readonly isOptional?: boolean;
  /** Recognises the difference in the report of an application, by its place and by both values. */
  readonly sign?: {
    readonly place: RegExp;
    readonly wanted: RegExp;
    /** Whether the divergence explains the value of this package. `referer` is the Referer of the request. */
    isCame(came: string, referer: string | undefined): boolean;
  };
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
