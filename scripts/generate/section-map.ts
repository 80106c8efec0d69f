// Writes docs/sections.md, the map "section → module → spec → scenarios". Run after files were added, removed or
// moved between sections; with --check it writes nothing and exits 1 if the map is out of date.
//
//   npm run map -- [--check]
//
// The first comment of a source file contains its sections (`§4.5`, `L-2.4`), the titles of a spec contain them
// (`§4.5`, `F-4.5-12`), and so do the clauses of a scenario (`F-4.5-12`). Specs outside of all sections follow, by
// folder.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import clauses from '../../spec/clauses.json';
import { runCommand } from '../command';
import { table } from '../document';
import { linkTo, sectionNumbersIn, sectionOf } from '../specification';

const root = join(__dirname, '..', '..');
const page = join(root, 'docs', 'sections.md');

// The titles of the sections, without those that only say "not shown".
const TITLES: Readonly<Record<string, string>> = {
  'F-0': 'The framework function',
  'F-1': 'Execution rules',
  'F-2.1': 'Application properties',
  'F-2.2': 'Settings',
  'F-2.3': '`trust proxy`',
  'F-2.4': '`etag`',
  'F-2.5': 'Router options, route objects',
  'F-2.6': 'Request properties',
  'F-2.7': 'Response properties',
  'F-2.8': 'Cookie options',
  'F-2.9': 'File options',
  'F-2.10': 'Body parsers',
  'F-2.11': 'Static files',
  'F-4.1': 'Top-level functions',
  'F-4.2': 'Application operations, paths, methods',
  'F-4.3': 'Router operations',
  'F-4.4': 'Request methods',
  'F-4.5': 'Response methods',
  'F-5': 'Authentication',
  'F-6': 'Events',
  'F-7': 'Errors',
  'F-8': 'Limits',
  'F-9.1': 'Versions',
  'F-9.3': 'The interface of Express 3',
  'L-1': 'Logger: what it does',
  'L-2.1': 'Logger: formats given',
  'L-2.2': 'Logger: options',
  'L-2.3': 'Logger: named formats',
  'L-2.4': 'Logger: tokens',
  'L-4': 'Logger: functions',
  'L-5': 'Logger: authentication',
  'L-7': 'Logger: errors',
  'L-8': 'Logger: limits',
};

// Sections that repeat clauses of others, with the modules of those clauses.
const MODULES: Readonly<Record<string, readonly string[]>> = {
  'F-0': ['src/index.ts', 'src/framework.ts'],
  'F-5': ['src/response/cookie.ts', 'src/request/origin.ts'],
  'F-6': ['src/application/application.ts'],
  'F-7': ['src/application/application.ts', 'src/routing/walk.ts'],
  'F-8': ['src/body/parsers.ts', 'src/response/send.ts'],
  'F-9.1': ['package.json'],
  'L-5': ['src/logger/tokens.ts'],
  'L-7': ['src/logger/logger.ts'],
  'L-8': ['src/logger/tokens.ts'],
};

/** What the specs of a folder prove, for specs that belong to no section. */
const FOLDERS: Readonly<Record<string, string>> = {
  spec: 'The packed package',
  'spec/1-execution': 'Order of execution in random route tables',
  'spec/2-resources': 'Request and response, further',
  'spec/4-endpoints': 'Operations and methods, further',
  'spec/7-errors': 'Errors, further',
  'spec/8-limits': 'Limits, further',
  'spec/9-express3': 'Express 3: beside Express 5, and in linear time',
  'spec/9-express4': 'Express 4: each clause beside Express 4.22.3',
  'spec/9-express3/middleware': 'Express 3: its middleware',
  'spec/demo': 'The demo application',
  'spec/docs': 'The documentation: its code blocks, links, examples, error codes and workflows',
  'spec/logger': 'Logger: sinks, servers and properties',
  'spec/parity': 'The parity suite itself',
  'spec/scripts': 'The scripts',
  'spec/security': 'Hostile clients, strict settings',
  'spec/security/advisories': 'Published advisories',
  'spec/transports': 'HTTP/2, fetch, graceful shutdown',
  'spec/types': 'The types',
  'spec/wire': 'Values of headers',
};

const modules = filesBySection('src', (text) => sectionsOfComment(firstComment(text)));
const specs = filesBySection('spec', (text) => [...sectionsOfIds(text), ...describedSections(text)]);
const scenarios = filesBySection('parity/scenarios', sectionsOfIds);

