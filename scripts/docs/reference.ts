/** Generates a page for each member of docs/api: its section there, its type, its clauses, and those about Express 4 and 3. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import clauses from '../../spec/clauses.json';
import express4 from '../../spec/express4.json';
import { headingId } from '../links';
import { anchorOf, asMarkdown, type Page, pageOf } from './evidence';
import { declarationsOf, SERIES } from './signatures';

const root = join(__dirname, '..', '..');

/** The pages of docs/api, in reading order, each with the page of its types. */
const OBJECTS = {
  express: 'modules/nozomi.framework.html',
  app: 'interfaces/nozomi.framework.Application.html',
  req: 'interfaces/nozomi.framework.Request.html',
  res: 'interfaces/nozomi.framework.Response.html',
  router: 'classes/nozomi.framework.Router.html',
};

export interface ReferencePage extends Page {
  /** The pages of the members, for an object. */
  readonly children: readonly Page[];
}

/** @returns One page for each object, with one for each of its members. */
export function referencePages(): ReferencePage[] {
  return Object.entries(OBJECTS).map(([name, types]) => {
    const text = readFileSync(join(root, 'docs', 'api', `${name}.md`), 'utf8');
    const [intro = '', ...sections] = text.split(/^## /m);
    const children = sections.map((section) => memberPage(section, types));
    const list = children.map(({ title, path, text: page }) => {
      const [, first = ''] = /^# .*\n\n([\s\S]*?)(?:[.:]?\n\n|\.\s)/.exec(page) ?? [];
      return `- [\`${title}\`](${path.replace('docs/api/', '')}): ${first.replaceAll('\n', ' ')}`;
    });
    const title = /^# (.*)$/m.exec(intro)?.[1] ?? name;
    const inherited = `The [types](site:${types}) list every member, also those of Node.js.`;
    return {
      path: `docs/api/${name}.md`,
      title,
      text: `${toPages(intro)}\n${inherited}\n\n${list.join('\n')}\n`,
      children,
    };
  });
}

function memberPage(section: string, types: string): Page {
  const [heading = '', ...lines] = section.split('\n');
  const title = titleOf(heading);
  const declared = signaturesOf(title);
  const about = new RegExp(
    `(?<![\\w.])(?:${[...aliasesOf(title)].join('|').replace(/[.()]/g, '\\$&')})(?!\\w)`,
  );
  const own = clauses.filter(({ clause, section: part }) => part !== '9.3' && about.test(clause));
  const three = clauses.filter(({ clause, section: part }) => part === '9.3' && about.test(clause));
  const four = express4.clauses.filter(({ text }) => about.test(text));
  const blocks = [
    `# ${heading}`,
    toPages(lines.join('\n')).trim(),
    declared && `## Type\n\n\`\`\`ts\n${declared}\n\`\`\`\n\nAll members: [types](site:${types}).`,
    list('In Express 4', four),
    list('In Express 3', three.map(textOf)),
    list('Clauses and evidence', own.map(textOf)),
  ];
  return { path: pathOf(title), title, text: `${blocks.filter(Boolean).join('\n\n')}\n` };
}

/** The declarations of a member in each series; series with the same one are named together. */
function signaturesOf(title: string): string {
  const all = SERIES.map((series) => [`${series}.x`, declarationsOf(title, series).join('\n')] as const);
  if (all.every(([, declared]) => declared === '')) return '';
  const texts = [...new Set(all.map(([, declared]) => declared))];
  return texts
    .map((text) => {
      const names = all.filter(([, declared]) => declared === text).map(([name]) => name);
      return text === '' ? `// not in ${names.join(', ')}` : `// ${names.join(', ')}\n${text}`;
    })
    .join('\n\n');
}

function list(heading: string, items: readonly { id: string; text: string }[]): string {
  const lines = items.map(
    ({ id, text }) => `- [${id}](../../${pageOf(id)}#${anchorOf(id)}): ${asMarkdown(text)}`,
  );
  return lines.length > 0 ? `## ${heading}\n\n${lines.join('\n')}` : '';
}

function textOf({ id, clause }: { id: string; clause: string }): { id: string; text: string } {
  return { id, text: clause };
}

/** `app.use([path,] ...handlers)` has the title `app.use`. */
function titleOf(heading: string): string {
  return /^\w+\.\w+/.exec(heading)?.[0] ?? heading;
}

/** The names under which clauses mention a member. */
function aliasesOf(title: string): string[] {
  const others: Record<string, string[]> = {
    'app.METHOD': ['app.METHOD', 'app.post', 'app.put'],
    'router.METHOD': ['router.METHOD', 'router.get'],
    'req.get': ['req.get', 'req.header'],
    'res.set': ['res.set', 'res.header'],
    'res.type': ['res.type', 'res.contentType'],
  };
  return (
    others[title] ?? (title.startsWith('express.') ? [title, title.replace('express', 'framework')] : [title])
  );
}

function pathOf(title: string): string {
  return `docs/api/${title === 'express()' ? 'express-function' : title}.md`;
}

/** Turns links to a section of docs/api into links to the page of its member. */
function toPages(text: string): string {
  const titles = memberAnchors();
  return text.replace(/\]\((?:\w+\.md)?#([^)]+)\)/g, (all, anchor: string) => {
    const title = titles.get(anchor);
    return title ? `](${pathOf(title).replace('docs/api/', '')})` : all;
  });
}

/** Turns links of other pages to a section of docs/api into links to the page of its member. */
export function toMembers(text: string): string {
  const titles = memberAnchors();
  return text.replace(/\]\(([./\w]*)\bapi\/\w+\.md#([^)]+)\)/g, (all, folder: string, anchor: string) => {
    const title = titles.get(anchor);
    return title ? `](${folder}${pathOf(title).replace('docs/', '')})` : all;
  });
}

let anchors: Map<string, string> | undefined;

/** The anchors that the headings of docs/api have, with the titles of their pages. */
function memberAnchors(): Map<string, string> {
  anchors ??= new Map(
    Object.keys(OBJECTS).flatMap((name) =>
      [...readFileSync(join(root, 'docs', 'api', `${name}.md`), 'utf8').matchAll(/^## (.*)$/gm)].map(
        ([, heading = '']) => [headingId(heading), titleOf(heading)] as const,
      ),
    ),
  );
  return anchors;
}
