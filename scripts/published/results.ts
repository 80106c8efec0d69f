/** Keeps the results of runs in spec/ecosystem/results.json, from which `page.ts` generates docs/compatibility.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../document';
import type { Series } from '../ecosystem/cases';

/** A run whose results are kept: the arguments of `npm run check`. */
export type Run =
  | `${'ecosystem' | 'applications'} --series ${Series}`
  | 'ecosystem --http2'
  | 'applications --recorded'
  | 'runners';

export interface Result {
  /** What was compared, with exact versions: `helmet@8.3.0`. */
  readonly packages: readonly string[];
  /** The version of Express that it was compared with. */
  readonly express: string;
  /** What was run, if only the run knows it: `14 requests`. */
  readonly played?: string;
  /** `same`, or what differs and why. */
  readonly outcome: string;
  /** The version of Node.js that ran it; default that of this process. */
  readonly node?: string;
}

/** A result with the circumstances of its run. */
export type Kept = Required<Omit<Result, 'played'>> & Pick<Result, 'played'> & { readonly date: string };

type Results = Partial<Record<Run, Record<string, Kept>>>;

const file = join(__dirname, '..', '..', 'spec', 'ecosystem', 'results.json');

/** @returns Results by name of the case or application. */
export function readResults(run: Run): Readonly<Record<string, Kept>> {
  return readAll()[run] ?? {};
}

/**
 * Replaces the results of some cases or applications, with the date of today.
 *
 * @param names All cases or applications of the run; the results of others are removed.
 */
export function keepResults(
  run: Run,
  results: Readonly<Record<string, Result>>,
  names: readonly string[],
): void {
  const all = readAll();
  const [date = ''] = new Date().toISOString().split('T');
  const kept = new Map(Object.entries(all[run] ?? {}));
  for (const [name, result] of Object.entries(results))
    kept.set(name, { node: process.versions.node, ...result, date });
  all[run] = Object.fromEntries(
    names.flatMap((name) => {
      const result = kept.get(name);
      return result ? [[name, result]] : [];
    }),
  );
  writeFileSync(file, `${JSON.stringify(all, null, 1)}\n`);
}

function readAll(): Results {
  return JSON.parse(readIfThere(file) ?? '{}');
}
