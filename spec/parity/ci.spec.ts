import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const ROOT = join(__dirname, '..', '..');
const BOOKSHOP = join(ROOT, 'examples', 'bookshop');
const COMMAND = join(ROOT, 'dist', 'parity', 'command', 'bin.js');
const PAGE = readFileSync(join(ROOT, 'docs', 'parity-ci.md'), 'utf8');
const WORKFLOW = readFileSync(join(BOOKSHOP, '.github', 'workflows', 'parity.yml'), 'utf8');

/** The installed bookshop. `record` ends with the application. */
const COMMANDS = [...PAGE.matchAll(/npx nozomi (parity app\.js --har .*)/g)]
  .map(([, command]) => command ?? '')
  .filter((command) => !command.includes('express@'));

describe('parity in CI', () => {
  it('shows the workflow of the example', () => {
    expect(PAGE).to.include(WORKFLOW.trimEnd());
  });

  it('contains the commands that are run below', () => {
    expect(COMMANDS).to.have.length(4);
  });

  for (const command of COMMANDS) {
    it(`runs nozomi ${command}`, async () => {
      const { code, output } = await run(command.replace('report/parity.html', '../../report/bookshop.html'));

      expect(output).to.match(/GET \/api\/books|0 failed/);
      expect(code).to.equal(0);
    });
  }

  it('finds a fault that is seeded into the bookshop', async () => {
    const seeded = '--candidate ../../scripts/trust/seeded --runs 2 --patience 200';
    const { code, output } = await run(
      `parity app.js --har traffic.har ${seeded} --only`,
      'POST /api/orders',
    );

    expect(output).to.match(
      /1\.status: status line of 1 POST \/api\/orders\n +express +HTTP\/1\.1 201 Created\n/,
    );
    expect(code).to.equal(1);
  });
});

/** @param more An argument with spaces. */
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
