/** Plays a published application with Express and with this build in its place, as `nozomi parity` does. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Application, freshOf, homeOf, requestsOf } from './list';

const ROOT = join(__dirname, '..', '..');
export const COMMAND: string = join(ROOT, 'dist', 'parity', 'command', 'bin.js');
export const REPORTS: string = join(ROOT, 'report', 'applications');
/** The seed makes ids and tokens equal with both implementations; a request file contains one of these ids. */
const SEED = '7';

export interface Compared {
  readonly isEqual: boolean;
  /** The number of requests that were played, and the seconds that they took. */
  readonly summary: string;
  /** The output of the command. */
  readonly output: string;
}

export function compareApplication(one: Application): Compared {
  const { name, program, args = [] } = one;
  const fresh = freshOf(one);
  const options = ['--requests', requestsOf(one), '--seed', SEED, ...(fresh ? ['--fresh', fresh] : [])];
  const reports = ['--reporter', 'terminal', '--reporter', `html=${join(REPORTS, `${name}.html`)}`];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [COMMAND, 'parity', program, ...options, ...reports, '--', ...args],
    { cwd: homeOf(one), encoding: 'utf8' },
  );
  const summary = /^\d+ requests in .*$/m.exec(stdout)?.[0] ?? 'did not run';
  return { isEqual: status === 0, summary, output: `${stdout}${stderr}` };
}
