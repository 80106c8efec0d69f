/** Writes the pages as Markdown for language models: `llms.txt` (https://llmstxt.org) links to those in `llms/`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @param site The root of the site.
 * @param staged The input of TypeDoc, with front matter.
 * @param groups The paths of pages below `staged`, by the heading of their list.
 */
export function writeLlms(
  site: string,
  staged: string,
  groups: Readonly<Record<string, readonly string[]>>,
): void {
  const lists = Object.entries(groups).map(([heading, files]) => {
    const items = files.map((file) => {
      const text = readFileSync(join(staged, file), 'utf8')
        .replace(/^---\n[\s\S]*?\n---\n+/, '')
        .replaceAll('](site:', `](${'../'.repeat(file.split('/').length)}`);
      mkdirSync(dirname(join(site, 'llms', file)), { recursive: true });
      writeFileSync(join(site, 'llms', file), text);
      return `- [${/^# (.*)$/m.exec(text)?.[1] ?? file}](llms/${encodeURI(file)})`;
    });
    return `## ${heading}\n\n${items.join('\n')}\n`;
  });
  const [, title = '', summary = ''] =
    /^# (.*)\n\n([\s\S]*?)\n\n/m.exec(readFileSync(join(staged, 'README.md'), 'utf8')) ?? [];
  writeFileSync(
    join(site, 'llms.txt'),
    `# ${title}\n\n> ${summary.replaceAll('\n', ' ')}\n\n${lists.join('\n')}`,
  );
}
