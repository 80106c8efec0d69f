/** Finds relative links without a target, in Markdown pages and in HTML pages. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/** The links of a page, each as it is written and with its target, and the ids that links to the page may have. */
interface Page {
  readonly ids: ReadonlySet<string>;
  readonly links: ReadonlyArray<readonly [text: string, to: string]>;
}

// Matches links (`[text](path)`), images, and, without groups, code, so that links in code are skipped.
const LINK = /```[\s\S]*?```|`[^`\n]*`(?!\])|!?\[((?:`[^`\n]*`|[^\]`])*)\]\(([^)\s]+)\)/g;

const CODE = /```[\s\S]*?```|`[^`\n]*`/g;

const READ: Readonly<Record<string, (text: string) => Page>> = {
  '.md': (text) => ({
    ids: new Set([...headingIds(text), ...[...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(second)]),
    links: [
      ...[...text.matchAll(LINK)].flatMap(([link, , to]) => (to ? [[link, to] as const] : [])),
      // Definitions of links, such as `[page]: page.md`.
      ...[...text.matchAll(/^\[[^\]]+\]: +(\S+)/gm)].map((match) => [match[0], second(match)] as const),
      ...htmlLinks(text.replace(CODE, '')),
    ],
  }),
  '.html': (text) => ({
    ids: new Set([...text.matchAll(/\s(?:id|name)="([^"]*)"/g)].map((match) => decode(second(match)))),
    links: htmlLinks(text),
  }),
};

/** One line for each dead link, as `page: link`, and the number of links that were checked. */
export type DeadLinks = string[] & { links: number };

/**
 * Finds dead relative links. A link to a file above the folder is dead, because the package or the site does not contain it.
 *
 * @param files The paths of the pages, relative to the folder.
 */
export function deadLinksIn(folder: string, files: readonly string[]): DeadLinks {
  const dead = Object.assign([] as string[], { links: 0 });
  for (const file of files) {
    const { links } = read(join(folder, file));
    dead.links += links.length;
    for (const [text, to] of links)
      if (!leadsSomewhere(folder, file, to)) dead.push(`${file.replaceAll('\\', '/')}: ${text}`);
  }
  return dead;
}

/** @returns The paths of all pages below a folder, relative to it. */
export function pagesBelow(folder: string, ending: '.md' | '.html'): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith(ending) && !file.includes('node_modules'),
  );
}

/**
 * Replaces links of Markdown pages without a target in the folder with text: `[text](path)` becomes `text`, followed by
 * the path if it is not that of a page and the text does not name the file. Removes images that the folder lacks.
 */
export function unlinkMissing(folder: string): void {
  for (const file of pagesBelow(folder, '.md')) {
    const text = readFileSync(join(folder, file), 'utf8');
    const changed = text.replace(LINK, (all, label: string | undefined, to: string | undefined) => {
      if (label === undefined || to === undefined || leadsSomewhere(folder, file, to)) return all;
      return all.startsWith('!') ? '' : asText(label, to);
    });
    if (changed !== text) writeFileSync(join(folder, file), changed);
  }
}

function asText(label: string, path: string): string {
  const source = path.replace(/^(\.\.\/)+/, '');
  return source.includes('.md') || label.includes(basename(source)) ? label : `${label} (\`${source}\`)`;
}

function leadsSomewhere(folder: string, file: string, to: string): boolean {
  if (/^[a-z]+:/.test(to)) return true;
  const [path = '', anchor] = to.split('#');
  const target = path === '' ? file : join(dirname(file), decodeURIComponent(path.split('?')[0] ?? ''));
  const found = join(folder, target);
  if (target.startsWith('..') || !existsSync(found)) return false;
  // A page of the site must link to the page of a Markdown file, and to `index.html` of a folder.
  if (extname(file) === '.html' && (target.endsWith('.md') || statSync(found).isDirectory())) return false;
  return !anchor || read(found).ids.has(decodeURIComponent(anchor));
}

const known = new Map<string, { text: string; page: Page }>();

function read(file: string): Page {
  const text = readFileSync(file, 'utf8');
  const before = known.get(file);
  if (before?.text === text) return before.page;
  const page = READ[extname(file)]?.(text) ?? { ids: new Set(), links: [] };
  known.set(file, { text, page });
  return page;
}

function htmlLinks(text: string): Array<readonly [text: string, to: string]> {
  return [...text.matchAll(/<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map((match) => {
    const to = decode(second(match));
    return [to, to];
  });
}

/** @returns The ids that GitHub and npm derive from headings. */
function headingIds(text: string): string[] {
  return [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ +(.*)$/gm)].map((match) =>
    second(match)
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function second([, group = '']: RegExpMatchArray): string {
  return group;
}

export function decode(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
