/** Generates values of the header `Range`, with usual, malformed and very large positions (§4.4). */
import fc, { type Arbitrary } from 'fast-check';

// biome-ignore format: a table
const POSITIONS = [
  '', '', '2147483647', '2147483648', '9007199254740991', '9007199254740993', '9'.repeat(40), '-1', '007', ' 3',
  '4 ', '1e1', '0x1', 'x', '+2', '1.5',
];
const position = fc.oneof(fc.integer({ min: 0, max: 44 }).map(String), fc.constantFrom(...POSITIONS));
const spec = fc
  .tuple(position, fc.constantFrom('-', '-', '-', '-', ' - ', '', '--'), position)
  .map((parts) => parts.join(''));
const several = fc
  .tuple(fc.array(spec, { minLength: 1, maxLength: 6 }), fc.constantFrom(',', ',', ', ', ' , ', ',,', ';'))
  .map(([specs, separator]) => specs.join(separator));
const unit = fc.constantFrom('bytes=', 'bytes=', 'bytes=', 'items=', 'Bytes=', 'bytes', '=', ' bytes=', '');
const odd = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('bytes', '=', '-', ',', '0', '5', '9', ' ') },
    fc.string({ maxLength: 3 }),
  ),
  { maxLength: 9 },
);

export const range: Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(unit, several).map((parts) => parts.join('')) },
  odd.map((pieces) => pieces.join('')),
);
