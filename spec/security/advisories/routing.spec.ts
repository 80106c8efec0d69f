import { expect } from 'chai';
import type { RequestHandler } from 'express';
import express from 'express';
import { array, assert, asyncProperty, constantFrom, string } from 'fast-check';
import framework from 'nozomi';
import { get } from '../../../parity/client/request';
import { type Framework, play } from '../../support/both';
import { character } from '../../support/character';
import { leastCost } from '../../support/cost';
import { inside } from '../../support/inside';
import { attack, bodyOf, statusOf } from './play';

const { compilePattern } = inside<typeof import('../../../src/routing/pattern')>('routing/pattern');

const IMPLEMENTATIONS = [express, framework as unknown as Framework];

describe('advisories about routing', () => {
  // biome-ignore format: a table
  const patterns = [
    '/:a-:b', '/:a-:b-:c', '/:a.:b.:c.:d', '/:a@:b', '/*a-*b', '/*a/*b/*c', '/*a/x/*b/y/*c', '/*a-:b-*c',
    '{/a}{/b}{/c}{/d}', '/:a{-:b}{-:c}{-:d}', '/a{/:b}{/:c}{/*d}', '{/:a}{/:b}{/:c}{/:d}/e',
    '/:a{/:b}{/:c}',
  ];
  for (const pattern of patterns) {
    proves('CVE-2024-45296 CVE-2024-52798 CVE-2026-4867 CVE-2026-4923 CVE-2024-45813 CVE-2020-7764 F-4.2-05');
    it(`the pattern ${pattern} matches a long path in linear time`, () => {
      const match = compilePattern(pattern, {});
      for (const piece of ['-', '/', 'a', '.', '@', 'a/', 'a-', '-x', '/x/y', '%61', 'a-b.c@']) {
        // The line feed prevents an early match. Four times the length would take sixteen times as long in quadratic time.
        const cost = (kB: number, bound: number): number => {
          const path = `/${piece.repeat((kB * 1024) / piece.length)}\n`;
          return leastCost(() => match(path), bound);
        };
        const bound = Math.max(10, 8 * cost(16, 0));
        expect(cost(64, bound), piece).to.be.below(bound);
      }
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

  proves('CVE-2026-9495 F-1-16');
  it('all middleware registered before a route runs, for any parameters in the path', async () => {
    const [response, again] = await attack(
      (implementation) => {
        const seen = (name: string): RequestHandler => {
          return (req, res, next) => {
            res.append('X-Ran', `${name} ${JSON.stringify(req.params)}`);
            next();
          };
        };
        const inner = implementation
          .Router({ mergeParams: true })
          .use(seen('inner'))
          .use('/:b', seen('inner b'));
        inner.get('/:b/c', seen('route'), (_req, res) => void res.send('done'));
        const app = implementation()
          .use(seen('all'))
          .use('/:a', seen('a'))
          .use(['/x', '/:a/:b'], seen('a b'));
        return app.use('/:a', inner);
      },
      get('/x/y/c'),
      get('/%78/y/c'),
    );

    expect(response?.filter((line) => line.startsWith('X-Ran'))).to.have.lengthOf(6);
    expect(bodyOf(again)).to.equal('done');
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
