// Compares published applications of manifest.ts with Express and with this build. Run this script before a release. It
// installs their packages: some 400, with --express4 1,000, with --migrated 800, with --recorded 2,000.
//
//   npm run verify -- applications                  sends the same requests with Express 5.3.0 and with this build
//   npm run verify -- applications wiki peer        only the named applications, also with the other options
//   npm run verify -- applications --express4       applications for Express 4, with Express 4.22.3 and nozomi/4
//   npm run verify -- applications --recorded       records them while Chromium opens their pages, then compares the recording
//   npm run verify -- applications --recorded --folder <folder>   installs, records and reports there, and keeps the files
//   npm run verify -- applications --migrated       migrates applications of Express 4, and compares before and after
//   npm run verify -- applications --doctor         only runs `nozomi-parity doctor`, which must print no warning
//   npm run verify -- applications --write          also adds the results to docs/compatibility.md if all are equal
//
// --recorded needs Chromium on the PATH, or its path in the variable CHROMIUM. Writes report/applications/<name>.html.
// Exit code: 0 if all applications pass, 1 if one differs or has warnings, 2 if the script could not run.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { install } from '../../parity/harness/packages';
import { run } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { findChromium } from '../../spec/support/chromium';
import { runCommand } from '../command';
import { writePage } from '../ecosystem/page';
import { keepResults, type Result, type Run } from '../ecosystem/results';
import { formatLine } from '../table';
import { COMMAND, compareApplication, REPORTS, resultOf } from './compare';
import { HOME, MIGRATED, MIGRATED_HOME, PLAYED, PLAYED4, type Played, RECORDED, versionOf } from './manifest';
import { compareMigrated } from './migrated';
import { compareRecorded } from './recorded';

/** Names with their results; undefined for an application that differs. */
type Results = Array<readonly [name: string, result: Result | undefined]>;

runCommand({
  name: 'applications',
  file: __filename,
  options: {
    doctor: { type: 'boolean' },
    express4: { type: 'boolean' },
    recorded: { type: 'boolean' },
    migrated: { type: 'boolean' },
    folder: { type: 'string' },
    write: { type: 'boolean' },
  },
  allowPositionals: true,
  async run({ values, positionals }) {
    if (values.migrated) {
      const names = choose(
        Object.keys(MIGRATED).map((name) => ({ name })),
        positionals,
      );
      install(MIGRATED_HOME, 'applications');
      return count(names.map(({ name }) => compareMigrated(name)));
    }
    if (values.recorded) {
      const results = await record(positionals, values.folder ?? temporaryFolder('recorded'));
      return finish('recorded', results, RECORDED, values.write);
    }
    const all = values.express4 ? PLAYED4 : PLAYED;
    const results = choose(all, positionals).map((one) => [one.name, play(one, values.doctor)] as const);
    return finish(
      values.express4 ? 'applications -- --express4' : 'applications',
      results,
      all,
      values.write && !values.doctor,
    );
  },
});

type Named = { readonly name: string };

function choose<Kind extends Named>(all: readonly Kind[], names: readonly string[]): readonly Kind[] {
  const unknown = names.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0)
    throw new TypeError(
      `no application is called ${unknown.join(', ')}; the names are ${all.map(({ name }) => name).join(', ')}`,
    );
  return all.filter(({ name }) => names.length === 0 || names.includes(name));
}

function count(passed: readonly boolean[]): boolean {
  const good = passed.filter(Boolean).length;
  console.log(`${good} passed, ${passed.length - good} failed`);
  return good === passed.length;
}

/** Prints the totals and, if all passed and `isWritten`, adds the results to docs/compatibility.md. */
function finish(kind: Run, results: Results, all: readonly Named[], isWritten = false): boolean {
  const isGood = count(results.map(([, result]) => result !== undefined));
  if (isGood && isWritten) {
    const names = all.map(({ name }) => name);
    keepResults(kind, Object.fromEntries(results as Array<[string, Result]>), names);
    writePage();
  }
  return isGood;
}

async function record(names: readonly string[], folder: string): Promise<Results> {
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

/** @returns The result; undefined if a response differs, or if doctor prints a warning. */
function play(one: Played, isDoctor = false): Result | undefined {
  const { home = HOME, prepare } = one;
  install(home, 'applications');
  mkdirSync(REPORTS, { recursive: true });
  if (prepare) run(process.execPath, prepare, home);
  const compared = isDoctor ? undefined : compareApplication(one);
  const isEqual = !compared || show(one, compared.isEqual, compared.summary, compared.output);
  // An application for Express 4 uses what doctor warns of.
  const isHealthy = home !== HOME || examine(one);
  return isEqual && isHealthy ? resultOf(one) : undefined;
}

/** @returns Whether `nozomi-parity doctor` prints no other warning than `mistakes`. Doctor can be wrong: a developer has to check each warning. */
function examine(one: Played): boolean {
  const { name, program, args = [], folder = name, isFresh, mistakes = {} } = one;
  const ignored = Object.keys(mistakes).flatMap((code) => ['--ignore', code]);
  const cwd = isFresh ? temporaryFolder('applications') : HOME;
  if (isFresh) cpSync(join(HOME, folder, 'fresh'), cwd, { recursive: true });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [COMMAND, 'doctor', join(HOME, program), ...ignored, '--', ...args],
    { cwd, encoding: 'utf8' },
  );
  const summary = /^\d+ warnings?, \d+ notes?$/m.exec(stdout)?.[0] ?? 'did not run';
  return show(one, status === 0, summary, `${stdout}${stderr}`);
}

function show(one: Played, isGood: boolean, summary: string, output: string): boolean {
  const title = `${one.from} ${versionOf(one)}`;
  console.log(formatLine([isGood ? '✓' : '✗', one.name, title, summary], [-2, -25, -43]));
  if (!isGood) console.log(output);
  return isGood;
}
