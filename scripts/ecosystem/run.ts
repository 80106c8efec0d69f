// Runs third-party packages for Express on Express and on this build, and compares the results. Run this script before
// a release. It first installs some 1,900 packages below spec/ecosystem.
//
//   npm run check -- ecosystem                  plays every case, with Express 5 and with Express 4
//   npm run check -- ecosystem passport ws      only these packages, cases or families of cases
//   npm run check -- ecosystem --series 4       only with Express 4
//   npm run check -- ecosystem --latest         installs the newest versions of the packages: of APM agents, or of the
//                                                named cases
//   npm run check -- ecosystem --http2          compares this build over HTTP/2 with this build over HTTP/1.1;
//                                                divergences/packages.ts lists the cases that differ
//   npm run check -- ecosystem --write          also adds the results to docs/compatibility.md if all pass
//
// Exit code 1 if a case differs, or if its run on Express is not as the case declares.
import { NOT_PLAYED } from '../../parity/divergences/packages';
import { each, WIDTH } from '../../parity/each';
import { ownTemporaryFiles } from '../../parity/temporary-folder';
import { versionOf } from '../bench/node';
import { runCommand } from '../command';
import { LATEST } from '../published/manifest';
import { writeResults } from '../published/page';
import type { Run } from '../published/results';
import { formatLine } from '../table';
import { type Case, listCases, type Series, toSeries } from './cases';
import { expressOf, type Installations, installLatest, openInstallations } from './installations';
import { judge, judgeTransports, type Verdict } from './judge';
import { nodeFor, play } from './play';

/** Plays a case, and judges it. */
type Judge = (one: Case, folders: Installations) => Promise<Verdict>;
/** The folders to install in, by `base` of the cases; absent for the `base` itself. */
type Folders = ReadonlyMap<string, string>;

runCommand({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    http2: { type: 'boolean' },
    latest: { type: 'boolean' },
    series: { type: 'string' },
  },
  async run({ values, positionals }) {
    ownTemporaryFiles();
    const cases = listCases(values.latest && positionals.length === 0 ? LATEST : positionals);
    const folders: Folders = values.latest ? installNewest(cases) : new Map();
    const runs: ReadonlyArray<readonly [Run, Series, Judge]> = values.http2
      ? [['ecosystem --http2', '5', playTransports]]
      : toSeries(values.series).map((series) => [`ecosystem --series ${series}`, series, playSeries(series)]);
    const verdicts: Verdict[] = [];
    for (const [run, series, judged] of runs) {
      console.log(`\n${run}`);
      const own = await playAll(cases, series, folders, judged);
      if (values.write && own.every(({ isGood }) => isGood)) keep(run, expressOf(series), own);
      verdicts.push(...own);
    }
    const failed = verdicts.filter(({ isGood }) => !isGood).length;
    return { passed: verdicts.length - failed, failed };
  },
});

function playSeries(series: Series): Judge {
  return async (one, { express, nozomi }) =>
    judge(one, series, await play(express, one), await play(nozomi, one));
}

async function playTransports(one: Case, { nozomi }: Installations): Promise<Verdict> {
  return judgeTransports(one, await play(nozomi, one), await play(nozomi, one, 'http2'));
}

/** Plays the cases of a series, and prints their verdicts. */
async function playAll(
  cases: readonly Case[],
  series: Series,
  folders: Folders,
  judged: Judge,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const [base, group] of byBase(cases.filter(({ statuses }) => statuses[series]))) {
    const installations = openInstallations(series, folders.get(base) ?? base);
    await each(group, WIDTH, async (one) => {
      const verdict = await judged(one, installations);
      verdicts.push(verdict);
      console.log(format(verdict));
    });
  }
  return verdicts;
}

/** @returns Cases by the folder with their package.json. */
function byBase(cases: readonly Case[]): Map<string, Case[]> {
  const bases = new Set(cases.map(({ base }) => base));
  return new Map([...bases].map((base) => [base, cases.filter((one) => one.base === base)]));
}

/** Installs the newest versions of the packages of cases, and prints them. */
function installNewest(cases: readonly Case[]): Folders {
  const folders = new Map<string, string>();
  for (const [base, group] of byBase(cases)) {
    const { folder, versions } = installLatest(base, group);
    folders.set(base, folder);
    for (const one of new Set(group.flatMap(({ packages }) => packages))) {
      const [name = '', pinned = ''] = one.split(/@(?=[^@]+$)/);
      console.log(`${name} ${versions[name]}${versions[name] === pinned ? '' : `, pinned: ${pinned}`}`);
    }
  }
  return folders;
}

/** Adds results to docs/compatibility.md. */
function keep(run: Run, express: string, verdicts: readonly Verdict[]): void {
  const results = verdicts.flatMap(({ one: { name, packages, node }, outcome }) =>
    outcome ? [[name, { packages, express, outcome, node: versionOf(nodeFor(node)) }] as const] : [],
  );
  writeResults(run, Object.fromEntries(results));
}

function format({ one, outcome, isGood, details }: Verdict): string {
  const result = isGood ? (outcome ?? NOT_PLAYED[one.name] ?? '') : 'differs';
  return [
    formatLine([isGood ? '✓' : '✗', one.name, result], [-2, -52]),
    ...details.map((line) => `    ${line}`),
  ].join('\n');
}
