// Writes docs/sections.md, which lists for each section of the specification its modules, specs and scenarios. Run this
// script after adding, removing or moving files.
//
//   npm run generate -- map               writes docs/sections.md
//   npm run generate -- map --check    writes nothing; exit code 1 if the page is out of date
//
// A source file names its sections in its first comment (`§4.5`, `L-2.4`, `E4-C`), a spec in its titles (`§4.5`,
// `F-4.5-12`), a scenario in its clauses (`F-4.5-12`). The page also lists the specs without a section, by folder.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import clauses from '../../spec/clauses.json';
import express4 from '../../spec/express4.json';
import { table } from '../document';
import { linkTo, sectionNumbersIn, sectionOf } from '../specification';
import { pageWith, root, runGenerator } from './page';

const PAGE = 'docs/sections.md';

/** Titles by section. Sections that only say "not shown" are left out. */
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

/** Titles by area of the clauses in spec/express4.json: `E4-C` contains the clauses `E4-C1`, `E4-C2` … */
const AREAS = Object.fromEntries(express4.areas.map(({ letter, title }) => [`E4-${letter}`, title]));

/** The modules of sections that no source file names, mostly because they repeat clauses of other sections. */
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
  'E4-I': ['src/application/application.ts', 'src/express4/application.ts'],
};

/** Descriptions by folder, for the specs that belong to no section. */
const FOLDERS: Readonly<Record<string, string>> = {
  spec: 'All scenarios; the packed package',
  'spec/1-execution': 'Order of execution in random route tables',
  'spec/2-resources': 'Requests and responses: more tests',
  'spec/4-endpoints': 'Operations and methods: more tests',
  'spec/7-errors': 'Errors: more tests',
  'spec/8-limits': 'Limits: more tests',
  'spec/9-express3': 'Express 3: together with Express 5, and in linear time',
  'spec/9-express4': 'Express 4: more tests',
  'spec/9-express3/middleware': 'Express 3: its middleware',
  'spec/demo': 'The demo application',
  'spec/docs': 'The documentation: its code blocks, links, examples, error codes and workflows',
  'spec/logger': 'Logger: streams, servers and properties',
  'spec/parity': 'The parity suite itself',
  'spec/scripts': 'The scripts',
  'spec/security': 'Hostile clients, strict settings',
  'spec/security/advisories': 'Published advisories',
  'spec/transports': 'HTTP/2, fetch, WebSockets, graceful shutdown',
  'spec/types': 'The types',
  'spec/http': 'Header values',
  'spec/internal': 'Texts in caches',
};

const [SCENARIOS, SPECS] = [/\.scenarios\.ts$/, /(?<!\.scenarios)\.m?ts$/].map((name) =>
  filesBelow('spec').filter((file) => name.test(file)),
) as [string[], string[]];

const modules = filesBySection(filesBelow('src'), (text) => sectionsOfComment(firstComment(text)));
const specs = filesBySection(SPECS, (text) => [...sectionsOfIds(text), ...describedSections(text)]);
const scenarios = filesBySection(SCENARIOS, (text) => [
  ...sectionsOfIds(text),
  ...sectionsOfComment(firstComment(text)),
]);

runGenerator({ name: 'map', file: __filename, compose: () => ({ [PAGE]: pageWith(PAGE, compose()) }) });

function compose(): Record<string, string> {
  const head = ['module', 'spec', 'scenarios'];
  return {
    sections: table(['section', '', ...head], rows()),
    areas: table(['area', '', ...head], areaRows()),
    others: table(['folder', '', 'spec'], otherRows()),
  };
}

function rows(): string[][] {
  const known = new Set(clauses.map(({ id }) => sectionOf(id)));
  return Object.entries(TITLES).map(([section, title]) => {
    if (!known.has(section)) throw new Error(`spec/clauses.json has no clause of section ${section}`);
    const proofs = [specs, scenarios].map((files) => atHome(section, files.get(section)));
    return [linkTo(section), title, ...[modulesOf(section), ...proofs].map(links)];
  });
}

function areaRows(): string[][] {
  return Object.entries(AREAS).map(([area, title]) => {
    const proofs = [
      specs.get(area),
      SCENARIOS.filter(
        (file) =>
          file.startsWith('spec/9-express4/') && basename(file).startsWith(`${area.slice(3).toLowerCase()}-`),
      ),
    ];
    return [`[${area}](../spec/express4.json)`, title, ...[modulesOf(area), ...proofs].map(links)];
  });
}

function modulesOf(section: string): readonly string[] {
  const files = modules.get(section) ?? MODULES[section];
  if (!files)
    throw new Error(
      `no file of src/ names ${section} in its first comment: name it there, or list its modules in MODULES`,
    );
  return files;
}

function otherRows(): string[][] {
  const listed = new Set([
    ...Object.keys(AREAS).flatMap((area) => specs.get(area) ?? []),
    ...Object.keys(TITLES).flatMap((section) => atHome(section, specs.get(section)) ?? []),
  ]);
  const others = filesBelow('spec').filter((file) => /\.spec(-d)?\.ts$/.test(file) && !listed.has(file));
  const folders = [...new Set(others.map((file) => dirname(file)))].sort();
  return folders.map((folder) => {
    return [folder, FOLDERS[folder] ?? '', links(others.filter((file) => dirname(file) === folder))];
  });
}

/** @returns The files whose names start with the number of the section; if there are none, all files that name it. */
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

function filesBySection(
  files: readonly string[],
  sectionsIn: (text: string) => string[],
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  // Skip the specs of the parity suite, in which ids of clauses are test data.
  for (const file of files.filter((one) => !one.startsWith('spec/parity/'))) {
    for (const section of new Set(sectionsIn(readFileSync(join(root, file), 'utf8')))) {
      found.set(section, [...(found.get(section) ?? []), file]);
    }
  }
  return found;
}

/** @returns The paths of the TypeScript files below a folder, from the root of the repository. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.m?ts$/.test(file) && !file.includes('node_modules'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .sort();
}

function firstComment(text: string): string {
  return text.match(/^\/\*\*[\s\S]*?\*\//)?.[0] ?? '';
}

/** @returns The sections that a comment names: `§4.5` is `F-4.5`; ids of sections and clauses count, too. */
function sectionsOfComment(comment: string): string[] {
  return [...sectionNumbersIn(comment).map((number) => `F-${number}`), ...sectionsOfIds(comment)];
}

/** @returns The sections in the titles of `describe('… (§4.5)')`. */
function describedSections(text: string): string[] {
  return [...text.matchAll(/describe\(['`]([^'`]*)/g)].flatMap(([, title = '']) =>
    sectionNumbersIn(title).map((number) => `F-${number}`),
  );
}

function sectionsOfIds(text: string): string[] {
  const areas = [...text.matchAll(/\bE4-[A-J](?![A-Za-z])/g)].map(([area]) => area);
  return [...[...text.matchAll(/\b[FL]-\d+(?:\.\d+)?(?:-\d+)?/g)].map(([id]) => sectionOf(id)), ...areas];
}
