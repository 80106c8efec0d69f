/** Formats a report as text, and as JSON. */
import { CONNECTIONS } from '../client/load';
import { VARIES } from '../divergences';
import type { Difference } from '../judge/compare';
import { excerpt } from '../judge/excerpt';
import { tally } from '../judge/gaps';
import type { Verdict } from '../judge/judge';
import { OUTPUT, type Report, type Timing } from '../judge/report';
import { Causes } from './causes';
import { clauseText, describePlace, explainMove, nameOfPlace, recognise } from './explain';
import { differingLines } from './lines';
import { printable, printableJson } from './printable';

export function formatReport(report: Report): string {
  const { verdicts, observers, unknown, seed } = report;
  const [right, judged] = observers;
  const causes = new Causes(verdicts);
  const parts = [
    ...(report.kind === 'scenarios' ? sectionTotals(verdicts) : []),
    ...verdicts.flatMap((verdict) => explain(verdict, right?.name ?? '', judged?.name ?? '', report, causes)),
    ...unknown.map(
      ({ divergence, scenario }) =>
        `\ndivergence "${divergence}" names a scenario that does not exist: ${scenario}`,
    ),
  ];
  const untested = leftUntested(report);
  const versions = observers.map(({ name, description }) => `  ${name}: ${description}`);
  const lines = [
    ...versions,
    ...(seed === undefined ? [] : [`  seed: ${seed}`]),
    '',
    ...parts,
    ...declaredOnes(report),
    '',
    ...notes(report),
    summarise(report),
    ...gain(report),
    ...gainByPath(report),
    ...(untested === undefined ? [] : [untested]),
    counted(report),
    '',
  ];
  return printable(lines.join('\n'));
}

/** Returns lines for the declared differences that occurred, with their reasons. */
function declaredOnes({ kind, divergences, verdicts }: Report): string[] {
  const lines = divergences.flatMap(({ id, clauses, differs, why }) => {
    const shown = verdicts.filter(({ declared }) => declared.some(({ divergence }) => divergence === id));
    if (shown.length === 0) return [];
    return [
      `  ≈ ${id}${named(clauses)}, in ${count(shown.length, kind === 'scenarios' ? 'scenario' : 'request')}`,
      indent(`${differs}.\n${why}`, '      '),
    ];
  });
  return lines.length === 0 ? [] : ['', 'Different as declared:', ...lines];
}

/**
 * Returns the totals in one line:
 * `6 requests and what the application writes, in 2.1 s; equal but for values that vary: X-Request-Id (6)`.
 */
export function summarise({ kind, verdicts, exchanges, milliseconds }: Report): string {
  const excused = verdicts.filter(({ state }) => state === 'declared');
  const isVarying = ({ declared }: Verdict): boolean =>
    declared.every(({ divergence }) => divergence === VARIES);
  const declared = excused.filter((verdict) => !isVarying(verdict)).length;
  const hasOutput = kind === 'application' && verdicts.some(({ entry }) => entry.scenario.name === OUTPUT);
  const played =
    kind === 'scenarios'
      ? `${count(verdicts.length, 'scenario')}, ${count(exchanges, 'exchange')}`
      : count(exchanges, 'request') + (hasOutput ? ' and what the application writes,' : '');
  const notes = [
    ...(kind === 'application' ? varyingIn(verdicts) : []),
    ...(kind === 'scenarios' || declared > 0
      ? [`${declared} ${declared === 1 ? 'differs' : 'differ'} as declared`]
      : []),
  ];
  return [`${played} in ${(milliseconds / 1000).toFixed(1)} s`, ...notes].join('; ');
}

/** Names the values that vary with Express, too, each with the number of its requests. */
function varyingIn(verdicts: readonly Verdict[]): string[] {
  const names = verdicts.flatMap((verdict) => [
    ...new Set(
      verdict.declared
        .filter(({ divergence }) => divergence === VARIES)
        .map(({ place }) => nameOfPlace(place, verdict)),
    ),
  ]);
  return names.length === 0 ? [] : [`equal but for values that vary with Express too: ${tally(names)}`];
}

/** Returns the verdict with the CPU time: `equal on 214 requests; CPU per request: 412 → 245 µs, −41 % (A/A ±2 %)`. */
export function gain({ timing, exchanges }: Report): string[] {
  if (!timing) return [];
  const { baseline, candidate } = timing;
  return [
    `equal on ${count(exchanges, 'request')}; CPU per request: ${times(baseline, candidate)}, ${change(timing)}`,
  ];
}

