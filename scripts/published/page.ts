/**
 * Generates the tables of docs/compatibility.md from the results in spec/ecosystem/results.json, the cases and the
 * applications. Runs with `--write` add their results and generate it again.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOT_PLAYED } from '../../parity/divergences/packages';
import { table } from '../document';
import { type Case, listCases } from '../ecosystem/cases';
import { pageWith, root } from '../generate/page';
import { listPublished } from './list';
import { playedOn, RECORDED } from './manifest';
import { type Kept, keepResults, type Result, type Run, readResults } from './results';

export const PAGE = 'docs/compatibility.md';

/** Cases of test clients; their family `hosting` is about hosts. */
const TEST_CLIENTS = ['light-my-request', 'supertest', 'chai-http', 'node-mocks-http'];
const isTestClient = ({ name }: Case): boolean => TEST_CLIENTS.includes(name);

/** The parts of the page with cases: the name, and which cases belong there. The last takes all others. */
const PARTS: ReadonlyArray<readonly [name: string, belongs: (one: Case) => boolean]> = [
  ['frameworks', ({ family }) => ['built', 'frameworks', 'apis', 'building'].includes(family)],
  ['agents', ({ family }) => ['agents', 'observability'].includes(family)],
  ['clients', isTestClient],
  ['hosts', ({ family }) => family === 'hosting'],
  ['middleware', () => true],
];

/** Adds the results of a run, and removes those of what it does not run any more. */
export function writeResults(run: Run, results: Readonly<Record<string, Result>>): void {
  const listed = listPublished().filter((one) => one.run === run);
  keepResults(
    run,
    results,
    listed.map(({ name }) => name),
  );
  writeFileSync(join(root, PAGE), composePage());
}

/** @returns The whole page. */
export function composePage(): string {
  const cases = listCases([]);
  const packages = new Set(cases.flatMap((one) => one.packages.map((each) => each.replace(/@[^@]+$/, ''))));
  const rest = new Set(cases);
  const parts = PARTS.map(([name, belongs]) => {
    const own = [...rest].filter(belongs);
    for (const one of own) rest.delete(one);
    return [name, tableOf(own)] as const;
  });
  const products = (run: Run, list: ReadonlyArray<Parameters<typeof productRow>[1]>): string =>
    table(
      PRODUCT_HEAD,
      list.map((one) => productRow(run, one)),
    );
  return pageWith(PAGE, {
    count: `${packages.size} third-party packages, in ${cases.length} cases, and published applications.\n`,
    ...Object.fromEntries(parts),
    recorded: products('applications --recorded', RECORDED),
    applications: products('applications --series 5', playedOn('5')),
    applications4: products('applications --series 4', playedOn('4')),
    runners: table(['Package', 'Test runner', 'Express', 'With Nozomi', 'Run'], runners()),
  });
}

function tableOf(cases: readonly Case[]): string {
  const families = [...new Set(cases.map(({ family }) => family))];
  const head = ['Packages', 'What was run', 'Express 5', 'Express 4', 'HTTP/2', 'Run'];
  return families
    .map((family) => {
      const rows = cases.filter((one) => one.family === family).map(rowOf);
      return `${families.length > 1 ? `### ${family}\n\n` : ''}${table(head, rows)}`;
    })
    .join('\n');
}

function rowOf(one: Case): string[] {
  const [on5, on4, on2] = (['--series 5', '--series 4', '--http2'] as const).map(
    (option) => readResults(`ecosystem ${option}`)[one.name],
  );
  const row = on5 ?? on4;
  return [
    (row?.packages ?? one.packages).join(', '),
    one.shows,
    outcomeOf(on5, row) ?? '',
    outcomeOf(on4, row) ?? '',
    outcomeOf(on2, row) ?? NOT_PLAYED[one.name] ?? '',
    ranOn(row),
  ];
}

function runners(): string[][] {
  return Object.entries(readResults('runners')).map(([name, result]) => {
    const { packages, express, outcome } = result;
    return [packages.join(', '), name, express, outcome, ranOn(result)];
  });
}

const PRODUCT_HEAD = ['Package', 'What it is', 'Express', 'What was run', 'With Nozomi', 'Run'];

/** @returns The outcome, with the day of its run if that is not the day of the row. */
function outcomeOf(result: Kept | undefined, row: Kept | undefined): string | undefined {
  return result && (result.date === row?.date ? result.outcome : `${result.outcome} (${result.date})`);
}

function productRow(run: Run, { name, about }: { readonly name: string; readonly about: string }): string[] {
  const result = readResults(run)[name];
  const { packages = [name], express = '', played = '', outcome = 'not run' } = result ?? {};
  return [packages.join(', '), about, express, played, outcome, ranOn(result)];
}

function ranOn(result: Kept | undefined): string {
  if (!result) return '';
  return result.node ? `${result.date}, Node.js ${result.node}` : result.date;
}
