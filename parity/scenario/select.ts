/** Selects the scenarios to play. */
import type { Entry } from './catalogue';

export interface Selection {
  /**
   * The starts of section paths (`4-endpoints/4.5`, `4.5`), or sections of the specification (`F-4.5`). An empty list
   * selects all.
   */
  readonly section?: readonly string[];
  /** Ids of clauses or their starts up to a boundary: `F-4.5` matches `F-4.5-75`, `E4-B` matches `E4-B12`. */
  readonly clause?: readonly string[];
  readonly grep?: string | undefined;
  /** Ids of scenarios. */
  readonly only?: readonly string[];
}

export function selectEntries(
  entries: readonly Entry[],
  { section = [], clause = [], grep, only = [] }: Selection,
): Entry[] {
  return entries.filter(
    ({ id, section: path, scenario: { clauses } }) =>
      (only.length === 0 || only.includes(id)) &&
      (section.length === 0 || section.some((start) => isOfSection(path, clauses, start))) &&
      (clause.length === 0 || clauses.some((named) => clause.some((start) => isWithin(named, start)))) &&
      (grep === undefined || id.includes(grep)),
  );
}

function isOfSection(path: string, clauses: readonly string[], start: string): boolean {
  const file = path.split('/').at(-1) ?? '';
  return (
    path.startsWith(start) ||
    (/^\d/.test(start) && file.startsWith(`${start}-`)) ||
    (/^[FL]-/.test(start) && clauses.some((named) => isWithin(named, start)))
  );
}

function isWithin(id: string, start: string): boolean {
  const isArea = /^E4-[A-J]$/.test(start) && id.startsWith(start);
  return isArea || id === start || id.startsWith(`${start}-`) || id.startsWith(`${start}.`);
}
