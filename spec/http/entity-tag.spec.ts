import { expect } from 'chai';
import etag from 'etag';
import fc from 'fast-check';
import framework from 'nozomi';
import { character } from '../support/arbitraries/character';

const generator = (setting: string): ((body: unknown, encoding?: string) => string) =>
  framework().set('etag', setting).get('etag fn');

proves('F-2.4-05 F-2.4-06');
describe('ETags of bodies', () => {
  const weak = generator('weak');
  const strong = generator('strong');

  proves('F-2.4-03');
  it('equal those of the package etag for any text, also with lone surrogates, and for any bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), fc.uint8Array(), (text, bytes) => {
        const buffer = Buffer.from(bytes);
        expect(weak(text, 'utf8')).to.equal(etag(Buffer.from(text), { weak: true }));
        expect(strong(text)).to.equal(etag(Buffer.from(text), { weak: false }));
        expect(weak(buffer)).to.equal(etag(buffer, { weak: true }));
        expect(strong(buffer)).to.equal(etag(buffer, { weak: false }));
      }),
      { numRuns: 2000 },
    );
  });

  it('equal those of the package etag for text in another encoding', () => {
    expect(weak('caf\u00e9', 'latin1')).to.equal(etag(Buffer.from('caf\u00e9', 'latin1'), { weak: true }));
    expect(strong('6e6f', 'hex')).to.equal(etag(Buffer.from('6e6f', 'hex'), { weak: false }));
  });

  it('equal those of the package etag after any other texts', () => {
    const text = fc.constantFrom(
      'a',
      'b',
      '\u00e4',
      '',
      'x'.repeat(17),
      `${'x'.repeat(16)}y`,
      'z'.repeat(1025),
    );
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        for (const one of texts) {
          expect(weak(one)).to.equal(etag(one, { weak: true }));
          expect(strong(one, 'utf8')).to.equal(etag(one, { weak: false }));
        }
      }),
    );
  });
});
