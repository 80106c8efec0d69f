// Runs third-party packages for Express on Express and on this build, and compares the results. Run this script before
// a release. It first installs some 1,600 packages below spec/ecosystem.
//
//   npm run ecosystem                     plays every case
//   npm run ecosystem -- passport ws      only these packages, cases or families of cases
//   npm run ecosystem -- --json out.json  also writes the transcripts of both runs
//   npm run ecosystem -- --write          plays every case; writes docs/ecosystem.md if all pass
//   npm run ecosystem -- --series 4       compares Express 4 with the package for Express 4, in the cases for both
//   npm run ecosystem -- agents --latest  installs the newest versions of the packages of these cases, on both series
//   npm run ecosystem -- --http2          compares this build over HTTP/2 with this build over HTTP/1.1; over-http2.ts
//                                         lists the cases that differ
//   npm run ecosystem -- --check          only checks that docs/ecosystem.md lists the current cases and versions
//
// Exit code 1 if a case differs, if its run on Express is not as the case declares, or if --check finds a difference.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { each, WIDTH } from '../../parity/each';
import { runCommand } from '../command';
import { formatLine } from '../table';
import { type Case, listCases, type Series } from './cases';
import { checkDocument, writeDocument } from './document';
import { type Installations, installLatest, openInstallations } from './installations';
import { compareTransports, judge, type Verdict } from './judge';
import { DIFFERING, NOT_PLAYED } from './over-http2';
import { play } from './play';

runCommand({
  name: 'ecosystem',
  file: __filename,
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    http2: { type: 'boolean', default: false },
    series: { type: 'string', default: '5' },
    latest: { type: 'boolean', default: false },
  },
  run({ values, positionals }) {
    const cases = listCases(positionals);
    if (values.series !== '5' && values.series !== '4')
      throw new TypeError(`--series: expected 4 or 5, got ${values.series}`);
    if (values.check) return checkDocument(cases);
    if (values.http2) return playOverHttp2(cases);
    if (values.latest) return playLatest(cases);
    return playPinned(cases, values.series, values.json, values.write && positionals.length === 0);
  },
});

/**
 * Plays cases with the versions of the lockfile.
 *
 * @param json The file for the transcripts; undefined for none.
 * @param isWritten Whether to write docs/ecosystem.md if all cases pass.
 */
async function playPinned(
  cases: readonly Case[],
  series: Series,
  json: string | undefined,
  isWritten: boolean,
): Promise<boolean> {
  const verdicts = await playAll(cases, openInstallations(series), series);
  if (json) {
    mkdirSync(dirname(json), { recursive: true });
    writeFileSync(json, JSON.stringify(verdicts, null, 2));
  }
  const isGood = summarize(verdicts);
  if (isWritten && isGood) writeDocument(cases);
  return isGood;
}

/** Plays cases with the newest versions of their packages, with Express 5 and 4. Prints the versions. */
async function playLatest(cases: readonly Case[]): Promise<boolean> {
  const { folder, versions } = installLatest(cases);
  for (const one of new Set(cases.flatMap(({ packages }) => packages))) {
    const [name = '', pinned = ''] = one.split(/@(?=[^@]+$)/);
    console.log(`${name} ${versions[name]}${versions[name] === pinned ? '' : `, pinned: ${pinned}`}`);
  }
  const verdicts: Verdict[] = [];
  for (const series of ['5', '4'] as const) {
    console.log(`\nExpress ${series}`);
    verdicts.push(...(await playAll(cases, openInstallations(series, folder), series)));
  }
  return summarize(verdicts);
}

async function playAll(
  cases: readonly Case[],
  installations: Installations,
  series: Series,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const played = cases.filter(({ statuses }) => statuses[series]);
  await each(played, WIDTH, async (one) => {
    const [theirs, ours] = [await play(installations.express, one), await play(installations.nozomi, one)];
    const verdict = judge(one, series, theirs, ours);
    verdicts.push(verdict);
    console.log(format(verdict));
  });
  return verdicts;
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
 * @returns Whether exactly the cases that over-http2.ts lists differ or cannot be played.
 */
async function playOverHttp2(cases: readonly Case[]): Promise<boolean> {
  const { nozomi } = openInstallations('5');
  const counts = { same: 0, differing: 0, 'not played': 0, failed: 0 };
  await each(cases, WIDTH, async (one) => {
    const { result, details } = await judgeOverHttp2(one, nozomi);
    counts[result]++;
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
      details: [`cannot be played: ${skipped}; add the case to NOT_PLAYED in over-http2.ts`],
    };
  }
  if (Object.hasOwn(NOT_PLAYED, one.name)) {
    return { result: 'failed', details: ['can be played: remove the case from NOT_PLAYED in over-http2.ts'] };
  }
  const details = compareTransports(await play(installation, one), over2);
  if (!Object.hasOwn(DIFFERING, one.name)) {
    return { result: details.length === 0 ? 'same' : 'failed', details };
  }
  if (details.length > 0) return { result: 'differing', details };
  return { result: 'failed', details: ['does not differ: remove the case from DIFFERING in over-http2.ts'] };
}

function format({ one, result, details, milliseconds }: Verdict): string {
  const mark = details.length === 0 ? '✓' : '✗';
  const head = formatLine(
    [mark, one.name, result, `${(milliseconds / 1000).toFixed(1)} s`],
    [-2, -37, -12, 8],
  );
  return [head, ...details.map((line) => `    ${line}`)].join('\n');
}
