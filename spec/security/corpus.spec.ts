import { expect } from 'chai';
import { CORPUS } from '../../scripts/fuzz/corpus';
import { Pair } from '../../scripts/fuzz/pair';

describe('applications on which a build once differed from Express', () => {
  const pair = new Pair();
  after(() => pair.stop());

  for (const [about, program] of Object.entries(CORPUS)) {
    it(about, async () => {
      expect(await pair.play(program)).to.equal(undefined);
    });
  }
});
