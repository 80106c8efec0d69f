/** Prepares the input of TypeDoc: the pages of the repository, generated pages, and entry files for the API. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import manifest from '../../package.json';
import { below } from '../document';
import { unlinkMissing } from '../links';
import { TOOLS, TOOLS_FOLDER } from '../package/tools';
import { SECTIONS } from '../specification';
import type { Page } from './evidence';
import type { ReferencePage } from './reference';

const root = join(__dirname, '..', '..');

/** The pages of the guide, in reading order. Pages of docs/ that no list contains come last. */
const GUIDE = [
  'docs/getting-started.md',
  'docs/switching.md',
  'docs/express4.md',
  'docs/express3.md',
  'docs/express3-middleware.md',
  'docs/migrate.md',
  'docs/errors.md',
  'docs/error-handling.md',
  'docs/routes-and-doctor.md',
  'docs/transports.md',
  'docs/static-files.md',
  'docs/web-bodies.md',
  'docs/authentication.md',
  'docs/uploads.md',
  'docs/schemas.md',
  'docs/logging.md',
  'docs/websockets.md',
  'docs/timeouts.md',
  'docs/settings.md',
  'SECURITY.md',
  'docs/security/threat-model.md',
  'docs/security/spellings.md',
  'docs/security/strict.md',
  'docs/security/graceful-end.md',
  'docs/deployment.md',
  'docs/serverless.md',
  'docs/testing.md',
  'docs/parity.md',
  'docs/parity-ci.md',
  'docs/performance.md',
];
const PROJECT = [
  'CONTRIBUTING.md',
  'docs/sections.md',
  'parity/README.md',
  'fixtures/README.md',
  'docs/publish.md',
  'CHANGELOG.md',
];
const SPECIFICATION = ['spec/framework.md', 'spec/logger.md', 'spec/divergences.md'];

interface Staged {
  readonly entryPoints: string[];
  /** The paths of the top-level pages, in order. The index pages list the evidence and the recordings. */
  readonly documents: string[];
  /** The paths of the pages of the guide, in order. */
  readonly guide: string[];
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
  const others = below(join(root, 'docs'))
    .filter((file) => file.endsWith('.md') && !file.startsWith('api/'))
    .map((file) => `docs/${file}`);
  const guide = [...GUIDE.filter((file) => existsSync(join(root, file))), ...others.filter(isUnlisted)];
  for (const file of guide) copy(folder, file, 'Guide');
  for (const file of SPECIFICATION) copy(folder, file, 'Specification');
  for (const file of PROJECT) copy(folder, file, 'Project');
  write(folder, 'README.md', readFileSync(join(root, 'README.md'), 'utf8'));
  for (const picture of readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.svg')))
    cpSync(join(root, 'docs', picture), join(folder, 'docs', picture));

  for (const { path, title, text } of [...evidence, ...recordings])
    write(folder, path, withHead({ title }, text));
  for (const { path, title, text, children } of reference) {
    const names = children.map((child) => `./${child.path.split('/').pop()}`);
    write(folder, path, withHead({ title, group: 'Reference', children: names }, text));
    for (const child of children) write(folder, child.path, withHead({ title: child.title }, child.text));
  }
  writeIndex(folder, 'evidence/index.md', 'Clauses and evidence', evidence, EVIDENCE);
  writeIndex(folder, 'recordings/index.md', 'Recordings', recordings, RECORDINGS);
  unlinkMissing(folder);
  const indexes = ['evidence/index.md', 'recordings/index.md'];
  const documents = [
    ...guide,
    ...reference.map(({ path }) => path),
    ...SPECIFICATION,
    ...indexes,
    ...PROJECT,
  ];
  return { entryPoints: writeEntryPoints(folder), documents, guide };
}

const EVIDENCE =
  'Each clause of the specification with a recorded exchange, the specs and scenarios that test it, and whether Express and Nozomi conform to it.';
const RECORDINGS = 'Every recorded scenario with all its exchanges and the source of its applications.';

function isUnlisted(file: string): boolean {
  return !GUIDE.includes(file) && !PROJECT.includes(file);
}

function copy(folder: string, file: string, group: string): void {
  const text = readFileSync(join(root, file), 'utf8');
  const title = /^# (.*)$/m.exec(text)?.[1] ?? file;
  const linked = group === 'Specification' ? withEvidence(text) : text;
  write(folder, file, withHead({ title, group }, linked));
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
  const head = { title, group: 'Specification', children: names };
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
