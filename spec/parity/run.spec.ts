import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';

const ROOT = join(__dirname, '..', '..');
const FAULTY = './spec/parity/faulty/framework.ts+./spec/parity/faulty/logger.ts';
const SMALL = ['--section', '6-events'];

describe('parity: the command', () => {
  it('exits with 0 and the totals in its last line when the worlds are equal', async () => {
    const { code, output } = await run('--worlds', 'reference,reference2', ...SMALL);

    expect(code).to.equal(0);
    expect(output.trimEnd().split('\n').at(-1)).to.equal('1 passed, 0 failed');
  });

  it('exits with 1 and tells request, field and both values when they differ', async () => {
    const { code, output } = await run('--worlds', `reference,${FAULTY}`, ...SMALL);

    expect(code).to.equal(1);
    expect(output).to.match(
      /✗ 6-events\/6-mount: .*\[F-6-01 F-6-02 F-6-03\]\n {4}1\.fields\.x-powered-by\n +reference +Express\n/,
    );
    expect(output).to.match(/Faulty \(wanted Nozomi\)\n/);
    expect(output.trimEnd()).to.match(/0 passed, 1 failed$/);
  });

  it('reports the same as JSON', async () => {
    const { output } = await run('--worlds', `reference,${FAULTY}`, '--reporter', 'json', ...SMALL);
    const report = JSON.parse(output) as { passed: number; failed: number; exchanges: number };

    expect(report).to.include({ passed: 0, failed: 1, exchanges: 1 });
  });

  for (const [what, args, message] of [
    ['an option that is unknown', ['--sections', 'x'], /parity: Unknown option '--sections'/],
    [
      'a world that is unknown',
      ['--worlds', 'reference,nowhere'],
      /wanted reference, build, reference2, legacy-reference, legacy or .*got "nowhere"/,
    ],
    ['a single world', ['--worlds', 'reference'], /wanted two names, got "reference"/],
    ['a world that cannot be loaded', ['--worlds', 'reference,./none+morgan'], /Cannot find module/],
    ['a selection that is empty', ['--grep', 'no such scenario'], /no scenario is named so/],
    [
      'a reporter that is unknown',
      ['--reporter', 'tap'],
      /wanted one of terminal, json, junit, html, got "tap"/,
    ],
  ] as const) {
    it(`exits with 2 for ${what}, and says so`, async () => {
      const { code, errors } = await run(...args);

      expect(code).to.equal(2);
      expect(errors).to.match(message);
    });
  }

  it('leaves no process behind, even when it is killed', async () => {
    const parent = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'faulty', 'start-world.ts')], {
      cwd: ROOT,
    });
    let errors = '';
    parent.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const world = await new Promise<number>((resolve, reject) => {
      parent.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk)));
      parent.once('close', (code) =>
        reject(new Error(`ended with ${code} before its world began: ${errors}`)),
      );
    });
    expect(isAlive(world)).to.equal(true);

    parent.kill('SIGKILL');
    for (let turn = 0; turn < 1000 && isAlive(world); turn++) await pause(20);

    expect(isAlive(world)).to.equal(false);
  });
});

function run(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((resolve) => {
    const command = ['--import', 'tsx', join('parity', 'run.ts'), ...args];
    const child = execFile(process.execPath, command, { cwd: ROOT }, (_error, output, errors) => {
      resolve({ code: child.exitCode ?? -1, output, errors });
    });
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
