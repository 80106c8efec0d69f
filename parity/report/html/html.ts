/** Formats a report as one HTML page that loads no other file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import escapeHtml from 'escape-html';
import type { Exchange } from '../../client/messages';
import { bytesOf } from '../../client/request';
import { VARIES } from '../../divergences';
import { OF_5X } from '../../divergences/express5';
import type { Observation } from '../../implementations/protocol';
import { toPlaces } from '../../judge/compare';
import { excerpt } from '../../judge/excerpt';
import type { Verdict } from '../../judge/judge';
import type { Report } from '../../judge/report';
import { clauseText, nameOfPlace } from '../explain';
import { visible } from '../printable';
import { bySection, leftUntested, notes, summarise } from '../terminal';
import { formatPlaces } from './places';
import { rawDiff, rawText } from './raw-diff';
import { code, slug } from './text';

type Names = readonly [right: string, judged: string];

const STATES = ['different', 'broken', 'declared', 'equal'] as const;
/** Requests and bodies of at most this many characters are shown whole. */
const SHOWN = 4000;

export interface PageOptions {
  /** The SVG elements for the section on performance. */
  readonly charts?: readonly string[];
}

export function toHtml(report: Report, { charts = [] }: PageOptions = {}): string {
  const { verdicts, failed, observers, unknown, seed } = report;
  const good = failed === 0 && leftUntested(report) === undefined;
  const headline =
    failed > 0
      ? `${failed} of ${verdicts.length} differ`
      : good
        ? 'No undeclared difference'
        : 'Inconclusive';
  const versions = observers
    .map(({ name, description }) => `<span><b>${escapeHtml(name)}</b> ${escapeHtml(description)}</span>`)
    .join('<span class="against">against</span>');
  const names = [labelOf(observers[0]?.name), labelOf(observers[1]?.name)] as const;
  const page = fill(readAsset('page.html'), {
    style: readAsset('page.css'),
    script: readAsset('page.js'),
    title: escapeHtml(headline.toLowerCase()),
    state: good ? 'good' : 'bad',
    headline: escapeHtml(headline),
    versions,
    notes: [...notes(report), leftUntested(report)]
      .filter((note) => note !== undefined)
      .map((note) => `<p class="note">${escapeHtml(note)}</p>`)
      .join(''),
    summary: escapeHtml(summarise(report)) + (seed === undefined ? '' : ` · seed ${seed}`),
    contents: contents(report, charts),
    totals: totals(report),
    filters: filters(report),
    unknown: unknown
      .map(
        ({ divergence, scenario }) =>
          `<p class="problem">Divergence <b>${escapeHtml(divergence)}</b> names a scenario that does not exist: ${escapeHtml(scenario)}</p>`,
      )
      .join(''),
    sections: [...bySection(verdicts)]
      .map(([section, list]) => formatSection(section, list, names, report))
      .join('\n'),
    divergences: divergences(report),
    performance: performance(charts),
  });
  // Ids and names come from requests and responses, too.
  return visible(page);
}

/** Reads a file of this folder, which the build copies to dist/. */
function readAsset(name: string): string {
  return readFileSync(join(__dirname, name), 'utf8');
}

/** Replaces each `{{name}}` of a template with the part of that name, or with nothing if there is no such part. */
function fill(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => parts[name] ?? '');
}

/** Returns the short name of an implementation: `express` for `../lib/express+morgan`. */
function labelOf(name = ''): string {
  const [first = ''] = name.split('+');
  return first.split('/').at(-1) || name;
}

/** Formats the links at the top of the page. */
function contents({ verdicts }: Report, charts: readonly string[]): string {
  const first = verdicts.find(({ state }) => state === 'different' || state === 'broken');
  const links = [
    ...(first ? [`<a class="first" href="#${slug(first.entry.id)}">The first difference</a>`] : []),
    '<a href="#divergences">What differs on purpose</a>',
    ...(charts.length > 0 ? ['<a href="#performance">Performance</a>'] : []),
  ];
  return `<nav class="contents" aria-label="Page">${links.join('')}</nav>`;
}

