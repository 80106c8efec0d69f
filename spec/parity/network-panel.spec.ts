import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type * as har from 'har-format';
import { temporaryFolder } from '../../parity/temporary-folder';
import { importHar } from '../support/network-panel';
import { programOf } from '../support/programs';
import { recordBookshop } from '../support/record-bookshop';

describe('nozomi-parity record', () => {
  it('writes a HAR that the network panel of Chromium imports', async () => {
    const file = join(temporaryFolder('record'), 'traffic.har');
    await recordBookshop(file);
    const { entries } = JSON.parse(readFileSync(file, 'utf8')).log as har.Log;
    const imported = await importHar(programOf('chromium'), file);

    expect(imported.map(({ method, url, status }) => [method, url, status])).to.have.deep.members(
      entries.map(({ request, response }) => [request.method, request.url, response.status]),
    );
    const [page] = entries.filter(({ request }) => request.url.endsWith('/catalogue'));
    expect(imported.find(({ url }) => url === page?.request.url)?.body).to.equal(page?.response.content.text);
  });
});
