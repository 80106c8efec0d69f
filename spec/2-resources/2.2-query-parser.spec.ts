/** Parses random query strings with the setting `query parser` and with qs. */
import { expect } from 'chai';
import fc from 'fast-check';
import express5 from 'nozomi';
import express4 from 'nozomi/4';
import qs from 'qs';
import { urlencodedText } from '../support/arbitraries/bodies';

const RUNS = Number(process.env.FUZZ_RUNS ?? 2000);

describe('the setting query parser', () => {
  proves('F-2.2-31');
  it('with the value extended parses any text as qs does', () => {
    const app = express5();
    app.set('query parser', 'extended');

    compare(app.get('query parser fn'), { allowPrototypes: true });
  });

  proves('E4-D1');
  it('with its default in nozomi/4 parses any text as qs does', () => {
    compare(express4().get('query parser fn'), { allowPrototypes: true, arrayLimit: 1000 });
  });
});

function compare(parse: (text: string) => unknown, options: qs.IParseOptions): void {
  fc.assert(
    fc.property(urlencodedText, (text) => {
      const parsed = parse(text);
      const expected = qs.parse(text, options);

      expect(parsed).to.deep.equal(expected);
      // As JSON, because chai ignores the order of properties.
      expect(JSON.stringify(parsed)).to.equal(JSON.stringify(expected));
    }),
    { numRuns: RUNS },
  );
}
