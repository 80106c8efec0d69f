/** A reporter for mocha that writes the clauses of all tests to the file of its option `output`. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type MochaOptions, Runner, type Test } from 'mocha';
import { idsOf } from '../../spec/support/proves';
import type { SpecProof } from './spec-proofs';

const folder = join(__dirname, '..', '..', 'spec');

module.exports = function SpecProofsReporter(runner: Runner, { reporterOptions }: MochaOptions): void {
  const proofs: SpecProof[] = [];
  runner.on(Runner.constants.EVENT_TEST_PASS, (test: Test) => {
    const spec = relative(folder, test.file ?? '').replaceAll('\\', '/');
    proofs.push({ spec, clauses: idsOf(test).filter((id) => !/^(?:CVE|GHSA)-/.test(id)) });
  });
  runner.on(Runner.constants.EVENT_RUN_END, () =>
    writeFileSync(reporterOptions.output, JSON.stringify(proofs)),
  );
};
