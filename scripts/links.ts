/** Finds relative links without a target, in Markdown pages and in HTML pages. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { marked, type Token, type Tokens } from 'marked';
import { below } from './document';

/** The links of a page, each as it is written and with its target, and the ids that links to the page may have. */
interface Page {
  readonly ids: readonly string[];
  readonly links: ReadonlyArray<readonly [text: string, to: string]>;
}

const READ: Readonly<Record<string, (text: string) => Page>> = {
  '.md': (text) => {
    const tokens = tokensOf(text);
    const tags = readTags(tokens.map((token) => (token.type === 'html' ? token.raw : '')).join(''));
    return {
      ids: [...headingIds(tokens), ...tags.ids],
      links: [...linksOf(tokens).map(({ raw, href }) => [raw, href] as const), ...tags.links],
    };
  },
  // Text that looks like a link is one that was lost.
  '.html': (html) => {
    const { ids, links } = readTags(html);
    return { ids, links: [...links, ...textsLikeLinks(html).map((text) => [text, LOST] as const)] };
  },
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
  return below(folder).filter((file) => file.endsWith(ending) && !file.includes('node_modules'));
}

/**
 * Replaces links of Markdown pages without a target in the folder with text: `[text](path)` becomes `text`, followed by
 * the path if it is not that of a page and the text does not name the file. Removes images that the folder lacks.
 *
 * @returns The links to a page of the folder that does not have their heading, as `page: link`.
 */
export function unlinkMissing(folder: string): string[] {
  const lost: string[] = [];
  for (const file of pagesBelow(folder, '.md')) {
    const text = readFileSync(join(folder, file), 'utf8');
    const missing = linksOf(tokensOf(text)).filter(({ href }) => !leadsSomewhere(folder, file, href));
    const changed = missing.reduce(
      (page, { type, raw, text: label, href }) =>
        page.replaceAll(raw, () => (type === 'image' ? '' : asText(label, href))),
      text,
    );
    if (changed !== text) writeFileSync(join(folder, file), changed);
    const anchors = missing.filter(({ href }) => leadsSomewhere(folder, file, href.replace(/#.*/, '')));
    lost.push(...anchors.map(({ raw }) => `${file}: ${raw}`));
  }
  return lost;
}

function asText(label: string, path: string): string {
  const source = path.replace(/^(\.\.\/)+/, '');
  return source.includes('.md') || label.includes(basename(source)) ? label : `${label} (\`${source}\`)`;
}

/** GitHub serves the badge of a workflow two folders above README, wherever the repository is. */
function leadsSomewhere(folder: string, file: string, to: string): boolean {
  if (to === LOST) return false;
  if (/^[a-z]+:/.test(to)) return true;
  const [, workflow] = /^\.\.\/\.\.\/actions\/workflows\/([^/]+)\/badge\.svg$/.exec(to) ?? [];
  if (workflow) return existsSync(join(folder, '.github', 'workflows', workflow));
  const [path = '', anchor] = to.split('#');
  const target = path === '' ? file : join(dirname(file), decodeURIComponent(path.split('?')[0] ?? ''));
  const found = join(folder, target);
  if (target.startsWith('..') || !existsSync(found)) return false;
  // A page of the site must link to the page of a Markdown file, and to `index.html` of a folder.
  if (extname(file) === '.html' && (target.endsWith('.md') || statSync(found).isDirectory())) return false;
  return !anchor || read(found).ids.includes(decodeURIComponent(anchor));
}

const known = new Map<string, { text: string; page: Page }>();

function read(file: string): Page {
  const text = readFileSync(file, 'utf8');
  const before = known.get(file);
  if (before?.text === text) return before.page;
  const page = READ[extname(file)]?.(text) ?? { ids: [], links: [] };
  known.set(file, { text, page });
  return page;
}

/** @returns The ids and links of the tags in HTML. */
function readTags(html: string): Page {
  const tags = html.replace(/<!--[\s\S]*?-->/g, '');
  const valuesOf = (pattern: RegExp) => [...tags.matchAll(pattern)].map(([, value = '']) => decode(value));
  return {
    ids: valuesOf(/\s(?:id|name)="([^"]*)"/g),
    links: valuesOf(/<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g).map((to) => [to, to]),
  };
}

/** A target that no file has. */
const LOST = '?';

/** @returns Texts outside of blocks of code that were written as links: `[text](path)`, and names of pages in code. */
function textsLikeLinks(html: string): string[] {
  const text = html.replace(/<!--[\s\S]*?-->|<(pre|script|style)\b[\s\S]*?<\/\1>/g, '');
  const pages = [
    ...text.matchAll(
      /<code>((?:classes|documents|functions|interfaces|modules|types|variables)\/[^<\s]+\.html(?:#[^<]*)?)<\/code>/g,
    ),
  ].map(([, page = '']) => page);
  const written = text.replace(/<code>[\s\S]*?<\/code>/g, '').matchAll(/\[[^\]<>]+\]\([\w./#-]+\)/g);
  return [...pages, ...[...written].map(([found]) => found)];
}

/** @returns The tokens of a Markdown page, with those inside of others. */
function tokensOf(text: string): Token[] {
  const all: Token[] = [];
  marked.walkTokens(marked.lexer(text), (token) => {
    all.push(token);
  });
  return all;
}

function linksOf(tokens: readonly Token[]): Array<Tokens.Link | Tokens.Image> {
  return tokens.filter((token): token is Tokens.Link | Tokens.Image => /^(link|image)$/.test(token.type));
}

function headingIds(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => (token.type === 'heading' ? headingId(token.text) : []));
}

/** @returns The id that GitHub and npm derive from a heading. */
export function headingId(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

export function decode(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
