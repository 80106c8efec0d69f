/**
 * Plays the scenarios with the sources, or with the build if TESTED is `build`. Each response must be as its scenario
 * expects, and as the recording of Express in fixtures/, apart from declared divergences. With `npm test -- NAME`, the
 * variable SCENARIOS names some of them.
 */
import { expect } from 'chai';
import { Corpus, isRecorded } from '../parity/corpus/corpus';
import { DIVERGENCES } from '../parity/divergences';
import { BUILD } from '../parity/implementations/implementations';
import { WorkerPool } from '../parity/implementations/observe';
import type { Implementation, Observation } from '../parity/implementations/protocol';
import { checkExpectation } from '../parity/judge/expectation';
import { judge } from '../parity/judge/judge';
import { readCatalogue } from '../parity/scenario/catalogue';
import { setFileTimes } from '../parity/scenario/file-times';
import { faultsOf } from '../scripts/fixtures/verify';
import { chosenBy } from '../scripts/test/scenarios';
import { isBuildTested } from './support/source';

const SOURCES = fromSources({
  ...BUILD,
  ...(BUILD.express3 && { express3: fromSources(BUILD.express3) }),
  ...(BUILD.express4 && { express4: fromSources(BUILD.express4) }),
});

function fromSources(build: Implementation): Implementation {
  const modules = ['tsx/cjs', './support/source'].map((name) => require.resolve(name));
  return { ...build, name: 'sources', execArgv: modules.flatMap((file) => ['--require', file]) };
}

describe('scenarios', () => {
  const implementation = new WorkerPool(isBuildTested ? BUILD : SOURCES);
  const corpus = new Corpus();
  const chosen = process.env.SCENARIOS?.split('\n');
  const catalogue = chosen ? chosenBy(chosen) : readCatalogue();

  before(() => Promise.all([setFileTimes(), corpus.start()]));
  after(() => implementation.stop());

  for (const entry of catalogue) {
    it(entry.id, async () => {
      const seen = await implementation.observe(entry);
      checkExpectation(entry.scenario, seen);
      if (!isRecorded(entry)) return;
      const recorded = await corpus.observe(entry);
      const hint = `Express has not been recorded with these requests: npm run generate -- fixtures --record --section ${entry.section}`;
      expect(requestsOf(recorded), hint).to.deep.equal(requestsOf(seen));
      const { differences, stale, problem } = judge(entry, recorded, seen, DIVERGENCES);
      expect({ differences, stale, problem }).to.deep.equal({
        differences: [],
        stale: [],
        problem: undefined,
      });
    });
  }

  if (chosen) return;
  it('every recording in fixtures/ is valid and belongs to a scenario', () => {
    expect(faultsOf(corpus, catalogue)).to.deep.equal([]);
  });
});

function requestsOf({ exchanges }: Observation): string[] {
  return exchanges.map(({ request: { method, target } }) => `${method} ${target}`);
}
