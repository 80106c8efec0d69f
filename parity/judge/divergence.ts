/** An intended difference from Express or morgan. */

export interface Divergence {
  readonly id: string;
  readonly clauses: readonly string[];
  /** The difference as an application sees it: the behaviour of this package, then that of Express. */
  readonly differs: string;
  readonly why: string;
  /** The standard that justifies it, in addition to the specification. */
  readonly standard?: string;
  /** For each scenario id, the places (see `compare.ts`) that differ. */
  readonly scenarios: Readonly<Record<string, readonly string[]>>;
  /** How to recognise this difference where it is not declared: by its place and the value of Express. */
  readonly sign?: {
    readonly place: RegExp;
    readonly wanted: RegExp;
    /** Whether the value of this package follows from the divergence. */
    isCame(came: string, referer: string | undefined): boolean;
  };
}
