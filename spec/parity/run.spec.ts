import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../parity/temporary-folder';
import { type Ended, ROOT, runNode } from '../support/command';
import { until } from '../support/until';

const FAULTY = './spec/parity/faulty/framework.ts+./spec/parity/faulty/logger.ts';
const SMALL = [
  '--only',
  '6-events/6-mount: an application emits mount with its parent each time it is mounted',
];

describe('nozomi-parity, the command', () => {
  it('exits with 0 and prints totals in the last line if the implementations are equal', async () => {
    const { code, output } = await run('--candidate', 'reference2', ...SMALL);

    expect(code).to.equal(0);
    expect(output.trimEnd().split('\n').at(-1)).to.equal('1 passed, 0 failed');
  });

  it('exits with 1 and prints request, header and both values if they differ', async () => {
    const { code, output } = await run('--candidate', FAULTY, ...SMALL);

    expect(code).to.equal(1);
    expect(output).to.match(
      /✗ 6-events\/6-mount: .*\[F-6-01 F-6-02 F-6-03\]\n {4}F-6-01: .+\n {4}F-6-02: .+\n {4}F-6-03: .+\n/,
    );
    expect(output).to.match(
      / {4}1\.headers\.x-powered-by: header X-Powered-By of 1 GET \S+\n +reference +Express\n/,
    );
    expect(output).to.match(/Faulty \(expected Nozomi\)\n/);
    expect(output.trimEnd()).to.match(/0 passed, 1 failed$/);
  });

  it('prints declared divergences with their reasons', async () => {
    const { code, output } = await run('--clause', 'F-2.4-09');

    expect(code).to.equal(0);
    expect(output).to.match(
      /Different as declared:\n {2}≈ etag-encoding {2}\[F-2\.4-09\], in 1 scenario\n {6}An `etag` function/,
    );
  });

  it('plays scenarios in the order of a seed, prints the seed, and reports in the order of the catalogue', async () => {
    const shuffled = await run('--section', 'F-2.4', '--seed', '7');
    const plain = await run('--section', 'F-2.4');

    expect(shuffled.code).to.equal(0);
    expect(shuffled.output).to.include('\n  seed: 7\n');
    expect(sectionsOf(shuffled.output)).to.deep.equal(sectionsOf(plain.output)).and.not.deep.equal([]);
  });

  it('divides the scenarios among jobs with --shard, whose rows add up to those of one job', async () => {
    const [whole = [], ...shards] = await Promise.all(
      ['1/1', '1/3', '2/3', '3/3'].map(async (shard) => {
        const { output } = await run('--section', 'demo', '--shard', shard, '--reporter', 'json');
        return (JSON.parse(output) as { verdicts: Array<{ id: string }> }).verdicts;
      }),
    );

    expect(whole.length).to.be.above(10);
    expect(whole.map((_row, index) => shards[index % 3]?.[Math.floor(index / 3)])).to.deep.equal(whole);
    expect(shards.flat()).to.have.lengthOf(whole.length);
  });

  it('carries cookies in a shard as in a run of one scenario', async () => {
    const [alone, shard] = await Promise.all([
      run('--section', 'demo', '--grep', 'signed cookies', '--show'),
      run('--section', 'demo', '--shard', '3/3', '--show'),
    ]);

    expect(alone.output).to.include('Cookie: theme=s%3Adark.');
    expect(shard.output).to.include(alone.output);
  });

  it('accepts an implementation by package version', async () => {
    const { code, output } = await run('--baseline', 'express@5.3.0', ...SMALL);

    expect(output).to.include('  express@5.3.0: express 5.3.0, morgan 1.12.1\n');
    expect(code).to.equal(0);
  });

  it('records with --update, and replays the recording as the implementation "corpus", without Express', async () => {
    const folder = temporaryFolder('recordings');
    try {
      const recorded = await run('--update', '--recordings', folder, ...SMALL);
      const replayed = await run('--baseline', 'corpus', '--recordings', folder, ...SMALL);
      const faulty = ['--baseline', 'corpus', '--candidate', FAULTY, '--recordings', folder, ...SMALL];
      const differs = await run(...faulty);
      const differsOver = await run('--server', 'create', ...faulty);

      expect(recorded.output).to.match(
        /^recorded 6-events\/6-mount\nrecordings written to .+: --baseline corpus/,
      );
      expect(replayed.output.trimEnd()).to.match(/1 passed, 0 failed$/);
      expect([differs.code, differsOver.code]).to.deep.equal([1, 1]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('writes several reports of one run', async () => {
    const folder = temporaryFolder('reports');
    const [page, xml] = [join(folder, 'a', 'page.html'), join(folder, 'parity.xml')];
    try {
      // biome-ignore format: a table
      const { code, output } = await run(
        '--reporter', 'terminal', '--reporter', `html=${page}`, '--reporter', `junit=${xml}`,
        ...SMALL,
      );

      expect(code).to.equal(0);
      expect(output).to.match(/1 passed, 0 failed\n$/);
      expect(readFileSync(page, 'utf8')).to.match(/^<!doctype html>/);
      expect(readFileSync(xml, 'utf8')).to.match(/^<\?xml/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('writes a JSON report with the same contents', async () => {
    const { output } = await run('--candidate', FAULTY, '--reporter', 'json', ...SMALL);
    const report = JSON.parse(output) as { passed: number; failed: number; exchanges: number };

    expect(report).to.include({ passed: 0, failed: 1, exchanges: 1 });
  });

  for (const [what, args, message] of [
    ['an option that is unknown', ['--sections', 'x'], /parity: Unknown option '--sections'/],
    [
      'an implementation that is unknown',
      ['--candidate', 'nowhere'],
      /expected reference, build, reference2, express3-reference, express3-build, .*got "nowhere"/,
    ],
    ['an implementation that cannot be loaded', ['--candidate', './none+morgan'], /Cannot find module/],
    [
      'a version that is not installed',
      ['--baseline', 'express@1.2.3'],
      /express 1\.2\.3 is not installed, only 5\.3\.0 .*; npm install --save-dev express-1@npm:express@1\.2\.3/,
    ],
    ['divergences that are not there', ['--divergences', 'none.js'], /--divergences: no such file: none\.js/],
    ['a selection that is empty', ['--grep', 'no such scenario'], /no scenario matches/],
  ] as const) {
    it(`prints an error and exits with 2 for ${what}`, async () => {
      const { code, errors } = await run(...args);

      expect(code).to.equal(2);
      expect(errors).to.match(message);
    });
  }

  it('leaves no process of an implementation running if it is killed', async () => {
    const parent = spawn(
      process.execPath,
      ['--require', 'tsx/cjs', join(__dirname, 'faulty', 'start-process.ts')],
      {
        cwd: ROOT,
      },
    );
    let errors = '';
    parent.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const implementation = await new Promise<number>((resolve, reject) => {
      parent.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk)));
      parent.once('close', (code) =>
        reject(new Error(`ended with ${code} before its implementation began: ${errors}`)),
      );
    });
    expect(isAlive(implementation)).to.equal(true);

    parent.kill('SIGKILL');
    await until(() => !isAlive(implementation), 'the implementation has ended');
  });
});

function sectionsOf(output: string): string[] {
  return output.match(/^ {2}\S+\/\S+ +\d+\/\d+$/gm) ?? [];
}

function run(...args: string[]): Promise<Ended> {
  return runNode(['--require', 'tsx/cjs', join('parity', 'command', 'run.ts'), ...args]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
