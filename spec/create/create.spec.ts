/** `create-nozomi`, with the packages of this repository in place of installed ones. create-managers.spec.ts installs them. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../parity/temporary-folder';
import { fillCreate } from '../../scripts/create/pack';
import { ROOT } from '../support/command';

const TEMPLATES = ['rest', 'rest-ts', 'pages', 'pages-ts'];

describe('create-nozomi', () => {
  const work = temporaryFolder('create');

  before(() => {
    fillCreate(work);
    const modules = join(work, 'node_modules');
    mkdirSync(join(modules, '@types'), { recursive: true });
    symlinkSync(ROOT, join(modules, 'nozomi'), 'junction');
    // The projects find these packages above their folders.
    for (const name of ['@types/node', 'ejs', 'tsx', 'typescript', 'undici-types', 'zod'])
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
  });
  after(() => rmSync(work, { recursive: true }));

  const create = (args: readonly string[], agent = ''): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [join(work, 'create.js'), '--no-install', ...args], {
      cwd: work,
      encoding: 'utf8',
      env: { ...process.env, npm_config_user_agent: agent },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const run = (project: string, ...args: string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, args, { cwd: join(work, project), encoding: 'utf8' });
  const read = (...path: string[]): string => readFileSync(join(work, ...path), 'utf8');

  for (const template of TEMPLATES)
    it(`${template}: compiles, and its tests pass`, () => {
      const { status, stderr } = create([template, '--template', template]);
      expect(status, stderr).to.equal(0);
      const isTyped = template.endsWith('-ts');
      if (isTyped) {
        const tsc = run(template, join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'));
        expect(tsc.stdout, 'tsc').to.equal('');
        expect(existsSync(join(work, template, 'dist', 'server.js'))).to.equal(true);
      }
      const tested = isTyped
        ? run(template, '--import', 'tsx', '--test', '--test-reporter', 'tap', 'test/app.test.ts')
        : run(template, '--test', '--test-reporter', 'tap', 'test/app.test.js');
      expect(tested.stdout).to.match(/^# pass 4$/m);
      expect(tested.stdout).to.match(/^# fail 0$/m);
    });

  it('names the package after the folder, and gives each dependency a version', () => {
    expect(create(['My App', '--template', 'rest', '--nozomi', 'file:../nozomi.tgz']).status).to.equal(0);
    const { name, dependencies } = JSON.parse(read('My App', 'package.json'));

    expect(name).to.equal('my-app');
    expect(dependencies.nozomi).to.equal('file:../nozomi.tgz');
    expect(dependencies.zod).to.match(/^\^\d/);
    expect(read('My App', '.gitignore')).to.include('node_modules');
    expect(read('My App', 'README.md')).to.match(/^# my-app$/m);
  });

  it('writes the commands of the package manager that runs it', () => {
    const { stdout } = create(['by-bun', '--template', 'pages'], 'bun/1.2.0 npm/? node/v24.0.0');

    expect(stdout).to.match(/cd by-bun\n {2}bun install\n {2}bun start\n/);
    expect(read('by-bun', 'README.md')).to.match(/^bun run test$/m);
  });

  it('takes rest-ts without a terminal to ask', () => {
    expect(create(['asked']).status).to.equal(0);
    expect(existsSync(join(work, 'asked', 'src', 'notes.ts'))).to.equal(true);
  });

  it('refuses a folder with files, and another template', () => {
    mkdirSync(join(work, 'full'));
    writeFileSync(join(work, 'full', 'mine.txt'), 'mine');
    const full = create(['full', '--template', 'rest']);
    const other = create(['other', '--template', 'vue']);

    expect([full.status, full.stderr]).to.deep.equal([
      2,
      `create-nozomi: ${join(work, 'full')} is not empty\n`,
    ]);
    expect([other.status, other.stderr]).to.deep.equal([
      2,
      'create-nozomi: no template vue; there are rest, rest-ts, pages, pages-ts\n',
    ]);
    expect(existsSync(join(work, 'other'))).to.equal(false);
  });
});
