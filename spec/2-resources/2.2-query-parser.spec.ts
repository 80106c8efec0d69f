/** Random query strings, parsed by the setting `query parser` and by qs. */
import { expect } from 'chai';
import fc from 'fast-check';
import express5 from 'nozomi';
import express4 from 'nozomi/4';
import qs from 'qs';
import { urlencodedText } from '../support/urlencoded';

const RUNS = Number(process.env.FUZZ_RUNS ?? 2000);

describe('§2.2 query parser', () => {
  it('the value extended parses any text as qs does [F-2.2-31]', () => {
    const app = express5();
    app.set('query parser', 'extended');

    compare(app.get('query parser fn'), { allowPrototypes: true });
  });

  it('the default of Express 4 parses any text as qs does [E4-D1]', () => {
    compare(express4().get('query parser fn'), { allowPrototypes: true, arrayLimit: 1000 });
  });
});

function compare(parse: (text: string) => unknown, options: qs.IParseOptions): void {
  fc.assert(
    fc.property(urlencodedText, (text) => {
      const parsed = parse(text);
      const expected = qs.parse(text, options);

      expect(parsed).to.deep.equal(expected);
      // The parsed object as text, which shows the order of its names.
      expect(JSON.stringify(parsed)).to.equal(JSON.stringify(expected));
    }),
    { numRuns: RUNS },
  );
}
