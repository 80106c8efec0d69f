// Migrates published applications for Express 4 with `nozomi-parity migrate`, and compares their responses before and after:
// the original on Express 4, the result on Express 5.3.0 and on this build. Run this script after a change to
// parity/migrate. It first installs some 800 packages in scripts/migrate/applications.
//
//   npm run verify -- migrate-applications                          all applications
//   npm run verify -- migrate-applications dyson json-server     only the named applications
//
// Exit code 1 if an application responds differently after its migration.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from '../../parity/harness/packages';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { runCommand } from '../command';

const root = join(__dirname, '..', '..');
const home = join(__dirname, 'applications');
const command = join(root, 'dist', 'parity', 'command', 'bin.js');

/** The files and folders to migrate, by name of the package. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  apimocker: ['lib'],
  dyson: ['lib'],
  interfake: ['lib'],
  'json-server': ['lib'],
  maildev: ['lib', 'index.js'],
  raneto: ['app'],
};
/** The implementations that run the migrated application: Express 5, and this package. */
const CANDIDATES = ['express@5.3.0', 'nozomi/5'];

runCommand({
  name: 'migrate:applications',
  file: __filename,
  allowPositionals: true,
  run({ positionals }) {
    install(home, 'migrate:applications');
    const names = positionals.length > 0 ? positionals : Object.keys(SOURCES);
    return names.map(check).every(Boolean);
  },
});

/**
 * Migrates one application.
 *
 * @returns Whether its responses are the same with all candidates, except declared differences.
 */
function check(name: string): boolean {
  const work = layOut(name);
  const files = (SOURCES[name] ?? []).map((source) => join('package', source));
  const { version } = require(join(home, 'node_modules', name, 'package.json'));
  const isSame = CANDIDATES.map((candidate) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        ...[command, 'migrate', ...files, '--check', 'start.js', '--requests', 'requests.http'],
        ...['--candidate', candidate, '--patience', '3000'],
        // This file declares the differences between Express 4 and 5 that the application shows, each with its reason.
        ...(existsSync(join(work, 'divergences.json')) ? ['--divergences', 'divergences.json'] : []),
      ],
      { cwd: work, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'test' } },
    );
    const changes = /\d+ changes, \d+ places to decide/.exec(stderr)?.[0] ?? stderr;
    const result = stdout.trim().split('\n').at(-1);
    // Places to decide that no request reaches do not change a response.
    const isSame = status === 0 || (status === 1 && / 0 failed/.test(result ?? ''));
    const verdict = stderr.trim().split('\n').at(-1);
    console.log(
      `${isSame ? '✓' : '✗'} ${name} ${version}, ${changes}; express → ${candidate}: ${result}; ${verdict}`,
    );
    if (!isSame) console.log(stdout + stderr);
    return isSame;
  });
  removeFolder(work);
  return isSame.every(Boolean);
}

/**
 * Copies the script that starts an application to a temporary folder, and the published package to `package/` there.
 */
function layOut(name: string): string {
  const work = temporaryFolder('application');
  cpSync(join(home, name), work, { recursive: true });
  cpSync(join(home, 'node_modules', name), join(work, 'package'), { recursive: true });
  // Remove the package's own copy of Express: it must load the version that the test installs.
  rmSync(join(work, 'package', 'node_modules', 'express'), { recursive: true, force: true });
  symlinkSync(join(home, 'node_modules'), join(work, 'node_modules'), 'junction');
  writeFileSync(join(work, 'package.json'), '{}\n');
  return work;
}