runCommand({
  name: 'map',
  file: __filename,
  options: { check: { type: 'boolean', default: false } },
  run({ values }) {
    const map = compose();
    if (!values.check) {
      writeFileSync(page, map);
      return true;
    }
    const isTrue = readFileSync(page, 'utf8') === map;
    if (!isTrue) console.error('docs/sections.md is out of date; run `npm run map`');
    return isTrue;
  },
});

function compose(): string {
  return `# Where each section of the specifications is built and proved

A request comes in at [the application](../src/application/application.ts), [walks](../src/routing/walk.ts) the stack to your
handlers, and leaves through [send](../src/response/send.ts). \`F-4.5\` is section 4.5 of [the framework's
specification](../spec/framework.md), \`L-2.4\` section 2.4 of [the logger's](../spec/logger.md); each clause has an id in
[spec/clauses.json](../spec/clauses.json). The recording of \`parity/scenarios/<path>.ts\` is
\`fixtures/exchanges/<path>.har\`. \`npm run clauses -- --matrix\` goes down to the clause.

${table(['section', '', 'module', 'spec', 'scenarios'], rows())}
Specs that no section above lists:

${table(['folder', '', 'spec'], otherRows())}`;
}

function rows(): string[][] {
  const known = new Set(clauses.map(({ id }) => sectionOf(id)));
  return Object.entries(TITLES).map(([section, title]) => {
    if (!known.has(section)) throw new Error(`section ${section} has no clause`);
    const module = modules.get(section) ?? MODULES[section];
    if (!module) throw new Error(`no file under src/ names section ${section} in its first comment`);
    const proofs = [specs, scenarios].map((files) => atHome(section, files.get(section)));
    return [linkTo(section), title, ...[module, ...proofs].map(links)];
  });
}

function otherRows(): string[][] {
  const listed = new Set(Object.keys(TITLES).flatMap((section) => atHome(section, specs.get(section)) ?? []));
  const others = filesBelow('spec').filter((file) => /\.spec(-d)?\.ts$/.test(file) && !listed.has(file));
  const folders = [...new Set(others.map((file) => dirname(file)))].sort();
  return folders.map((folder) => {
    return [folder, FOLDERS[folder] ?? '', links(others.filter((file) => dirname(file) === folder))];
  });
}

/** The specs named after the section; if there are none, all specs that mention it. */
function atHome(section: string, files: readonly string[] | undefined): readonly string[] | undefined {
  const prefix = `${section.slice(2)}-`;
  const isLogger = section.startsWith('L');
  const home = files?.filter(
    (file) => basename(file).startsWith(prefix) && file.includes('/logger/') === isLogger,
  );
  return home?.length ? home : files;
}

function links(files: readonly string[] | undefined): string {
  return (
    (files ?? []).map((file) => `[${file.split('/').slice(1).join('/') || file}](../${file})`).join(' · ') ||
    '–'
  );
}

function filesBySection(folder: string, sectionsIn: (text: string) => string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  // The specs of the parity suite name clauses only as test data.
  for (const file of filesBelow(folder).filter((one) => !one.startsWith('spec/parity/'))) {
    for (const section of new Set(sectionsIn(readFileSync(join(root, file), 'utf8')))) {
      found.set(section, [...(found.get(section) ?? []), file]);
    }
  }
  return found;
}

/** The TypeScript files below a folder, from the root of the repository. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.m?ts$/.test(file) && !file.includes('node_modules'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .sort();
}

function firstComment(text: string): string {
  return text.match(/^\/\*\*[\s\S]*?\*\//)?.[0] ?? '';
}

/**
 * The sections in a comment: `§4.5` belongs to the framework; `L-2.4`, also with the number of a clause, to the
 * logger.
 */
function sectionsOfComment(comment: string): string[] {
  return [...sectionNumbersIn(comment).map((number) => `F-${number}`), ...sectionsOfIds(comment)];
}

/** The sections in `describe('§4.5 …')`. */
function describedSections(text: string): string[] {
  return [...text.matchAll(/describe\(['`](§[^'`]*)/g)].flatMap(([, title = '']) =>
    sectionNumbersIn(title).map((number) => `F-${number}`),
  );
}

function sectionsOfIds(text: string): string[] {
  return [...text.matchAll(/\b[FL]-\d+(?:\.\d+)?(?:-\d+)?/g)].map((match) => sectionOf(match[0]));
}
