/** A report as text for people, and as JSON for programs. */
import type { Difference } from '../judge/compare';
import { OF_5X, VARIES } from '../judge/divergences';
import type { Verdict } from '../judge/judge';
import type { Report } from '../parity';
import { clauseText, describePlace, recognise } from './explain';

export function formatReport(report: Report): string {
  const { verdicts, observers, unknown, seed } = report;
  const [right, judged] = observers;
  const parts = [
    ...sectionTotals(verdicts),
    ...verdicts.flatMap((verdict) => explain(verdict, right?.name ?? '', judged?.name ?? '')),
    ...unknown.map(
      ({ divergence, scenario }) =>
        `\ndivergence "${divergence}" names a scenario that does not exist: ${scenario}`,
    ),
  ];
  const versions = observers.map(({ name, description }) => `  ${name}: ${description}`);
  return [
    ...versions,
    ...(seed === undefined ? [] : [`  seed: ${seed}`]),
    '',
    ...parts,
    ...declaredOnes(report),
    ...(report.kind === 'application' && report.failed > 0 ? ['', ...onPurpose()] : []),
    '',
    summarise(report),
    `${report.passed} passed, ${report.failed} failed`,
    '',
  ].join('\n');
}

/** What was allowed to differ, and did, with its reason. */
function declaredOnes({ divergences, verdicts }: Report): string[] {
  const lines = divergences.flatMap(({ id, clauses, differs, why }) => {
    const shown = verdicts.filter(({ declared }) => declared.some(({ divergence }) => divergence === id));
    if (shown.length === 0) return [];
    return [
      `  ≈ ${id}${named(clauses)}, in ${shown.length} of them`,
      indent(`${differs}.\n${why}`, '      '),
    ];
  });
  return lines.length === 0 ? [] : ['', 'Different as declared:', ...lines];
}

/** How much was played, in one line. */
export function summarise({ kind, verdicts, exchanges, milliseconds }: Report): string {
  const excused = verdicts.filter(({ state }) => state === 'declared');
  const isVarying = ({ declared }: Verdict): boolean =>
    declared.every(({ divergence }) => divergence === VARIES);
  const varying = excused.filter(isVarying).length;
  const declared = excused.length - varying;
  const played =
    kind === 'scenarios'
      ? `${count(verdicts.length, 'scenario')}, ${count(exchanges, 'exchange')}`
      : count(exchanges, 'request');
  const notes = [
    ...(kind === 'application' ? [`${varying} ${varying === 1 ? 'varies' : 'vary'} with Express too`] : []),
    ...(kind === 'scenarios' || declared > 0
      ? [`${declared} ${declared === 1 ? 'differs' : 'differ'} as declared`]
      : []),
  ];
  return `${played} in ${(milliseconds / 1000).toFixed(1)} s; ${notes.join(', ')}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** Somebody's application may meet what is declared: here it has no name of a scenario. */
function onPurpose(): string[] {
  return ['What differs on purpose:', ...OF_5X.map(({ differs }) => `  ${differs}`)];
}

export function toJson(report: Report): string {
  const verdicts = report.verdicts.map(({ entry, seen: _seen, ...verdict }) => ({
    id: entry.id,
    section: entry.section,
    clauses: entry.scenario.clauses,
    ...verdict,
  }));
  return `${JSON.stringify({ ...report, verdicts }, null, 2)}\n`;
}

function sectionTotals(verdicts: readonly Verdict[]): string[] {
  const sections = bySection(verdicts);
  const width = Math.max(...[...sections.keys()].map((section) => section.length));
  return [...sections].map(([section, list]) => {
    const passed = list.filter(({ state }) => state === 'equal' || state === 'declared').length;
    const mark = passed === list.length ? ' ' : '✗';
    return `${mark} ${section.padEnd(width)}  ${passed}/${list.length}`;
  });
}

/** In the order in which the sections come. */
export function bySection(verdicts: readonly Verdict[]): Map<string, Verdict[]> {
  const sections = new Map<string, Verdict[]>();
  for (const verdict of verdicts) {
    const list = sections.get(verdict.entry.section);
    if (list) list.push(verdict);
    else sections.set(verdict.entry.section, [verdict]);
  }
  return sections;
}

/** The lines that tell what is wrong; none where nothing is. */
export function explain(verdict: Verdict, right: string, judged: string): string[] {
  const { entry, differences, stale, problem, state } = verdict;
  if (state === 'equal' || state === 'declared') return [];
  const { clauses } = entry.scenario;
  return [
    `\n✗ ${entry.id}${named(clauses)}`,
    ...clauses.flatMap((id) => {
      const text = clauseText(id);
      return text === undefined ? [] : [`    ${id}: ${text}`];
    }),
    ...(problem === undefined ? [] : [indent(problem, '    ')]),
    ...differences.map((difference, index) => {
      const meant = recognise(difference);
      const isSaid = differences.slice(0, index).some((one) => meant && recognise(one) === meant);
      const reason = isSaid ? 'as above' : `${meant?.differs}. ${meant?.why}`;
      const lines = formatDifference(difference, verdict, right, judged);
      return meant ? `${lines}\n      on purpose: ${reason}` : lines;
    }),
    ...stale.map(
      ({ place, divergence }) =>
        `    ${place}: equal, but divergence "${divergence}" declares a difference here`,
    ),
  ];
}

function named(clauses: readonly string[]): string {
  return clauses.length > 0 ? `  [${clauses.join(' ')}]` : '';
}

function formatDifference(difference: Difference, verdict: Verdict, right: string, judged: string): string {
  const { place, wanted, came } = difference;
  const width = Math.max(right.length, judged.length);
  const side = (name: string, value: string): string => {
    const shown = value.length > 2000 ? `${value.slice(0, 2000)} … (${value.length} characters)` : value;
    return `      ${name.padEnd(width)}  ${indent(shown, ' '.repeat(width + 8)).trimStart()}`;
  };
  return [`    ${place}: ${describePlace(place, verdict)}`, side(right, wanted), side(judged, came)].join(
    '\n',
  );
}

function indent(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => by + line)
    .join('\n');
}
