import { expect } from 'chai';
import { CORPUS } from '../../scripts/fuzz/corpus';
import { Pair } from '../../scripts/fuzz/pair';

describe('applications that found a difference from Express', () => {
  const pair = new Pair();
  after(() => pair.stop());

  for (const [about, program] of Object.entries(CORPUS)) {
    it(about, async () => {
      expect(await pair.play(program)).to.equal(undefined);
    });
  }
});
