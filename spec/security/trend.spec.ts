import { expect } from 'chai';
import { randomFrom } from '../../parity/seed';
import { trendOf } from '../../scripts/soak/trend';

describe('npm run check -- soak, the measured growth', () => {
  it('is inside its interval in nearly all soak tests, which distinguishes a leak from noise', () => {
    for (const leak of [0, 0.5]) {
      const trends = Array.from({ length: 200 }, (_none, seed) => trendOf(noisy(seed, leak, 0)));

      expect(trends.filter(({ low, high }) => low <= leak && leak <= high).length).to.be.above(190);
      expect(trends.filter(({ low }) => low > 0).length).to.be[leak ? 'above' : 'below'](leak ? 190 : 10);
    }
  });

  it('is counted as a leak in few of 200 soak tests with correlated samples and no leak', () => {
    const trends = Array.from({ length: 200 }, (_none, seed) => trendOf(noisy(seed, 0, 0.6)));

    expect(trends.filter(({ low }) => low > 0).length).to.be.below(10);
  });
});

/** @returns Samples of six minutes, twelve per minute. @param memory The correlation with the previous sample. */
function noisy(seed: number, leak: number, memory: number): [minute: number, value: number][] {
  const random = randomFrom(seed);
  let rest = 0;
  return Array.from({ length: 72 }, (_none, at) => {
    rest = memory * rest + (random() - 0.5) * 2;
    return [at / 12, 10 + leak * (at / 12) + rest];
  });
}
