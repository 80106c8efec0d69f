/**
 * Plays the scenarios with this package. Each response must be as its scenario expects, and as the recording of Express
 * in fixtures/, apart from declared divergences.
 */
import { expect } from 'chai';
import { Corpus, isRecorded } from '../parity/corpus/corpus';
import { DIVERGENCES } from '../parity/divergences';
import { BUILD } from '../parity/implementations/implementations';
import { WorkerPool } from '../parity/implementations/observe';
import { checkExpectation } from '../parity/judge/expectation';
import { judge } from '../parity/judge/judge';
import { readCatalogue } from '../parity/scenario/catalogue';
import { setFileTimes } from '../parity/scenario/file-times';
import { verifyCorpus } from '../scripts/fixtures/verify';

describe('scenarios', () => {
  const implementation = new WorkerPool(BUILD);
  const corpus = new Corpus();
  const catalogue = readCatalogue();

  before(() => Promise.all([setFileTimes(), corpus.start()]));
  after(() => implementation.stop());

  for (const entry of catalogue) {
    it(entry.id, async () => {
      const seen = await implementation.observe(entry);
      checkExpectation(entry.scenario, seen);
      if (!isRecorded(entry)) return;
      const { differences, stale, problem } = judge(entry, await corpus.observe(entry), seen, DIVERGENCES);
      expect({ differences, stale }, problem).to.deep.equal({ differences: [], stale: [] });
      expect(problem).to.equal(undefined);
    });
  }

  it('every recording in fixtures/ is valid and belongs to a scenario', () => {
    expect([...verifyCorpus(), ...corpus.orphans(catalogue)]).to.deep.equal([]);
  });
});
