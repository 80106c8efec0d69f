/** Generates the values that applications pass to the framework. Most are valid. */
import fc, { type Arbitrary } from 'fast-check';
import type { Step, Value } from '../program';

export const of = (...values: Value[]): Arbitrary<Value> => fc.constantFrom(...values);

/** Generates from `common` `weight` times as often as from `odd`. */
export function mostly<T>(common: Arbitrary<T>, odd: Arbitrary<T>, weight = 6): Arbitrary<T> {
  return fc.oneof({ arbitrary: common, weight }, { arbitrary: odd, weight: 1 });
}

const TEXTS = [
  '',
  'a',
  'x y',
  'hello',
  '<p>',
  '0',
  '1',
  'é',
  'ÿ',
  '€',
  '😀',
  '\ud800',
  'a\r\nB: c',
  '\0',
  '\u2028',
  'a,b',
  '"q"',
  '%',
  '%41',
  '__proto__',
];

export const text: Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...TEXTS), weight: 5 },
  { arbitrary: fc.string({ maxLength: 8 }), weight: 1 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 4 }), weight: 1 },
);

const kind = (name: string, v: Value = null): Value => ({ $: name, v });

export const error: Arbitrary<Value> = fc
  .record(
    {
      message: text,
      name: fc.constantFrom('Error', 'TypeError'),
      status: of(400, 404, 418, 500, 599, 200, 99, 700, '404', null),
      statusCode: of(403, 503, 600),
      headers: of({ 'X-E': '1' }, { 'X-É': '1' }, { 'x-e': 'é' }, null, 'text', { 'Content-Length': '3' }),
      expose: fc.boolean(),
      code: of('ENOENT', 'E'),
    },
    { requiredKeys: ['message'] },
  )
  .map((v) => ({ $: 'error', v: v as Value }));

/** Generates values that a handler throws or passes to `next`. */
export const raised: Arbitrary<Value> = mostly(
  error,
  of(
    'text',
    'router',
    'route',
    0,
    null,
    kind('undefined'),
    {},
    { status: 404 },
    kind('symbol', 's'),
    kind('null prototype'),
    kind('boxed', 'e'),
  ),
  2,
);

/** Generates objects that record when the framework reads them. Some also throw. */
const traps: Arbitrary<Value> = fc.oneof(
  fc.oneof(of('a', { b: 1 }, kind('undefined'), kind('buffer', 'x')), error).map((v) => ({ $: 'toJSON', v })),
  fc.oneof(of('a', 1, 'é'), error).map((v) => ({ $: 'toString trap', v })),
  fc.oneof(of('a', 1), error).map((v) => ({ $: 'getter', v })),
  of(kind('proxy', { a: 1 }), kind('proxy', [1, 2])),
);

export const odd: Arbitrary<Value> = fc.oneof(
  of(
    kind('undefined'),
    null,
    true,
    false,
    0,
    -1,
    1.5,
    200,
    1e21,
    kind('nan'),
    kind('infinity'),
    kind('negative zero'),
  ),
  of(
    kind('bigint', 7),
    kind('symbol', 's'),
    kind('date', 0),
    kind('date'),
    kind('regexp', 'a+'),
    kind('boxed', 'b'),
    kind('boxed', 3),
  ),
  of(
    kind('buffer', 'h\xe9'),
    kind('buffer', ''),
    kind('uint8', 'hé'),
    kind('float64'),
    kind('dataview'),
    kind('arraybuffer'),
  ),
  of(
    kind('map', 1),
    kind('set', 1),
    kind('hole'),
    kind('null prototype'),
    kind('circular'),
    kind('url', '/é'),
    kind('function', 'f'),
  ),
  of(
    [],
    {},
    [1, 'a', null],
    [[]],
    { a: [1, { b: null }] },
    { é: '<' },
    { $: 'function', v: { $: 'error', v: { message: 'f' } } },
  ),
  traps,
  error,
);

export const any: Arbitrary<Value> = fc.oneof(text, odd);

/** Generates arguments of `res.json`. */
export const json: Arbitrary<Value> = fc.oneof(
  of(
    { a: 1 },
    { a: 'é', b: [1, 2] },
    [1],
    null,
    true,
    5,
    'text',
    { a: '</script>&\u2029' },
    { a: { $: 'undefined' } },
  ),
  odd,
);

export const body: Arbitrary<Value> = fc.oneof(
  { arbitrary: fc.oneof(text, of('hello', '<p>é</p>')), weight: 4 },
  { arbitrary: of(kind('long', 'a'), kind('long', 'é')), weight: 1 },
  { arbitrary: json, weight: 2 },
  { arbitrary: odd, weight: 2 },
);

export const headerName: Arbitrary<Value> = mostly(
  of(
    'X-A',
    'x-a',
    'X-B',
    'Content-Type',
    'content-type',
    'Content-Length',
    'ETag',
    'Cache-Control',
    'Vary',
    'Link',
    'Set-Cookie',
    'Location',
    'Last-Modified',
    'Content-Encoding',
    'Transfer-Encoding',
    'Connection',
    'Date',
    'X-Powered-By',
    'Trailer',
    'Content-Disposition',
    'Keep-Alive',
    '__proto__',
    'Content-Range',
    'Accept-Ranges',
  ),
  fc.oneof(of('', 'a b', 'é', 'a:b', 'a\n', 5, null, kind('undefined'), kind('symbol', 's')), odd),
  12,
);