/** Formats a row for each section, with the results of its scenarios as a bar. */
function totals({ kind, verdicts }: Report): string {
  const sections = bySection(verdicts);
  if (kind === 'application' && sections.size === 1) return '';
  const rows = [...sections].map(([section, list]) => {
    const counts = STATES.map((state) => [state, countOf(list, state)] as const).filter(
      ([, count]) => count > 0,
    );
    const bar = counts.map(([state, count]) => `<i class="${state}" style="flex:${count}"></i>`).join('');
    const words = counts.map(([state, count]) => `${count} ${wordFor(state, list)}`).join(', ');
    return `<a href="#${slug(section)}"><span>${escapeHtml(section)}</span><span class="bar" aria-hidden="true">${bar}</span><span class="count">${words}</span></a>`;
  });
  const count = `${rows.length} ${rows.length === 1 ? 'section' : 'sections'}`;
  return `<details class="sections" open><summary><h2>${count}</h2></summary><nav class="totals" aria-label="Sections">${rows.join('\n')}</nav></details>`;
}

function filters({ kind, verdicts }: Report): string {
  const sections = [...bySection(verdicts).keys()];
  const states = STATES.map((state) => {
    const count = countOf(verdicts, state);
    return `<button type="button" data-state="${state}" aria-pressed="false"${count === 0 ? ' disabled' : ''}>${wordFor(state, verdicts)} <b>${count}</b></button>`;
  });
  return `<form class="filters" role="search">
<input type="search" name="text" placeholder="Text, clause, header …  ( / )" aria-label="Text" autocomplete="off">
<select name="section" aria-label="Section"${kind === 'application' && sections.length === 1 ? ' hidden' : ''}><option value="">All sections</option>${sections.map((section) => `<option>${escapeHtml(section)}</option>`).join('')}</select>
<span class="states" role="group" aria-label="State">${states.join('')}</span>
<output aria-live="polite"></output>
</form>`;
}

function formatSection(section: string, verdicts: readonly Verdict[], names: Names, report: Report): string {
  return `<section id="${slug(section)}" data-section="${escapeHtml(section)}">
<h2>${escapeHtml(section)} <a class="anchor" href="#${slug(section)}" aria-label="Link to this section">#</a></h2>
${inOrder(verdicts, report)
  .map((verdict) => formatVerdict(verdict, names, report))
  .join('\n')}
</section>`;
}

/** Of an application, the requests that differ come first. */
function inOrder(verdicts: readonly Verdict[], { kind }: Report): readonly Verdict[] {
  if (kind === 'scenarios') return verdicts;
  return verdicts.toSorted((one, other) => Number(isBad(other)) - Number(isBad(one)));
}

function isBad({ state }: Verdict): boolean {
  return state === 'different' || state === 'broken';
}

function formatVerdict(verdict: Verdict, names: Names, report: Report): string {
  const { entry, state, problem } = verdict;
  const { name, clauses } = entry.scenario;
  const [places, seen] = [
    formatPlaces(verdict, names, report),
    problem === undefined ? formatSeen(verdict.seen, names) : '',
  ];
  return `<details id="${slug(entry.id)}" data-state="${state}"${isBad(verdict) ? ' open' : ''}>
<summary><span class="state ${state}">${wordFor(state, [verdict])}</span><span class="name">${escapeHtml(name)}</span><span class="meta">${escapeHtml(metaOf(verdict, report))}</span></summary>
${formatClauses(clauses)}
<p class="anchors"><a class="anchor" href="#${slug(entry.id)}">Link to this scenario</a></p>
${problem === undefined ? '' : `<pre class="problem">${rawText(problem)}</pre>`}
${report.kind === 'scenarios' ? places + seen : seen + places}
</details>`;
}

/** What differs, for a request; the number of exchanges, for a scenario. */
function metaOf(verdict: Verdict, { kind }: Report): string {
  const { exchanges, differences, declared } = verdict;
  if (kind === 'scenarios') return `${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`;
  const shown = differences.length > 0 ? differences : declared;
  const names = [...new Set(shown.map(({ place }) => nameOfPlace(place, verdict)))];
  return differences.length > 0 || names.length === 0
    ? names.join(', ')
    : `equal but for ${names.join(', ')}`;
}

function formatClauses(clauses: readonly string[]): string {
  if (clauses.length === 0) return '';
  const items = clauses.map((id) => `<li><code>${escapeHtml(id)}</code> ${code(clauseText(id) ?? '')}</li>`);
  return `<ul class="clauses">${items.join('')}</ul>`;
}

/** Formats all exchanges, then the output. Text that is equal on both sides is shown once. */
function formatSeen([expected, actual]: Verdict['seen'], names: Names): string {
  const exchanges = Array.from(
    { length: Math.max(expected.exchanges.length, actual.exchanges.length) },
    (_, index) => formatExchange(index, expected.exchanges[index], actual.exchanges[index], names),
  );
  const [left, right] = [written(expected), written(actual)];
  const lines = left || right ? `<h3>Output</h3>${beside(left, right, names)}` : '';
  return exchanges.join('') + lines;
}

