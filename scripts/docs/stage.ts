/** Prepares the input of TypeDoc: the pages of the repository, generated pages, and entry files for the API. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import manifest from '../../package.json';
import { below } from '../document';
import { unlinkMissing } from '../links';
import { TOOLS, TOOLS_FOLDER } from '../package/tools';
import { SECTIONS } from '../specification';
import type { Page } from './evidence';
import { type ReferencePage, toMembers } from './reference';

const root = join(__dirname, '..', '..');

/** The pages of the repository by the group of the navigation, in reading order; pages of docs/ in no list come last in `Start`. */
export const GROUPS = {
  Start: ['docs/getting-started.md', 'docs/create.md', 'docs/lifecycle.md'],
  Guide: [
    'docs/routing.md',
    'docs/middleware.md',
    'docs/request.md',
    'docs/response.md',
    'docs/error-handling.md',
    'docs/templates.md',
    'docs/static-files.md',
    'docs/uploads.md',
    'docs/schemas.md',
    'docs/openapi.md',
    'docs/cookies-sessions.md',
    'docs/authentication.md',
    'docs/streaming.md',
    'docs/websockets.md',
    'docs/transports.md',
    'docs/timeouts.md',
    'docs/settings.md',
    'docs/logging.md',
    'docs/errors.md',
    'docs/testing.md',
    'docs/typescript.md',
  ],
  Recipes: ['docs/recipes.md'],
  Operation: [
    'docs/deployment.md',
    'docs/security/graceful-end.md',
    'docs/serverless.md',
    'docs/runtimes.md',
    'docs/package.md',
  ],
  Switch: [
    'docs/switching.md',
    'docs/express4.md',
    'docs/migrate.md',
    'docs/express3.md',
    'docs/express3-middleware.md',
    'docs/series.md',
    'docs/parity.md',
    'docs/parity-ci.md',
    'docs/hermetic.md',
    'docs/routes-and-doctor.md',
    'docs/compatibility.md',
  ],
  Security: [
    'SECURITY.md',
    'docs/security/threat-model.md',
    'docs/security/advisories.md',
    'docs/security/spellings.md',
    'docs/security/strict.md',
  ],
  'Decisions and evidence': [
    'docs/performance.md',
    'spec/framework.md',
    'spec/logger.md',
    'spec/divergences.md',
    'docs/decisions.md',
  ],
  Project: [
    'CONTRIBUTING.md',
    'docs/sections.md',
    'docs/finding-your-way.md',
    'parity/README.md',
    'fixtures/README.md',
    'docs/publish.md',
    'CHANGELOG.md',
  ],
} as const;
type Group = keyof typeof GROUPS;

/** Shorter titles for the navigation, where the heading of a page is a question or a sentence. */
const TITLES: Readonly<Record<string, string>> = {
  'docs/switching.md': 'From Express 5 and morgan',
  'docs/migrate.md': 'From Express 4 to 5 at once',
  'docs/express3-middleware.md': 'Middleware of Express 3',
  'docs/parity.md': 'Parity',
  'docs/routes-and-doctor.md': 'Routes and doctor',
  'docs/compatibility.md': 'Compatibility',
  'docs/deployment.md': 'Deployment',
  'docs/package.md': 'Contents of the package',
  'docs/security/spellings.md': 'Ambiguous paths and hosts',
  'docs/security/strict.md': 'Server on the public web',
  'docs/sections.md': 'Files of each section',
  'docs/finding-your-way.md': 'From behaviour to code',
};

interface Staged {
  readonly entryPoints: string[];
  /** The paths of the top-level pages, in order. The index pages list the evidence and the recordings. */
  readonly documents: string[];
  /** The paths of the pages of the guide, in order. */
  readonly guide: string[];
  /** Links to a heading that their page does not have, one line for each. */
  readonly lost: string[];
}

/**
 * Writes the input of TypeDoc to a folder.
 *
 * @param folder An empty folder. Pages keep their paths in the repository.
 */