export const headerValue: Arbitrary<Value> = mostly(
  of(
    'a',
    'b',
    'é',
    'ÿ',
    '1',
    '2',
    'text/plain',
    'text/html',
    'application/json; charset=latin1',
    'text/*',
    'gzip',
    'chunked',
    'close',
    'keep-alive',
    'W/"1"',
    '"x"',
    'no-cache',
    '*',
    ['a', 'b'],
    ['a'],
    [],
    5,
    0,
    '',
    '5',
  ),
  fc.oneof(of('€', 'a\nb', '\0', [1, null], ['a', '€'], [['b']]), odd),
  8,
);

export const headers: Arbitrary<Value> = mostly(
  fc.dictionary(
    fc.constantFrom('X-A', 'x-b', 'Content-Type', 'content-length', 'ETag', 'Vary', 'Link', 'Connection'),
    headerValue,
    { maxKeys: 3 },
  ),
  fc.oneof(
    of(
      ['X-A', '1', 'X-B', '2'],
      [
        ['X-A', '1'],
        ['x-a', '2'],
      ],
      ['X-A'],
      [],
      kind('headers', { 'X-M': '1' }),
    ),
    odd,
  ),
  5,
);

export const status: Arbitrary<Value> = mostly(
  of(200, 201, 204, 205, 206, 301, 302, 304, 400, 404, 418, 500, 503, 599, 100, 101, 103, 199, 299, 999),
  fc.oneof(of(99, 0, 1000, '200', '404', 200.5, -200, kind('nan')), odd),
  10,
);

export const mediaType: Arbitrary<Value> = mostly(
  of(
    'html',
    'json',
    'text',
    'txt',
    '.png',
    'text/html',
    'application/json',
    'application/x-www-form-urlencoded',
    'text/*',
    '*/*',
    'bin',
    'unknown',
    'text/plain; charset=latin1',
    'a/b',
    '+json',
    'multipart/form-data',
  ),
  fc.oneof(text, odd),
  8,
);

export const url: Arbitrary<Value> = mostly(
  of(
    '/',
    '/a',
    '/a?b=c',
    'back',
    '..',
    './x',
    'http://h/p',
    '//h',
    'http://h/é',
    '/€',
    '/a b',
    '/<x>',
    'javascript:x',
    '/%zz',
    '/\ud800',
    '\\\\h',
    'mailto:a@b',
  ),
  fc.oneof(text, odd),
  8,
);

export const cookieOptions: Arbitrary<Value> = mostly(
  fc.record(
    {
      maxAge: of(0, 1000, -1, '5000', null, kind('nan'), 'x', 1e12),
      domain: of('h', 'é', 'a;b'),
      path: of('/', '/a', '', ';', null),
      expires: of(kind('date', 0), kind('date'), 'x'),
      httpOnly: of(true, false, 1),
      secure: of(true, false),
      sameSite: of(true, false, 'lax', 'Strict', 'none', 'x'),
      priority: of('low', 'High', 'x'),
      partitioned: of(true),
      signed: of(true, false),
      encode: of(kind('function', 'enc'), kind('function', 'é'), 'x'),
    },
    { requiredKeys: [] },
  ),
  odd,
);

export const sendOptions: Arbitrary<Value> = mostly(
  fc.record(
    {
      root: of(kind('files'), '', '/none', 5),
      dotfiles: of('allow', 'deny', 'ignore', 'x'),
      maxAge: of(0, 1000, '1d', 'x', -1),
      headers: of({ 'X-F': '1' }, { 'X-F': 'é' }, { 'Content-Type': 'a/b' }, { 'X-F': '€' }, 'x'),
      acceptRanges: fc.boolean(),
      cacheControl: fc.boolean(),
      immutable: fc.boolean(),
      lastModified: fc.boolean(),
      etag: fc.boolean(),
      start: of(0, 2, 100),
      end: of(3, 0),
      extensions: of(['txt'], false),
      index: of('hello.txt', false),
    },
    { requiredKeys: [] },
  ),
  odd,
);

export const file: Arbitrary<Value> = mostly(
  of(
    kind('file', 'hello.txt'),
    kind('file', 'data.json'),
    kind('file', 'none'),
    kind('file', 'folder'),
    'hello.txt',
    '../x',
    '.',
    '',
    'folder/',
    '/hello.txt',
    'h%65llo.txt',
    'a\0b',
  ),
  odd,
  8,
);

/**
 * Generates a callback that records its arguments and runs steps.
 *
 * @param v The value that the callback returns, or throws if it is an Error; default undefined.
 */
export function callback(
  steps: Arbitrary<readonly Step[]>,
  v: Arbitrary<Value> = of(kind('undefined')),
): Arbitrary<Value> {
  return fc.record({ $: fc.constant('function'), v, steps }) as unknown as Arbitrary<Value>;
}
