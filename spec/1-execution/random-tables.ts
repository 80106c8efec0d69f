/**
 * Generates random routing tables: the layers of a router, with up to three levels of nested routers, and the action
 * of each handler. Names and paths come from a small set, because then paths often match patterns (§1, §4.2).
 */
import express4 from 'express4';
import fc from 'fast-check';

/** What a handler does after it has recorded its arguments. */
export type Action =
  | { does: 'next' | 'nextLater' | 'answer' | 'leaveRoute' | 'leaveRouter' }
  | { does: 'fail' | 'throw' | 'reject' | 'throwNothing' | 'rejectNothing' | 'throwSignal' }
  | { does: 'rewrite'; url: string }
  | { does: 'changeParams' };

/** A path of a layer. A regular expression is stored as its source, because each router needs its own object. */
export type TablePath = string | { source: string; flags: string } | TablePath[];

export interface TableHandler {
  takesError: boolean;
  action: Action;
}

export type Entry =
  | { kind: 'use'; path: TablePath | undefined; handlers: TableHandler[] }
  | { kind: 'route'; method: string; path: TablePath; handlers: TableHandler[] }
  | { kind: 'router'; path: TablePath | undefined; table: Table }
  | { kind: 'param'; name: string; action: Action };

export interface Table {
  options: { caseSensitive?: boolean; strict?: boolean; mergeParams?: boolean };
  entries: Entry[];
}

export interface Asked {
  method: string;
  url: string;
}

const TEXTS = ['a', 'b', 'A', 'ab', 'é', 'É', 'ſ', 's', 'x.y', 'a-b', 'k', '\u212A', 'ß', 'api', '1'];
const NAMES = ['a', 'b', 'id', '"x y"', 'constructor', '__proto__', 'Ä'];

const name = fc.constantFrom(...NAMES);
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b') },
  { weight: 1, arbitrary: fc.constantFrom(...TEXTS) },
);

/** The text between two slashes of a pattern. */
const patternSegment = fc.oneof(
  { weight: 8, arbitrary: text },
  { weight: 5, arbitrary: name.map((one) => `:${one}`) },
  { weight: 1, arbitrary: fc.constant('') },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          ':a-:b',
          ':a.:b',
          'a:id',
          ':id{.:b}',
          ':a{-:b}x',
          'a{b}',
          '{a}b',
          '*a.x',
          '\\:a',
          ':id-x',
          '*x',
        ),
      )
      .map(([one]) => one),
  },
);

const pattern = fc.oneof(
  {
    weight: 240,
    arbitrary: fc
      .tuple(fc.array(patternSegment, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '', '', '/', '//'))
      .map(([segments, end]) => `/${segments.join('/')}${end}`),
  },
  {
    weight: 40,
    arbitrary: fc.constantFrom('/', '', '*all', '/{*rest}', '{*all}', '//', '/a/*rest/b', '/*x/:id'),
  },
  {
    weight: 60,
    arbitrary: fc.constantFrom(
      '/a{/:id}',
      '/{a/}b',
      '/:a{/:b{/:id}}',
      '/{:a}/{:b}',
      '{/a}{/b}{/ab}',
      '/a{/*rest}',
      '/{a}{b}{A}{k}{s}',
      '/a{/b}/:id{/}',
      'a',
      ':id',
      '/:a/:b/',
      '/a/:id/',
      '/:a/b/:id',
    ),
  },
  // Malformed patterns. Registration throws for them.
  {
    weight: 1,
    arbitrary: fc.constantFrom('/*', '/:', '/(a)', '/a?', '/a+', '/[a]', '/{a', '/a}', '/:a:b', '/!', '/\\'),
  },
);

const regularExpression = fc.constantFrom(
  { source: '^\\/a', flags: '' },
  { source: 'b$', flags: '' },
  { source: '^\\/(a|b)\\/(?<id>[^/]+)', flags: 'i' },
  { source: '^\\/(?:api)?\\/?(\\d)?', flags: '' },
  { source: '(.*)', flags: '' },
  { source: 'a', flags: 'g' },
);

const path: fc.Arbitrary<TablePath> = fc.oneof(
  { weight: 12, arbitrary: pattern },
  { weight: 1, arbitrary: regularExpression },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof(pattern, regularExpression, fc.array(pattern, { maxLength: 2 })), {
      maxLength: 3,
    }),
  },
);

/** What handlers of a routing table may do instead of calling `next()` at once, besides responding and rewriting. */
// biome-ignore format: a table
const DEEDS = [
  'nextLater', 'leaveRoute', 'leaveRouter', 'fail', 'throw', 'reject', 'throwNothing', 'rejectNothing',
  'throwSignal', 'changeParams',
] as const;

