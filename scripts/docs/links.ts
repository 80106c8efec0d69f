import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** One line for each dead link, as `page: link`, and the number of pages and links that were checked. */
export type DeadLinks = string[] & { pages: number; links: number };

/**
 * Finds the dead links of a static site: relative links to a missing file, and anchors without an element with that id.
 *
 * @param folder The root of the site.
 */
export function deadLinks(folder: string): DeadLinks {
  const pages = new Map<string, { ids: Set<string>; links: string[] }>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.html')) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    const ids = [...text.matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, id = '']) => decode(id));
    const links = [...text.matchAll(/<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)];
    pages.set(join(folder, file), { ids: new Set(ids), links: links.map(([, to = '']) => decode(to)) });
  }
  const dead = Object.assign([] as string[], { pages: pages.size, links: 0 });
  for (const [file, { links }] of pages) {
    for (const link of links) {
      dead.links++;
      if (!leadsSomewhere(file, link)) dead.push(`${relative(folder, file).replaceAll(sep, '/')}: ${link}`);
    }
  }
  return dead;

  function leadsSomewhere(file: string, link: string): boolean {
    if (/^(?:https?|mailto|data):/.test(link)) return true;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : join(dirname(file), decodeURIComponent(path.split('?')[0] ?? ''));
    const page = pages.get(target);
    if (page) return !anchor || page.ids.has(decodeURIComponent(anchor));
    return (
      !anchor && !target.endsWith('.md') && statSync(target, { throwIfNoEntry: false })?.isFile() === true
    );
  }
}

export function decode(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
