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
  /** Recognises the difference in the report of an application, by its place and by both values. */
  readonly sign?: {
    readonly place: RegExp;
    readonly wanted: RegExp;
    /** Whether the divergence explains the value of this package. `referer` is the Referer of the request. */
    isCame(came: string, referer: string | undefined): boolean;
  };
}
