/** Writes docs/package.md: the packages of an installation, beside those of Express. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, table } from '../document';
import { listFiles } from './tarball';
import { type Installed, packagesBelow, root, type Weight, weigh } from './tree';

interface Row {
  what: string;
  /** Folders of the packages themselves; `''` is this one. */
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
// For each package that Express does not need: why it is installed.
const REASONS: Readonly<Record<string, string>> = {
  'basic-auth': 'the logger, as morgan',
  'on-headers': 'the logger, as morgan',
  'safe-buffer': 'of basic-auth',
};

const file = join(root, 'docs', 'package.md');

export function writeDocument(): void {
  writeFileSync(file, compose());
}

/** @throws {Error} if the document differs from the lockfile and the files. */
export function checkDocument(): void {
  const wanted = compose();
  if (readIfThere(file) !== wanted)
    throw new Error('docs/package.md is out of date: run npm run package -- --write');
}

function compose(): string {
  const ours = packagesBelow('');
  const theirs = packagesBelow(...EXPRESS);
  const more = without(ours, theirs);
  const fewer = without(theirs, ours);
  const saved = sum(fewer.map(({ folder }) => weigh(folder)));
  return `# The package

What an installation brings, as \`npm ls --omit=dev --all\` counts it. No package runs a script when it is installed.

${table(['Installed', 'Packages', 'Files', 'kB', 'Own files', 'Own kB'], ROWS.map(cellsOf))}
Sizes are of unpacked files. Ours carries source maps with their sources, for stack traces that name lines of the source,
and declarations; a figure stays here until it is off by a tenth.

## Beside the packages of Express

Needed beyond what Express brings:

${table(
  ['Package', 'Reason'],
  more.map(({ name }) => [`\`${name}\``, reasonOf(name)]),
)}
Not needed any more: ${fewer.map(({ name }) => `\`${name}\``).join(', ')} (${saved.files} files, ${Math.round(saved.bytes / 1000)} kB).
Code that loads one of them without a dependency of its own needs [a line](switching.md#packages-that-express-brings).

## Licences

${table(['Package', 'Version', 'Licence', 'File'], ours.map(licenceOf))}
*Made by \`npm run package -- --write\`; \`npm run package\` fails when it is not true.*
`;
}

function without(packages: readonly Installed[], others: readonly Installed[]): Installed[] {
  const names = new Set(others.map(({ name }) => name));
  return packages.filter(({ name }) => !names.has(name));
}

function weighPacked(): Weight {
  return sum(listFiles().map(({ size }) => ({ files: 1, bytes: size })));
}

function cellsOf({ what, tops }: Row): string[] {
  const below = packagesBelow(...tops);
  const own = sum(tops.map((top) => (top === '' ? weighPacked() : weigh(top))));
  const all = sum([own, ...below.map(({ folder }) => weigh(folder))]);
  const packages =
    below.length + tops.length - tops.filter((top) => below.some(({ folder }) => folder === top)).length;
  const figures = [all.files, all.bytes / 1000, own.files, own.bytes / 1000].map(Math.round);
  return [what, String(packages), ...keepStated(what, figures).map(String)];
}

/** The figures of the document if they are within a tenth, so that small changes do not rewrite it. */
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
    name.startsWith('@types/') || name === 'undici-types' ? 'types, as of @types/express' : REASONS[name];
  if (!reason) throw new Error(`docs/package.md: wanted a reason for ${name} in scripts/package/document.ts`);
  return reason;
}

function licenceOf({ name, version, licence, licenceFile }: Installed): string[] {
  if (!licenceFile) throw new Error(`${name} ships no licence file`);
  return [`\`${name}\``, version, licence, `\`${licenceFile}\``];
}

function sum(weights: readonly Weight[]): Weight {
  return weights.reduce(
    (total, { files, bytes }) => ({ files: total.files + files, bytes: total.bytes + bytes }),
    { files: 0, bytes: 0 },
  );
}
