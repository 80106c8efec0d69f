/** Checks with random requests that layers which `nozomi-parity doctor` reports as shadowed are never reached. */
import { expect } from 'chai';
import fc from 'fast-check';
import express5 from 'nozomi';
import express4 from 'nozomi/4';
import { covers, shapesOf } from '../../parity/inspect/cover';
import { continuesPlainly, endsRequest, mayRewrite } from '../../parity/inspect/handlers';
import { playThrough } from '../../parity/inspect/match';
import type { Registrations, Series } from '../../parity/inspect/registrations';
import { type LiveNode, TreeReader, walkTree } from '../../parity/inspect/tree';

type AnyHandler = (...args: never[]) => unknown;
type Router = { use(path: string, handler: unknown): Router; all(path: string, handler: unknown): Router };

interface Entry {
  readonly kind: 'all' | 'use' | 'router';
  readonly path: string;
  readonly inner: readonly string[];
  /** The options of the mounted router. Only used for the kind `router`. */
  readonly options: Options;
}

interface Options {
  readonly caseSensitive: boolean;
  readonly strict: boolean;
}

const LOOSE: Options = { caseSensitive: false, strict: false };

const OPTIONS: fc.Arbitrary<Options> = fc.record({
  caseSensitive: fc.boolean(),
  strict: fc.constantFrom(false, false, true),
});

const SHARED = ['a', 'b', 'A', ':id', ':id', '', 'a.b', '%61', 'a-:id', ':id-b', ':id.:ext', 'é'];
const SEGMENTS: Readonly<Record<Series, readonly string[]>> = {
  '5.x': [...SHARED, '*rest', '{a}', '{:id}', 'a*rest', '{*rest}', 'a{b}'],
  '4.x': [...SHARED, '*', '*', ':id?', 'a*', '(a|b)', ':id(\\d+)', '?a', 'a+'],
};
const TARGETS = ['a', 'b', 'A', '7', 'a.b', '', '%61', '%zz', 'é', 'É', 'x7', 'aa', 'a-b'];

function pathOf(series: Series): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...SEGMENTS[series]), { maxLength: 3 })
    .map((segments) => `/${segments.join('/')}`);
}

function tableOf(series: Series): fc.Arbitrary<Entry[]> {
  const path = pathOf(series);
  const entry = fc.record<Entry>({
    kind: fc.constantFrom('all', 'all', 'use', 'router'),
    path,
    inner: fc.array(path, { minLength: 1, maxLength: 3 }),
    options: OPTIONS,
  });
  return fc.array(entry, { minLength: 2, maxLength: 6 });
}

/** Adds a layer, unless the router throws for its path. */
function add(router: Router, method: 'all' | 'use', path: string, handler: unknown): void {
  try {
    router[method](path, handler);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
  }
}

function treeOf(series: Series, table: readonly Entry[], rootOptions: Options): LiveNode {
  const framework = series === '4.x' ? express4 : express5;
  const makeRouter = (options: Options): Router => framework.Router(options) as unknown as Router;
  const handler = (_req: unknown, _res: unknown, next: () => void): void => next();
  const root = makeRouter(rootOptions);
  for (const { kind, path, inner, options } of table) {
    if (kind !== 'router') add(root, kind, path, handler);
    else {
      const router = makeRouter(options);
      for (const each of inner) add(router, 'all', each, handler);
      add(root, 'use', path, router);
    }
  }
  const registrations = {
    sites: new WeakMap(),
    mounted: new WeakMap(),
    series: new WeakMap([[root, series]]),
  } as unknown as Registrations;
  return new TreeReader(registrations).read(root);
}

