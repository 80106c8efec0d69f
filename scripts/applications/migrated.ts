/** Compares the responses of a published application of Express 4 before and after `nozomi-parity migrate`. */
import { cpSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { MIGRATED, MIGRATED_HOME } from '../published/manifest';
import { ALLOWED, runParity } from './compare';

/** The implementations that run the migrated application: Express 5, and this package. */
const CANDIDATES = ['express@5.3.0', 'nozomi/5'];

/**
 * Migrates one application.
 *
 * @returns Whether its responses are the same with all candidates, except declared differences.
 */
export async function compareMigrated(name: string): Promise<boolean> {
  const work = layOut(name);
  const files = (MIGRATED.get(name) ?? []).map((source) => join('package', source));
  const { version } = require(join(MIGRATED_HOME, 'node_modules', name, 'package.json'));
  const differing: string[] = [];
  for (const candidate of CANDIDATES) {
    const { status, stdout, stderr } = await runParity(
      work,
      // biome-ignore format: a table
      [
        'migrate', ...files, '--check', 'start.js', '--requests', 'requests.http',
        // A busy machine takes longer to load an application than the default of 20 seconds.
        '--candidate', candidate, '--patience', '3000', '--start', '60000', ...ALLOWED,
        // This file declares the differences between Express 4 and 5 that the application shows, each with its reason.
        ...(existsSync(join(work, 'divergences.json')) ? ['--divergences', 'divergences.json'] : []),
      ],
      { env: { ...process.env, NODE_ENV: 'test' } },
    );
    const changes = /\d+ changes, \d+ places to decide/.exec(stderr)?.[0] ?? stderr;
    const result = stdout.trim().split('\n').at(-1);
    // Places to decide that no request reaches do not change a response.
    const isSame = status === 0 || (status === 1 && / 0 failed/.test(result ?? ''));
    const verdict = stderr.trim().split('\n').at(-1);
    console.log(
      `${isSame ? '✓' : '✗'} ${name} ${version}, ${changes}; express → ${candidate}: ${result}; ${verdict}`,
    );
    if (isSame) continue;
    console.log(stdout + stderr);
    differing.push(candidate);
  }
  removeFolder(work);
  return differing.length === 0;
}

/**
 * Copies the script that starts an application to a temporary folder, and the published package to `package/` there.
 */
function layOut(name: string): string {
  const work = temporaryFolder('application');
  cpSync(join(MIGRATED_HOME, name), work, { recursive: true });
  cpSync(join(MIGRATED_HOME, 'node_modules', name), join(work, 'package'), { recursive: true });
  // Remove the package's own copy of Express: it must load the version that the test installs.
  rmSync(join(work, 'package', 'node_modules', 'express'), { recursive: true, force: true });
  symlinkSync(join(MIGRATED_HOME, 'node_modules'), join(work, 'node_modules'), 'junction');
  writeFileSync(join(work, 'package.json'), '{}\n');
  return work;
}
