/** Compares the matches of random patterns and paths with Express (§4.2). */
import { expect } from 'chai';
import express from 'express';
import fc from 'fast-check';
import framework from 'nozomi';

type Make = typeof express;
interface Matching {
  match(path: string): unknown;
}

const LETTERS = [
  'a',
  'b',
  'A',
  'z',
  '.',
  '-',
  '_',
  '~',
  '@',
  '`',
  '[',
  '{',
  '|',
  'é',
  'É',
  'ſ',
  'K',
  'ı',
  'İ',
  'ß',
  'ΐ',
  'Σ',
  'σ',
  'ς',
  'µ',
  '💡',
  '\n',
  '\u2028',
  '$',
  '^',
  '%',
];
const segment = fc.array(fc.constantFrom(...LETTERS), { maxLength: 3 }).map((letters) => letters.join(''));
const patternSegment = fc.oneof(
  { weight: 3, arbitrary: segment.map((text) => text.replace(/[[{]/g, '')) },
  { weight: 2, arbitrary: fc.constantFrom(':a', ':b', ':$x', ':_1', ':constructor') },
  { weight: 1, arbitrary: fc.constantFrom(':é', ':a-b', ':a.b', ':"a"', 'a:b') },
);
const pattern = fc
  .tuple(fc.array(patternSegment, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '', '/', '//'))
  .map(([segments, end]) => `/${segments.join('/')}${end}`);

/** Generates paths similar to a pattern: its text with a random value for all parameters, sometimes changed further. */
const pathsOf = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      segment,
      fc.constantFrom('', '/', '//', '/x', 'x'),
      fc.constantFrom('same', 'upper', 'lower', 'short'),
    )
    .map(([value, end, change]) => {
      const path = text.replace(/:("a"|[^/.-]*)/g, value) + end;
      if (change === 'short') return path.slice(0, -1);
      return change === 'upper' ? path.toUpperCase() : change === 'lower' ? path.toLowerCase() : path;
    });

describe('patterns of paths', () => {
  proves('F-4.2-26 F-4.2-27 F-2.5-01 F-2.5-07');
  it('random patterns of whole segments match random paths as in Express', () => {
    const cases = pattern.chain((text) =>
      fc.record({
        text: fc.constant(text),
        paths: fc.array(pathsOf(text), { minLength: 8, maxLength: 8 }),
        caseSensitive: fc.boolean(),
        strict: fc.boolean(),
        isMounted: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(cases, ({ text, paths, caseSensitive, strict, isMounted }) => {
        const layerOf = (make: Make): Matching => {
          const router = make.Router({ caseSensitive, strict });
          const { stack } = isMounted ? router.use(text, () => undefined) : router.get(text, () => undefined);
          return stack[0] as unknown as Matching;
        };
        const [ours, theirs] = [layerOf(framework as unknown as Make), layerOf(express)];
        for (const path of paths) expect(outcome(ours, path), path).to.deep.equal(outcome(theirs, path));
      }),
      { numRuns: 5000 },
    );
  });
});

/** @returns The match, or the text and the status of the error. */
function outcome(layer: Matching, path: string): unknown {
  try {
    return layer.match(path);
  } catch (err) {
    return [String(err), (err as { status?: number }).status];
  }
}
