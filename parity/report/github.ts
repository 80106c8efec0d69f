/** Formats a report as annotations of GitHub Actions: one error for each request or scenario that fails. */
import type { Report } from '../judge/report';
import { printable } from './printable';
import { counted, explain, leftUntested, notes, summarise } from './terminal';

/**
 * Formats a report as workflow commands, such as `::error title=…::message`, and a line with the totals.
 *
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function toGithub(report: Report): string {
  const [baseline, candidate] = report.observers;
  const errors = report.verdicts
    .filter(({ state }) => state === 'different' || state === 'broken')
    .map((verdict) => {
      const [, ...lines] = explain(verdict, baseline?.name ?? '', candidate?.name ?? '', report);
      return command('error', `parity: ${verdict.entry.id}`, lines.join('\n').trim());
    });
  const unknown = report.unknown.map(({ divergence, scenario }) =>
    command(
      'error',
      'parity',
      `divergence "${divergence}" names a scenario that does not exist: ${scenario}`,
    ),
  );
  const untested = leftUntested(report);
  const warnings = notes(report).map((note) => command('warning', 'parity', note));
  return [
    ...errors,
    ...unknown,
    ...(untested === undefined ? [] : [command('error', 'parity', untested)]),
    ...warnings,
    `${summarise(report)}; ${counted(report)}`,
    '',
  ].join('\n');
}

function command(kind: 'error' | 'warning', title: string, message: string): string {
  const name = escapeProperty(title);
  return `::${kind} title=${name}::${escapeData(message)}`;
}

export function escapeData(text: string): string {
  return printable(text).replace(/%/g, '%25').replace(/\n/g, '%0A');
}

export function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
