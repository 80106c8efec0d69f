import { expect } from 'chai';
import express from 'express';
import { array, assert, asyncProperty, constantFrom, string } from 'fast-check';
import framework from 'nozomi';
import { get } from '../../../parity/client/request';
import { character } from '../../support/arbitraries/character';
import { type Framework, play } from '../../support/both';
import { expectLinear } from '../../support/cost';
import { attack, bodyOf, statusOf } from './play';

const IMPLEMENTATIONS = [express, framework as unknown as Framework];

describe('advisories about routing', () => {
  // biome-ignore format: a table
  const patterns = [
    '/:a-:b', '/:a-:b-:c', '/:a.:b.:c.:d', '/:a@:b', '/*a-*b', '/*a/*b/*c', '/*a/x/*b/y/*c', '/*a-:b-*c',
    '{/a}{/b}{/c}{/d}', '/:a{-:b}{-:c}{-:d}', '/a{/:b}{/:c}{/*d}', '{/:a}{/:b}{/:c}{/:d}/e',
    '/:a{/:b}{/:c}', '/:a/:b', '/*a/b', '{/*a}{/:b}-c', '/:a.:b{.:c}',
  ];
  for (const pattern of patterns) {
    proves(
      'CVE-2024-45296 CVE-2024-52798 CVE-2026-4867 CVE-2026-4923 CVE-2024-45813 CVE-2020-7764 F-4.2-05 F-4.2-27',
    );
    it(`the pattern ${pattern} matches a long path in linear time`, () => {
      const { stack } = framework.Router().get(pattern, () => undefined);
      const [layer] = stack as unknown as [{ match(path: string): unknown }];
      // The end prevents an early match.
      for (const piece of ['-', '/', 'a', '.', '@', 'a/', '/a', 'a-', '-x', '/x', '/x/y', '%61', 'a-b.c@'])
        expectLinear(
          (path) => layer.match(path),
          (length) => `/${piece.repeat(length / piece.length)}/!\n`,
        );
    });
  }

  proves('CVE-2026-4926 F-4.2-05');
  it('app.get throws the error of Express for a pattern with too many optional groups', () => {
    const messages = IMPLEMENTATIONS.map((implementation) => {
      try {
        implementation().get('{/a}'.repeat(30), (_req, res) => res.end());
        return 'taken';
      } catch (err) {
        return `${err}`;
      }
    });

    expect(messages[0]).to.match(/Too many path combinations/);
    expect(messages[1]).to.equal(messages[0]);
  });

  proves('CVE-2026-33490 F-1-30');
  it('a mount path matches only whole segments', async () => {
    const tail = array(constantFrom('a', '-', '.', '_', '~', '%2D', '%00', ';', ':', '@', 'É', '%'), {
      maxLength: 4,
      minLength: 1,
    });
    await assert(
      asyncProperty(tail, async (pieces) => {
        const target = `/admin${pieces.map(encodeOnce).join('')}`;
        for (const implementation of IMPLEMENTATIONS) {
          const app = implementation().set('env', 'test');
          app.use('/admin', (_req, res) => void res.send('mounted'));
          app.use((_req, res) => void res.send('past'));
          expect(bodyOf((await play(app, [get(target)]))[0]), target).to.equal('past');
        }
      }),
      { numRuns: 40 },
    );
  });

  proves('CVE-2026-39406 CVE-2026-39407 CVE-2026-54286 CVE-2026-22031 GHSA-vfp3-v2gw-7wfq F-2.6-27');
  it('a parameter is decoded once, and an escaped slash does not split the path', async () => {
    await assert(
      asyncProperty(string({ unit: character, minLength: 1, maxLength: 8 }), async (text) => {
        if (text === '.' || text === '..') return;
        const responses = await attack(
          (implementation) => {
            const app = implementation().get('/p/:value', (req, res) => void res.json(req.params.value));
            return app.use((_req, res) => void res.status(404).end());
          },
          get(`/p/${encodeURIComponent(text)}`),
        );
        expect([statusOf(responses[0]), JSON.parse(latin1ToUtf8(bodyOf(responses[0])))]).to.deep.equal([
          200,
          text,
        ]);
      }),
      { numRuns: 40 },
    );
  });
});

function encodeOnce(piece: string): string {
  return piece.length > 1 ? piece : encodeURI(piece);
}

function latin1ToUtf8(text: string): string {
  return Buffer.from(text, 'latin1').toString();
}
