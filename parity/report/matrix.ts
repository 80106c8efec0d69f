/** Formats the results of scenarios over several transports. */
import type { Report } from '../judge/report';
import type { Transport } from '../transports/transport';
import { formatReport } from './terminal';

export interface Played {
  readonly transport: Transport;
  readonly report: Report;
  /** The number of scenarios that were not played, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
}

const COLUMNS = ['transport', 'scenarios', 'exchanges', 'equal', 'as declared', 'different'] as const;

export function formatMatrix(reports: readonly Played[]): string {
  const rows = reports.map(({ transport, report: { verdicts, exchanges, failed } }) => {
    const equal = verdicts.filter(({ state }) => state === 'equal').length;
    const declared = verdicts.filter(({ state }) => state === 'declared').length;
    return [transport, verdicts.length, exchanges, equal, declared, failed].map(String);
  });
  const wrong = reports.filter(({ report }) => report.failed > 0).map(({ report }) => formatReport(report));
  const sum = (of: 'passed' | 'failed'): number => reports.reduce((all, { report }) => all + report[of], 0);
  const left = reports.flatMap(({ transport, skipped }) =>
    [...skipped].sort().map(([reason, count]) => `  ${transport}: ${count} with ${reason}`),
  );
  return [
    ...wrong,
    ...[[...COLUMNS], ...rows].map((row) =>
      row.map((cell, i) => cell.padEnd(COLUMNS[i]?.length ?? 0)).join('  '),
    ),
    '',
    ...(left.length > 0 ? ['Not played:', ...left, ''] : []),
    `${sum('passed')} passed, ${sum('failed')} failed`,
    '',
  ].join('\n');
}
