/** Generates the tables of docs/package.md, which compares the packages that an installation contains with those of Express. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, table } from '../document';
import { pageWith } from '../generate/page';
import { MAX_BYTES, MAX_FILES, MAX_INSTALLED_RATIO } from './budget';
import { type Installed, packagesBelow, root, sum, weigh } from './tree';

interface Row {
  what: string;
  /** The folders of the packages that a user installs, without their dependencies; `''` is this package. */
  tops: readonly string[];
}

const modules = (name: string): string => `node_modules/${name}`;
const EXPRESS = [modules('express')];
const WITH_TYPES = [...EXPRESS, modules('@types/express')];
const ROWS: readonly Row[] = [
  { what: '**nozomi**', tops: [''] },
  { what: 'express', tops: EXPRESS },
  { what: 'express, @types/express', tops: WITH_TYPES },
  {
    what: 'express, morgan and their types',
    tops: [...WITH_TYPES, modules('morgan'), modules('@types/morgan')],
  },
];
/** By name of a package that Express does not depend on: the reason why this package does. */
const REASONS: Readonly<Record<string, string>> = {
  'basic-auth': 'the logger (morgan needs it, too)',
  'negotiator-0': 'Express 4 (the version that it depends on)',
  'on-headers': 'the logger (morgan needs it, too)',
  'path-to-regexp-0': 'Express 4 (the version that it depends on)',
  'safe-buffer': 'a dependency of basic-auth',
};

const file = join(root, 'docs', 'package.md');

/** @param own The folder with the unpacked tarball. */
export function writeDocument(own: string): void {
  writeFileSync(file, compose(own));
}

/** @throws {Error} if docs/package.md does not agree with package-lock.json and the installed files. */
export function checkDocument(own: string): void {
  const expected = compose(own);
  if (readIfThere(file) !== expected)
    throw new Error('docs/package.md is out of date: run npm run check -- package --write');
}

function compose(own: string): string {
  const ours = packagesBelow('');
  const theirs = packagesBelow(...EXPRESS);
  const fewer = without(theirs, ours);
  const saved = sum(fewer.map(({ folder }) => weigh(folder)));
  const larger = Math.round((MAX_INSTALLED_RATIO - 1) * 100);
  const sizes = table(
    ['Installed', 'Packages', 'Files', 'kB', 'Own files', 'Own kB'],
    ROWS.map((row) => cellsOf(row, own)),
  );
  return pageWith('docs/package.md', {
    sizes: `${sizes}
\`npm run check -- package\` fails if Nozomi has more than ${MAX_FILES} files or ${MAX_BYTES / 1000} kB, or if an installation is more than ${larger} %
larger than one of Express, morgan and @types/express.
`,
    more: table(
      ['Package', 'Reason'],
      without(ours, theirs).map(({ name }) => [`\`${name}\``, reasonOf(name)]),
    ),
    fewer: `${fewer.map(({ name }) => `\`${name}\``).join(', ')} (${saved.files} files, ${Math.round(saved.bytes / 1000)} kB)\n`,
    licences: table(['Package', 'Version', 'Licence', 'File'], ours.map(licenceOf)),
  });
}

function without(packages: readonly Installed[], others: readonly Installed[]): Installed[] {
  const names = new Set(others.map(({ name }) => name));
  return packages.filter(({ name }) => !names.has(name));
}

function cellsOf({ what, tops }: Row, home: string): string[] {
  const below = packagesBelow(...tops);
  const own = sum(tops.map((top) => weigh(top || home)));
  const all = sum([own, ...below.map(({ folder }) => weigh(folder))]);
  const packages =
    below.length + tops.length - tops.filter((top) => below.some(({ folder }) => folder === top)).length;
  const figures = [all.files, all.bytes / 1000, own.files, own.bytes / 1000].map(Math.round);
  return [what, String(packages), ...keepStated(what, figures).map(String)];
}

/** Keeps each figure of the page that is off by at most a tenth, so that the page rarely changes. */
function keepStated(what: string, figures: readonly number[]): readonly number[] {
  const row = readIfThere(file)
    ?.split('\n')
    .find((line) => line.startsWith(`| ${what} |`));
  const stated =
    row
      ?.split('|')
      .slice(3, 3 + figures.length)
      .map(Number) ?? [];
  return figures.map((figure, i) => {
    const before = stated[i] ?? Number.NaN;
    return Math.abs(before - figure) <= figure / 10 ? before : figure;
  });
}

function reasonOf(name: string): string {
  const reason =
    name.startsWith('@types/') || name === 'undici-types'
      ? 'types (@types/express needs them, too)'
      : REASONS[name];
  if (!reason) throw new Error(`docs/package.md: add a reason for ${name} to scripts/package/document.ts`);
  return reason;
}

function licenceOf({ name, version, licence, licenceFile }: Installed): string[] {
  if (!licenceFile) throw new Error(`docs/package.md: the package ${name} contains no licence file`);
  return [`\`${name}\``, version, licence, `\`${licenceFile}\``];
}
