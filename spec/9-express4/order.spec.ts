/** Compares the layers that run for a request, in random tables of routes and routers, with Express 4. */
import { expect } from 'chai';
import fc from 'fast-check';
import express4 from 'nozomi/4';
import { expectSameRoad } from '../1-execution/play-table';
import { asked, type Entry, table4 } from '../1-execution/random-tables';

const express = require('express4') as typeof express4;

/** The number of requests to each table. */
const REQUESTS = 12;

describe('routers of nozomi/4', () => {
  it('call the same handlers as Express 4 for random requests, in the same order', async () => {
    const requests = fc.array(asked, { minLength: REQUESTS, maxLength: REQUESTS });
    await fc.assert(
      fc.asyncProperty(table4, requests, async (table, all) => {
        await expectSameRoad(express.Router, express4.Router, table, all);
      }),
      { numRuns: 600 },
    );
  });

  for (const [given, url] of [
    ['/a/?b', '/ab'],
    ['/a/+b', '/a//b'],
    ['/a/{0}b', '/ab'],
    ['/a/.:f', '/a./x'],
    ['/a|/b', '/x/b'],
  ] as const) {
    it(`find the route ${given} for ${url} among many routes`, async () => {
      const routeTo = (path: string): Entry => ({
        kind: 'route',
        method: 'get',
        path,
        handlers: [{ takesError: false, action: { does: 'answer' } }],
      });
      const others = Array.from({ length: 8 }, (_none, i) => routeTo(`/${i}`));
      const table = { options: {}, entries: [...others, routeTo(given), ...others] };

      const [seen] = await expectSameRoad(express.Router, express4.Router, table, [{ method: 'GET', url }]);
      expect(seen).to.have.length(2);
    });
  }

  for (const isBefore of [true, false]) {
    it(`find a layer by its replaced match or regexp, ${isBefore ? 'before' : 'after'} the first request`, () => {
      const [ofExpress, ofNozomi] = [express, express4].map((framework) => {
        const router = framework.Router();
        const calls: string[] = [];
        for (let i = 0; i < 8; i++) router.get(`/${i}`, () => void calls.push(String(i)));
        const send = (url: string): void =>
          router({ method: 'GET', url } as never, {} as never, () => void calls.push('none'));
        if (!isBefore) send('/other');
        Object.assign(router.stack[4] ?? {}, { regexp: /^\/other$/ });
        Object.assign(router.stack[5] ?? {}, { match: () => true, params: {}, path: '' });
        for (const url of ['/other', '/4', '/5', '/7', '/8']) send(url);
        return calls;
      });
      expect(ofExpress?.slice(isBefore ? 0 : 1)).to.deep.equal(['4', '5', '5', '5', '5']);
      expect(ofNozomi).to.deep.equal(ofExpress);
    });
  }

  it('call a replaced layer.match or process_params for middleware without a path', () => {
    const seen = [express, express4].map((framework) => {
      const calls: unknown[] = [];
      const router = framework.Router() as express4.Router &
        Record<'process_params', (...args: never[]) => void>;
      for (const name of ['skipped', 'second', 'third'])
        router.use((_req, _res, next) => {
          calls.push(name);
          next();
        });
      const [skipped, second, third] = router.stack as unknown as Array<Record<string, unknown>>;
      Object.assign(skipped ?? {}, { match: () => false });
      const { process_params } = router;
      const run = (): void => {
        router({ method: 'GET', url: '/x' } as never, {} as never, () => undefined);
        calls.push([second?.path, third?.params]);
      };
      run();
      router.process_params = function (this: unknown, ...args: never[]) {
        const [layer] = args as unknown as [object];
        calls.push(layer === second ? 'params of second' : 'params');
        Reflect.apply(process_params, this, args);
      };
      run();
      return calls;
    });

    // biome-ignore format: a table
    expect(seen[0]).to.deep.equal([
      'second', 'third', ['', {}],
      'params of second', 'second', 'params', 'third', ['', {}],
    ]);
    expect(seen[1]).to.deep.equal(seen[0]);
  });
});
