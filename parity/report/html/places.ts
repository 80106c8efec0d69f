/** Formats the differences of a scenario by place. A difference that many responses have is shown once. */
import escapeHtml from 'escape-html';
import type { Divergence } from '../../divergences/divergence';
import { ABSENT, type Difference } from '../../judge/compare';
import { excerpt } from '../../judge/excerpt';
import type { Verdict } from '../../judge/judge';
import type { Report } from '../../judge/report';
import { describePlace, explainMove, recognise } from '../explain';
import { rawText } from './raw-diff';
import { code, slug } from './text';

/** A difference, with the numbers of all responses that have it. */
interface Group {
  readonly difference: Difference;
  readonly divergence: string | undefined;
  readonly responses: number[];
}

/** Values up to this many characters are shown whole. The raw responses on the page show more. */
const SHOWN = 240;

export function formatPlaces(
  verdict: Verdict,
  names: readonly [string, string],
  report: Pick<Report, 'divergences' | 'ofBuild' | 'isMove'>,
): string {
  const { differences, declared, stale } = verdict;
  const items = [
    ...group([...differences, ...declared]).map((one) => formatGroup(one, verdict, names, report)),
    ...stale.map(
      ({ place, divergence }) =>
        `<li class="undeclared"><code>${escapeHtml(place)}</code> is equal, but declared: ${reason(divergence, report.divergences)}</li>`,
    ),
  ];
  return items.length === 0 ? '' : `<ul class="places">${items.join('')}</ul>`;
}

function group(all: ReadonlyArray<Difference & { readonly divergence?: string }>): Group[] {
  const groups = new Map<string, Group>();
  for (const { divergence, ...difference } of all) {
    const [, response, part] = /^(\d+)\.(.+)$/.exec(difference.place) ?? [];
    const key = JSON.stringify([
      part ?? difference.place,
      difference.expected,
      difference.actual,
      divergence,
    ]);
    const known = groups.get(key);
    if (known) known.responses.push(Number(response));
    else
      groups.set(key, {
        difference,
        divergence,
        responses: response === undefined ? [] : [Number(response)],
      });
  }
  return [...groups.values()];
}

function formatGroup(
  { difference, divergence, responses }: Group,
  verdict: Verdict,
  [right, judged]: readonly [string, string],
  { divergences, ofBuild, isMove }: Pick<Report, 'divergences' | 'ofBuild' | 'isMove'>,
): string {
  const { place } = difference;
  const [expected, actual] = excerpt(difference.expected, difference.actual, SHOWN);
  const meant = divergence === undefined && ofBuild ? recognise(difference, verdict) : undefined;
  const moved = isMove && divergence === undefined ? explainMove(difference, verdict) : [];
  const part = place.replace(/^\d+\./, '');
  const where =
    responses.length > 1
      ? `<code>${escapeHtml(part)}</code> of the responses ${ranges(responses)}`
      : `<code>${escapeHtml(place)}</code> ${escapeHtml(describePlace(place, verdict))}`;
  const why = divergence === undefined ? '' : ` · ${reason(divergence, divergences)}`;
  return `<li class="${divergence === undefined ? 'undeclared' : 'excused'}"><p>${where}${why}</p>
<dl><dt>${escapeHtml(right)}</dt><dd>${value(expected)}</dd><dt>${escapeHtml(judged)}</dt><dd>${value(actual)}</dd></dl>
${meant ? `<p class="why">On purpose: ${code(meant.differs)}. ${code(meant.why)}</p>` : ''}${moved.map((line) => `<p class="why">${code(line)}</p>`).join('')}</li>`;
}

function value(text: string): string {
  if (text === ABSENT) return `<span class="absent">${ABSENT}</span>`;
  return rawText(text);
}

function reason(id: string, divergences: readonly Divergence[]): string {
  return divergences.some((divergence) => divergence.id === id)
    ? `<a href="#divergence-${slug(id)}">declared: ${escapeHtml(id)}</a>`
    : `<span>${escapeHtml(id)} between two runs as well</span>`;
}

/** Formats numbers as ranges: `1–3, 7`. */
function ranges(numbers: readonly number[]): string {
  const found: Array<[from: number, to: number]> = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(', ');
}
