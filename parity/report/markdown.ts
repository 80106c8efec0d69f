/** Formats a report as Markdown, for the summary of a workflow and for a comment on a pull request. */
import type { Report } from '../judge/report';
import { Causes } from './causes';
import { visible } from './printable';
import { counted, explain, gain, leftUntested, notes, summarise } from './terminal';

/** The first line, by which a workflow finds its comment again. */
const MARK = '<!-- nozomi-parity -->';
/** GitHub accepts comments of 65,536 characters. */
const MAX_COMMENT_LENGTH = 50_000;

export function toMarkdown(report: Report): string {
  const { failed, observers, verdicts } = report;
  const [baseline, candidate] = observers.map(({ description }) => description);
  const untested = leftUntested(report);
  const causes = new Causes(verdicts);
  const names = observers.map(({ name }) => name);
  const lines = verdicts.flatMap((one) => explain(one, names[0] ?? '', names[1] ?? '', report, causes));
  const text = visible(lines.join('\n').trim());
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const shown = text.length > MAX_COMMENT_LENGTH ? `${text.slice(0, MAX_COMMENT_LENGTH)}\n…` : text;
  const facts = [
    summarise(report),
    ...gain(report),
    ...notes(report),
    ...(untested === undefined ? [] : [untested]),
  ];
  return [
    MARK,
    `### ${failed === 0 && untested === undefined ? '✅' : '❌'} ${baseline} → ${candidate}: ${counted(report)}`,
    '',
    ...facts.map((fact) => `- ${visible(fact).replace(/[\\<>|`*_[\]]/g, '\\$&')}`),
    ...(shown === ''
      ? []
      : ['', '<details open><summary>Differences</summary>', '', fence, shown, fence, '', '</details>']),
    '',
  ].join('\n');
}
