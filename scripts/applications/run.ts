// Compares published applications of manifest.yaml with Express and with this build. Run this script before a release. It
// installs their packages: some 1,400, with --migrated 800, with --recorded 4,000.
//
//   npm run verify -- applications                sends the same requests with Express 5.3.0 and with this build, and then
//                                                 with Express 4.22.3 and with nozomi/4
//   npm run verify -- applications wiki peer      only the named applications, also with the other options
//   npm run verify -- applications --series 4     only those with Express 4
//   npm run verify -- applications --recorded     records them while Chromium opens their pages, then compares the recording
//   npm run verify -- applications --recorded --folder <folder>   installs, records and reports there, and keeps the files
//   npm run verify -- applications --migrated     migrates applications of Express 4, and compares before and after
//   npm run verify -- applications --doctor       only runs `nozomi-parity doctor`, which must print no warning
//   npm run verify -- applications --write        also adds the results to docs/compatibility.md if all are equal
//
// --recorded needs Chromium on the PATH, or its path in the variable CHROMIUM. Writes report/applications/<name>.html.
// Exit code: 0 if all applications pass, 1 if one differs or has warnings, 2 if the script could not run.
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { install } from '../../parity/harness/packages';
import { temporaryFolder } from '../../parity/temporary-folder';
import { findChromium } from '../../spec/support/chromium';
import { type Count, runCommand, toNames } from '../command';
import { type Series, toSeries } from '../ecosystem/cases';
import { MIGRATED, MIGRATED_HOME, playedOn, RECORDED } from '../published/manifest';
import { writePage } from '../published/page';
import { keepResults, type Result, type Run } from '../published/results';
import { compareMigrated } from './migrated';
import { comparePlayed } from './played';
import { compareRecorded } from './recorded';

/** Names with their results; undefined for an application that differs. */
type Results = ReadonlyArray<readonly [name: string, result: Result | undefined]>;
type Named = { readonly name: string };

runCommand({
  options: {
    doctor: { type: 'boolean' },
    series: { type: 'string' },
    recorded: { type: 'boolean' },
    migrated: { type: 'boolean' },
    folder: { type: 'string' },
    write: { type: 'boolean' },
  },
  allowPositionals: true,
  async run({ values, positionals }) {
    const { doctor, recorded, migrated, folder, write } = values;
    if (migrated) return count(await migrate(positionals));
    const results: Array<Results[number]> = [];
    if (recorded)
      results.push(...keep('applications --recorded', await record(positionals, folder), RECORDED, write));
    for (const series of recorded ? [] : toSeries(values.series)) {
      const played = await play(positionals, series, doctor);
      results.push(...keep(`applications --series ${series}`, played, playedOn(series), write && !doctor));
    }
    return count(results.map(([, result]) => result !== undefined));
  },
});

/** @throws TypeError if an application has none of the names. */
function choose<Kind extends Named>(
  all: readonly Kind[],
  names: readonly string[],
  others: readonly Named[] = [],
): readonly Kind[] {
  toNames(names, [...new Set([...all, ...others].map(({ name }) => name))]);
  return all.filter(({ name }) => names.length === 0 || names.includes(name));
}

function count(passed: readonly boolean[]): Count {
  const good = passed.filter(Boolean).length;
  return { passed: good, failed: passed.length - good };
}

/** Adds the results to docs/compatibility.md if all applications passed and `isWritten`. @returns The results. */
function keep(run: Run, results: Results, all: readonly Named[], isWritten = false): Results {
  if (isWritten && results.every(([, result]) => result)) {
    const names = all.map(({ name }) => name);
    keepResults(run, Object.fromEntries(results as ReadonlyArray<readonly [string, Result]>), names);
    writePage();
  }
  return results;
}

async function migrate(names: readonly string[]): Promise<boolean[]> {
  const chosen = choose(
    [...MIGRATED.keys()].map((name) => ({ name })),
    names,
  );
  install(MIGRATED_HOME, 'applications');
  const passed: boolean[] = [];
  for (const { name } of chosen) passed.push(await compareMigrated(name));
  return passed;
}

async function play(names: readonly string[], series: Series, isDoctor?: boolean): Promise<Results> {
  const others = playedOn(series === '4' ? '5' : '4');
  const results: Array<Results[number]> = [];
  for (const one of choose(playedOn(series), names, others))
    results.push([one.name, await comparePlayed(one, series, isDoctor)]);
  return results;
}

async function record(names: readonly string[], folder = temporaryFolder('recorded')): Promise<Results> {
  const chosen = choose(RECORDED, names);
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium was not found: install it, or set CHROMIUM to its path');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const results: Array<Results[number]> = [];
  try {
    for (const one of chosen)
      results.push([one.name, await compareRecorded(one, join(resolve(folder), one.name), browser)]);
  } finally {
    await browser.close();
  }
  return results;
}
