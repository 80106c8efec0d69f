/**
 * Runs the first steps of a new user with `nozomi-parity`: install missing packages, play a scenario that differs,
 * declare the difference, play and record a scenario that is equal, compare an application, then migrate it.
 */
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expectOutput } from './expect';
import { TOOLS } from './tools';
import { root } from './tree';
import { unpack } from './unpack';

const SCENARIO = `
  const { get, scenario } = require('nozomi-parity');
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
 * Creates a project with `nozomi-parity` and its dependencies, but without Nozomi itself.
 *
 * @param tools The tarball of `nozomi-parity`.
 * @param tarball That of Nozomi, its dependency.
 * @param project The folder of the project, which is created.
 * @returns The folder of `nozomi-parity`.
 */
export function installTools(tools: string, tarball: string, project: string): string {
  const home = join(project, 'node_modules', TOOLS.name);
  const own = join(home, 'node_modules', 'nozomi');
  unpack(tools, home);
  unpack(tarball, own);
  symlinkSync(join(root, 'node_modules'), join(own, 'node_modules'), 'junction');
  for (const name of Object.keys(TOOLS.dependencies).filter((one) => one !== 'nozomi')) {
    mkdirSync(dirname(join(home, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(home, 'node_modules', name), 'junction');
  }
  return home;
}

/**
 * Runs `nozomi-parity` in the project that `installTools` created.
 *
 * @throws Error if the exit code or the output of a run is not the expected one.
 */
export function checkFirstUse(project: string): void {
  const modules = join(project, 'node_modules');
  const scenarios = join(project, 'parity', 'scenarios');
  mkdirSync(scenarios, { recursive: true });
  writeFileSync(join(scenarios, 'first.js'), SCENARIO);
  writeFileSync(join(project, 'app.js'), APPLICATION);
  writeFileSync(join(project, 'asked.http'), 'GET /\n');

  const bin = join(modules, TOOLS.name, TOOLS.bin[TOOLS.name]);
  const expectRun = (args: readonly string[], status: number, output: RegExp): void =>
    expectOutput([process.execPath, bin, ...args], project, output, { status });
  expectRun([], 2, /npm install --save-dev express@5\.3\.0 morgan@1\.12\.1/);
  for (const name of ['express', 'morgan']) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
  }
  const place = '1\\.headers\\.location: header Location of 1 GET \\/';
  expectRun([], 1, new RegExp(`✗ first: goes back\\n {4}${place}\\n +reference +back\\n +build +\\/\\n`));
  writeFileSync(join(project, 'parity', 'divergences.js'), DECLARED);
  expectRun([], 0, /≈ goes home, in 1 scenario[\s\S]*\n1 passed, 0 failed\n$/);
  rmSync(join(project, 'parity', 'divergences.js'));
  writeFileSync(join(scenarios, 'first.js'), EQUAL);
  expectRun([], 0, /\n1 passed, 0 failed\n$/);
  expectRun(['--update'], 0, /recorded first\n/);
  expectRun(['--baseline', 'corpus', '--reporter', 'html'], 0, /^1 passed, 0 failed\n/);
  if (!existsSync(join(modules, TOOLS.name, 'action', 'action.yml')))
    throw new Error(`${TOOLS.name} has no action/action.yml, which docs/parity-ci.md uses`);
  expectRun(['app.js', '--requests', 'asked.http'], 0, /2 passed, 0 failed\n$/);
  expectRun(['routes', 'app.js'], 0, /GET \/ .*app\.js:3/);
  expectRun(['doctor', 'app.js'], 0, /0 warnings/);
  expectRun(['migrate', 'app.js', '--dry-run'], 0, /0 changes, 0 places to decide/);
}
