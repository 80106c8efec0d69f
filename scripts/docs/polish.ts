/** Corrects the pages that TypeDoc generates, where its theme has no option. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CHANGES: readonly (readonly [RegExp, string])[] = [
  // Comments of @types/node have links relative to the documentation of Node.js.
  [/href="(stream\.html#)/g, 'href="https://nodejs.org/api/$1'],
  // For axe-core: landmarks, the order of headings, headers of tables.
  [/<div class="col-content">/g, '<div class="col-content" role="main">'],
  [/<div class="page-menu">/g, '<div class="page-menu" role="complementary" aria-label="This page">'],
  [/<h3>(Settings|On This Page)<\/h3>/g, '<h2>$1</h2>'],
  [/<h3 (class="tsd-index-heading[^>]*>[\s\S]*?)<\/h3>/g, '<h2 $1</h2>'],
  [/<th([^>]*)><\/th>/g, '<td$1></td>'],
  // A table that is wider than a phone scrolls, also with the keyboard.
  [/<table/g, '<div class="table" tabindex="0"><table'],
  [/<\/table>/g, '</table></div>'],
  // Removes permalinks from summaries, which are buttons.
  [
    /(<summary[^>]*>[\s\S]*?<h2[^>]*>[^<]*)<a [^>]*class="tsd-anchor-icon">[\s\S]*?<\/a>(<\/h2><\/summary>)/g,
    '$1$2',
  ],
];

/** Labels in the descriptions of the API, below headings of different levels. */
const LABELS: typeof CHANGES = [
  [/<h[45](?: class="([^"]*)")?/g, '<div class="h4 $1"'],
  [/<\/h[45]>/g, '</div>'],
];

export function polish(site: string): void {
  for (const file of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.html')) continue;
    const text = readFileSync(join(site, file), 'utf8');
    const changes = file.startsWith('documents') ? CHANGES : [...CHANGES, ...LABELS];
    writeFileSync(
      join(site, file),
      changes.reduce((page, [from, to]) => page.replace(from, to), text),
    );
  }
}
