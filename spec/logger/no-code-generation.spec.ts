import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { BUILD } from '../../parity/implementations/implementations';
import { WorkerPool } from '../../parity/implementations/observe';
import { checkExpectation, hasExpectation } from '../../parity/judge/expectation';
import { readCatalogue } from '../../parity/scenario/catalogue';

/** Milliseconds that all specs of the logger may take in a child process. */
const TIME = 400_000;
const FLAG = '--disallow-code-generation-from-strings';

proves('L-4-08');
describe('the logger without code generation from strings', () => {
  it('passes all its specs if Node.js runs with --disallow-code-generation-from-strings', function () {
    this.timeout(TIME + 60_000);
    // The packages of context.spec.ts generate code: depd, for deprecated functions of Express 4.
    const files = readdirSync(__dirname).filter(
      (file) =>
        file.endsWith('.spec.ts') && file !== 'context.spec.ts' && join(__dirname, file) !== __filename,
    );
    const check = 'try { new Function(""); process.exit(3); } catch {}';
    const mocha = join(require.resolve('mocha/package.json'), '..', 'bin', 'mocha.js');
    execFileSync(process.execPath, [FLAG, '-e', check]);

    const { stdout, stderr, signal } = spawnSync(
      process.execPath,
      [
        mocha,
        FLAG,
        '--no-forbid-pending',
        '--reporter',
        'json',
        ...files.map((file) => join(__dirname, file)),
      ],
      // Turns nyc off, because its counters need code generation.
      {
        env: { ...process.env, NYC_CONFIG_OVERRIDE: '{"include":["none"]}' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        maxBuffer: 64 * 1024 * 1024,
        timeout: TIME,
      },
    );

    const report = stdout.indexOf('{\n  "stats"');
    expect(report, `a report, not ${signal ?? 'an end'} after ${stderr.slice(-2000)}`).to.be.at.least(0);
    const { stats, failures } = JSON.parse(stdout.slice(report)) as Report;
    expect(failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`)).to.deep.equal([]);
    expect(stats.passes).to.be.above(60);
  });

  describe('passes its scenarios', () => {
    const implementation = new WorkerPool({ ...BUILD, execArgv: [FLAG] });

    after(() => implementation.stop());

    for (const entry of readCatalogue()) {
      if (!entry.id.startsWith('logger/') || !hasExpectation(entry.scenario)) continue;
      it(entry.id, async () => checkExpectation(entry.scenario, await implementation.observe(entry)));
    }
  });
});

interface Report {
  stats: { passes: number };
  failures: Array<{ fullTitle: string; err: { message?: string } }>;
}
