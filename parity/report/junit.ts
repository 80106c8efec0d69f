/** Formats a report as JUnit XML: a test suite for each section, a test case for each scenario or request. */
import type { Verdict } from '../judge/judge';
import type { Report } from '../judge/report';
import { visible } from './printable';
import { bySection, explain } from './terminal';

export function toJunit(report: Report): string {
  const { verdicts, failed, unknown, milliseconds, observers } = report;
  const names = observers.map(({ name }) => name);
  const stale = unknown.map(
    ({ divergence, scenario }) =>
      `    <testcase classname="divergences" name="${escapeXml(divergence)}"><failure message="${escapeXml(`declared for a scenario that does not exist: ${scenario}`)}"/></testcase>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="parity" tests="${verdicts.length + unknown.length}" failures="${failed}" time="${milliseconds / 1000}">`,
    ...[...bySection(verdicts)].map(([section, list]) => suite(section, list, names, report)),
    ...(stale.length > 0 ? [`  <testsuite name="divergences">\n${stale.join('\n')}\n  </testsuite>`] : []),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(
  section: string,
  verdicts: readonly Verdict[],
  names: readonly string[],
  report: Report,
): string {
  const errors = verdicts.filter(({ state }) => state === 'broken').length;
  const failures = verdicts.filter(({ state }) => state === 'different').length;
  const counts = `tests="${verdicts.length}" failures="${failures}" errors="${errors}"`;
  const cases = verdicts.map((verdict) => testcase(verdict, names, report));
  return [`  <testsuite name="${escapeXml(section)}" ${counts}>`, ...cases, '  </testsuite>'].join('\n');
}

function testcase(verdict: Verdict, [right = '', judged = '']: readonly string[], report: Report): string {
  const { entry, state, problem, differences } = verdict;
  const open = `    <testcase classname="${escapeXml(entry.section)}" name="${escapeXml(entry.scenario.name)}"`;
  const gap = report.gaps.find(({ isAllowed, ids }) => !isAllowed && ids.includes(entry.id));
  if (state === 'equal' || state === 'declared')
    return gap === undefined
      ? `${open}/>`
      : `${open}>\n      <skipped message="${escapeXml(`inconclusive: ${gap.cause}`)}"/>\n    </testcase>`;
  const kind = state === 'broken' ? 'error' : 'failure';
  const message = problem?.split('\n', 1)[0] ?? differences.map(({ place }) => place).join(', ');
  const text = escapeXml(explain(verdict, right, judged, report).join('\n').trim());
  return `${open}>\n      <${kind} message="${escapeXml(message)}">${text}</${kind}>\n    </testcase>`;
}

/** Escapes a text for XML. XML 1.0 does not allow most control characters, not even as references. */
function escapeXml(text: string): string {
  return visible(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}
