/** Runs `nozomi-parity` on a published application: with Express, then with this build in place of Express. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readRequests } from '../../parity/application/traffic';
import type { Result } from '../ecosystem/results';
import { freshOf, HOME, type Played, requestsOf, versionOf } from './manifest';

const ROOT = join(__dirname, '..', '..');
export const COMMAND: string = join(ROOT, 'dist', 'parity', 'command', 'bin.js');
export const REPORTS: string = join(ROOT, 'report', 'applications');
/** Seeds random ids and tokens, which must be equal in both runs. One request file contains an id of this seed. */
export const SEED = '7';

export interface Compared {
  readonly isEqual: boolean;
  /** One line, such as `12 requests in 3.4 s`, or `did not run`. */
  readonly summary: string;
  /** Standard output of `nozomi-parity`, then its standard error. */
  readonly output: string;
}

export function compareApplication(one: Played): Compared {
  const { name, program, args = [], home = HOME } = one;
  const fresh = freshOf(one);
  const options = ['--requests', requestsOf(one), '--seed', SEED, ...(fresh ? ['--fresh', fresh] : [])];
  const reports = ['--reporter', 'terminal', '--reporter', `html=${join(REPORTS, `${name}.html`)}`];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [COMMAND, program, ...options, ...reports, '--', ...args],
    { cwd: home, encoding: 'utf8' },
  );
  const summary = /^\d+ requests in .*$/m.exec(stdout)?.[0] ?? 'did not run';
  return { isEqual: status === 0, summary, output: `${stdout}${stderr}` };
}

/** @returns The result of an application with equal responses, for docs/compatibility.md. */
export function resultOf(one: Played): Result {
  const { requests } = readRequests(requestsOf(one));
  return {
    packages: [`${one.from}@${versionOf(one)}`],
    express: versionOf({ ...one, from: 'express' }),
    played: `${requests.length} requests`,
    outcome: 'same',
  };
}
