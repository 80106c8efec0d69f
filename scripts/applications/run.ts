// Compares published applications of manifest.yaml with Express and with this build. Run this script before a release. It
// installs their packages: some 1,400, with --migrated 800, with --recorded 4,000.
//
//   npm run check -- applications                sends the same requests with Express 5.3.0 and with this build, and then
//                                                 with Express 4.22.3 and with nozomi/4
//   npm run check -- applications wiki peer      only the named applications, also with the other options
//   npm run check -- applications --series 4     only those with Express 4
//   npm run check -- applications --recorded     records them while Chromium opens their pages, then compares the recording
//   npm run check -- applications --recorded --folder <folder>   installs, records and reports there, and keeps the files
//   npm run check -- applications --migrated     migrates applications of Express 4, and compares before and after
//   npm run check -- applications --doctor       only runs `nozomi-parity doctor`, which must print no warning
//   npm run check -- applications --write        also adds the results to docs/compatibility.md if all are equal
//
// --recorded needs Chromium on the PATH, or its path in the variable CHROMIUM. Writes report/applications/<name>.html.
// Exit code: 0 if all applications pass, 1 if one differs or has warnings, 2 if the script could not run.
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { install } from '../../parity/harness/packages';
import { ownTemporaryFiles, temporaryFolder } from '../../parity/temporary-folder';
import { programOf } from '../../spec/support/programs';
import { runCommand, toNames } from '../command';
import { type Series, toSeries } from '../ecosystem/cases';
import { MIGRATED, MIGRATED_HOME, playedOn, RECORDED } from '../published/manifest';
import { writeResults } from '../published/page';
import type { Result, Run } from '../published/results';
import { compareMigrated } from './migrated';
import { comparePlayed } from './played';
import { compareRecorded } from './recorded';

type Named = { readonly name: string };
/** The applications by name: what was compared; undefined or false for one that differs. */
type Outcomes = ReadonlyMap<string, Result | undefined | boolean>;

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
    ownTemporaryFiles();
    const { doctor, recorded, migrated, folder, write } = values;
    const runs: Outcomes[] = [];
    // Writes the results of a run before the next one starts, which may throw.
    const keep = (run: Run, outcomes: Outcomes): void => {
      runs.push(outcomes);
      if (write && !doctor && [...outcomes.values()].every(Boolean))
        writeResults(run, Object.fromEntries(outcomes) as Record<string, Result>);
    };
    if (migrated) runs.push(await migrate(positionals));
    else if (recorded) keep('applications --recorded', await record(positionals, folder));
    else
      for (const series of toSeries(values.series))
        keep(`applications --series ${series}`, await play(positionals, series, doctor));
    const passed = runs.flatMap((outcomes) => [...outcomes.values()].map(Boolean));
    const failed = passed.filter((one) => !one).length;
    return { passed: passed.length - failed, failed };
  },
});

/**
 * Compares the named applications, or all, one after the other.
 *
 * @param others Applications whose names are known, too.
 * @throws TypeError if an application has none of the names.
 */
async function inTurn<Kind extends Named>(
  all: readonly Kind[],
  names: readonly string[],
  compare: (one: Kind) => Promise<Result | undefined | boolean>,
  others: readonly Named[] = [],
): Promise<Outcomes> {
  toNames(names, [...new Set([...all, ...others].map(({ name }) => name))]);
  const outcomes = new Map<string, Result | undefined | boolean>();
  for (const one of all)
    if (names.length === 0 || names.includes(one.name)) outcomes.set(one.name, await compare(one));
  return outcomes;
}

function migrate(names: readonly string[]): Promise<Outcomes> {
  install(MIGRATED_HOME, 'applications');
  const all = [...MIGRATED.keys()].map((name) => ({ name }));
  return inTurn(all, names, ({ name }) => compareMigrated(name));
}

function play(names: readonly string[], series: Series, isDoctor?: boolean): Promise<Outcomes> {
  const others = playedOn(series === '4' ? '5' : '4');
  return inTurn(playedOn(series), names, (one) => comparePlayed(one, series, isDoctor), others);
}

async function record(names: readonly string[], folder = temporaryFolder('recorded')): Promise<Outcomes> {
  const executablePath = programOf('chromium');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    return await inTurn(RECORDED, names, (one) =>
      compareRecorded(one, join(resolve(folder), one.name), browser),
    );
  } finally {
    await browser.close();
  }
}
