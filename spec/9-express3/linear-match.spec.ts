/** Compares the linear matcher of nozomi/3 with the regular expression of the route (§9.3). */
import { expect } from 'chai';
import fc from 'fast-check';
import express3 from 'nozomi/3';

/** Parts of random route paths, with typical and unusual syntax of Express 3. */
// biome-ignore format: a table
const PIECES = [
  '/', '-', '.', 'a', 'b', '/*', '*', '/:a', ':b', '/:c?', '.:d?', ':e(\\d+)', ':f([a-c]+)',
  ':g(a|bb)', '/:h*',
  'b?', 'a+', '(x|yy)', '/(z)?', '[^a]', '\\w', '([a-c]+)?', '(a*b)', '(a|)', 'a??', 'b+?',
];

/** @returns The groups that the regular expression captures, null for those without text; undefined without a match. */
function natively(route: express3.Route, path: string): unknown {
  const found = route.regexp.exec(path);
  return found?.slice(1).map((value) => value ?? null);
}

function linearly(route: express3.Route, path: string): unknown {
  if (!route.match(path)) return undefined;
  const names = new Map<number, string>(route.keys.map(({ name }, index) => [index, name]));
  const unnamed = [...route.params];
  const count = (new RegExp(`${route.regexp.source}|`).exec('')?.length ?? 1) - 1;
  return Array.from({ length: count }, (_none, index) => {
    const name = names.get(index);
    return (name === undefined ? unnamed.shift() : route.params[name]) ?? null;
  });
}

function routeOf(path: string | string[]): express3.Route | undefined {
  try {
    return new express3.Route('get', path, []);
  } catch {
    // Express 3 throws for some random paths, because they give an invalid regular expression.
    return undefined;
  }
}

describe('nozomi/3, the linear matcher of paths', () => {
  proves('F-9.3-29');
  it('finds the same match as the regular expression of the route', () => {
    const pattern = fc
      .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 3 })
      .map((pieces) => `/${pieces.join('')}`);
    // Mostly long paths, because nozomi/3 matches short ones with the regular expression of V8. Few different
    // characters, because then patterns often match.
    const path = fc
      .array(fc.constantFrom('/', '-', '.', 'a', 'b', 'x', 'z', '1', 'ab', '/a'), { maxLength: 8 })
      .map((pieces) => `/${pieces.join('')}`);
    fc.assert(
      fc.property(pattern, path, fc.constantFrom('', 'a', 'b', '1-'), (text, start, more) => {
        const route = routeOf(text);
        if (!route || new Set(route.keys.map(({ name }) => name)).size < route.keys.length) return;
        const long = start + more.repeat(12);
        expect(linearly(route, long)).to.deep.equal(natively(route, long));
      }),
      { numRuns: 1000 },
    );
  });

  for (const path of ['/:a(\\bword)-:b-:c', '/:a(?=x)-:b', '/:a((x)+)-:b', '/(a)\\1*b*']) {
    it(`does not support ${path}, which the regular expression of Node.js matches`, () => {
      const route = new express3.Route('get', path, []);

      expect(route.match('/word-b-c')).to.equal(route.regexp.test('/word-b-c'));
    });
  }
});
