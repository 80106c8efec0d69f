// Migrates published applications of Express 4 with `nozomi migrate`, and plays requests to each: to the original on
// Express 4, and to the result on Express 5.3.0 and on this build. Run on demand: it first installs a few hundred
// packages in scripts/migrate/applications.
//
//   npm run migrate:applications -- dyson json-server     only these
//
// Exit code 1 if an application responds differently after its migration.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { runCommand } from '../command';
import { install } from '../install';

const root = join(__dirname, '..', '..');
const home = join(__dirname, 'applications');
const command = join(root, 'dist', 'parity', 'command', 'bin.js');

/** The source files of each package that are migrated. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  apimocker: ['lib'],
  dyson: ['lib'],
  interfake: ['lib'],
  'json-server': ['lib'],
  maildev: ['lib', 'index.js'],
  raneto: ['app'],
};
/** Express 5 itself, and this package in its place. */
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

/** @returns Whether the responses before and after the migration are equal. */
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
        // The differences of Express 5 that the guide describes.
        ...(existsSync(join(work, 'divergences.json')) ? ['--divergences', 'divergences.json'] : []),
      ],
      { cwd: work, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'test' } },
    );
    const changes = /\d+ changes, \d+ places to decide/.exec(stderr)?.[0] ?? stderr;
    const result = stdout.trim().split('\n').at(-1);
    console.log(
      `${status === 0 ? '✓' : '✗'} ${name} ${version}, ${changes}; express → ${candidate}: ${result}`,
    );
    if (status !== 0) console.log(stdout + stderr);
    return status === 0;
  });
  removeFolder(work);
  return isSame.every(Boolean);
}

/** Copies the script that starts the application, and beside it the published package as `package/`. */
function layOut(name: string): string {
  const work = temporaryFolder('application');
  cpSync(join(home, name), work, { recursive: true });
  cpSync(join(home, 'node_modules', name), join(work, 'package'), { recursive: true });
  // The package uses the Express of the installation.
  rmSync(join(work, 'package', 'node_modules', 'express'), { recursive: true, force: true });
  symlinkSync(join(home, 'node_modules'), join(work, 'node_modules'), 'junction');
  writeFileSync(join(work, 'package.json'), '{}\n');
  return work;
}
