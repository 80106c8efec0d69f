/** Reads which clauses the specs prove: `proves` (`spec/support/proves.ts`) attaches them to the tests. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The clauses that one test proves. */
export interface SpecProof {
  /** The path of the file below `spec`, with slashes. */
  readonly spec: string;
  readonly clauses: readonly string[];
}

/**
 * Reads the clauses of all tests with `mocha --dry-run`, because loops create many of the tests.
 *
 * @throws Error if mocha cannot load the specs.
 */
export function readSpecProofs(root: string): readonly SpecProof[] {
  const output = join(root, 'report', 'spec-proofs.json');
  mkdirSync(dirname(output), { recursive: true });
  const mocha = join(dirname(require.resolve('mocha/package.json')), 'bin', 'mocha.js');
  const reporter = join(__dirname, 'spec-proofs-reporter.ts');
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [
      mocha,
      'spec/**/*.spec.ts',
      '--dry-run',
      '--reporter',
      reporter,
      '--reporter-option',
      `output=${output}`,
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`mocha --dry-run could not load the specs:\n${stderr || stdout}`);
  return JSON.parse(readFileSync(output, 'utf8'));
}
