import { expect } from 'chai';
import fc from 'fast-check';
import { program } from '../../scripts/fuzz/arbitrary/programs';
import { fuzz } from '../../scripts/fuzz/fuzz';
import { EXPRESS } from '../../scripts/fuzz/pair';

/** The seed of the random applications, from the environment variable FUZZ_SEED. */
const SEED = Number(process.env.FUZZ_SEED ?? 1);

describe('random applications', () => {
  it(`respond, call handlers and log as with Express, for seed ${SEED}`, async () => {
    const { differences, responses } = await fuzz({ seed: SEED, runs: 600, time: 10_000 });

    expect(differences, `npm run fuzz -- --seed ${SEED}`).to.deep.equal([]);
    expect(responses).to.be.above(100);
  });

  it('show no difference when Express is compared with itself', async () => {
    const { differences } = await fuzz({ seed: SEED, runs: 100, time: 3000, build: EXPRESS[5] });

    expect(differences).to.deep.equal([]);
  });

  it('find a faulty build, and are shrunk to one statement and one request', async () => {
    const faulty = { ...EXPRESS[5], framework: require.resolve('./faulty-framework') };
    const { differences } = await fuzz({ seed: SEED, runs: 500, build: faulty, enough: 1 });
    const { build = [], actions = [] } = differences[0]?.program ?? {};

    expect([build.length, actions.length]).to.deep.equal([1, 1]);
  });

  it('are the same for the same seed', () => {
    const drawn = (seed: number): string => JSON.stringify(fc.sample(program, { seed, numRuns: 50 }));

    expect(drawn(5)).to.equal(drawn(5));
    expect(drawn(5)).to.not.equal(drawn(6));
  });
});
