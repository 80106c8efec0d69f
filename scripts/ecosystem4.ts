// Runs packages for Express 4 on Express 4 and on nozomi/4, and compares the results. Run this script before a release. It
// first installs some 300 packages in spec/ecosystem4.
//
//   npm run verify -- ecosystem4              all packages
//   npm run verify -- ecosystem4 --write      also adds the results to docs/compatibility.md if all pass
//
// Exit code 1 if a package fails on Express 4, or differs on nozomi/4.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { install } from '../parity/harness/packages';
import { dependencies } from '../spec/ecosystem4/package.json';
import { runCommand } from './command';
import { writePage } from './ecosystem/page';
import { keepResults, type Result } from './ecosystem/results';

const root = join(__dirname, '..');
const home = join(root, 'spec', 'ecosystem4');

runCommand({
  name: 'ecosystem4',
  file: __filename,
  options: { write: { type: 'boolean', default: false } },
  async run({ values: { write } }) {
    const results = await playPackages();
    const good = results.flatMap(([name, result]) => (result ? [[name, result] as const] : []));
    const failed = results.length - good.length;
    if (write && failed === 0) {
      keepResults(
        'ecosystem4',
        Object.fromEntries(good),
        results.map(([name]) => name),
      );
      writePage();
    }
    console.log(`${good.length} passed, ${failed} failed`);
    return failed === 0;
  },
});

/** @returns The packages with their results; undefined for what fails on Express 4, or differs on nozomi/4. */
async function playPackages(): Promise<Array<[name: string, result: Result | undefined]>> {
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
