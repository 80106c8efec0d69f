/** Generates texts of `application/x-www-form-urlencoded`, with repeated, nested, escaped and malformed names. */
import fc from 'fast-check';

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
export const urlencodedText = fc
  .array(fc.tuple(word, fc.constantFrom('=', '=', '=', '', '=='), word), { maxLength: 30 })
  .map((pairs) => pairs.map((pair) => pair.join('')).join('&'));
