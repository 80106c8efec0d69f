// Runs published applications with Express 5.3.0 and with this build, and compares their responses with `nozomi-parity`.
// Also runs `nozomi-parity doctor` on each, which must print no warning. Run this script before a release. It first installs
// some 400 packages below spec/applications.
//
//   npm run verify -- applications                  compares and examines all applications
//   npm run verify -- applications wiki peer     only the named applications
//   npm run verify -- applications --doctor      only runs `nozomi-parity doctor`
//   npm run verify -- applications --list        prints the names
//   npm run verify -- applications --write       also adds the results to docs/compatibility.md if all pass
//
// Writes report/applications/<name>.html. Exit code: 0 if all applications pass, 1 if one differs or has warnings, 2 if
// the script could not run.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { install } from '../../parity/harness/packages';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runCommand } from '../command';
import { writePage } from '../ecosystem/page';
import { keepResults } from '../ecosystem/results';
import { formatLine } from '../table';
import { COMMAND, compareApplication, REPORTS, resultOf } from './compare';
import { APPLICATIONS, type Application, HOME, versionOf } from './list';

runCommand({
  name: 'applications',
  file: __filename,
  options: { doctor: { type: 'boolean' }, list: { type: 'boolean' }, write: { type: 'boolean' } },
  allowPositionals: true,
  run({ values, positionals }) {
    const chosen = choose(positionals);
    if (values.list) {
      for (const { name } of chosen) console.log(name);
      return true;
    }
    install(HOME, 'applications');
    mkdirSync(REPORTS, { recursive: true });
    const checks = values.doctor ? [examine] : [compare, examine];
    const failed = chosen.filter((one) => {
      if (one.prepare) execFileSync(process.execPath, one.prepare, { cwd: HOME, stdio: 'ignore' });
      return checks.map((check) => check(one)).includes(false);
    }).length;
    if (values.write && failed === 0) {
      const results = Object.fromEntries(chosen.map((one) => [one.name, resultOf(one)]));
      keepResults(
        'applications',
        results,
        APPLICATIONS.map(({ name }) => name),
      );
      writePage();
    }
    console.log(`${chosen.length - failed} passed, ${failed} failed`);
    return failed === 0;
  },
});

function choose(names: readonly string[]): readonly Application[] {
  const unknown = names.filter((name) => !APPLICATIONS.some((one) => one.name === name));
  if (unknown.length > 0)
    throw new TypeError(`no application is called ${unknown.join(', ')}; --list prints the names`);
  return APPLICATIONS.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** @returns Whether the application sends the same responses with Express and with this build. */
function compare(one: Application): boolean {
  const { isEqual, summary, output } = compareApplication(one);
  return show(one, isEqual ? 0 : 1, summary, output);
}

/** @returns Whether `nozomi-parity doctor` prints no other warning than `mistakes`. Doctor can be wrong: a developer has to check each warning. */
function examine(one: Application): boolean {
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
  return show(one, status, summary, `${stdout}${stderr}`);
}

function show(one: Application, status: number | null, summary: string, output: string): boolean {
  const title = `${one.from} ${versionOf(one)}`;
  console.log(formatLine([status === 0 ? '✓' : '✗', one.name, title, summary], [-2, -25, -43]));
  if (status !== 0) console.log(output);
  return status === 0;
}
