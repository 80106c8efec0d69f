// Writes docs/sections.md, which lists for each section of the specification its modules, specs and scenarios. Run this
// script after adding, removing or moving files.
//
//   npm run generate -- map               writes docs/sections.md
//   npm run generate -- map --check    writes nothing; exit code 1 if the page is out of date
//
// A source file names its sections in its first comment (`§4.5`, `L-2.4`, `E4-C`), a spec in its name (`4.5-send.spec.ts`)
// and with `proves('F-4.5-12')`, a scenario in its clauses (`F-4.5-12`). The page also lists the specs without a section, by folder.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import clauses from '../../spec/clauses.json';
import express4 from '../../spec/express4.json';
import { below, table } from '../document';
import { linkTo, sectionNumbersIn, sectionOf } from '../specification';
import { pageWith, root, runGenerator } from './page';

const PAGE = 'docs/sections.md';
/** So many files of a folder are too long a list. */
const MANY = 10;

interface Tables {
  /** Titles by section. Sections that only say "not shown" are left out. */
  readonly titles: Readonly<Record<string, string>>;
  /** The modules of sections that no source file names, mostly because they repeat clauses of other sections. */
  readonly modules: Readonly<Record<string, readonly string[]>>;
  /** Descriptions by folder, for the specs that belong to no section. */
  readonly folders: Readonly<Record<string, string>>;
}

const {
  titles: TITLES,
  modules: MODULES,
  folders: FOLDERS,
}: Tables = parse(readFileSync(join(__dirname, 'section-map.yaml'), 'utf8'));

/** Titles by area of the clauses in spec/express4.json: `E4-C` contains the clauses `E4-C1`, `E4-C2` … */
const AREAS = Object.fromEntries(express4.areas.map(({ letter, title }) => [`E4-${letter}`, title]));

const [SCENARIOS, SPECS] = [/\.scenarios\.ts$/, /(?<!\.scenarios)\.m?ts$/].map((name) =>
  filesBelow('spec').filter((file) => name.test(file)),
) as [string[], string[]];

const modules = filesBySection(filesBelow('src'), (text) => sectionsOfComment(firstComment(text)));
const specs = filesBySection(SPECS, (text, file) => [...sectionsOfName(file), ...sectionsOfIds(text)]);
const scenarios = filesBySection(SCENARIOS, (text) => [
  ...sectionsOfIds(text),
  ...sectionsOfComment(firstComment(text)),
]);

runGenerator(() => ({ [PAGE]: pageWith(PAGE, compose()) }));

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
    return [linkTo(section), title, moduleLinks(modulesOf(section)), ...proofs.map(links)];
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
    return [`[${area}](../spec/express4.json)`, title, moduleLinks(modulesOf(area)), ...proofs.map(links)];
  });
}

function modulesOf(section: string): readonly string[] {
  const files = modules.get(section) ?? MODULES[section];
  if (!files)
    throw new Error(
      `no file of src/ names ${section} in its first comment: name it there, or list its modules in section-map.yaml`,
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

/** A folder stands for its files if all of them, and many, belong to the section. */
function moduleLinks(files: readonly string[]): string {
  const whole = [...new Set(files.map((file) => dirname(file)))].filter((folder) => {
    const inside = filesBelow(folder).filter((file) => dirname(file) === folder);
    return inside.length >= MANY && inside.every((file) => files.includes(file));
  });
  return links([...whole, ...files.filter((file) => !whole.includes(dirname(file)))]);
}

function links(files: readonly string[] | undefined): string {
  return (
    (files ?? []).map((file) => `[${file.split('/').slice(1).join('/') || file}](../${file})`).join(' · ') ||
    '–'
  );
}

function filesBySection(
  files: readonly string[],
  sectionsIn: (text: string, file: string) => string[],
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  // Skip the specs of the parity suite and of scripts, in which ids of clauses are test data.
  for (const file of files.filter((one) => !/^spec\/(?:parity|scripts)\//.test(one))) {
    for (const section of new Set(sectionsIn(readFileSync(join(root, file), 'utf8'), file))) {
      found.set(section, [...(found.get(section) ?? []), file]);
    }
  }
  return found;
}

/** @returns The paths of the TypeScript files below a folder, from the root of the repository. */
function filesBelow(folder: string): string[] {
  return below(join(root, folder))
    .filter((file) => /\.m?ts$/.test(file) && !file.includes('node_modules'))
    .map((file) => `${folder}/${file}`);
}

function firstComment(text: string): string {
  return text.match(/^\/\*\*[\s\S]*?\*\//)?.[0] ?? '';
}

/** @returns The sections that a comment names: `§4.5` is `F-4.5`; ids of sections and clauses count, too. */
function sectionsOfComment(comment: string): string[] {
  return [...sectionNumbersIn(comment).map((number) => `F-${number}`), ...sectionsOfIds(comment)];
}

/** @returns The section at the start of the name of a spec: `F-4.5` for `4.5-send.spec.ts`. */
function sectionsOfName(file: string): string[] {
  const [, number] = /^(\d+(?:\.\d+)?)-.*\.spec\.ts$/.exec(basename(file)) ?? [];
  return number ? [`${file.includes('/logger/') ? 'L' : 'F'}-${number}`] : [];
}

function sectionsOfIds(text: string): string[] {
  const areas = [...text.matchAll(/\bE4-[A-J](?![A-Za-z])/g)].map(([area]) => area);
  return [...[...text.matchAll(/\b[FL]-\d+(?:\.\d+)?(?:-\d+)?/g)].map(([id]) => sectionOf(id)), ...areas];
}
