import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readRequests } from '../../parity/application/traffic';
import { ALL_SERIES } from '../../scripts/ecosystem/cases';
import { freshOf, playedOn, RECORDED, requestsOf, versionOf } from '../../scripts/published/manifest';

describe('parity: published applications', () => {
  for (const series of ALL_SERIES)
    for (const one of playedOn(series)) {
      it(`have requests and a pinned version: ${one.name}, Express ${series}`, () => {
        expect(readRequests(requestsOf(one)).requests).not.to.be.empty;
        expect(versionOf(one.from, one.home)).to.match(/^\d+\.\d+\.\d+$/);
        expect(existsSync(freshOf(one) ?? one.home)).to.equal(true);
      });
    }

  for (const one of RECORDED) {
    it(`have requests and a version: recorded ${one.name}`, () => {
      expect(readRequests(join(one.home, 'requests.http')).requests).not.to.be.empty;
      expect(one.version).to.match(/^\d+\.\d+\.\d+$/);
    });
  }
});