/** Returns lines with the CPU time and the latency of the slowest paths, and names the requests that were not measured. */
export function gainByPath({ timing }: Report): string[] {
  if (!timing) return [];
  const { paths, left } = timing;
  const sorted = paths.toSorted((one, other) => other.baseline - one.baseline);
  const [shown, rest] = [sorted.slice(0, MAX_ROUTES_SHOWN), sorted.length - MAX_ROUTES_SHOWN];
  return [
    `CPU per request by path, and latency with ${CONNECTIONS} connections:`,
    ...shown.map((path) => {
      const { what, baseline, candidate, latencies } = path;
      return `  ${what}: ${times(baseline, candidate)}, ${change(path)}; latency ${times(...latencies)}`;
    }),
    ...(rest > 0 ? [`  and ${count(rest, 'faster path')}`] : []),
    ...(left.length > 0
      ? [`not measured: ${left.map(({ what, why }) => `${what} (${why})`).join(', ')}`]
      : []),
  ];
}

function times(before = 0, after = 0): string {
  return `${Math.round(before)} → ${Math.round(after)} µs`;
}

/** Returns the change in percent, and that of the control as its error: `−41 % (A/A ±2 %)`. */
function change({
  baseline,
  candidate,
  control,
}: Pick<Timing, 'baseline' | 'candidate' | 'control'>): string {
  const percent = Math.round((candidate / baseline - 1) * 100);
  const error = Math.max(1, Math.round(Math.abs(control / baseline - 1) * 100));
  return `${percent < 0 ? `−${-percent}` : `+${percent}`} % (A/A ±${error} %)`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** Paths shown at most. JSON has all. */
const MAX_ROUTES_SHOWN = 10;

/** Returns what a reader must know beside the results: accidents of runs, and what was not compared, with its cause. */
export function notes({ recording, gaps, remarks = [] }: Report): string[] {
  const { name = '', deviations = [] } = recording ?? {};
  const masked = deviations.filter(({ lacksSecrets }) => lacksSecrets).map(({ id }) => id);
  return [
    ...remarks,
    ...gaps.map(({ kind, cause, isAllowed }) => `${cause}${isAllowed ? '' : ` (--allow-${kind})`}`),
    ...(masked.length === 0
      ? []
      : [
          `${name}: ${masked.join(', ')} ${masked.length === 1 ? 'was' : 'were'} sent with masked values; record with --keep-secrets to replay a login`,
        ]),
  ];
}

/** Returns why a run proves nothing: it compared nothing, or not everything. Undefined otherwise. */
export function leftUntested({ recording, gaps }: Report): string | undefined {
  if (!recording) return undefined;
  const { name, recorded, deviations, answered } = recording;
  if (answered === 0) return 'nothing was tested: the application responded to no request';
  const others = deviations.filter((one) => one.recorded !== undefined);
  if (recorded > 0 && others.length === recorded && others.every((one) => one.status !== one.recorded))
    return `nothing was tested: no response has the status that ${name} recorded`;
  const options = gaps.filter(({ isAllowed }) => !isAllowed).map(({ kind }) => `--allow-${kind}`);
  if (options.length === 0) return undefined;
  return `inconclusive: not everything was compared, for the reasons above; allow them with ${options.join(' ')}`;
}

/** Returns the last line: `7 passed, 0 failed`. */
export function counted({ passed, failed, inconclusive }: Report): string {
  return `${passed} passed, ${failed} failed${inconclusive > 0 ? `, ${inconclusive} inconclusive` : ''}`;
}

export function toJson(report: Report): string {
  const cut = <T extends Difference>(difference: T): T => {
    const [expected, actual] = excerpt(difference.expected, difference.actual);
    return { ...difference, expected, actual };
  };
  const verdicts = report.verdicts.map(({ entry, seen: _seen, ...verdict }) => ({
    id: entry.id,
    section: entry.section,
    clauses: entry.scenario.clauses,
    ...verdict,
    differences: verdict.differences.map(cut),
    declared: verdict.declared.map(cut),
  }));
  return printableJson(`${JSON.stringify({ ...report, verdicts }, null, 2)}\n`);
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

/** Groups results by section, in the order of the report. */
export function bySection(verdicts: readonly Verdict[]): Map<string, Verdict[]> {
  const sections = new Map<string, Verdict[]>();
  for (const verdict of verdicts) {
    const list = sections.get(verdict.entry.section);
    if (list) list.push(verdict);
    else sections.set(verdict.entry.section, [verdict]);
  }
  return sections;
}

/**
 * Returns the lines that explain a failure; none for a result that passed.
 *
 * @param causes If given, a difference of an earlier request is left out, and with it a request without another one.
 */
export function explain(
  verdict: Verdict,
  right: string,
  judged: string,
  { ofBuild, isMove }: Pick<Report, 'ofBuild' | 'isMove'>,
  causes?: Causes,
): string[] {
  const { entry, stale, problem, state } = verdict;
  if (state === 'equal' || state === 'declared') return [];
  const differences = verdict.differences.filter((one) => !causes?.isKnown(one, verdict));
  if (differences.length + stale.length === 0 && problem === undefined) return [];
  const { clauses } = entry.scenario;
  return [
    `\n✗ ${entry.id}${entry.number === undefined ? '' : `  (request ${entry.number})`}${named(clauses)}`,
    ...clauses.flatMap((id) => {
      const text = clauseText(id);
      return text === undefined ? [] : [`    ${id}: ${text}`];
    }),
    ...sentIn(verdict),
    ...(problem === undefined ? [] : [indent(problem, '    ')]),
    ...(problem !== undefined && isMove
      ? explainMove({ place: 'lost', expected: '', actual: problem }, verdict).map((line) => `      ${line}`)
      : []),
    ...differences.map((difference, index) => {
      const meant = ofBuild ? recognise(difference, verdict) : undefined;
      const isSaid = differences.slice(0, index).some((one) => meant && recognise(one, verdict) === meant);
      const reason = isSaid ? 'as above' : `${meant?.differs}. ${meant?.why}`;
      const others = causes?.others(difference) ?? [];
      const lines = [
        formatDifference(difference, verdict, right, judged),
        ...(others.length === 0
          ? []
          : [`      the same in ${count(others.length, 'other')}: ${namesOf(others)}`]),
      ].join('\n');
      const moved = isMove ? explainMove(difference, verdict) : [];
      const isNew = !differences
        .slice(0, index)
        .some((one) => String(explainMove(one, verdict)) === String(moved));
      if (moved.length > 0) return isNew ? [lines, ...moved.map((one) => `      ${one}`)].join('\n') : lines;
      return meant ? `${lines}\n      on purpose: ${reason}` : lines;
    }),
    ...stale.map(
      ({ place, divergence }) =>
        `    ${place}: equal, but divergence "${divergence}" declares a difference here`,
    ),
  ];
}

/** Returns a line for a target that was sent in place of the recorded one. */
function sentIn({ seen: [, { exchanges }] }: Verdict): string[] {
  const [exchange] = exchanges;
  const target = exchange?.sent?.target;
  return target === undefined || target === exchange?.request.target
    ? []
    : [`    sent: ${exchange?.request.method} ${target}`];
}

function named(clauses: readonly string[]): string {
  return clauses.length > 0 ? `  [${clauses.join(' ')}]` : '';
}

/** Names the first requests. */
function namesOf(verdicts: readonly Verdict[]): string {
  const names = verdicts.slice(0, 4).map(({ entry }) => entry.scenario.name);
  return [...names, ...(verdicts.length > names.length ? ['…'] : [])].join(', ');
}

function formatDifference(difference: Difference, verdict: Verdict, right: string, judged: string): string {
  const { place, expected, actual } = difference;
  const width = Math.max(right.length, judged.length);
  const lines = place.endsWith('.body') ? differingLines(expected, actual) : undefined;
  if (lines)
    return [
      `    ${place}: ${describePlace(place, verdict)}, − ${right}, + ${judged}`,
      ...lines.map((line) => `      ${line}`),
    ].join('\n');
  const [left, other] = excerpt(expected, actual);
  const side = (name: string, value: string): string =>
    `      ${name.padEnd(width)}  ${indent(value, ' '.repeat(width + 8)).trimStart()}`;
  return [`    ${place}: ${describePlace(place, verdict)}`, side(right, left), side(judged, other)].join(
    '\n',
  );
}

function indent(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => by + line)
    .join('\n');
}