describe('nozomi-parity doctor: shadowed routes', () => {
  for (const series of ['5.x', '4.x'] as const) {
    it(`Express ${series}: a request that reaches a shadowed layer has run through the shadowing one`, async function () {
      this.timeout(60_000);
      let claims = 0;
      await fc.assert(
        fc.asyncProperty(
          tableOf(series),
          OPTIONS,
          fc.array(fc.array(fc.constantFrom(...TARGETS), { maxLength: 4 }), { minLength: 8, maxLength: 8 }),
          async (table, options, targets) => {
            const root = treeOf(series, table, options);
            const nodes = [...walkTree(root)].filter(({ parent }) => parent !== undefined);
            const pairs = nodes.flatMap((later, index) =>
              nodes
                .slice(0, index)
                .filter((earlier) => earlier.kind !== 'router' && covers(shapesOf(earlier), shapesOf(later)))
                .map((earlier) => [earlier, later] as const),
            );
            claims += pairs.length;
            if (pairs.length === 0) return;
            for (const segments of targets) {
              const target = `/${segments.join('/')}`;
              const { calls } = await playThrough(root, 'GET', target);
              for (const [earlier, later] of pairs) {
                const at = calls.findIndex(({ node }) => node === later);
                const isPassed = calls.slice(0, at).some(({ node }) => node === earlier);
                const [first, second] = [earlier.fullPaths[0], later.fullPaths[0]];
                expect(at < 0 || isPassed, `${target} reaches ${second}, not ${first}`).to.equal(true);
              }
            }
          },
        ),
        { numRuns: 600, seed: 7 },
      );
      expect(claims).to.be.greaterThan(200);
    });
  }

  it('decides for two paths whether the first matches all request targets of the second', () => {
    const pairs: ReadonlyArray<readonly [series: Series, first: string, second: string, isCovered: boolean]> =
      [
        ['5.x', '/users/:id', '/users/me', true],
        ['5.x', '/users/:id', '/Users/me/', true],
        ['5.x', '/users/:id', '/users/:id/posts', false],
        ['5.x', '/users/:id', '/users{/:id}', false],
        ['5.x', '/users{/:id}', '/users{/:name}', true],
        ['5.x', '/files/*path', '/files/a/:b', true],
        ['5.x', '/files/*path', '/files', false],
        ['5.x', '/{*all}', '/', true],
        ['5.x', '/:a-:b', '/x-y', false],
        ['4.x', '*', '/any(thing)?', true],
        ['4.x', '/*', '/a/?a', true],
        ['4.x', '/a/*', '/a/?a', false],
        ['4.x', '/a/:b', '/a/?a', false],
        ['4.x', '/users/:id', '/users/:id(\\d+)', false],
        ['4.x', '/files/*', '/files/a', true],
      ];

    for (const [series, first, second, isCovered] of pairs) {
      const table = [first, second].map((path): Entry => ({ kind: 'all', path, inner: [], options: LOOSE }));
      const [earlier, later] = treeOf(series, table, LOOSE).children as [LiveNode, LiveNode];
      expect(covers(shapesOf(earlier), shapesOf(later)), `${first} ${second}`).to.equal(isCovered);
    }
    const mounted: Entry[] = [
      { kind: 'use', path: '/a', inner: [], options: LOOSE },
      { kind: 'all', path: '/a/?a', inner: [], options: LOOSE },
    ];
    const [mount, route] = treeOf('4.x', mounted, LOOSE).children as [LiveNode, LiveNode];
    expect(covers(shapesOf(mount), shapesOf(route))).to.equal(false);
  });

  it('a handler ends the request only if its source has no way to continue', () => {
    const ends: AnyHandler[] = [
      (_req: never, _res: never) => 1,
      async (_req: never, _res: never) => 1,
      function named(_req: never, _res: never) {
        return 1;
      },
    ];
    const mayContinue: AnyHandler[] = [
      (_req: never, _res: never, _next: never) => 1,
      (...args: never[]) => args[2],
      (req: { next(): void }, _res: never) => req.next(),
      (req: { next(): void }, _res: never) => Object.values({ next: req.next }),
      (req: Record<string, () => void>, _res: never) => req['ne'.concat('xt')]?.(),
      (_req: never, res: { sendFile(path: string): void }) => res.sendFile('/folder'),
      function lent(_req: never, _res: never) {
        // biome-ignore lint/complexity/noArguments: this handler reads `next` from `arguments`
        return arguments[2];
      },
      ((_req: never, _res: never) => 1).bind(undefined),
    ];

    expect(ends.map(endsRequest)).to.deep.equal([true, true, true]);
    expect(mayContinue.map(endsRequest)).to.deep.equal(mayContinue.map(() => false));
  });

  it('a handler is harmless only if it calls next() or passes an error', () => {
    const plain: AnyHandler[] = [
      (_req: never, _res: never, next: () => void) => next(),
      (_req: never, _res: never, next: (err?: Error) => void) => next(new Error('no')),
    ];
    const others: AnyHandler[] = [
      (_req: never, _res: never, next: (to: string) => void) => next('route'),
      (_req: never, _res: never, next: (to?: string) => void) => next([1].length > 0 ? 'router' : undefined),
      (_req: never, _res: never, next: () => void) => setTimeout(next, 1),
      (_req: never, _res: never, done: () => void) => done(),
    ];
    const rewriting: AnyHandler[] = [
      (req: { url: string }, _res: never, next: () => void) => {
        req.url = '/';
        next();
      },
      (req: Record<string, string>, _res: never, next: () => void) => {
        // biome-ignore lint/complexity/useLiteralKeys: this handler writes a property with brackets
        req['method'] = 'GET';
        next();
      },
      plain[0]?.bind(undefined) as AnyHandler,
    ];

    expect([...plain, ...others].map(continuesPlainly)).to.deep.equal([
      ...plain.map(() => true),
      ...others.map(() => false),
    ]);
    expect([...rewriting, ...plain].map(mayRewrite)).to.deep.equal([true, true, true, false, false]);
  });
});
