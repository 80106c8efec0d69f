/**
 * Generates the paths of routes and request targets (§4.2). Names and segments come from a small set, because then targets
 * often match.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { PathSpec } from '../../../parity/programs/program';

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
    arbitrary: fc.constantFrom(
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
  { regexp: '^\\/a' },
  { regexp: 'b$' },
  { regexp: '^\\/(a|b)\\/(?<id>[^/]+)', flags: 'i' },
  { regexp: '^\\/(?:api)?\\/?(\\d)?' },
  { regexp: '(.*)' },
  { regexp: 'a', flags: 'g' },
);

/** Generates paths of Express 5. */
export const path: Arbitrary<PathSpec> = fc.oneof(
  { weight: 12, arbitrary: pattern },
  { weight: 1, arbitrary: regularExpression },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof(pattern, regularExpression, fc.array(pattern, { maxLength: 2 })), {
      maxLength: 3,
    }),
  },
);

/** Segments of paths with the syntax of Express 4. */
// biome-ignore format: a table
const SEGMENTS4 = [
  'a', 'b', 'A', ':id', ':id?', ':x(\\d+)', '*', 'a*', ':f.:g', ':f-:g', 'b?', '(a|b)', '.:f', '',
  'a.b', '?b', '+', '%61',
];
/** Generates paths of Express 4 and 3; some are invalid. */
export const path4: Arbitrary<string> = fc
  .array(fc.constantFrom(...SEGMENTS4), { maxLength: 3 })
  .map((segments) => `/${segments.join('/')}`);
export const expression4: Arbitrary<PathSpec> = fc.constantFrom(
  ...['^\\/a', 'b$', '^\\/(\\w)\\/(?<name>b)'].map((regexp) => ({ regexp })),
);

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

/** Generates request targets. */
export const target: Arbitrary<string> = fc.oneof(
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
