// Runs third-party packages for Express on Express and on this build, and compares the results. Run this script before
// a release. It first installs some 1,600 packages below spec/ecosystem.
//
//   npm run verify -- ecosystem                     plays every case
//   npm run verify -- ecosystem passport ws      only these packages, cases or families of cases
//   npm run verify -- ecosystem --json out.json  also writes the transcripts of both runs
//   npm run verify -- ecosystem --write          also adds the results to docs/compatibility.md if all pass; also with names,
//                                         --series and --http2
//   npm run verify -- ecosystem --series 4       compares Express 4 with the package for Express 4, in the cases for both
//   npm run verify -- ecosystem agents --latest  installs the newest versions of the packages of these cases, on both series
//   npm run verify -- ecosystem --http2          compares this build over HTTP/2 with this build over HTTP/1.1; divergences/packages.ts
//                                         lists the cases that differ
//   npm run verify -- ecosystem --page           only writes docs/compatibility.md again, from spec/ecosystem/results.json
//   npm run verify -- ecosystem --check          only checks that page, and that each case was run with its current versions
//
// Exit code 1 if a case differs, if its run on Express is not as the case declares, or if --check finds a difference.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DIFFERING, NOT_PLAYED } from '../../parity/divergences/packages';
import { each, WIDTH } from '../../parity/each';
import { versionOf } from '../bench/node';
import { runCommand } from '../command';
import { formatLine } from '../table';
import { type Case, listCases, type Series } from './cases';
import { expressOf, installLatest, openInstallations } from './installations';
import { compareTransports, judge, type Verdict } from './judge';
import { checkPage, writePage } from './page';
import { nodeFor, play } from './play';
import { keepResults, type Result, type Run } from './results';

runCommand({
  name: 'ecosystem',
  file: __filename,
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    http2: { type: 'boolean', default: false },
    series: { type: 'string', default: '5' },
    latest: { type: 'boolean', default: false },
  },
  run({ values, positionals }) {
    const cases = listCases(positionals);
    if (values.series !== '5' && values.series !== '4')
      throw new TypeError(`--series: expected 4 or 5, got ${values.series}`);
    if (values.check) return checkPage();
    if (values.page) {
      writePage();
      return true;
    }
    if (values.http2) return playOverHttp2(cases, values.write);
    if (values.latest) return playLatest(cases);
    return playPinned(cases, values.series, values.json, values.write);
  },
});

/**
 * Plays cases with the versions of the lockfile.
 *
 * @param json The file for the transcripts; undefined for none.
 * @param isWritten Whether to add the results to docs/compatibility.md if all cases pass.
 */
async function playPinned(
  cases: readonly Case[],
  series: Series,
  json: string | undefined,
  isWritten: boolean,
): Promise<boolean> {
  const verdicts = await playAll(cases, series);
  if (json) {
    mkdirSync(dirname(json), { recursive: true });
    writeFileSync(json, JSON.stringify(verdicts, null, 2));
  }
  const isGood = summarize(verdicts);
  if (isWritten && isGood) {
    const outcomes = verdicts.map(({ one }): [Case, string] => [
      one,
      one.breaks && series === '5' ? `fails as with Express: ${one.breaks}` : 'same',
    ]);
    keep(series === '5' ? 'ecosystem' : 'ecosystem -- --series 4', expressOf(series), outcomes);
  }
  return isGood;
}

function keep(run: Run, express: string, outcomes: ReadonlyArray<readonly [Case, string]>): void {
  const results = outcomes.map(([{ name, packages, node }, outcome]): [string, Result] => [
    name,
    { packages, express, outcome, node: versionOf(nodeFor(node)) },
  ]);
  keepResults(
    run,
    Object.fromEntries(results),
    listCases([]).map(({ name }) => name),
  );
  writePage();
}

/** Plays cases with the newest versions of their packages, with Express 5 and 4. Prints the versions. */
async function playLatest(cases: readonly Case[]): Promise<boolean> {
  const folders = new Map<string, string>();
  for (const [base, group] of byBase(cases)) {
    const { folder, versions } = installLatest(base, group);
    folders.set(base, folder);
    for (const one of new Set(group.flatMap(({ packages }) => packages))) {
      const [name = '', pinned = ''] = one.split(/@(?=[^@]+$)/);
      console.log(`${name} ${versions[name]}${versions[name] === pinned ? '' : `, pinned: ${pinned}`}`);
    }
  }
  const verdicts: Verdict[] = [];
  for (const series of ['5', '4'] as const) {
    console.log(`\nExpress ${series}`);
    verdicts.push(...(await playAll(cases, series, folders)));
  }
  return summarize(verdicts);
}

