// Plays packages of the time of Express 4 on Express 4 and on nozomi/4, and compares the results. Run on demand: it first
// installs a few hundred packages below spec/ecosystem4.
//
//   npm run ecosystem4
//
// Exit code 1 if a package does not work on Express 4, or differs on nozomi/4.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { dependencies } from '../spec/ecosystem4/package.json';
import { runCommand } from './command';
import { install } from './install';

const root = join(__dirname, '..');
const home = join(root, 'spec', 'ecosystem4');

runCommand({
  name: 'ecosystem4',
  file: __filename,
  async run() {
    install(home, 'ecosystem4');
    const [ofExpress, ofNozomi] = [await play('express'), await play('nozomi')];
    const failed = Object.keys(ofExpress).filter((name) => !isSame(ofExpress[name], ofNozomi[name]));
    for (const [name, shown] of Object.entries(ofExpress)) {
      const version = dependencies[name as keyof typeof dependencies] ?? '';
      console.log(`${failed.includes(name) ? '✗' : '✓'} ${name} ${version}`);
      if (failed.includes(name))
        console.log(describe('Express 4', shown), describe('nozomi/4', ofNozomi[name]));
    }
    console.log(`${Object.keys(ofExpress).length - failed.length} passed, ${failed.length} failed`);
    return failed.length === 0;
  },
});

/** The result of each package with an implementation; text for an error. */
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
