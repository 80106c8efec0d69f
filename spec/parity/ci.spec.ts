import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { temporaryFolder } from '../../parity/temporary-folder';
import { COMMAND, ROOT, runParity } from '../support/command';

const BOOKSHOP = join(ROOT, 'examples', 'bookshop');
const PAGE = readFileSync(join(ROOT, 'docs', 'parity-ci.md'), 'utf8');
const WORKFLOW = readFileSync(join(BOOKSHOP, '.github', 'workflows', 'parity.yml'), 'utf8');

/** The `nozomi-parity` commands of docs/parity-ci.md, except those that compare another version of Express. */
const COMMANDS = [...PAGE.matchAll(/npx nozomi-parity (app\.js --har .*)/g)]
  .map(([, command]) => command ?? '')
  .filter((command) => !command.includes('express@'));

describe('docs/parity-ci.md', () => {
  it('shows the workflow of examples/bookshop', () => {
    expect(PAGE).to.include(WORKFLOW.trimEnd());
  });

  it('has four nozomi-parity commands', () => {
    expect(COMMANDS).to.have.length(4);
  });

  for (const command of COMMANDS) {
    it(`has a command that succeeds: nozomi-parity ${command}`, async () => {
      // A page of the bookshop throws after its response, which would end it outside of this command.
      const page = command.replace('report/parity.html', '../../report/bookshop.html');
      const { code, output } = await run(
        /--list|--show/.test(page) ? page : `${page} --allow-uncaught-errors`,
      );

      expect(output).to.match(/GET \/api\/books|0 failed/);
      expect(code).to.equal(0);
    });
  }

  it('has a command that finds a fault seeded into the bookshop', async () => {
    const seeded = '--candidate ../../scripts/trust/seeded --runs 2';
    const { code, output } = await run(`app.js --har traffic.har ${seeded} --only`, 'POST /api/orders');

    expect(output).to.match(
      /1\.status: status line of 1 POST \/api\/orders\n +express +HTTP\/1\.1 201 Created\n/,
    );
    expect(code).to.equal(1);
  });
});

describe('parity/action', () => {
  const { runs } = parse(readFileSync(join(ROOT, 'parity', 'action', 'action.yml'), 'utf8'));
  const [compare, comment] = runs.steps as ReadonlyArray<{ run: string }>;

  it('adds the report to the summary, and writes one comment, which it updates later', async () => {
    const folder = temporaryFolder('action');
    mkdirSync(join(folder, 'bin'));
    const stub = (name: string, text: string): void => {
      writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(folder, 'bin', name), 0o755);
    };
    stub('npx', `shift 2; exec "${process.execPath}" "${COMMAND}" "$@"`);
    stub(
      'gh',
      'echo "$*" >> calls; case "$*" in *--jq*) [ ! -f posted ] || printf "7\\n8\\n" ;; *POST*) : > posted ;; esac',
    );
    writeFileSync(join(folder, 'package.json'), '{}');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(ROOT, 'node_modules', 'express'), join(folder, 'node_modules', 'express'), 'junction');
    writeFileSync(join(folder, 'app.js'), "require('express')().listen(0);\n");
    const step = (script: string, env: Readonly<Record<string, string>>): Promise<number> =>
      new Promise((resolve) => {
        const PATH = [join(folder, 'bin'), process.env.PATH].join(delimiter);
        const given = {
          ...process.env,
          ...env,
          PATH,
          GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
          GITHUB_REPOSITORY: 'a/b',
        };
        // GitHub runs the steps with bash. They use nothing beyond POSIX, so that this spec needs no bash.
        const child = execFile('sh', ['-e', '-c', script], { cwd: folder, env: given }, () =>
          resolve(child.exitCode ?? -1),
        );
      });
    writeFileSync(join(folder, 'requests.http'), 'GET /\n');
    const given = '--requests requests.http --patience 2000';
    const ARGUMENTS = `app.js ${given} -- --port 80`;

    expect(await step(compare?.run ?? '', { ARGUMENTS })).to.equal(0);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).to.match(/^<!-- nozomi-parity -->\n### ✅ /);
    for (const _ of [1, 2]) expect(await step(comment?.run ?? '', { COMMENTS: 'comments' })).to.equal(0);
    const calls = readFileSync(join(folder, 'calls'), 'utf8');
    expect(calls.match(/POST|PATCH/g)).to.deep.equal(['POST', 'PATCH']);
    expect(calls).to.include('PATCH repos/a/b/issues/comments/7 ');
  });

  it('uses no other action', () => {
    expect(runs.steps.some((step: object) => 'uses' in step)).to.equal(false);
  });
});

/** Runs a command in examples/bookshop. @param more Arguments that may contain spaces. */
async function run(command: string, ...more: string[]): Promise<{ code: number; output: string }> {
  const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const env = { ...process.env, FAULT: '200 for 201' };
  const { code, output, errors } = await runParity([...args, ...more], { cwd: BOOKSHOP, env });
  return { code, output: output + errors };
}
