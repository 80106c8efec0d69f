/** The characters of random texts. */
import fc, { type Arbitrary } from 'fast-check';

/** The surrogates from U+D800 on are no characters. */
const SURROGATES = 0xd800;
const COUNT = 0x800;

/**
 * Draws any code point, as `unit: 'binary'` of fast-check does. fast-check would keep a table of all of them: 90 MB, which
 * every garbage collection of the process visits.
 */
export const character: Arbitrary<string> = fc.nat(0x10ffff - COUNT).map(
  (index) => String.fromCodePoint(index < SURROGATES ? index : index + COUNT),
  (text) => indexOf(text),
);

/** @throws Error unless `text` is one character. fast-check then knows that this arbitrary cannot draw it. */
function indexOf(text: unknown): number {
  const [one, ...others] = String(text);
  const point = one?.codePointAt(0) ?? Number.NaN;
  const isSurrogate = point >= SURROGATES && point < SURROGATES + COUNT;
  if (one !== text || others.length > 0 || isSurrogate) throw new TypeError('expected one character');
  return point < SURROGATES ? point : point - COUNT;
}
