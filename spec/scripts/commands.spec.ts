import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import manifest from '../../package.json';
import { GROUPS } from '../../scripts/groups';
import { type Ended, runNode } from '../support/command';

/** The commands, as `npm run` gets them, with their scripts. */
const COMMANDS = [
  ['test', 'scripts/test.ts'] as const,
  ['run pack', 'scripts/package/pack.ts'] as const,
  ...Object.entries(GROUPS).flatMap(([group, commands]) =>
    Object.entries(commands).map(([name, file]) => [`run ${group} -- ${name}`, `scripts/${file}`] as const),
  ),
];

describe('the commands', function () {
  this.timeout(30_000);
  let helps: readonly Ended[];

  before(async () => {
    const { output, errors } = await run('spec/support/print-helps.ts', ...COMMANDS.map(([, file]) => file));
    expect(errors).to.equal('');
    helps = JSON.parse(output);
  });

  for (const [index, [name]] of COMMANDS.entries()) {
    it(`npm ${name} --help prints the usage`, () => {
      const { code, output, errors } = helps[index] as Ended;

      expect(output).to.contain(`npm ${name}`);
      expect({ code, errors }).to.deep.equal({ code: 0, errors: '' });
    });
  }

  it('have the names by which the files of this project call them', () => {
    const pattern = 'npm run [a-z][a-z-]*( -- [a-z][a-z0-9-]*)?';
    const places = [':!CHANGELOG.md', ':!package-lock.json', ':!spec/applications', ':!spec/scripts'];
    const named = execFileSync('git', ['grep', '-IohE', pattern, '--', ...places], { encoding: 'utf8' });
    const unknown = [...new Set(named.trim().split('\n'))].filter((command) => {
      const [, script = '', name] = /^npm run (\S+)(?: -- (\S+))?/.exec(command) ?? [];
      const group = GROUPS[script];
      return !(script in manifest.scripts) || (group && name && !(name in group));
    });

    expect(unknown).to.deep.equal([]);
  });

  it('of a group include scripts of which specs import a part', async () => {
    const { code, output } = await run('scripts/group.ts', 'check', 'migrate-paths', '--help');

    expect(code).to.equal(0);
    expect(output).to.match(/^Converts random paths/);
  });

  it('--help prints the first comment of the file, and does nothing else', async () => {
    const { code, output, errors } = await run('scripts/generate/section-map.ts', '--help');

    expect({ code, errors }).to.deep.equal({ code: 0, errors: '' });
    expect(output).to.match(/^Writes docs\/sections\.md[\s\S]*\n {2}npm run generate -- map --check .*\n/);
  });

  it('report an unknown option, an unexpected value or an extra argument in one line', async () => {
    for (const [option, message] of [
      ['--no-such', "Unknown option '--no-such'"],
      ['--check=yes', "Option '--check' does not take an argument"],
      ['stray', "Unexpected argument 'stray'"],
    ] as const) {
      const { code, output, errors } = await run('scripts/generate/section-map.ts', option);

      expect({ code, output }).to.deep.equal({ code: 2, output: '' });
      expect(errors)
        .to.match(/^map: .*; see --help\n$/)
        .and.contain(message);
    }
  });

  it('report an invalid number with the valid values', async () => {
    const { code, errors } = await run('scripts/soak/run.ts', '--clients', 'many');

    expect(code).to.equal(2);
    expect(errors).to.equal('soak: --clients: expected a whole number from 1 on, got "many"\n');
  });
});

function run(program: string, ...args: string[]): Promise<Ended> {
  return runNode(['--require', 'tsx/cjs', program, ...args]);
}
