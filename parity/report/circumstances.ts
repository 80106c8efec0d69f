/** Formats the results of scenarios under circumstances. */
import { CIRCUMSTANCES } from '../circumstances';
import type { Report } from '../judge/report';
import type { Entry } from '../scenario/catalogue';
import { formatReport } from './terminal';

/** The results of the scenarios under one circumstance. */
export interface Surrounded {
  readonly circumstance: string;
  readonly report: Report;
  /** The scenarios in which Express fails under the circumstance, with the reasons. They are not in the report. */
  readonly failing: ReadonlyMap<Entry, string>;
  /** The number of scenarios that were not played, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
}

const COLUMNS = [
  'circumstance         ',
  'scenarios',
  'exchanges',
  'equal',
  'as declared',
  'Express fails',
  'different',
];

export function formatCircumstances(results: readonly Surrounded[]): string {
  const rows = results.map(({ circumstance, failing, report: { verdicts, exchanges, failed } }) => {
    const equal = verdicts.filter(({ state }) => state === 'equal').length;
    const declared = verdicts.filter(({ state }) => state === 'declared').length;
    const played = verdicts.length + failing.size;
    return [circumstance, played, exchanges, equal, declared, failing.size, failed].map(String);
  });
  const wrong = results.filter(({ report }) => report.failed > 0).map(({ report }) => formatReport(report));
  const failures = results.flatMap(({ circumstance, failing }) =>
    counted(failing.values()).map(([reason, count]) => `  ${circumstance}: ${count} times, ${reason}`),
  );
  const left = results.flatMap(({ circumstance, skipped }) =>
    [...skipped].sort().map(([reason, count]) => `  ${circumstance}: ${count} with ${reason}`),
  );
  const sum = (of: 'passed' | 'failed'): number => results.reduce((all, { report }) => all + report[of], 0);
  return [
    ...wrong,
    ...results.map(({ circumstance }) => `${circumstance}: ${CIRCUMSTANCES[circumstance]?.what}`),
    '',
    ...[COLUMNS, ...rows].map((row) => row.map((cell, i) => cell.padEnd(COLUMNS[i]?.length ?? 0)).join('  ')),
    '',
    ...(failures.length > 0 ? ['Express fails:', ...failures, ''] : []),
    ...(left.length > 0 ? ['Not played:', ...left, ''] : []),
    `${sum('passed')} passed, ${sum('failed')} failed`,
    '',
  ].join('\n');
}

function counted(values: Iterable<string>): Array<[string, number]> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort();
}
