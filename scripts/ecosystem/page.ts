/**
 * Generates docs/compatibility.md from the results in spec/ecosystem/results.json and the lists of cases and
 * applications. Runs with `--write` add their results and generate it again.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOT_PLAYED } from '../../parity/divergences/packages';
import { playedOn, RECORDED } from '../applications/manifest';
import { readIfThere, table } from '../document';
import { ALL_SERIES, type Case, home, listCases, type Series } from './cases';
import { type Kept, type Run, readResults } from './results';

const file = join(home, '..', '..', 'docs', 'compatibility.md');

/** Cases of test clients; their family `hosting` is about hosts. */
const TEST_CLIENTS = ['light-my-request', 'supertest', 'chai-http', 'node-mocks-http'];
const isTestClient = ({ name }: Case): boolean => TEST_CLIENTS.includes(name);

/** The sections with cases: the title, and which cases belong there. The last takes all others. */
const SECTIONS: ReadonlyArray<readonly [title: string, belongs: (one: Case) => boolean]> = [
  ['Your framework', ({ family }) => ['built', 'frameworks', 'apis', 'building'].includes(family)],
  ['Your agent', ({ family }) => ['agents', 'observability'].includes(family)],
  ['Your test runner', isTestClient],
  ['Your host', ({ family }) => family === 'hosting'],
  ['Your middleware', () => true],
];

/** What precedes the cases of a section. */
const BEFORE: Readonly<Record<string, () => string>> = {
  'Your agent':
    () => `Agents such as Datadog, New Relic, Elastic APM and OpenTelemetry find Express by the name and version of its package. Install Nozomi
[under the name of Express](getting-started.md#install): the cases test only this, and none tests an agent with a package \`nozomi\`. Load the
agent before the application, for example Datadog with \`node -r dd-trace/init app.js\`, or New Relic with \`node -r newrelic app.js\`.
`,
  'Your test runner': runners,
  'Your host': () =>
    '[Runtimes](runtimes.md) has those of Node.js, Bun, Deno and workerd: `npm run verify -- runtimes`.\n',
};

/** @returns True, as the result of a command. */
export function writePage(): true {
  writeFileSync(file, compose());
  return true;
}

/** Checks that the page is generated from the current results, and that they are of the versions that are pinned. */
export function checkPage(): boolean {
  const faults = stale();
  if (readIfThere(file) !== compose())
    faults.push('docs/compatibility.md is out of date: run npm run verify -- ecosystem --page');
  for (const fault of faults) console.log(fault);
  if (faults.length === 0) console.log('docs/compatibility.md has the results of all cases and applications');
  return faults.length === 0;
}

/** @returns One line for each case and application that was not run with its versions. */
function stale(): string[] {
  const cases = listCases([]);
  const on = (series: Series): Case[] => cases.filter(({ statuses }) => statuses[series]);
  const wanted: ReadonlyArray<readonly [Run, readonly Played[]]> = [
    ...ALL_SERIES.map((series) => [`ecosystem --series ${series}`, on(series)] as const),
    ['ecosystem --http2', on('5').filter(({ name }) => !Object.hasOwn(NOT_PLAYED, name))],
    ...ALL_SERIES.map((series) => [`applications --series ${series}`, playedOn(series)] as const),
    [
      'applications --recorded',
      RECORDED.map((one) => ({ ...one, packages: [`${one.from}@${one.version}`] })),
    ],
  ];
  return wanted.flatMap(([run, all]) =>
    all
      .filter((one) => !isCurrent(one, readResults(run)[one.name]))
      .map(({ name }) => `${name} was not run with its current versions: npm run verify -- ${run} --write`),
  );
}

/** What was run; if `packages` are known, with these versions. */
type Played = { readonly name: string; readonly packages?: readonly string[] };

function isCurrent({ packages }: Played, result: Kept | undefined): boolean {
  return result !== undefined && (!packages || String(packages) === String(result.packages));
}

