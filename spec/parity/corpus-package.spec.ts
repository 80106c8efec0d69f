import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT, runNode } from '../support/command';

describe('the package nozomi-corpus', () => {
  it('finds no difference in Express', async () => {
    const script = join(ROOT, 'scripts', 'corpus', 'pack.ts');
    const { output } = await runNode(['--require', 'tsx/cjs', script, '--score']);
    const [, equal, played] = /express: (\d+) of (\d+) scenarios\n$/.exec(output) ?? [];

    expect(output).to.not.include('✗');
    expect(equal).to.equal(played);
    expect(Number(played)).to.be.above(250);
  });
});
