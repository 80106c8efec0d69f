/** Selects the scenarios to play. */
import type { Entry } from './catalogue';

export interface Selection {
  /**
   * Beginnings of section paths (`4-endpoints/4.5`), section numbers (`4.5`), or beginnings of clause ids (`F-4.5`). An
   * empty list selects all.
   */
  readonly section?: readonly string[];
  /** Clause ids or their beginnings: `F-4.5` selects `F-4.5-75`, `E4-B` selects `E4-B12`. An empty list selects all. */
  readonly clause?: readonly string[];
  /** Text that the id of the scenario must contain. */
  readonly grep?: string | undefined;
  /** Complete ids of scenarios. An empty list selects all. */
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
