import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);
const PROGRAM = join(__dirname, 'slicing-server.ts');

describe('a large text of which responses contain a part', () => {
  for (const entryPoint of ['nozomi', 'nozomi/4']) {
    for (const [kind, part] of Object.entries({ etag: 'body', type: 'media type', name: 'header name' })) {
      it(`is not kept by the caches (${entryPoint}, ${part})`, async () => {
        const args = ['--expose-gc', '--require', 'tsx/cjs', PROGRAM, entryPoint, kind];
        const { stdout } = await run(process.execPath, args);
        // If a cache kept the texts, the heap would grow by 64 MB.
        expect(Number(stdout), 'MB').to.be.below(8);
      });
    }
  }
});
