/** One difference from Express or morgan that is meant. */

export interface Divergence {
  readonly id: string;
  readonly clauses: readonly string[];
  /** What an application sees: the document's behaviour, then Express's. */
  readonly differs: string;
  readonly why: string;
  /** The authority besides the document; then `clauses` name the subject. */
  readonly standard?: string;
  /** Id of a scenario → all places of `compare.ts` that differ there. */
  readonly scenarios: Readonly<Record<string, readonly string[]>>;
  /** How an undeclared difference is recognised: its place, and Express's value. */
  readonly sign?: {
    readonly place: RegExp;
    readonly wanted: RegExp;
    /** Whether this package's value follows from the divergence. */
    isCame(came: string, referer: string | undefined): boolean;
  };
}
