import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readRequests } from '../../parity/application/traffic';
import { isCurrent } from '../../scripts/applications/document';
import { APPLICATIONS, HOME, requestsOf, versionOf } from '../../scripts/applications/list';

describe('parity: published applications', () => {
  it('are all listed in docs/parity.md', () => {
    expect(isCurrent()).to.equal(true);
  });

  for (const one of APPLICATIONS) {
    it(`have requests and a pinned version: ${one.name}`, () => {
      expect(readRequests(requestsOf(one)).requests).not.to.be.empty;
      expect(versionOf(one)).to.match(/^\d+\.\d+\.\d+$/);
      if (one.isFresh) expect(existsSync(join(HOME, one.folder ?? one.name, 'fresh'))).to.equal(true);
    });
  }
});
