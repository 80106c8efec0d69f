import { expect } from 'chai';
import { BUILD } from '../../parity/implementations/implementations';
import { type Talk, talkOf } from '../../scripts/fuzz/grammar';
import { randomOf } from '../../scripts/fuzz/random';
import { fuzz } from '../../scripts/fuzz/run';
import { shrink } from '../../scripts/fuzz/shrink';

/** Another one to look further: FUZZ_SEED=7 npx mocha spec/security/fuzz.spec.ts */
const SEED = Number(process.env.FUZZ_SEED ?? 1);

describe('unknown input', () => {
  it(`is answered and logged as by the reference, with seed ${SEED}`, async () => {
    const { differences, requests, kept } = await fuzz({ seed: SEED, requests: 1500, time: 8000 });

    expect(differences, `npm run fuzz -- --seed ${SEED}`).to.deep.equal([]);
    expect(requests).to.be.above(100);
    expect(kept[1]).to.be.below(200);
  });

  it('shows a build that differs, and what is the least that shows it', async () => {
    const faulty = { ...BUILD, name: 'faulty', framework: require.resolve('./faulty-framework') };
    const { differences } = await fuzz({ seed: SEED, requests: 1500, build: faulty, enough: 1, lanes: 1 });

    expect(differences).to.have.lengthOf(1);
    const [{ talk } = { talk: { requests: [] } }] = differences;
    expect(Buffer.concat([...talk.requests]).length).to.be.below(80);
  });

  it('is the same for the same seed', () => {
    const bytesOf = (seed: number): string => {
      const random = randomOf(seed);
      return Array.from({ length: 50 }, () =>
        Buffer.concat([...talkOf(random, false).requests]).toString('hex'),
      ).join();
    };

    expect(bytesOf(5)).to.equal(bytesOf(5));
    expect(bytesOf(5)).to.not.equal(bytesOf(6));
  });

  it('is made as small as it can be while it still shows the difference', async () => {
    const talk: Talk = {
      requests: ['GET / HTTP/1.1\r\n\r\n', 'GET /x HTTP/1.1\r\nA: b\r\nBad: needle\r\n\r\n'].map((text) =>
        Buffer.from(text),
      ),
      pipelined: true,
    };
    const least = await shrink(talk, async ({ requests }) => Buffer.concat([...requests]).includes('needle'));

    expect(least.requests.map(String)).to.deep.equal(['needle']);
  });
});
