/** Plays the scenarios that say what they expect with this package, and checks the expectations. */
import { BUILD } from '../parity/implementations/implementations';
import { WorkerPool } from '../parity/implementations/observe';
import { checkExpectation, hasExpectation } from '../parity/judge/expectation';
import { readCatalogue } from '../parity/scenario/catalogue';
import { setFileTimes } from '../parity/scenario/file-times';

describe('scenarios', () => {
  const implementation = new WorkerPool(BUILD);

  before(setFileTimes);
  after(() => implementation.stop());

  for (const entry of readCatalogue()) {
    const { id, scenario } = entry;
    if (!hasExpectation(scenario)) continue;
    it(id, async () => checkExpectation(scenario, await implementation.observe(entry)));
  }
});
