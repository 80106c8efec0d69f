/**
 * Runs the first steps of a new user with `nozomi parity`: install missing packages, play a scenario that differs,
 * declare the difference, play and record a scenario that is equal, then compare an application.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run';
import { root } from './tree';

const SCENARIO = `
  const { get, scenario } = require('nozomi/parity');
  module.exports = [
    scenario({
      name: 'goes back',
      build: ({ framework }) => framework().get('/', (_req, res) => res.redirect('back')),
      requests: [get('/')],
    }),
  ];`;

const EQUAL = SCENARIO.replace("name: 'goes back'", "name: 'goes home'").replace("'back'", "'/'");

const DECLARED = `
  module.exports = [
    {
      id: 'goes home',
      differs: 'without a Referer, back is /',
      why: 'all links to this page send a Referer',
      scenarios: { 'first: goes back': ['1.headers.location', '1.headers.content-length', '1.body'] },
    },
  ];`;

const APPLICATION = `
  const app = require('express')();
  app.get('/', (_req, res) => res.send('hello'));
  app.listen(3000);`;

/**
 * Runs `nozomi parity` in a new project.
 *
 * @param tarball The packed package.
 * @param project The folder of the project, which is created.
 * @throws Error if the exit code or the output of a run is not the expected one.
 */
export function checkFirstUse(tarball: string, project: string): void {
  const modules = join(project, 'node_modules');
  const scenarios = join(project, 'parity', 'scenarios');
  for (const folder of [scenarios, join(modules, 'nozomi')]) mkdirSync(folder, { recursive: true });
  run('tar', ['-xzf', tarball, '-C', join(modules, 'nozomi'), '--strip-components=1'], project);
  symlinkSync(join(root, 'node_modules'), join(modules, 'nozomi', 'node_modules'), 'junction');
  writeFileSync(join(scenarios, 'first.js'), SCENARIO);
  writeFileSync(join(project, 'app.js'), APPLICATION);
  writeFileSync(join(project, 'asked.http'), 'GET /\n');

  expectRun(project, [], 2, /npm install --save-dev express@5\.3\.0 morgan@1\.12\.1/);
  for (const name of ['express', 'morgan']) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
  }
  const place = '1\\.headers\\.location: header Location of 1 GET \\/';
  expectRun(
    project,
    [],
    1,
    new RegExp(`✗ first: goes back\\n {4}${place}\\n +reference +back\\n +build +\\/\\n`),
  );
  writeFileSync(join(project, 'parity', 'divergences.js'), DECLARED);
  expectRun(project, [], 0, /≈ goes home, in 1 scenario[\s\S]*\n1 passed, 0 failed\n$/);
  rmSync(join(project, 'parity', 'divergences.js'));
  writeFileSync(join(scenarios, 'first.js'), EQUAL);
  expectRun(project, [], 0, /\n1 passed, 0 failed\n$/);
  expectRun(project, ['--update'], 0, /recorded first\n/);
  expectRun(project, ['--baseline', 'corpus', '--reporter', 'html'], 0, /^1 passed, 0 failed\n/);
  expectRun(project, ['app.js', '--requests', 'asked.http'], 0, /2 passed, 0 failed\n$/);
}

function expectRun(project: string, args: readonly string[], wanted: number, output: RegExp): void {
  const bin = join(project, 'node_modules', 'nozomi', 'dist', 'parity', 'command', 'bin.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'parity', ...args], {
    cwd: project,
    encoding: 'utf8',
  });
  if (status === wanted && output.test(stdout + stderr)) return;
  throw new Error(
    `nozomi parity ${args.join(' ')}: expected exit code ${wanted} and ${output}, got ${status}\n${stdout}${stderr}`,
  );
}