function compose(): string {
  const cases = listCases([]);
  const packages = new Set(cases.flatMap((one) => one.packages.map((each) => each.replace(/@[^@]+$/, ''))));
  const rest = new Set(cases);
  const sections = SECTIONS.map(([title, belongs]) => {
    const own = [...rest].filter(belongs);
    for (const one of own) rest.delete(one);
    return [`## ${title}\n`, BEFORE[title]?.(), tableOf(own)].filter(Boolean).join('\n');
  });
  const [frameworks, ...others] = sections;
  return `# What it runs with

${packages.size} third-party packages, in ${cases.length} cases, and published applications. All run twice: with Express and morgan, and with Nozomi
installed under these two names. Every exchange (status, headers in order and spelling, body) must be the same in both runs. So must all
else that is observed: log lines, spans, events, session data. Only times, ports, directories, stack frames, random values and the value of
\`X-Powered-By\` may differ. *Same* in a table means that they are.

\`\`\`sh
npm run verify -- ecosystem                  # installs the packages on first use, then plays every case
npm run verify -- ecosystem passport ws      # only these packages or families
npm run verify -- ecosystem --series 4       # only with Express 4
npm run verify -- ecosystem --http2          # compares HTTP/2 with HTTP/1.1
npm run verify -- ecosystem agents --latest  # the newest versions of the packages of these cases
npm run verify -- applications               # published applications: requests written by hand
npm run verify -- applications --recorded    # published applications: records them in Chromium, compares
npm run verify -- runners                    # test runners
npm run verify -- runtimes                   # Node.js, Bun, Deno and workerd
\`\`\`

Each command takes names, and with \`--write\` adds its results to this page. The pinned versions are those that were run, on the day in
the row; \`npm test\` fails if a pinned version has not been run. \`npm test -- --all\` also plays the agents with \`--latest\`, so that a new
version of one that works only with Express fails the run. A package that needs a newer Node.js gets Node.js 24. No case connects to another
host, and the install scripts of packages do not run.

The column *HTTP/2* compares Nozomi over HTTP/2 (\`http2.createServer(app)\`) with Nozomi over HTTP/1.1, except for
[what always differs](transports.md#what-differs).

${frameworks}
${products()}
${others.join('\n')}`;
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

function runners(): string {
  const rows = Object.entries(readResults('runners')).map(([name, result]) => {
    const { packages, express, outcome } = result;
    return [packages.join(', '), name, express, outcome, ranOn(result)];
  });
  return `\`npm run verify -- runners\` installs the newest version of each, but AVA 6, because later ones need Node.js 22.20. It plays the same
[tests](../spec/runners/suite.cjs) with Express 5, 4 and 3, and with \`nozomi\`, \`nozomi/4\` and \`nozomi/3\`. Component tests of Playwright
and those of Cypress with Vite load no Express. Those of Cypress with webpack do: their server is in the table of
[recorded applications](#recorded). Cypress itself was not run, because its package downloads it from another host than npm. It runs
outside the process of an application, and sends requests to it.

${table(['Package', 'Test runner', 'Express', 'With Nozomi', 'Run'], rows)}`;
}

const PRODUCT_HEAD = ['Package', 'What it is', 'Express', 'What was run', 'With Nozomi', 'Run'];

/** @returns The outcome, with the day of its run if that is not the day of the row. */
function outcomeOf(result: Kept | undefined, row: Kept | undefined): string | undefined {
  return result && (result.date === row?.date ? result.outcome : `${result.outcome} (${result.date})`);
}

function products(): string {
  const recorded = RECORDED.map((one) => productRow('applications --recorded', one));
  const [on5, on4] = ALL_SERIES.map((series) =>
    table(
      PRODUCT_HEAD,
      playedOn(series).map((one) => productRow(`applications --series ${series}`, one)),
    ),
  );
  return `## Your product

### recorded

1. \`nozomi-parity record\` starts the application with the version of Express that it depends on, and Chromium opens its pages and sends requests.
2. \`nozomi-parity\` plays the recording twice: with that Express, and with Nozomi instead (\`nozomi/4\` for Express 4). Responses and
   log lines must be equal.
3. If they differ and that Express is not the latest, the application is compared again, with the version whose behaviour
   Nozomi has: Express 5.3.0 or 4.22.3, with morgan 1.12.1. That comparison must be equal.

${table(PRODUCT_HEAD, recorded)}
### applications

[Requests written by hand](../spec/applications), with Express 5.3.0, which an override installs also for applications that depend on Express 4.

${on5}
### applications on Express 4

The same, with Express 4.22.3 and \`nozomi/4\`.

${on4}`;
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
