// Runs packages and published applications for Express 4 on Express 4 and on nozomi/4, and compares the results. Run this
// script before a release. It first installs some 1,300 packages below spec/ecosystem4 and spec/applications4.
//
//   npm run verify -- ecosystem4                              packages and applications
//   npm run verify -- ecosystem4 --only packages           only packages
//   npm run verify -- ecosystem4 --only applications       only applications
//   npm run verify -- ecosystem4 --write                   also adds the results to docs/compatibility.md if all pass
//
// Exit code 1 if a package or application fails on Express 4, or differs on nozomi/4.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { install } from '../parity/harness/packages';
import { dependencies } from '../spec/ecosystem4/package.json';
import { compareApplication, REPORTS, resultOf } from './applications/compare';
import { APPLICATIONS4, HOME4, versionOf } from './applications/list';
import { runCommand } from './command';
import { writePage } from './ecosystem/page';
import { keepResults, type Result } from './ecosystem/results';

const root = join(__dirname, '..');
const home = join(root, 'spec', 'ecosystem4');

/** Names with their results; undefined for what differs. */
type Results = Array<[name: string, result: Result | undefined]>;

const [PACKAGES, APPLICATIONS] = [
  'ecosystem4 -- --only packages',
  'ecosystem4 -- --only applications',
] as const;

const KINDS: Readonly<Record<string, () => Results | Promise<Results>>> = {
  packages: playPackages,
  applications: playApplications,
};

runCommand({
  name: 'ecosystem4',
  file: __filename,
  options: { only: { type: 'string' }, write: { type: 'boolean', default: false } },
  async run({ values: { only, write } }) {
    if (only !== undefined && !Object.hasOwn(KINDS, only))
      throw new TypeError(`--only: expected packages or applications, got "${only}"`);
    let [passed, failed] = [0, 0];
    for (const [kind, playAll] of Object.entries(KINDS)) {
      if (only !== undefined && only !== kind) continue;
      const results = await playAll();
      const good = results.flatMap(([name, result]) => (result ? [[name, result] as const] : []));
      passed += good.length;
      failed += results.length - good.length;
      if (!write || good.length < results.length) continue;
      const names = results.map(([name]) => name);
      keepResults(kind === 'packages' ? PACKAGES : APPLICATIONS, Object.fromEntries(good), names);
      writePage();
    }
    console.log(`${passed} passed, ${failed} failed`);
    return failed === 0;
  },
});

/** @returns The packages that work on Express 4, and give the same result on nozomi/4, with their results. */
async function playPackages(): Promise<Results> {
  install(home, 'ecosystem4');
  const [ofExpress, ofNozomi] = [await play('express'), await play('nozomi')];
  return Object.entries(ofExpress).map(([name, shown]) => {
    const isEqual = isSame(shown, ofNozomi[name]);
    const version = dependencies[name as keyof typeof dependencies];
    console.log(`${isEqual ? '✓' : '✗'} ${name} ${version ?? ''}`);
    if (!isEqual) console.log(describe('Express 4', shown), describe('nozomi/4', ofNozomi[name]));
    const packages = [version ? `${name}@${version}` : name];
    return [name, isEqual ? { packages, express: dependencies.express, outcome: 'same' } : undefined];
  });
}

/** @returns The applications that send the same responses with both implementations, with their results. */
function playApplications(): Results {
  install(HOME4, 'ecosystem4');
  mkdirSync(REPORTS, { recursive: true });
  return APPLICATIONS4.map((one) => {
    if (one.prepare) execFileSync(process.execPath, one.prepare, { cwd: HOME4, stdio: 'ignore' });
    const { isEqual, summary, output } = compareApplication(one);
    console.log(`${isEqual ? '✓' : '✗'} ${one.name}, ${one.from} ${versionOf(one)}: ${summary}`);
    if (!isEqual) console.log(output);
    return [one.name, isEqual ? resultOf(one) : undefined];
  });
}

/** Plays all packages in one process. @returns Results by name of the package; `threw …` for an error. */
async function play(implementation: 'express' | 'nozomi'): Promise<Record<string, unknown>> {
  const child = fork(join(home, 'play.cjs'), [implementation, join(root, 'dist')], { cwd: home });
  const [results] = await once(child, 'message');
  return results;
}

function isSame(ofExpress: unknown, ofNozomi: unknown): boolean {
  const threw = typeof ofExpress === 'string' && ofExpress.startsWith('threw ');
  return !threw && isDeepStrictEqual(ofExpress, ofNozomi);
}

function describe(name: string, shown: unknown): string {
  return `  ${name}: ${typeof shown === 'string' ? shown : JSON.stringify(shown, null, 1)}\n`;
}
