/** Checks the relative links of the Markdown pages in a folder. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

// Matches links (`[text](path)`), images, and, without groups, code, so that links in code are skipped.
const LINK = /```[\s\S]*?```|`[^`\n]*`(?!\])|!?\[((?:`[^`\n]*`|[^\]`])*)\]\(([^)\s]+)\)/g;

/** Checks all pages below a folder. @throws {Error} that lists each broken relative link. */
export function checkLinks(folder: string): void {
  const dead = deadLinksIn(folder, documentsIn(folder));
  if (dead.length > 0) throw new Error(`${dead.length} links have no target:\n${dead.join('\n')}`);
}

/**
 * Finds broken relative links.
 *
 * @param files The paths of the pages, relative to the folder.
 * @returns One line for each broken link: `page: [text](path)`.
 */
export function deadLinksIn(folder: string, files: readonly string[]): string[] {
  return files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(LINK)]
      .filter(([, , path]) => path && !leadsSomewhere(folder, file, path))
      .map(([link]) => `${file}: ${link}`),
  );
}

/**
 * Replaces links without a target in the folder with text: `[text](path)` becomes `text`, followed by the path if it is
 * not that of a page and the text does not name the file. Removes images that the folder lacks.
 */
export function unlinkMissing(folder: string): void {
  for (const file of documentsIn(folder)) {
    const text = readFileSync(join(folder, file), 'utf8');
    const changed = text.replace(LINK, (all, label: string | undefined, path: string | undefined) =>
      label === undefined || path === undefined || leadsSomewhere(folder, file, path)
        ? all
        : all.startsWith('!')
          ? ''
          : asText(label, path),
    );
    if (changed !== text) writeFileSync(join(folder, file), changed);
  }
}

function asText(label: string, path: string): string {
  const source = path.replace(/^(\.\.\/)+/, '');
  return source.includes('.md') || label.includes(basename(source)) ? label : `${label} (\`${source}\`)`;
}

function documentsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?!.*node_modules).*\.md$/.test(file),
  );
}

function leadsSomewhere(folder: string, file: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return true;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : join(dirname(file), path);
  // A link to a file above the folder is broken: the package does not contain that file.
  if (target.startsWith('..') || !existsSync(join(folder, target))) return false;
  return anchor === undefined || anchorsOf(join(folder, target)).has(anchor);
}

/** @returns The anchors of a page: explicit ones, and those that GitHub and npm derive from headings. */
function anchorsOf(file: string): Set<string> {
  const text = readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...text.matchAll(/^#+ +(.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([
    ...headings,
    ...[...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id]) => id as string),
  ]);
}
