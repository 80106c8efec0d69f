import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readRequests } from '../../parity/application/traffic';
import { HOME, PLAYED, requestsOf, versionOf } from '../../scripts/applications/manifest';

describe('parity: published applications', () => {
  for (const one of PLAYED) {
    it(`have requests and a pinned version: ${one.name}`, () => {
      expect(readRequests(requestsOf(one)).requests).not.to.be.empty;
      expect(versionOf(one)).to.match(/^\d+\.\d+\.\d+$/);
      if (one.isFresh) expect(existsSync(join(HOME, one.folder ?? one.name, 'fresh'))).to.equal(true);
    });
  }
});
