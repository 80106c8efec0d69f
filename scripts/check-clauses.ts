// Which clauses of spec/clauses.json are proved: named by the title of a spec, by a scenario, by a recorded
// exchange. Run by `npm test`, after the build; `npm run clauses -- --update` after naming more of them.
//
//   npm run clauses -- [--update | --matrix]
//
// Exit code 1 when a title or a scenario names a clause that does not exist, or when fewer clauses are named than
// spec/coverage.json says; --update raises the figures there and never lowers them. Clauses that nothing can test
// are not counted; those of section 9.3 are counted apart.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { readCatalogue } from '../parity/catalogue';
import { readSection, recordedSections } from '../parity/corpus';
import type { Har } from '../parity/har';
import clauses from '../spec/clauses.json';

interface Proof {
  /** Paths of spec files, section paths of scenarios and recordings: one for each title, scenario, exchange. */
  readonly specs: string[];
  readonly scenarios: string[];
  readonly exchanges: string[];
}

interface Figures {
  specs: number;
  scenarios: number;
}

type Kind = keyof Proof;

const root = join(__dirname, '..');
const coverageFile = join(root, 'spec', 'coverage.json');
const testable = clauses.filter(({ reference }) => reference !== 'untestable');
const current = testable.filter(({ section }) => section !== '9.3');
const legacy = testable.filter(({ section }) => section === '9.3');
const proofs = new Map<string, Proof>(
  clauses.map(({ id }) => [id, { specs: [], scenarios: [], exchanges: [] }]),
);
const unknown: string[] = [];

const { values } = parseArgs({
  options: { update: { type: 'boolean', default: false }, matrix: { type: 'boolean', default: false } },
});

for (const { fullTitle, file } of specTitles()) {
  const place = relative(join(root, 'spec'), file).replaceAll('\\', '/');
  for (const id of idsIn(fullTitle)) note('specs', id, place);
}
for (const { section, scenario } of readCatalogue()) {
  for (const id of scenario.clauses) note('scenarios', id, section);
}
for (const section of recordedSections()) {
  const { log } = JSON.parse(readSection(section) ?? '') as Har;
  for (const { _clauses } of log.entries) for (const id of _clauses) note('exchanges', id, section);
}

if (values.matrix) printMatrix();
else printTotals();
process.exitCode = judge();

/** Titles as mocha sees them, those of its `describe`s in front: many are made in loops. */
function specTitles(): ReadonlyArray<{ fullTitle: string; file: string }> {
  const output = join(root, 'report', 'spec-titles.json');
  mkdirSync(dirname(output), { recursive: true });
  const mocha = join(dirname(require.resolve('mocha/package.json')), 'bin', 'mocha.js');
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [mocha, 'spec/**/*.spec.ts', '--dry-run', '--reporter', 'json', '--reporter-option', `output=${output}`],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) {
    console.error(`clauses: mocha could not load the specs\n${stderr || stdout}`);
    process.exit(2);
  }
  return (JSON.parse(readFileSync(output, 'utf8')) as { tests: { fullTitle: string; file: string }[] }).tests;
}

/** `F-4.5-12 F-4.5-13`, and `F-4.5-12…15` for all between. */
function idsIn(title: string): string[] {
  return [...title.matchAll(/\b([FL]-\d+(?:\.\d+)?-)(\d+)(?:(?:…|\.\.\.?)(\d+))?/g)].flatMap(
    ([, section = '', first = '', last = first]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_none, index) => {
        return section + String(Number(first) + index).padStart(first.length, '0');
      }),
  );
}

function note(kind: Kind, id: string, place: string): void {
  const proof = proofs.get(id);
  if (proof) proof[kind].push(place);
  else unknown.push(`${place} names ${id}, which is no clause`);
}

function named(kind: Kind, among: readonly { id: string }[]): number {
  return among.filter(({ id }) => (proofs.get(id)?.[kind].length ?? 0) > 0).length;
}

function printTotals(): void {
  const sections = new Map<string, Array<(typeof clauses)[number]>>();
  for (const clause of testable) {
    const section = clause.id.replace(/-\d+$/, '');
    sections.set(section, [...(sections.get(section) ?? []), clause]);
  }
  console.log('section  clauses  specs  scenarios  exchanges');
  for (const [section, list] of sections) {
    const exchanges = list.reduce((sum, { id }) => sum + (proofs.get(id)?.exchanges.length ?? 0), 0);
    const columns = [list.length, named('specs', list), named('scenarios', list), exchanges];
    console.log(
      section.padEnd(7) +
        columns.map((value, index) => `${value}`.padStart([9, 7, 11, 11][index] ?? 0)).join(''),
    );
  }
  for (const kind of ['specs', 'scenarios'] as const) {
    const missing = current.filter(({ id }) => proofs.get(id)?.[kind].length === 0).map(({ id }) => id);
    if (missing.length > 0) console.log(`\nnamed by no ${kind.slice(0, -1)}: ${toRanges(missing).join(' ')}`);
  }
  console.log(`\nsection 9.3: ${named('specs', legacy)} of ${legacy.length} clauses named by specs`);
}

/** Neighbours as `F-4.5-12…15`, the way titles may name them. */
function toRanges(ids: readonly string[]): string[] {
  const ranges: Array<{ section: string; first: string; last: string }> = [];
  for (const id of ids) {
    const [, section = '', number = ''] = /^(.*-)(\d+)$/.exec(id) ?? [];
    const before = ranges.at(-1);
    if (before?.section === section && Number(before.last) + 1 === Number(number)) before.last = number;
    else ranges.push({ section, first: number, last: number });
  }
  return ranges.map(({ section, first, last }) => section + (first === last ? first : `${first}…${last}`));
}

function printMatrix(): void {
  for (const { id } of testable) {
    const { specs, scenarios, exchanges } = proofs.get(id) ?? { specs: [], scenarios: [], exchanges: [] };
    const cells = [specs, scenarios].map((places) => [...new Set(places)].join(' ') || '-');
    console.log([id, ...cells, exchanges.length].join('\t'));
  }
}

function judge(): number {
  const recorded = JSON.parse(readFileSync(coverageFile, 'utf8')) as Figures;
  const seen: Figures = { specs: named('specs', current), scenarios: named('scenarios', current) };
  for (const line of new Set(unknown)) console.error(line);
  console.log(
    `of ${current.length} clauses ${seen.specs} are named by specs, ${seen.scenarios} by scenarios`,
  );
  if (values.update) {
    const raised: Figures = {
      specs: Math.max(seen.specs, recorded.specs),
      scenarios: Math.max(seen.scenarios, recorded.scenarios),
    };
    writeFileSync(coverageFile, `${JSON.stringify(raised, null, 2)}\n`);
  }
  const lost = (['specs', 'scenarios'] as const).filter((kind) => seen[kind] < recorded[kind]);
  for (const kind of lost) console.error(`${kind}: wanted ${recorded[kind]} clauses, got ${seen[kind]}`);
  return unknown.length + lost.length > 0 ? 1 : 0;
}
