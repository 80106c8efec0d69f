import { appendFileSync, cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../parity/temporary-folder';
import { isBehind, toRatios } from '../../scripts/bench/js/judge';
import { type Ended, ROOT, runNode } from '../support/command';

describe('npm run bench -- js --check', function () {
  this.timeout(300_000);

  it('fails for a build with a slower res.send, and prints the workload', async () => {
    const build = copyOfTheBuild();
    appendFileSync(join(build, 'dist', 'index.js'), SLOWER);

    const { code, output } = await check('--workloads', 'hello', '--build', build);

    expect(output).to.match(/✗ hello .* of bare .* of express .*\n0 passed, 1 failed\n$/);
    expect(code).to.equal(1);
  });

  it('fails for a build that is more than 10 % slower, relative to bare and to express', () => {
    const committed = { bare: 0.7, express: 7 };

    expect(isBehind({ bare: 0.62, express: 6.2 }, committed)).to.equal(true);
    expect(isBehind({ bare: 0.62 }, committed)).to.equal(true);
    expect(isBehind({ bare: 0.64, express: 6.4 }, committed)).to.equal(false);
  });

  it('passes a build that is slower relative to only one of bare and express', () => {
    const committed = { bare: 0.7, express: 7 };

    expect(isBehind({ bare: 0.5, express: 7 }, committed)).to.equal(false);
    expect(isBehind({ bare: 0.7, express: 5 }, committed)).to.equal(false);
  });

  it('allows more where the ratio of Express to bare has changed, which only the machine can do', () => {
    const committed = { bare: 1.05, express: 6.94 };

    // Measured on a machine that was busy with other work, where nothing was slower.
    expect(isBehind({ bare: 0.94, express: 5.64 }, committed)).to.equal(false);
    expect(isBehind({ bare: 0.84, express: 5 }, committed)).to.equal(true);
  });

  it('compares time slices that ran at the same time, and ignores one slow slice', () => {
    const slices = (...times: number[]) => times.map((cpu) => ({ cpu, throughput: 0 }));

    expect(toRatios({ bare: slices(5, 10, 5), nozomi: slices(10, 20, 90) })).to.deep.equal({ bare: 0.5 });
  });
});

/** Code appended to the build that makes each res.send slower by some microseconds. */
const SLOWER = `
const { createHash } = require('node:crypto');
const { response } = module.exports;
const { send } = response;
response.send = function (body) {
  for (let n = 0; n < 3; n++) createHash('sha256').update('slow').digest('hex');
  return send.call(this, body);
};
`;

function copyOfTheBuild(): string {
  const folder = temporaryFolder('slower');
  for (const part of ['dist', 'package.json']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

function check(...args: string[]): Promise<Ended> {
  // nyc sets NODE_OPTIONS, and its counters would slow down only this package.
  const { NODE_OPTIONS: _observed, ...env } = process.env;
  return runNode(['--require', 'tsx/cjs', join('scripts', 'bench', 'js.ts'), '--check', ...args], { env });
}
