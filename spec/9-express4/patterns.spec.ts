/** Compares paths of nozomi/4 with path-to-regexp 0.1.13, and measures the CPU time of hostile paths. */
import { createRequire } from 'node:module';
import { expect } from 'chai';
import fc from 'fast-check';
import express4 from 'nozomi/4';
import { expectLinear } from '../support/cost';

interface Key {
  name: string | number;
  optional: boolean;
  offset: number;
}
type PathToRegexp = (path: unknown, keys: Key[], options: object) => RegExp;

const pathToRegexp: PathToRegexp = createRequire(require.resolve('express4'))('path-to-regexp');

/** Parts of random paths. path-to-regexp rewrites some, and copies others to the regular expression. */
// biome-ignore format: a table
const PIECES = [
  '/', '.', '-', 'a', 'bc', '*', '?', '+', '|', '@', '%20', ' ', 'é', '\\d', '\\.', '\\:', '\\*',
  '\\(', '\\\\', ':id', ':id?', '/:a', '/:b?', '.:format?', ':c*', ':d(\\d+)', ':e(*)', ':f(.*)',
  ':g([a-c]{2})', ':h(a|b)', '/:i*?', '(a|b)', '(a)?', '/(b)', '(?:ab)+', '(?=a)', '(?!b)',
  '(?<n>a)', '[ab]', '[^/]+', 'a{2}', '{/:op}', '$', '^', '\\b',
];
const path = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join(''));
const literal = fc
  .array(fc.constantFrom('/a', '/bc', '/a.b', '/n1'), { maxLength: 3 })
  .map((pieces) => pieces.join('') || '/');
const paths = fc.oneof(
  { weight: 1, arbitrary: literal },
  { weight: 4, arbitrary: path.map((text) => `/${text}`) },
  { weight: 1, arbitrary: path },
  { weight: 1, arbitrary: fc.array(path, { maxLength: 3 }).map((texts) => [...texts, /^\/n(\d)(?<x>y)?$/]) },
);
const target = fc
  .array(fc.constantFrom('/', '.', '-', 'a', 'b', 'c', 'bc', '1', 'n1', '/a', '/bc', '%20', '@'), {
    maxLength: 8,
  })
  .map((pieces) => `/${pieces.join('')}`);
const options = fc.record({ caseSensitive: fc.boolean(), strict: fc.boolean(), isMounted: fc.boolean() });

interface Options {
  caseSensitive: boolean;
  strict: boolean;
  isMounted?: boolean;
}

/** @returns The layer that a router creates for a path, or undefined if the router throws. */
function layerOf(route: unknown, { caseSensitive, strict, isMounted }: Options): Layer | undefined {
  const router = express4.Router({ caseSensitive, strict });
  try {
    if (isMounted) router.use(route as string, () => {});
    else router.get(route as string);
  } catch {
    return undefined;
  }
  return router.stack[0] as unknown as Layer;
}

interface Layer {
  regexp: RegExp;
  keys: Key[];
  params: Record<string, unknown>;
  path: string;
  match(path: string): boolean;
}

/** @returns The result of `read`, or the name of the error that it throws. */
function decoded(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return (error as Error).name;
  }
}

/** Matches a path as Express 4 does. @returns The parameters, or false. */
function paramsOf(regexp: RegExp, keys: readonly Key[], path: string): Record<string, unknown> | false {
  const found = regexp.exec(path);
  if (!found) return false;
  const params: Record<string, unknown> = {};
  for (const [i, text] of found.slice(1).entries()) {
    const { name } = keys[i] as Key;
    const value = text && decodeURIComponent(text);
    if (value !== undefined || !Object.hasOwn(params, name)) params[name] = value;
  }
  return params;
}

describe('paths of nozomi/4', () => {
  it('have the regular expression, keys and matches of path-to-regexp 0.1.13', () => {
    let pairs = 0;
    fc.assert(
      fc.property(
        paths,
        options,
        fc.array(target, { minLength: 40, maxLength: 40 }),
        (route, given, targets) => {
          const keys: Key[] = [];
          let regexp: RegExp | undefined;
          try {
            regexp = pathToRegexp(route, keys, {
              sensitive: given.caseSensitive,
              strict: given.strict && !given.isMounted,
              end: !given.isMounted,
            });
          } catch {
            // Some random paths give an invalid regular expression. Then the router throws too.
          }
          const layer = layerOf(route, given);
          expect(layer?.regexp.source).to.equal(regexp?.source);
          if (!layer || !regexp) return;
          pairs += targets.length;
          expect(layer.regexp.flags).to.equal(regexp.flags);
          expect(layer.keys).to.deep.equal(keys);
          for (const text of targets) {
            expect(decoded(() => layer.match(text) && layer.params)).to.deep.equal(
              decoded(() => paramsOf(regexp, keys, text)),
            );
            // Express matches middleware on `/` without its regular expression.
            const isSlash = given.isMounted && route === '/';
            if (layer.params) expect(layer.path).to.equal(isSlash ? '' : regexp.exec(text)?.[0]);
          }
        },
      ),
      { numRuns: 5000 },
    );
    expect(pairs).to.be.above(100_000);
  });

  for (const [route, start, repeated, end] of [
    ['/:a-:b-:c-:d-:e', '/', '-', '/x/'],
    ['/*a*a*a*a*b', '/', 'a', ''],
    ['/:a(\\w*)x:b(\\w*)x:c(\\w*)', '/', 'x', '/'],
    ['/x(a*)*b', '/x', 'a', ''],
    ['/x(?:-+)+b', '/x', '-', ''],
    ['/x(?:-|-)*b', '/x', '-', ''],
    ['/a*(?!b)a*c', '/', 'a', ''],
    ['/a|a*a*b', '/', 'a', 'c'],
    ['/:x*:y*:z*', '/', 'a/', '\n'],
  ] as const) {
    it(`match a hostile request target with ${route} in linear time`, () => {
      const layer = layerOf(route, { caseSensitive: false, strict: false }) as Layer;
      expectLinear(
        (path) => layer.match(path),
        (length) => `${start}${repeated.repeat(length / repeated.length)}${end}`,
      );
    });
  }

  for (const route of ['/(a)\\1*b*', '/x(?<=x)a*b*', '/x(?=(a))a*b*']) {
    it(`match with the regular expression of Node.js for ${route}, which the linear matcher does not support`, () => {
      const layer = layerOf(route, { caseSensitive: false, strict: false }) as Layer;

      expect(layer.match('/aab')).to.equal(layer.regexp.test('/aab'));
    });
  }
});
