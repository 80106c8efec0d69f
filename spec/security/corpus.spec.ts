import { expect } from 'chai';
import { CORPUS } from '../../parity/programs/corpus';
import { Pair } from '../../parity/programs/pair';

for (const series of [5, 4, 3] as const) {
  describe(`applications that found a difference from Express ${series}`, () => {
    const pair = new Pair(series);
    after(() => pair.stop());

    for (const [about, program] of Object.entries(CORPUS[series])) {
      it(about, async () => {
        expect(await pair.play(program)).to.equal(undefined);
      });
    }
  });
}