const actionOf = (deeds: ReadonlyArray<(typeof DEEDS)[number]>): fc.Arbitrary<Action> =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constant({ does: 'next' as const }) },
    { weight: 2, arbitrary: fc.constant({ does: 'answer' as const }) },
    { weight: 5, arbitrary: fc.constantFrom(...deeds).map((does) => ({ does })) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('/a', '/b/ab', '', 'a', '/?x', '/a/b?q', '/%zz')
        .map((url) => ({ does: 'rewrite' as const, url })),
    },
  );

/** Generates routing tables with these paths and actions. */
function tableOf(path: fc.Arbitrary<TablePath>, action: fc.Arbitrary<Action>): fc.Arbitrary<Table> {
  const handlers = fc.array(
    fc.record({
      takesError: fc.oneof(fc.constant(false), fc.constant(false), fc.constant(false), fc.boolean()),
      action,
    }),
    { minLength: 1, maxLength: 3 },
  );
  const mountPath = fc.option(path, { nil: undefined, freq: 2 });
  return fc.letrec<{ table: Table; entry: Entry }>((tie) => ({
    entry: fc.oneof(
      { maxDepth: 3, withCrossShrink: true, depthIdentifier: 'routing table' },
      {
        weight: 8,
        arbitrary: fc.record({
          kind: fc.constant('route' as const),
          method: fc.constantFrom('get', 'get', 'get', 'all', 'post', 'head', 'options', 'm-search'),
          path,
          handlers,
        }),
      },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('use' as const), path: mountPath, handlers }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('param' as const),
          name: fc.constantFrom('a', 'b', 'id', 'x y', 'Ä'),
          action,
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('router' as const), path: mountPath, table: tie('table') }),
      },
    ),
    table: fc.record({
      options: fc.record(
        { caseSensitive: fc.boolean(), strict: fc.boolean(), mergeParams: fc.boolean() },
        { requiredKeys: [] },
      ),
      entries: fc.array(tie('entry'), { minLength: 2, maxLength: 12, size: 'max' }),
    }),
  })).table;
}

export const table: fc.Arbitrary<Table> = tableOf(path, actionOf(DEEDS));

/** Segments of paths with the syntax of Express 4. */
// biome-ignore format: a table
const SEGMENTS4 = [
  'a', 'b', 'A', ':id', ':id?', ':x(\\d+)', '*', 'a*', ':f.:g', ':f-:g', 'b?', '(a|b)', '.:f', '',
  'a.b', '?b', '+', '%61',
];
const path4 = fc
  .array(fc.constantFrom(...SEGMENTS4), { maxLength: 3 })
  .map((segments) => `/${segments.join('/')}`)
  .filter(isPath4);
const expression4 = fc.constantFrom(
  ...['^\\/a', 'b$', '^\\/(\\w)\\/(?<name>b)'].map((source) => ({ source, flags: '' })),
);

/** Routing tables for Express 4, which handles no rejected promises. */
export const table4: fc.Arbitrary<Table> = tableOf(
  fc.oneof(
    { weight: 8, arbitrary: path4 },
    { weight: 1, arbitrary: fc.array(path4, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: expression4 },
  ),
  actionOf(DEEDS.filter((does) => !does.startsWith('reject'))),
);

/** Whether a path is valid: Express 4 throws for some, because they give an invalid regular expression. */
function isPath4(text: string): boolean {
  try {
    express4.Router().get(text);
    return true;
  } catch {
    return false;
  }
}

const pathSegment = fc.oneof(
  { weight: 12, arbitrary: text },
  {
    weight: 2,
    arbitrary: fc.constantFrom('', '', 'B', 'AB', 'S', 'x.y.x', 'a-b-x', 'a.b', 'ab-x', ':a', 'bx'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '%20',
      '%C3%A9',
      '%zz',
      '%2F',
      'a%',
      '%E0%A4%A',
      '💡',
      'a b',
      'a#b',
      'a\nb',
      'ΐ',
      'İ',
      'ı',
    ),
  },
);

const url = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .tuple(
        fc.constantFrom('/', '/', '/', '/', '//', '', 'http://host/'),
        fc.oneof(
          { weight: 3, arbitrary: fc.array(pathSegment, { maxLength: 3 }) },
          { weight: 1, arbitrary: fc.array(pathSegment, { maxLength: 6 }) },
        ),
        fc.constantFrom('', '', '', '/', '//', '?', '?q=/a/b', '/?x', '#f'),
      )
      .map(([start, segments, end]) => `${start}${segments.join('/')}${end}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '*',
      '?',
      '/',
      '//',
      '///',
      'a',
      'http://',
      'http://x?y',
      '/a/b/a',
      '://',
      '\\a',
    ),
  },
);

export const asked: fc.Arbitrary<Asked> = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'M-SEARCH'),
  url,
});
