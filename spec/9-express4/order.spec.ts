/** Compares the layers that run for a request, in random tables of routes and routers, with Express 4. */
import { expect } from 'chai';
import fc from 'fast-check';
import express4 from 'nozomi/4';

const express = require('express4') as typeof express4;

type Entry = {
  kind: 'get' | 'put' | 'all' | 'use' | 'router';
  path: string | string[] | RegExp;
  inner: string;
};

const SEGMENTS = [
  'a',
  'b',
  'A',
  ':id',
  ':id?',
  ':x(\\d+)',
  '*',
  'a*',
  ':f.:g',
  ':f-:g',
  'b?',
  '(a|b)',
  '.:f',
  '',
  'a.b',
  '?b',
  '+',
  '%61',
];
const path = fc
  .array(fc.constantFrom(...SEGMENTS), { minLength: 0, maxLength: 3 })
  .map((segments) => `/${segments.join('/')}`);
const entry: fc.Arbitrary<Entry> = fc.record({
  kind: fc.constantFrom('get', 'put', 'all', 'use', 'router'),
  path: fc.oneof(
    { weight: 8, arbitrary: path },
    { weight: 1, arbitrary: fc.array(path, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constantFrom(/^\/a/, /b$/, /^\/(\w)\/(?<name>b)/) },
  ),
  inner: path,
});
const target = fc
  .array(fc.constantFrom('a', 'b', 'A', '7', 'ab', 'a.b', 'a-b', '', '.', '%61', '%zz'), { maxLength: 4 })
  .map((segments) => `/${segments.join('/')}`);

/** @returns The errors of the registration, the handlers that run with their parameters and URLs, and the result. */
function passed(framework: typeof express4, table: readonly Entry[], method: string, url: string): unknown[] {
  const trace: unknown[] = [];
  const router = framework.Router();
  const note =
    (name: string): express4.RequestHandler =>
    (req, _res, next) => {
      const { params, baseUrl, url: rest } = req;
      trace.push([name, { ...params }, baseUrl, rest]);
      next();
    };
  for (const [i, { kind, path: given, inner }] of table.entries()) {
    try {
      if (kind === 'router') {
        const mounted = framework.Router({ mergeParams: i % 2 === 0 });
        mounted.get(inner, note(`${i} inner`));
        router.use(given as string, note(`${i} outer`), mounted);
      } else router[kind](given as string, note(String(i)));
    } catch (error) {
      // Express 4 throws for some random paths, because they give an invalid regular expression.
      trace.push([i, (error as Error).message]);
    }
  }
  const req = { method, url, headers: {} };
  const res = { set: (...args: unknown[]) => trace.push(args), send: (body: unknown) => trace.push(body) };
  router(req as never, res as never, (err: unknown) => trace.push(err ? String(err) : 'end'));
  return trace;
}

describe('routers of nozomi/4', () => {
  it('call the same handlers as Express 4 for a random request, in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 6, maxLength: 16 }),
        fc.array(target, { minLength: 8, maxLength: 8 }),
        fc.constantFrom('GET', 'HEAD', 'PUT', 'OPTIONS'),
        async (table, targets, method) => {
          const traces = targets.map((url) => [
            passed(express, table, method, url),
            passed(express4, table, method, url),
          ]);
          // Both routers finish some requests in a later turn of the event loop.
          await new Promise(setImmediate);
          await new Promise(setImmediate);
          for (const [ofExpress, ofNozomi] of traces) expect(ofNozomi).to.deep.equal(ofExpress);
        },
      ),
      { numRuns: 300 },
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
      const others = Array.from(
        { length: 8 },
        (_none, i) => ({ kind: 'get', path: `/${i}`, inner: '/' }) as const,
      );
      const table: Entry[] = [...others, { kind: 'get', path: given, inner: '/' }, ...others];
      const traces = [express, express4].map((framework) => passed(framework, table, 'GET', url));
      await new Promise(setImmediate);
      await new Promise(setImmediate);

      expect(traces[0]).to.have.length(2);
      expect(traces[1]).to.deep.equal(traces[0]);
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

    expect(seen[0]).to.deep.equal([
      ...['second', 'third', ['', {}]],
      ...['params of second', 'second', 'params', 'third', ['', {}]],
    ]);
    expect(seen[1]).to.deep.equal(seen[0]);
  });
});
