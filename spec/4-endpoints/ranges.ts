/** Reads fixtures/ranges, and serves files of its sizes (§4.4). */
import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { head, onOneConnection } from '../../parity/client/request';
import { filesOf } from '../support/files';
import { type Framework, play } from '../support/play';

/** An inclusive `[first, last]` pair for each range. */
export type Ranges = ReadonlyArray<readonly [first: number, last: number]> | 'unsatisfiable' | 'malformed';

export interface RangeResponse {
  readonly status: number;
  readonly contentRange?: string;
  readonly contentLength?: number;
}

export interface RangeCase {
  readonly field: string;
  readonly size: number;
  readonly ranges: Ranges;
  readonly combined: Ranges;
  readonly response?: RangeResponse;
}

interface RangeFile {
  readonly about: string;
  readonly cases: readonly RangeCase[];
}

const CORPUS = join(__dirname, '..', '..', 'fixtures', 'ranges');

/** The files of fixtures/ranges by name. */
export const RANGES: Readonly<Record<string, RangeFile>> = Object.fromEntries(
  readdirSync(CORPUS)
    .filter((name) => name.endsWith('.json') && name !== 'schema.json')
    .map((name) => [name, JSON.parse(readFileSync(join(CORPUS, name), 'utf8'))]),
);

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
