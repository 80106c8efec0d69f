import { expect } from 'chai';
import framework from 'nozomi';
import { get, post } from '../../parity/client/request';
import { echo, PARSERS, TYPES } from '../support/bodies';
import { filesOf } from '../support/files';
import { type Framework, playBeside } from '../support/play';

const ofLength = (length: number): string => `{"a":"${'x'.repeat(length - 8)}"}`;

describe('limits, compared with Express (§8)', () => {
  for (const parser of PARSERS) {
    it(`${parser}() accepts 102,400 bytes, with Content-Length or in chunks, and responds 413 to 102,401 [F-8-01]`, async () => {
      const headers = { 'Content-Type': TYPES[parser] };
      const exchanges = await playBeside(
        echo(parser),
        post('/', ofLength(102_400), headers),
        post('/', [ofLength(102_400)], headers),
        post('/', ofLength(102_401), headers),
      );

      expect(exchanges.map(({ response }) => response.status)).to.deep.equal([200, 200, 413]);
    });

    it(`${parser}() has no limit if limit is Infinity, but has one if limit is 0 or negative [F-8-01]`, async () => {
      const headers = { 'Content-Type': TYPES[parser] };
      const statuses = async (limit: number, ...bodies: string[]): Promise<unknown[]> =>
        (await playBeside(echo(parser, { limit }), ...bodies.map((body) => post('/', body, headers)))).map(
          ({ response }) => response.status,
        );

      expect(await statuses(Infinity, ofLength(300_000))).to.deep.equal([200]);
      expect(await statuses(0, '', '{}')).to.deep.equal([200, 413]);
      expect(await statuses(-1, '', '{}')).to.deep.equal([413, 413]);
      expect(() => framework[parser]({ limit: 'much' })).to.throw(
        TypeError,
        'option limit "much" is invalid',
      );
    });
  }

  it('urlencoded() accepts 1000 parameters, and responds 413 to 1001 [F-8-02]', async () => {
    const many = (count: number): string => Array.from({ length: count }, (_, n) => `p${n}=${n}`).join('&');
    const headers = { 'Content-Type': TYPES.urlencoded };

    const exchanges = await playBeside(
      echo('urlencoded'),
      post('/', many(1000), headers),
      post('/', many(1001), headers),
    );

    expect(exchanges.map(({ response }) => response.status)).to.deep.equal([200, 413]);
  });

  it('static files have max-age=0 by default [F-8-04]', async () => {
    const root = filesOf({ 'a.txt': 'a' });

    const [exchange] = await playBeside(
      (nozomi: Framework) => nozomi().use(nozomi.static(root)),
      get('/a.txt'),
    );

    expect(exchange?.header('Cache-Control')).to.equal('public, max-age=0');
  });
});
