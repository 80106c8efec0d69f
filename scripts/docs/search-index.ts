/** Reads the sections of the site from its pages, and writes the index and the script of the search. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { decode, pagesBelow } from '../links';
import { type Index, makeIndex, type Section } from './search';
import { GROUPS, titleOf } from './stage';

const root = join(__dirname, '..', '..');

/** Headings of lists of clauses on the pages of members. */
const EVIDENCE = ['In Express 4', 'In Express 3', 'Clauses and evidence'];
/** The first pattern that matches decides. Current series and guides come first, then reference, then evidence. */
const WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [/^documents\/Recordings/, 0.1],
  [/^documents\/Clauses_and_evidence/, 0.2],
  [/^documents\/(?:Changelog|Publish|Decisions|Where_|Files_of|From_behaviour|Contributing)/, 0.3],
  [/^documents\/.*(?:Specification|corpus|Scenarios)/, 0.5],
  [/^documents\/(?:Middleware_of_Express_3|Compatibility|Contents_of)/, 1],
  [/^documents\/(?:app|express|req|res|router)\./, 4],
  ...[...GROUPS.Start, ...GROUPS.Guide].map((file) => [fileOf(file), 4] as const),
  [/^documents\/Recipes/, 4],
  [/^(?:documents\/|index\.html)/, 2],
  [/(?:nozomi-parity|nozomi_[34])/, 0.3],
  [/./, 0.5],
];
const HEADING = /<h[1-3][^>]*\sid="([^"]*)"[^>]*>([\s\S]*?)<\/h[1-3]>/g;

/**
 * Writes `assets/search-index.js`, which pages load when the search is first opened, and `assets/custom.js`.
 *
 * @param site The root of the site.
 */
export function writeSearch(site: string): Index {
  const files = pagesBelow(site, '.html');
  const index = makeIndex(
    files.flatMap((file) => sectionsOf(site, file)).map((section, id) => ({ id, ...section })),
  );
  writeFileSync(
    join(site, 'assets', 'search-index.js'),
    `window.searchIndex = ${JSON.stringify(JSON.stringify(index))};\n`,
  );
  // The index of TypeDoc, which has only names. Its script requires the file.
  writeFileSync(join(site, 'assets', 'search.js'), '');
  buildSync({
    entryPoints: [join(__dirname, 'theme', 'site.mjs')],
    outfile: join(site, 'assets', 'custom.js'),
    bundle: true,
    minify: true,
    target: 'es2022',
  });
  return index;
}

function sectionsOf(site: string, page: string): Omit<Section, 'id'>[] {
  const html = readFileSync(join(site, page), 'utf8');
  const [, main = ''] = /<div class="col-content"[^>]*>([\s\S]*?)<div class="col-sidebar">/.exec(html) ?? [];
  // Recorded exchanges and the code of scenarios are evidence: a search finds their titles.
  const isRecording = page.startsWith('documents/Recordings');
  const shown = main
    .replace(/<details><summary>[\s\S]*?<\/details>/g, ' ')
    .replace(/<pre[\s\S]*?<\/pre>/g, (code) => (isRecording ? ' ' : code.replaceAll('<br/>', ' ')))
    .replace(/<(ul|nav) class="(?:tsd-breadcrumb|pager)"[\s\S]*?<\/\1>/g, '')
    .replace(/(<div class="managers"[^>]*>\s*<pre[\s\S]*?<\/pre>)[\s\S]*?<\/div>/g, '$1')
    .replace(/<button\b[\s\S]*?<\/button>/g, '')
    .replace(/<a [^>]*class="tsd-anchor-icon"[\s\S]*?<\/a>/g, '');
  const headings = [...shown.matchAll(HEADING)];
  const title = textOf(/<title>(.*?)(?: \| [^|]*)?<\/title>/.exec(html)?.[1] ?? page).replace(
    /^default\./,
    '',
  );
  const weight = WEIGHTS.find(([pattern]) => pattern.test(page))?.[1] ?? 1;
  const first = { anchor: '', heading: title, html: shown.slice(0, headings[0]?.index ?? shown.length) };
  const rest = headings.map(([tag, anchor = '', heading = ''], at) => ({
    anchor,
    heading: textOf(heading),
    html: shown.slice((headings[at]?.index ?? 0) + tag.length, headings[at + 1]?.index ?? shown.length),
  }));
  // The heading of a document has the name of the page.
  if (rest[0]?.heading === title) first.html += ` ${rest.shift()?.html}`;
  const all = [first, ...rest].flatMap((section) => [section, ...(weight < 1 ? [] : rowsOf(section))]);
  return all.map(({ anchor, heading, html: part }) => ({
    page,
    anchor,
    title,
    heading,
    text: textOf(part),
    excerpt: excerptOf(textOf(part), weight),
    series: seriesOf(page),
    code: [...part.matchAll(/<code>([^<]{1,60})<\/code>/g)].map(([, code = '']) => decode(code)).join(' '),
    weight: EVIDENCE.includes(heading) ? 0.3 : weight,
  }));
}

type Part = { anchor: string; heading: string; html: string };

/** The rows of tables that begin with a name: settings, options, codes and messages of errors. */
function rowsOf({ anchor, html }: Part): Part[] {
  return [...html.matchAll(/<tr>\s*<td\b[^>]*>(<code>[\s\S]*?)<\/td>([\s\S]*?)<\/tr>/g)].map(
    ([row, name = '']) => ({
      anchor,
      heading: textOf(name),
      html: row,
    }),
  );
}

function textOf(html: string): string {
  return decode(html.replace(/<\/?(?:span|wbr|strong|em|mark)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

/** Pages of evidence are long, and a result shows one line. */
function excerptOf(text: string, weight: number): string {
  return weight < 1 ? text.slice(0, 160) : text;
}

function seriesOf(page: string): string {
  const [, series = '5'] = /(?:nozomi_|[Ee]xpress_?)([34])/.exec(page) ?? [];
  return `${series}.x`;
}

/** The page that TypeDoc generates from a file. */
function fileOf(file: string): RegExp {
  const title = titleOf(file, readFileSync(join(root, file), 'utf8'));
  return new RegExp(`^documents/${title.replace(/[^\w.]/g, '.')}\\.html$`);
}
