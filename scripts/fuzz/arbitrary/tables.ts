/** Reads what the generators choose from. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { PathSpec, Value } from '../../../parity/programs/program';

type Words = readonly string[];
type Values = readonly Value[];
export type Table<T> = Readonly<Record<string, T>>;

/** What a generator chooses from: values, a generator of `values.ts`, or a combination of these. */
export type Choice =
  | Values
  | string
  | { readonly oneOf: readonly Choice[] }
  /** Mostly these values, sometimes an odd one. */
  | { readonly mostly: Values }
  | { readonly arrayOf: Choice }
  /** These values, or a callback that returns one of the others. */
  | { readonly values: Values; readonly callback: Values };

/** For each method, the arguments of each way to call it. */
export type Calls = Table<ReadonlyArray<readonly Choice[]>>;

interface Members {
  readonly overridden: Words;
  readonly assigned: Words;
  readonly read: Words;
}

interface Tables {
  readonly values: Readonly<
    Record<
      'headerName' | 'headerValue' | 'headers' | 'json' | 'mediaType' | 'raised' | 'status' | 'url',
      Values
    > &
      Record<'file' | 'oddHeaderName' | 'oddHeaderValue' | 'oddStatus', Values>
  > & { readonly texts: Words; readonly odd: readonly Values[] };
  readonly options: Readonly<
    Record<
      'cookieOptions' | 'error' | 'logOptions' | 'parserOptions' | 'sendOptions' | 'staticOptions',
      Table<Choice>
    >
  >;
  readonly requests: Readonly<
    Record<'headers' | 'methods' | 'pieces' | 'queryPieces' | 'types' | 'usualHeaders', Words> &
      Record<'values' | 'versions' | 'wrongHeaders', Words>
  >;
  readonly steps: {
    readonly past: Words;
    readonly changes: Calls;
    readonly responses: Calls;
    readonly override: Pick<Members, 'assigned' | 'read'>;
    readonly questions: Calls;
    readonly settings: Table<Choice>;
    readonly assigned: Table<Choice>;
    readonly request: Members;
    readonly response: Members;
    readonly application: Pick<Members, 'overridden'>;
  };
  readonly programs: Readonly<Record<'events' | 'methods' | 'targets' | 'tokens', Words>> & {
    readonly paths: readonly PathSpec[];
    readonly mounts: ReadonlyArray<PathSpec | null>;
    readonly formats: Values;
    readonly oddFormats: Values;
  };
}

export const tables = parse(readFileSync(join(__dirname, 'tables.yaml'), 'utf8')) as Tables;
