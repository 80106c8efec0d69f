/** Reads fixtures/ranges (§4.4). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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