export function stage(
  folder: string,
  reference: readonly ReferencePage[],
  evidence: readonly Page[],
  recordings: readonly Page[],
): Staged {
  const listed = Object.values(GROUPS).flat() as string[];
  const others = below(join(root, 'docs'))
    .filter((file) => file.endsWith('.md') && !/^(?:api|recipes|decisions)\//.test(file))
    .map((file) => `docs/${file}`)
    .filter((file) => !listed.includes(file));
  const documents = (Object.keys(GROUPS) as Group[]).flatMap((group) => [
    ...GROUPS[group].map((file) => copy(folder, file, group)),
    ...(group === 'Start' ? others.map((file) => copy(folder, file, group)) : []),
  ]);
  write(folder, 'README.md', withManagers(toMembers(readFileSync(join(root, 'README.md'), 'utf8'))));
  for (const picture of readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.svg')))
    cpSync(join(root, 'docs', picture), join(folder, 'docs', picture));

  for (const { path, title, text } of [...evidence, ...recordings])
    write(folder, path, withHead({ title }, text));
  for (const { path, title, text, children } of reference) {
    const names = children.map((child) => `./${child.path.split('/').pop()}`);
    write(folder, path, withHead({ title, group: 'Reference', children: names }, text));
    for (const child of children) write(folder, child.path, withHead({ title: child.title }, child.text));
  }
  const indexes = evidence.length > 0 ? ['evidence/index.md', 'recordings/index.md'] : [];
  if (evidence.length > 0) {
    writeIndex(folder, 'evidence/index.md', 'Clauses and evidence', evidence, EVIDENCE);
    writeIndex(folder, 'recordings/index.md', 'Recordings', recordings, RECORDINGS);
  }
  const lost = unlinkMissing(folder);
  const project = documents.indexOf(GROUPS.Project[0]);
  const all = [...documents.slice(0, project), ...indexes, ...documents.slice(project)];
  const recipes = childrenOf('docs/recipes.md');
  return {
    entryPoints: writeEntryPoints(folder),
    documents: [...all, ...reference.map(({ path }) => path)],
    guide: [...documents.slice(0, project).filter((file) => !file.startsWith('spec/')), ...recipes],
    lost,
  };
}

const EVIDENCE =
  'Each clause of the specification with a recorded exchange, the specs and scenarios that test it, and whether Express and Nozomi conform to it.';
const RECORDINGS = 'Every recorded scenario with all its exchanges and the source of its applications.';

/** The pages of the folder with the name of a page. */
function childrenOf(file: string): string[] {
  const folder = file.replace(/\.md$/, '');
  const names = existsSync(join(root, folder)) ? readdirSync(join(root, folder)).sort() : [];
  return names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`);
}

/** @param group Undefined for a page below another one. */
function copy(folder: string, file: string, group?: Group): string {
  const text = withManagers(toMembers(readFileSync(join(root, file), 'utf8')));
  const title = titleOf(file, text);
  const inner = group === undefined || file.endsWith('README.md') ? [] : childrenOf(file);
  const children = inner.map((child) => `./${copy(folder, child).slice(dirname(file).length + 1)}`);
  const linked = file.startsWith('spec/') ? withEvidence(text) : text;
  write(
    folder,
    file,
    withHead({ title, ...(group && { group }), ...(children.length > 0 && { children }) }, linked),
  );
  return file;
}

/** @returns The title of a page in the navigation and the search. */
export function titleOf(file: string, text: string): string {
  return TITLES[file] ?? /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? file;
}

/** `npm install` and what the other package managers call it. */
const MANAGERS: Readonly<Record<string, string>> = {
  npm: 'npm install',
  pnpm: 'pnpm add',
  yarn: 'yarn add',
  bun: 'bun add',
};

/** Turns a block of commands that install packages from the registry into one block for each package manager, which `site.mjs` shows as tabs. */
export function withManagers(text: string): string {
  return text.replace(
    /^```sh\n((?:(?:npm install|pnpm add|yarn add|bun add) .*\n)+)```$/gm,
    (all, code: string) => {
      const lines = code.trim().split('\n');
      const own = lines.filter((line) => line.startsWith(MANAGERS.npm ?? ''));
      if (/\.tgz|git\+|file:/.test(code)) return all;
      const blocks = Object.entries(MANAGERS).map(
        ([, verb]) =>
          `\`\`\`sh\n${own.map((line) => line.replace('npm install', verb)).join('\n')}\n\`\`\`\n`,
      );
      return `<div class="managers" data-names="${Object.keys(MANAGERS).join(' ')}">\n\n${blocks.join('\n')}\n</div>`;
    },
  );
}

/** Adds a link below the heading of each section, to the page with its clauses. */
function withEvidence(text: string): string {
  return text.replace(/(<a id="([fl]-[\d.]+)"><\/a>\n\n#.*\n)/g, (all, head: string, id: string) => {
    const section = id.toUpperCase();
    return SECTIONS.has(section) ? `${head}\n[Clauses and evidence](../evidence/${section}.md)\n` : all;
  });
}

function writeIndex(
  folder: string,
  path: string,
  title: string,
  pages: readonly Page[],
  about: string,
): void {
  const names = pages.map((page) => `./${page.path.split('/').pop()}`);
  const list = pages
    .map((page, index) => `- [${page.title.replace(/[[\]]/g, '\\$&')}](${names[index]})\n`)
    .join('');
  const head = { title, group: 'Decisions and evidence', children: names };
  write(folder, path, withHead(head, `# ${title}\n\n${about}\n\n${list}`));
}

/** Adds front matter to a page. JSON values are valid YAML. */
function withHead(head: Record<string, unknown>, text: string): string {
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join('')}---\n\n${text}`;
}

/**
 * Writes one file for each entry point of the packages with types, except aliases. The file re-exports its
 * declarations.
 */
function writeEntryPoints(folder: string): string[] {
  const names = Object.entries(manifest.exports).flatMap(([name, target]): [string, string][] => {
    if (typeof target === 'string' || name === './5' || name === './index.js') return [];
    return [[`nozomi${name.slice(1)}`, target.types]];
  });
  for (const [name, target] of Object.entries(TOOLS.exports))
    if (typeof target !== 'string')
      names.push([`${TOOLS.name}${name.slice(1)}`, target.types.replace('./dist', TOOLS_FOLDER)]);
  return names.map(([name, types]) => {
    const file = `api/${name.replace('/', '-')}.mts`;
    const from = join(root, types)
      .replace(/\.d\.(m?)ts$/, '.$1js')
      .replaceAll('\\', '/');
    // The function and the namespace that `export =` exports, under their name.
    const [, single] = /^export = (\w+);$/m.exec(readFileSync(join(root, types), 'utf8')) ?? [];
    const exported = single ? `{ default as ${single} }` : '*';
    const text = `/**\n * @module ${name}\n */\nexport ${exported} from '${from}';\n`;
    write(folder, file, text);
    return file;
  });
}

function write(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}
