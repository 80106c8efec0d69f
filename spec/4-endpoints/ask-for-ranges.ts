/** Serves files of the sizes in fixtures/ranges (§4.4). Apart from `ranges.ts`, because nozomi-corpus has no `nozomi`. */
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { head, onOneConnection } from '../../parity/client/request';
import { filesOf } from '../support/files';
import { type Framework, play } from '../support/play';
import type { RangeCase, RangeResponse } from './ranges';

/** @returns The responses of `res.sendFile` to `HEAD`, each for a header Range and a file of this size in bytes. */
export async function askForRanges(
  framework: Framework,
  cases: ReadonlyArray<Pick<RangeCase, 'field' | 'size'>>,
): Promise<RangeResponse[]> {
  const sizes = new Set(cases.map(({ size }) => size));
  const root = filesOf(Object.fromEntries([...sizes].map((size) => [size, ''])));
  for (const size of sizes) truncateSync(join(root, String(size)), size);
  const app = framework().set('env', 'test');
  app.get('/:size', (req, res) => res.sendFile(req.params.size, { root, lastModified: false, etag: false }));
  const asked = cases.map(({ field, size }) => head(`/${size}`, { Range: field }));
  return (await play(app, onOneConnection(...asked))).map(({ response, header }) => {
    const [contentRange, length] = [header('Content-Range'), header('Content-Length')];
    return {
      status: response.status as number,
      ...(contentRange !== undefined && { contentRange }),
      // Omit the length of an error page, which says nothing about the file.
      ...(length !== undefined && response.status !== 416 && { contentLength: Number(length) }),
    };
  });
}
