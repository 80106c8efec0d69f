/**
 * Where this build is meant to differ from the reference: it follows the document, `follow: "document"` in
 * `spec/clauses.json`. Nothing else may differ, and what stands here must really differ.
 */
export interface Divergence {
  readonly id: string;
  readonly clauses: readonly string[];
  /** What a program sees: the document's way, then the reference's. */
  readonly differs: string;
  readonly why: string;
  /** Id of a scenario → the places of `compare.ts` that differ there, all of them. */
  readonly scenarios: Readonly<Record<string, readonly string[]>>;
}

export const DIVERGENCES: readonly Divergence[] = [
  {
    id: 'back',
    clauses: ['F-4.5-46', 'F-4.5-47', 'F-4.5-56', 'F-4.5-57'],
    differs: '`back` in res.location() and res.redirect() is the Referer, or `/`; the reference sends `back`',
    why: 'An explicit, repeated promise of the document; a sibling called `back` is reached by `./back`.',
    scenarios: {},
  },
];
