import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const ROOT = join(__dirname, '..', '..');
const BOOKSHOP = join(ROOT, 'examples', 'bookshop');
const COMMAND = join(ROOT, 'dist', 'parity', 'command', 'bin.js');
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
      const { code, output } = await run(command.replace('report/parity.html', '../../report/bookshop.html'));

      expect(output).to.match(/GET \/api\/books|0 failed/);
      expect(code).to.equal(0);
    });
  }

  it('has a command that finds a fault seeded into the bookshop', async () => {
    const seeded = '--candidate ../../scripts/trust/seeded --runs 2 --patience 200';
    const { code, output } = await run(`app.js --har traffic.har ${seeded} --only`, 'POST /api/orders');

    expect(output).to.match(
      /1\.status: status line of 1 POST \/api\/orders\n +express +HTTP\/1\.1 201 Created\n/,
    );
    expect(code).to.equal(1);
  });
});

/** Runs a command in examples/bookshop. @param more Arguments that may contain spaces. */
function run(command: string, ...more: string[]): Promise<{ code: number; output: string }> {
  const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [COMMAND, ...args, ...more],
      { cwd: BOOKSHOP, env: { ...process.env, FAULT: '200 for 201' } },
      (_error, output, errors) => resolve({ code: child.exitCode ?? -1, output: output + errors }),
    );
  });
}
