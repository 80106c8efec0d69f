import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesBelow } from '../links';

const CHANGES: readonly (readonly [RegExp, string])[] = [
  // Comments in @types/node contain links relative to the documentation of Node.js.
  [/href="(stream\.html#)/g, 'href="https://nodejs.org/api/$1'],
  // Add landmarks and correct heading levels and empty table headers, about which axe-core complains.
  [/<div class="col-content">/g, '<div class="col-content" role="main">'],
  [/<div class="page-menu">/g, '<div class="page-menu" role="complementary" aria-label="This page">'],
  [/<h3>(Settings|On This Page)<\/h3>/g, '<h2>$1</h2>'],
  [/<h3 (class="tsd-index-heading[^>]*>[\s\S]*?)<\/h3>/g, '<h2 $1</h2>'],
  [/<th([^>]*)><\/th>/g, '<td$1></td>'],
  // Links to generated pages, which have no source that a link could name.
  [/href="site:/g, 'href="../'],
  // Let tables that are wider than a phone scroll; `tabindex` lets the keyboard scroll them.
  [/<table/g, '<div class="table" tabindex="0"><table'],
  [/<\/table>/g, '</table></div>'],
  // Remove permalinks from `<summary>`: browsers treat it as a button, and a button must not contain a link.
  [
    /(<summary[^>]*>[\s\S]*?<h2[^>]*>[^<]*)<a [^>]*class="tsd-anchor-icon">[\s\S]*?<\/a>(<\/h2><\/summary>)/g,
    '$1$2',
  ],
];

/** Turns `<h4>` and `<h5>` of API descriptions into `<div>`: their level does not fit that of the heading above. */
const LABELS: typeof CHANGES = [
  [/<h[45](?: class="([^"]*)")?/g, '<div class="h4 $1"'],
  [/<\/h[45]>/g, '</div>'],
];

/** A table with more columns is too wide for a phone. */
const MAX_COLUMNS = 4;

/** Corrects the HTML that TypeDoc generates where TypeDoc has no option for it. @param site The root of the site. */
export function polish(site: string): void {
  for (const file of pagesBelow(site, '.html')) {
    const text = readFileSync(join(site, file), 'utf8');
    const labelled = text.replace(/<table\b[^>]*>[\s\S]*?<\/table>/g, withLabels);
    const changes = file.startsWith('documents') ? CHANGES : [...CHANGES, ...LABELS];
    writeFileSync(
      join(site, file),
      changes.reduce((page, [from, to]) => page.replace(from, to), labelled),
    );
  }
}

/** Puts the heading of its column on each cell of a table with more than four columns: a phone shows each row as a list. */
function withLabels(table: string): string {
  const heads = [...table.matchAll(/<th\b[^>]*>([\s\S]*?)<\/th>/g)].map(([, head = '']) =>
    head.replace(/<[^>]*>/g, ''),
  );
  if (heads.length <= MAX_COLUMNS) return table;
  const rows = table.replace(/<tr>[\s\S]*?<\/tr>/g, (row) => {
    let column = 0;
    return row.replace(/<td\b/g, () => `<td data-label="${heads[column++] ?? ''}"`);
  });
  return rows.replace('<table', '<table class="rows"');
}
