/** Generates bodies of requests, with the headers that describe them (§2.10). */
import fc, { type Arbitrary } from 'fast-check';
import { character } from './character';

const word = fc.string({
  unit: fc.constantFrom(
    'a',
    'b',
    '1',
    '[',
    ']',
    '.',
    '+',
    '%',
    '%20',
    '%5B',
    '%5d',
    '%zz',
    '%e9',
    'é',
    '__proto__',
    '&#9731;',
  ),
  maxLength: 4,
});
/** Generates texts of `application/x-www-form-urlencoded`, with repeated, nested, escaped and malformed names. */
export const urlencodedText: Arbitrary<string> = fc
  .array(fc.tuple(word, fc.constantFrom('=', '=', '=', '', '=='), word), { maxLength: 30 })
  .map((pairs) => pairs.map((pair) => pair.join('')).join('&'));

const scalar = fc.oneof(fc.string({ unit: character }), fc.double(), fc.boolean(), fc.constant(null));
const jsonText = fc.oneof(
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.array(fc.jsonValue(), { maxLength: 40 }).map((value) => JSON.stringify(value, null, 2)),
  fc
    .tuple(fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\v', '\ufeff') }), fc.jsonValue())
    .map(([blank, value]) => blank + JSON.stringify(value)),
  fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '#', '1', 't', ' ', '\\', 'é') }),
  scalar.map(String),
);
/** Generates JSON, forms and other bytes. */
export const body: Arbitrary<Buffer> = fc.oneof(
  { weight: 3, arbitrary: jsonText.map((text) => Buffer.from(text)) },
  { weight: 3, arbitrary: urlencodedText.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: character, maxLength: 200 }).map((text) => Buffer.from(`\ufeff${text}`)),
  },
  { weight: 1, arbitrary: jsonText.map((text) => Buffer.from(`\ufeff${text}`, 'utf16le')) },
);
/** Generates the parameters of `Content-Type`. */
export const charset: Arbitrary<string> = fc.constantFrom(
  '',
  '',
  '',
  '',
  '; charset=utf-8',
  ';charset="UTF-8"',
  '; charset=utf8',
  '; charset=utf-16',
  '; charset=utf-16le',
  '; charset=iso-8859-1',
  '; charset=evil',
  '; charset=',
  '; a=b; charset=utf-8',
);
/** Generates values of `Content-Encoding`; mostly none. */
export const encoding: Arbitrary<string> = fc.constantFrom(
  '',
  '',
  '',
  '',
  '',
  'gzip',
  'deflate',
  'br',
  'identity',
  'GZIP',
  'zip',
);
