import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';

const ROOT = join(__dirname, '..', '..');

describe('the package nozomi-corpus', () => {
  it('finds no difference in Express', async () => {
    const script = join(ROOT, 'scripts', 'corpus', 'pack.ts');
    const output = await new Promise<string>((resolve) => {
      const args = ['--import', 'tsx', script, '--score'];
      execFile(process.execPath, args, { cwd: ROOT, maxBuffer: 1e8 }, (_error, text) => resolve(text));
    });
    const [, equal, played] = /express: (\d+) of (\d+) scenarios\n$/.exec(output) ?? [];

    expect(output).to.not.include('✗');
    expect(equal).to.equal(played);
    expect(Number(played)).to.be.above(250);
  });
});
