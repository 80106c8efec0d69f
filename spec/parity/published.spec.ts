import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readRequests } from '../../parity/application/traffic';
import { isCurrent } from '../../scripts/applications/document';
import { APPLICATIONS, HOME, requestsOf, versionOf } from '../../scripts/applications/list';

describe('parity: published applications', () => {
  it('are listed in docs/parity.md as they are (npm run applications -- --write)', () => {
    expect(isCurrent()).to.equal(true);
  });

  for (const one of APPLICATIONS) {
    it(`has requests for ${one.name}, and pins it`, () => {
      expect(readRequests(requestsOf(one)).requests).not.to.be.empty;
      expect(versionOf(one)).to.match(/^\d+\.\d+\.\d+$/);
      if (one.isFresh) expect(existsSync(join(HOME, one.folder ?? one.name, 'fresh'))).to.equal(true);
    });
  }
});
