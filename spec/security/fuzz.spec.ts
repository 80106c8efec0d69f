import { expect } from 'chai';
import fc from 'fast-check';
import { PROGRAM_DIVERGENCES } from '../../parity/divergences/programs';
import { explain } from '../../parity/programs/explain';
import { EXPRESS, Pair } from '../../parity/programs/pair';
import type { Program, Transcript } from '../../parity/programs/program';
import { programOf } from '../../scripts/fuzz/arbitrary/programs';
import { fuzz } from '../../scripts/fuzz/fuzz';
import { leastCost } from '../support/cost';

/** The seed of the random applications, from the environment variable FUZZ_SEED. */
const SEED = Number(process.env.FUZZ_SEED ?? 1);

describe('random applications', () => {
  it(`respond, call handlers and log as with Express, for seed ${SEED}`, async () => {
    const { differences, responses } = await fuzz({ seed: SEED, runs: 200, time: 10_000 });

    expect(differences, `npm run check -- fuzz --seed ${SEED}`).to.deep.equal([]);
    expect(responses).to.be.above(100);
  });

  for (const series of [4, 3] as const) {
    it(`respond, call handlers and log as with Express ${series}, for seed ${SEED}`, async () => {
      const { differences, responses } = await fuzz({ seed: SEED, runs: 120, time: 7000, series });

      expect(differences, `npm run check -- fuzz --entry ${series} --seed ${SEED}`).to.deep.equal([]);
      expect(responses).to.be.above(50);
    });
  }

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

  it('fail if a build cannot be loaded', async () => {
    const build = { ...EXPRESS[5], framework: './none' };
    const outcome = await fuzz({ seed: SEED, runs: 1, build }).then(() => 'passed', String);

    expect(outcome).to.include("Cannot find module './none'");
  });

  // Apart: the fuzzer repeats each run that differs at once, but looks for requests in memory only after many runs.
  for (const [fault, found] of [
    ['leaking', ['left  listeners of the process', 'left listeners of a socket', 'left open']],
    ['keeping', ['left a request in memory']],
  ] as const) {
    it(`find what a ${fault} build leaves behind: ${found.join(', ')}`, async () => {
      expect(await leftBehind(`./${fault}-framework`, found.length)).to.deep.equal(found);
    });
  }

  it('are reported for what they leave behind, even if an exclusion explains all other differences', () => {
    const override = { override: 'app.request.unpipe', before: [{ read: 'x' }], pass: 'same', after: [] };
    const program = { build: [{ steps: [override] }], listeners: [], actions: [] } as unknown as Program;
    const seen = (...events: string[]): Transcript => ({ received: [], events });
    const explained = (...events: string[]): number => explain(program, 5, seen(), seen(...events)).length;

    expect([explained('other'), explained('other', 'left open: /f')]).to.deep.equal([1, 0]);
  });

  it('are compared in linear time, also if an event is a long text without spaces', () => {
    const event = `handler 0 keys=${'a'.repeat(40_000)}`;
    for (const { id, hides } of PROGRAM_DIVERGENCES) {
      if (hides)
        expect(
          leastCost(() => event.replace(hides, ''), 300),
          id,
        ).to.be.below(300);
    }
  });

  it('are the same for the same seed', () => {
    const drawn = (seed: number): string => JSON.stringify(fc.sample(programOf(5), { seed, numRuns: 50 }));

    expect(drawn(5)).to.equal(drawn(5));
    expect(drawn(5)).to.not.equal(drawn(6));
  });
});

/** @returns What the fuzzer reports that a framework leaves behind; stops after `most` kinds. */
async function leftBehind(framework: string, most: number): Promise<string[]> {
  const pair = new Pair(5, { ...EXPRESS[5], framework: require.resolve(framework) });
  const get = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n';
  const sending = { arity: 2, look: 'nothing', steps: [{ call: 'res.send', args: ['x'] }] } as const;
  const actions = [{ send: [get, get, get], aborts: false }];
  const program: Program = { build: [{ use: [sending] }], listeners: [], actions };
  const found = new Set<string>();
  try {
    for (let times = 0; times < 60 && found.size < most; times++) {
      const { actual } = (await pair.play(program)) ?? {};
      for (const event of actual?.events ?? [])
        if (event.startsWith('left')) found.add(event.replace(/\d+|:.*/g, ''));
    }
  } finally {
    pair.stop();
  }
  return [...found].sort();
}