function formatExchange(
  index: number,
  expected: Exchange | undefined,
  actual: Exchange | undefined,
  names: Names,
): string {
  const { method = '', target = '' } = (expected ?? actual)?.request ?? {};
  const asked = expected ? sent(expected) : '';
  const [left, right] = excerptBodies(expected, actual);
  const title = `${index + 1} <code>${escapeHtml(method)} ${escapeHtml(target.slice(0, 200))}</code>`;
  const body = `<pre class="asked">${rawText(asked.trimEnd())}</pre>${beside(left, right, names)}`;
  const mark = left === right ? '' : '<span class="different">✗</span> ';
  return `<h3>${mark}${title}</h3>${body}`;
}

function beside(left: string, right: string, names: Names): string {
  if (left === right) return `<pre class="same">${rawText(left)}</pre>`;
  return rawDiff(left, right, names);
}

function sent({ request, sent: actual = request }: Exchange): string {
  return shorten(toText(bytesOf(actual)));
}

/** Formats both responses as text. Long bodies are cut; if they differ, to the text around the first difference. */
function excerptBodies(expected: Exchange | undefined, actual: Exchange | undefined): [string, string] {
  const [left, right] = [expected, actual].map((one) => toText(one?.response.body ?? Buffer.alloc(0)));
  const [a, b] = left === right ? [shorten(left), shorten(right)] : excerpt(left ?? '', right ?? '', SHOWN);
  return [received(expected, a), received(actual, b)];
}

function received(exchange: Exchange | undefined, body: string): string {
  if (!exchange) return '(no request)';
  const { response, outcome, fault, uncaught = [] } = exchange;
  const { version, status, reason: phrase, headers = [], framing, encodedLength } = response;
  return [
    ...(status === undefined ? [] : [`${version} ${status} ${phrase}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : ['', body]),
    '',
    `— ${[framing && `body: ${framing}${encodedLength === undefined ? '' : ', decoded'}`, `connection: ${outcome}`, fault].filter(Boolean).join(' · ')}`,
    ...uncaught.map((error) => `— uncaught error: ${error}`),
  ].join('\n');
}

function written(observation: Observation): string {
  return [...toPlaces({ ...observation, exchanges: [] })]
    .filter(([at]) => at !== 'built' || observation.threw !== undefined)
    .map(([at, value]) => `${at}: ${value}`)
    .join('\n');
}

function shorten(text = ''): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)} … (${text.length} characters)` : text;
}

function toText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return (Buffer.from(text).equals(bytes) ? text : `base64 ${bytes.toString('base64')}`).replaceAll(
    '\r\n',
    '\n',
  );
}

/** Formats the intended differences, each with links to the scenarios in which it occurs. */
function divergences({ verdicts, divergences: inForce, ofBuild }: Report): string {
  const listed = new Map([...(ofBuild ? OF_5X : []), ...inForce].map((one) => [one.id, one]));
  const items = [...listed.values()].map(({ id, clauses, differs, why }) => {
    const shown = verdicts.filter(({ declared }) => declared.some(({ divergence }) => divergence === id));
    const links = shown.map(
      ({ entry }) => `<li><a href="#${slug(entry.id)}">${escapeHtml(entry.scenario.name)}</a></li>`,
    );
    return `<article id="divergence-${slug(id)}"><h3>${escapeHtml(id)} ${clauses.map((clause) => `<code>${escapeHtml(clause)}</code>`).join(' ')}</h3>
<p>${code(differs)}.</p><p class="why">${code(why)}</p><ul>${links.join('')}</ul></article>`;
  });
  return `<section class="divergences" id="divergences"><h2>What differs on purpose</h2>${items.join('')}</section>`;
}

function performance(charts: readonly string[]): string {
  if (charts.length === 0) return '';
  const figures = charts.map((svg) => `<figure tabindex="0">${svg}</figure>`).join('\n');
  return `<section class="performance" id="performance"><h2>Performance</h2>${figures}</section>`;
}

/** Returns the label of a state: `varies` for `declared`, if all declared differences only vary between runs. */
function wordFor(state: Verdict['state'], verdicts: readonly Verdict[]): string {
  const declared = verdicts.flatMap((verdict) => verdict.declared);
  const isFound = declared.length > 0 && declared.every(({ divergence }) => divergence === VARIES);
  return state === 'declared' && isFound ? VARIES : state;
}

function countOf(verdicts: readonly Verdict[], state: Verdict['state']): number {
  return verdicts.filter((verdict) => verdict.state === state).length;
}