/** @param folders The folders to install in, by `base` of the cases; default the `base` itself. */
async function playAll(
  cases: readonly Case[],
  series: Series,
  folders: ReadonlyMap<string, string> = new Map(),
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const played = cases.filter(({ statuses }) => statuses[series]);
  for (const [base, group] of byBase(played)) {
    const { express, nozomi } = openInstallations(series, folders.get(base) ?? base);
    await each(group, WIDTH, async (one) => {
      const verdict = judge(one, series, await play(express, one), await play(nozomi, one));
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

/** Prints how many cases passed. @returns Whether all did. */
function summarize(verdicts: readonly Verdict[]): boolean {
  const failed = verdicts.filter(({ isGood }) => !isGood).length;
  console.log(`\n${verdicts.length - failed} passed, ${failed} failed`);
  return failed === 0;
}

/**
 * Plays each case over HTTP/2 and, unless it cannot be played there, over HTTP/1.1.
 *
 * @param isWritten Whether to add the results to docs/compatibility.md if all cases pass.
 * @returns Whether exactly the cases that divergences/packages.ts lists differ or cannot be played.
 */
async function playOverHttp2(cases: readonly Case[], isWritten: boolean): Promise<boolean> {
  const outcomes: [Case, string][] = [];
  const counts = { same: 0, differing: 0, 'not played': 0, failed: 0 };
  const nozomi = new Map(
    [...byBase(cases).keys()].map((base) => [base, openInstallations('5', base).nozomi]),
  );
  await each(cases, WIDTH, async (one) => {
    const { result, details } = await judgeOverHttp2(one, nozomi.get(one.base) ?? one.base);
    counts[result]++;
    if (result === 'same') outcomes.push([one, one.ownServer ? 'same, with `nozomi/http2`' : 'same']);
    if (result === 'differing') outcomes.push([one, DIFFERING[one.name] ?? '']);
    const why = NOT_PLAYED[one.name] ?? DIFFERING[one.name];
    console.log(
      [
        formatLine([result === 'failed' ? '✗' : '✓', one.name, result], [-2, -52, -12]),
        ...(result === 'failed' ? details : why ? [why] : []).map((line) => `    ${line}`),
      ].join('\n'),
    );
  });
  const { failed, ...good } = counts;
  const [same, differing, notPlayed] = Object.values(good);
  console.log(`\n${same} the same, ${differing} differ as declared, ${notPlayed} not played as declared`);
  console.log(`${cases.length - failed} passed, ${failed} failed`);
  if (isWritten && failed === 0) keep('ecosystem -- --http2', expressOf('5'), outcomes);
  return failed === 0;
}

interface Http2Verdict {
  readonly result: 'same' | 'differing' | 'not played' | 'failed';
  readonly details: readonly string[];
}

async function judgeOverHttp2(one: Case, installation: string): Promise<Http2Verdict> {
  const over2 = await play(installation, one, 'http2');
  const skipped = over2.transcript.find((entry) => entry.skipped !== undefined)?.skipped;
  if (skipped !== undefined) {
    if (Object.hasOwn(NOT_PLAYED, one.name)) return { result: 'not played', details: [] };
    return {
      result: 'failed',
      details: [`cannot be played: ${skipped}; add the case to NOT_PLAYED in divergences/packages.ts`],
    };
  }
  if (Object.hasOwn(NOT_PLAYED, one.name)) {
    return {
      result: 'failed',
      details: ['can be played: remove the case from NOT_PLAYED in divergences/packages.ts'],
    };
  }
  const details = compareTransports(await play(installation, one), over2);
  if (!Object.hasOwn(DIFFERING, one.name)) {
    return { result: details.length === 0 ? 'same' : 'failed', details };
  }
  if (details.length > 0) return { result: 'differing', details };
  return {
    result: 'failed',
    details: ['does not differ: remove the case from DIFFERING in divergences/packages.ts'],
  };
}

function format({ one, result, details, milliseconds }: Verdict): string {
  const mark = details.length === 0 ? '✓' : '✗';
  const head = formatLine(
    [mark, one.name, result, `${(milliseconds / 1000).toFixed(1)} s`],
    [-2, -37, -12, 8],
  );
  return [head, ...details.map((line) => `    ${line}`)].join('\n');
}
