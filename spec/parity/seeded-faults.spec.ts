import { expect } from 'chai';
import type { Divergence } from '../../parity/divergences/divergence';
import { REFERENCE } from '../../parity/implementations/implementations';
import type { Verdict } from '../../parity/judge/judge';
import type { Report } from '../../parity/judge/report';
import { runParity } from '../../parity/parity';
import type { Entry } from '../../parity/scenario/catalogue';
import { FAULTS } from './faulty/faults';
import { ENTRIES, FAULTY } from './faulty/implementations';
import { BROKEN, EQUAL } from './faulty/scenarios';

describe('parity: an implementation with seeded faults', () => {
  let report: Report;

  before(async () => {
    report = await play();
  });

  for (const [name, { places }] of Object.entries(FAULTS)) {
    it(`is reported with all places if ${name}`, () => {
      const { state, differences } = verdictOf(report, name);

      expect(state).to.equal('different');
      expect(differences.map(({ place }) => place).sort()).to.deep.equal([...places].sort());
    });
  }

  for (const name of EQUAL) {
    it(`is reported as equal for ${name}`, () => {
      expect(verdictOf(report, name)).to.deep.include({ differences: [], state: 'equal' });
    });
  }

  for (const [name, message] of Object.entries(BROKEN)) {
    it(`is reported with the last output of its process if ${name}`, () => {
      const { state, problem } = verdictOf(report, name);

      expect(state).to.equal('broken');
      expect(problem).to.match(message);
    });
  }

  it('is reported with the number of passed and failed scenarios', () => {
    expect(report).to.include({ passed: EQUAL.length, failed: ENTRIES.length - EQUAL.length });
  });
});

describe('parity: an implementation that ends while other scenarios use it', function () {
  this.timeout(60_000);

  for (const [name, message] of Object.entries(BROKEN)) {
    it(`is replaced by a new process if ${name}, and the report names the scenario`, async () => {
      const together = ENTRIES.filter(
        ({ scenario }) => scenario.name === name || EQUAL.includes(scenario.name),
      ).map((entry) => ({ ...entry, scenario: { ...entry.scenario, alone: false } }));
      const report = await play([], together);

      expect(report).to.include({ passed: EQUAL.length, failed: 1 });
      expect(verdictOf(report, name).problem).to.match(message);
    });
  }
});

describe('parity: declared divergences', () => {
  const id = 'faulty: a field is lost';
  const only = ENTRIES.filter((entry) => entry.id === id || entry.scenario.name === EQUAL[0]);

  it('excuse the declared place', async () => {
    const { failed, verdicts } = await play([divergence({ [id]: ['1.headers.etag'] })], only);

    expect(failed).to.equal(0);
    expect(verdicts.map(({ state }) => state)).to.have.members(['declared', 'equal']);
  });

  it('excuse no other place of the same scenario', async () => {
    const { failed, verdicts } = await play([divergence({ [id]: ['1.body'] })], only);

    expect(failed).to.equal(1);
    const failure = verdicts.find(({ state }) => state === 'different');
    expect(failure?.differences.map(({ place }) => place)).to.deep.equal(['1.headers.etag']);
    expect(failure?.stale).to.deep.equal([{ place: '1.body', divergence: 'seeded' }]);
  });

  it('fail if they no longer occur', async () => {
    const { failed } = await play(
      [divergence({ [`faulty: ${EQUAL[0]}`]: ['1.body'], [id]: ['1.headers.etag'] })],
      only,
    );

    expect(failed).to.equal(1);
  });

  function divergence(places: Divergence['scenarios']): Divergence {
    return { id: 'seeded', clauses: ['F-1-01'], differs: 'on purpose', why: 'to be seen', scenarios: places };
  }
});

function play(divergences: readonly Divergence[] = [], some: readonly Entry[] = ENTRIES): Promise<Report> {
  return runParity({ implementations: [REFERENCE, FAULTY], entries: some, divergences, deadline: 6000 });
}

function verdictOf({ verdicts }: Report, name: string): Verdict {
  const verdict = verdicts.find(({ entry }) => entry.scenario.name === name);
  if (!verdict) throw new TypeError(`no scenario "${name}"`);
  return verdict;
}
