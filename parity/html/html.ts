/** A report as one HTML page that needs nothing else: no network, no file beside it. */
import escapeHtml from 'escape-html';
import { ABSENT, type Difference, toPlaces } from '../compare';
import { DIVERGENCES } from '../divergences';
import type { Exchange } from '../exchange';
import type { Verdict } from '../judge';
import type { Observation } from '../observe';
import type { Report } from '../parity';
import { bySection, summarise } from '../report';
import { formatHead } from '../request';
import { SCRIPT, STYLE } from './page';
import { rawDiff, rawText } from './raw-diff';

const STATES = ['different', 'broken', 'declared', 'equal'] as const;
/** Characters of a body that are shown. */
const SHOWN = 4000;

export function toHtml(report: Report): string {
  const { verdicts, failed, witnesses, unknown } = report;
  const good = failed === 0;
  const headline = good ? 'No undeclared difference' : `${failed} of ${verdicts.length} differ`;
  const versions = witnesses
    .map(({ name, description }) => `<span><b>${escapeHtml(name)}</b> ${escapeHtml(description)}</span>`)
    .join('<span class="against">against</span>');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parity: ${escapeHtml(headline.toLowerCase())}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p class="eyebrow">Parity</p>
<h1 class="${good ? 'good' : 'bad'}">${escapeHtml(headline)}</h1>
<p class="worlds">${versions}</p>
<p class="sum">${escapeHtml(summarise(report))}</p>
</header>
<main>
${totals(verdicts)}
${filters(verdicts)}
${unknown.map(({ divergence, scenario }) => `<p class="problem">Divergence <b>${escapeHtml(divergence)}</b> names a scenario that does not exist: ${escapeHtml(scenario)}</p>`).join('')}
${[...bySection(verdicts)].map(([section, list]) => formatSection(section, list, witnesses)).join('\n')}
<p id="empty" hidden>Nothing is like that. <button type="button" data-reset>Show everything</button></p>
${divergences(verdicts)}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** One row for each section, with what came of its scenarios as a bar. */
function totals(verdicts: readonly Verdict[]): string {
  const rows = [...bySection(verdicts)].map(([section, list]) => {
    const counts = STATES.map((state) => [state, countOf(list, state)] as const).filter(
      ([, count]) => count > 0,
    );
    const bar = counts.map(([state, count]) => `<i class="${state}" style="flex:${count}"></i>`).join('');
    const words = counts.map(([state, count]) => `${count} ${state}`).join(', ');
    return `<a href="#${slug(section)}"><span>${escapeHtml(section)}</span><span class="bar" aria-hidden="true">${bar}</span><span class="count">${words}</span></a>`;
  });
  return `<nav class="totals" aria-label="Sections">${rows.join('\n')}</nav>`;
}

function filters(verdicts: readonly Verdict[]): string {
  const sections = [...bySection(verdicts).keys()];
  const states = STATES.map((state) => {
    const count = countOf(verdicts, state);
    return `<button type="button" data-state="${state}" aria-pressed="false"${count === 0 ? ' disabled' : ''}>${state} <b>${count}</b></button>`;
  });
  return `<form class="filters" role="search">
<input type="search" name="text" placeholder="Text, clause, field …  ( / )" aria-label="Text" autocomplete="off">
<select name="section" aria-label="Section"><option value="">All sections</option>${sections.map((section) => `<option>${escapeHtml(section)}</option>`).join('')}</select>
<span class="states" role="group" aria-label="State">${states.join('')}</span>
<output aria-live="polite"></output>
</form>`;
}

function formatSection(
  section: string,
  verdicts: readonly Verdict[],
  witnesses: Report['witnesses'],
): string {
  return `<section id="${slug(section)}" data-section="${escapeHtml(section)}">
<h2>${escapeHtml(section)} <a class="anchor" href="#${slug(section)}" aria-label="Link to this section">#</a></h2>
${verdicts.map((verdict) => formatVerdict(verdict, witnesses)).join('\n')}
</section>`;
}

function formatVerdict(verdict: Verdict, witnesses: Report['witnesses']): string {
  const { entry, state, exchanges, problem } = verdict;
  const { name, clauses } = entry.scenario;
  const isBad = state === 'different' || state === 'broken';
  return `<details id="${slug(entry.id)}" data-state="${state}"${isBad ? ' open' : ''}>
<summary><span class="state ${state}">${state}</span><span class="name">${escapeHtml(name)}</span><span class="meta">${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}</span></summary>
<p class="clauses">${clauses.map((id) => `<code>${escapeHtml(id)}</code>`).join(' ')} <a class="anchor" href="#${slug(entry.id)}">link to this scenario</a></p>
${problem === undefined ? '' : `<pre class="problem">${rawText(problem)}</pre>`}
${places(verdict, witnesses)}
${problem === undefined ? formatSeen(verdict.seen, witnesses) : ''}
</details>`;
}

/** What differs, place by place, and why where that is declared. */
function places({ differences, declared, stale }: Verdict, witnesses: Report['witnesses']): string {
  const rows = [
    ...differences.map((difference) => place(difference, witnesses, '')),
    ...declared.map((difference) => place(difference, witnesses, reason(difference.divergence))),
    ...stale.map(
      ({ place: at, divergence }) =>
        `<li class="undeclared"><code>${escapeHtml(at)}</code> equal, but declared as a divergence: ${reason(divergence)}</li>`,
    ),
  ];
  return rows.length === 0 ? '' : `<ul class="places">${rows.join('')}</ul>`;
}

function place({ place: at, wanted, came }: Difference, witnesses: Report['witnesses'], why: string): string {
  const short = (value: string): string =>
    value === ABSENT || value.length <= 160 ? value : `${value.slice(0, 160)} …`;
  const [right, judged] = witnesses.map(({ name }) => escapeHtml(name));
  return `<li class="${why ? 'excused' : 'undeclared'}"><code>${escapeHtml(at)}</code>${why && ` ${why}`}
<dl><dt>${right}</dt><dd>${rawText(short(wanted))}</dd><dt>${judged}</dt><dd>${rawText(short(came))}</dd></dl></li>`;
}

function reason(id: string): string {
  return DIVERGENCES.some((divergence) => divergence.id === id)
    ? `<a href="#divergence-${slug(id)}">declared: ${escapeHtml(id)}</a>`
    : `<span>${escapeHtml(id)} between two runs with Express</span>`;
}

/** Every exchange, then what was written: once where both showed the same. */
function formatSeen([wanted, came]: Verdict['seen'], witnesses: Report['witnesses']): string {
  const exchanges = Array.from(
    { length: Math.max(wanted.exchanges.length, came.exchanges.length) },
    (_, index) => formatExchange(index, wanted.exchanges[index], came.exchanges[index], witnesses),
  );
  const [left, right] = [written(wanted), written(came)];
  const lines = left || right ? `<h3>What is written</h3>${beside(left, right, witnesses)}` : '';
  return exchanges.join('') + lines;
}

function formatExchange(
  index: number,
  wanted: Exchange | undefined,
  came: Exchange | undefined,
  witnesses: Report['witnesses'],
): string {
  const { method = '', target = '' } = (wanted ?? came)?.request ?? {};
  const asked = wanted ? sent(wanted) : '';
  const [left, right] = [received(wanted), received(came)];
  const title = `${index + 1} <code>${escapeHtml(method)} ${escapeHtml(target.slice(0, 200))}</code>`;
  const body = `<pre class="asked">${rawText(asked.trimEnd())}</pre>${beside(left, right, witnesses)}`;
  const mark = left === right ? '' : '<span class="different">✗</span> ';
  return `<h3>${mark}${title}</h3>${body}`;
}

function beside(left: string, right: string, witnesses: Report['witnesses']): string {
  if (left === right) return `<pre class="same">${rawText(left)}</pre>`;
  const [first, second] = witnesses.map(({ name }) => escapeHtml(name));
  return `<div class="sides"><b>${first}</b><b>${second}</b></div>${rawDiff(left, right)}`;
}

function sent({ request }: Exchange): string {
  return shorten(request.bytes ?? Buffer.concat([formatHead(request), request.payload]));
}

function received(exchange: Exchange | undefined): string {
  if (!exchange) return '(not asked)';
  const { answer, fate, fault } = exchange;
  const { version, status, reason: phrase, fields = [], body, framing } = answer;
  return [
    ...(status === undefined ? [] : [`${version} ${status} ${phrase}`]),
    ...fields.map(([name, value]) => `${name}: ${value}`),
    ...(body && body.length > 0 ? ['', shorten(body)] : []),
    '',
    `— ${[framing && `body: ${framing}`, `connection: ${fate}`, fault].filter(Boolean).join(' · ')}`,
  ].join('\n');
}

function written(observation: Observation): string {
  return [...toPlaces({ ...observation, exchanges: [] })]
    .filter(([at]) => at !== 'built' || observation.threw !== undefined)
    .map(([at, value]) => `${at}: ${value}`)
    .join('\n');
}

function shorten(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  const shown = Buffer.from(text).equals(bytes) ? text : `base64 ${bytes.toString('base64')}`;
  const lines = shown.replaceAll('\r\n', '\n');
  return lines.length > SHOWN ? `${lines.slice(0, SHOWN)} … (${bytes.length} bytes)` : lines;
}

/** The list of what differs on purpose, each with the scenarios of this report that show it. */
function divergences(verdicts: readonly Verdict[]): string {
  const items = DIVERGENCES.map(({ id, clauses, differs, why }) => {
    const shown = verdicts.filter(({ declared }) => declared.some(({ divergence }) => divergence === id));
    const links = shown.map(
      ({ entry }) => `<li><a href="#${slug(entry.id)}">${escapeHtml(entry.scenario.name)}</a></li>`,
    );
    return `<article id="divergence-${slug(id)}"><h3>${escapeHtml(id)} ${clauses.map((clause) => `<code>${escapeHtml(clause)}</code>`).join(' ')}</h3>
<p>${code(differs)}.</p><p class="why">${code(why)}</p><ul>${links.join('')}</ul></article>`;
  });
  return `<section class="divergences" id="divergences"><h2>What differs on purpose</h2>${items.join('')}</section>`;
}

function code(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function countOf(verdicts: readonly Verdict[], state: Verdict['state']): number {
  return verdicts.filter((verdict) => verdict.state === state).length;
}

function slug(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, '-');
}
