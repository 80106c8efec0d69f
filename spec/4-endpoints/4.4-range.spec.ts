import { expect } from 'chai';
import framework from 'nozomi';
import type { Framework } from '../support/play';
import { askForRanges } from './ask-for-ranges';
import { RANGES } from './ranges';

describe('res.sendFile() and the Range headers of fixtures/ranges', () => {
  for (const [name, { about, cases }] of Object.entries(RANGES)) {
    proves('F-4.4-28 F-2.9-11');
    it(`responds to ${name} as recorded: ${about}`, async () => {
      const recorded = cases.filter(({ response }) => response);
      const responses = await askForRanges(framework as unknown as Framework, recorded);

      expect(recorded.map((one, index) => ({ ...one, response: responses[index] }))).to.deep.equal(recorded);
    });
  }
});
