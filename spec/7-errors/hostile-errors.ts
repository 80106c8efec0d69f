/** Draws errors that a final handler may find hard to print, with fast-check. They are JSON, for a child process. */
import fc from 'fast-check';

/** A property of an error: a value of JSON, or one that JSON cannot express. */
export interface Field {
  readonly value?: unknown;
  readonly special?: 'getter' | 'null-prototype' | 'symbol' | 'not-a-number' | 'throwing' | undefined;
}

export interface Thrown {
  readonly kind: 'primitive' | 'object' | 'error' | 'bare' | 'frozen' | 'proxy';
  /** The value of a primitive. */
  readonly value: unknown;
  readonly fields: Readonly<Record<string, Field>>;
}

/** A request, and what its handler does. */
export interface Case {
  readonly method: 'GET' | 'HEAD' | 'POST';
  /** How the error reaches `next`: thrown, passed, passed in a later turn, or after the response has begun. */
  readonly way: 'throw' | 'next' | 'later' | 'begun';
  readonly thrown: Thrown;
  /** The status of the response before the error. `null` stands for NaN. */
  readonly status?: number | null | undefined;
  readonly message?: string | undefined;
  /** Headers of the response before the error. */
  readonly headers: Readonly<Record<string, string>>;
}

const NAMES = [
  'X-A',
  'Content-Type',
  'Content-Length',
  'Transfer-Encoding',
  'Trailer',
  'Connection',
  'b b',
  '',
];
const TEXTS = ['1', 'chunked', 'close', 'a\r\nb', 'ü', '€', '', 'X-End', ['1', '2'], ['a\nb'], null, 7, {}];

const special = fc.constantFrom('getter', 'null-prototype', 'symbol', 'not-a-number', 'throwing');
const fieldOf = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Field> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ value }) },
    { weight: 1, arbitrary: fc.record({ special }) },
  ) as never;

const status = fc.constantFrom(200, 399, 400, 404, 418, 499, 500, 503, 599, 600, -1, 450.5, 1e9, '404', null);
const headers = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...TEXTS), { maxKeys: 3 });
const text = fc.constantFrom('', 'text <b>&\n  more', 'ü€', 7, false, {}, []);

const fields = fc.record(
  {
    status: fieldOf(status),
    statusCode: fieldOf(status),
    headers: fieldOf(fc.oneof(headers, fc.constantFrom(null, 'text', 7, ['X-A']))),
    stack: fieldOf(text),
    message: fieldOf(text),
    toString: fieldOf(fc.constantFrom(null, 'text')),
    name: fieldOf(text),
    expose: fieldOf(fc.boolean()),
  },
  { requiredKeys: [] },
);

const thrown = fc.record({
  kind: fc.constantFrom('primitive', 'object', 'error', 'error', 'bare', 'frozen', 'proxy'),
  value: fc.constantFrom(1, 'text', true, 'a <b>\n  text'),
  fields,
}) as fc.Arbitrary<Thrown>;

export const cases: fc.Arbitrary<Case> = fc.record(
  {
    method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST'),
    way: fc.constantFrom('throw', 'throw', 'next', 'later', 'begun'),
    thrown,
    headers: fc.oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      {
        weight: 1,
        arbitrary: fc.constantFrom({ Trailer: 'X-End' }, { 'Content-Encoding': 'gzip' }, { 'X-A': '1' }),
      },
    ),
    status: fc.constantFrom(undefined, undefined, null, 99, 302, 404, 1000, 1e9, -404),
    message: fc.constantFrom(undefined, undefined, 'Own', 'a\r\nb', '€'),
  },
  { requiredKeys: ['method', 'way', 'thrown', 'headers'] },
) as fc.Arbitrary<Case>;
