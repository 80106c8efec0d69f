import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { scripts } from '../../package.json';

const ROOT = join(__dirname, '..', '..');

/** Those that take options through `scripts/command.ts`: name → program. */
const COMMANDS = Object.entries(scripts).flatMap(([name, line]): Array<[string, string]> => {
  const program = /\bscripts\/(?!bootstrap)[\w/-]+\.ts$/.exec(line)?.[0];
  const takesOptions = program && readFileSync(join(ROOT, program), 'utf8').includes('runCommand({');
  return takesOptions ? [[name, program]] : [];
});

describe('scripts: commands', function () {
  this.timeout(20_000);

  for (const [name, program] of COMMANDS) {
    it(`npm run ${name} -- --help tells how to use it, and does nothing else`, async () => {
      const { code, output, errors } = await run(program, '--help');

      expect({ code, errors }).to.deep.equal({ code: 0, errors: '' });
      expect(output).to.match(/^\w.*\n/);
      expect(output).to.contain(`npm ${name === 'test' ? '' : 'run '}${name}`);
    });

    it(`npm run ${name} refuses an option that it does not know, in one line`, async () => {
      const { code, output, errors } = await run(program, '--no-such-option');

      expect({ code, output }).to.deep.equal({ code: 2, output: '' });
      expect(errors).to.equal(`${name}: Unknown option '--no-such-option'; npm run ${name} -- --help\n`);
    });
  }
});

function run(program: string, ...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', 'tsx', program, ...args],
      { cwd: ROOT },
      (_error, output, errors) => resolve({ code: child.exitCode ?? -1, output, errors }),
    );
  });
}
