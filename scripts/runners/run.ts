// Tests the package with the newest Jest, Vitest (three pools), Bun, mocha, Playwright, Pactum and MSW, with AVA 6 and
// with node:test. Each plays spec/runners with Express 5, 4 and 3 and with nozomi, nozomi/4 and nozomi/3. Jest also
// plays what the suites of routing-controllers and webpack-dev-middleware do. Run this script before a release, after a
// build: a step of `npm test -- --all`. npm installs some 950 packages (340 MB) in a temporary folder.
//
//   npm run check -- runners              all runners; takes two minutes
//   npm run check -- runners --on jest,bun
//                                only these; the other rows of the page stay
//   npm run check -- runners --write   also writes the results to docs/compatibility.md
//
// Exit code 1 if a test fails.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmInstall } from '../../parity/harness/packages';
import { ownTemporaryFiles, temporaryFolder } from '../../parity/temporary-folder';
import { runCommand, toNames } from '../command';
import { makeTarball } from '../package/tarball';
import { RUNNERS, type Runner } from '../published/manifest';
import { writeResults } from '../published/page';
import type { Result } from '../published/results';

const root = join(__dirname, '..', '..');
const FRAMEWORKS = ['express', 'nozomi', 'express4', 'nozomi/4', 'express3', 'nozomi/3'];
/** Whether Node.js cannot run the newest versions of some runners. */
const isOlder = Number.parseFloat(process.versions.node) < 22.12;

// biome-ignore format: a table
const PACKAGES = [
  ...Object.values(RUNNERS).flatMap((one) => (isOlder && one.older) || one.package || []),
  'supertest@latest', 'light-my-request@latest', 'node-mocks-http@latest',
  'routing-controllers@latest', 'class-transformer', 'class-validator', 'reflect-metadata',
  'webpack@latest', 'webpack-dev-middleware@latest',
  'express@5.3.0', 'express4@npm:express@4.22.3', 'express3@npm:express@3.21.2',
];
/**
 * The newest versions of these dependencies of light-my-request and supertest are or contain ES modules. Jest before
 * Node.js 24.9 cannot load `cookie`. The pool `vmThreads` of Vitest 4 cannot load the others, also with Express.
 */
const OVERRIDES = {
  'light-my-request': { cookie: '0.7.2', 'set-cookie-parser': '2.7.3' },
  'get-intrinsic': '1.3.0',
};

runCommand({
  options: { on: { type: 'string' }, write: { type: 'boolean', default: false } },
  run({ values }) {
    ownTemporaryFiles();
    const known = Object.keys(RUNNERS);
    const chosen = toNames(values.on?.split(',') ?? known, known, 'on');
    const home = createProject();
    const played = chosen.map((name) => play(RUNNERS[name] as Runner, home));
    if (values.write)
      writeResults('runners', Object.fromEntries(played.map(({ name, result }) => [name, result])));
    const failed = played.reduce((sum, { failures }) => sum + failures, 0);
    return { passed: played.reduce((sum, { total }) => sum + total, -failed), failed };
  },
});

function createProject(): string {
  const home = temporaryFolder('runners');
  cpSync(join(root, 'spec', 'runners'), home, { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, overrides: OVERRIDES }));
  const tarball = makeTarball('5', home);
  console.error('runners: installing packages …');
  npmInstall(home, ['--no-package-lock', ...PACKAGES, `nozomi@file:${tarball}`]);
  return home;
}

interface Played {
  name: string;
  /** The number of frameworks. */
  total: number;
  /** The number of frameworks with which a test failed. */
  failures: number;
  result: Result;
}

/** Plays the suite with each framework, and prints the output of those that fail. */
function play(runner: Runner, home: string): Played {
  const { about: name, binary, args, frameworks = FRAMEWORKS } = runner;
  const folder = runner.package?.replace(/@[^@]+$/, '');
  const version = folder === undefined ? process.versions.node : versionOf(home, folder);
  const failing = frameworks.filter((framework) => {
    const command = binary === undefined ? process.execPath : join(home, 'node_modules', binary);
    const env = { ...process.env, FRAMEWORK: framework, NODE_ENV: 'test', CI: 'true' };
    const { status, stdout, stderr } = spawnSync(command, args.split(' '), {
      cwd: home,
      env,
      encoding: 'utf8',
      timeout: 120_000,
    });
    console.log(`${status === 0 ? '✓' : '✗'} ${name} ${version}: ${framework}`);
    if (status !== 0) console.log(stdout + stderr);
    return status !== 0;
  });
  const result = {
    packages: [`${folder ?? 'node'}@${version}`],
    express: frameworks.length === FRAMEWORKS.length ? '5.3.0, 4.22.3, 3.21.2' : '5.3.0, 4.22.3',
    outcome: failing.length === 0 ? 'same' : `fails with ${failing.join(', ')}`,
    // Bun does not use it.
    node: binary === undefined ? process.versions.node : '',
  };
  return { name, total: frameworks.length, failures: failing.length, result };
}

function versionOf(home: string, name: string): string {
  return JSON.parse(readFileSync(join(home, 'node_modules', name, 'package.json'), 'utf8')).version;
}
