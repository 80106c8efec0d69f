/** §9.3: the linear matcher agrees with the regular expression. */
import { expect } from 'chai';
import fc from 'fast-check';
import express3 from 'nozomi/3';

/** Parts of paths as 3.x applications write them. */
const PIECES = [
  ...[
    '/',
    '-',
    '.',
    'a',
    'b',
    '/*',
    '*',
    '/:a',
    ':b',
    '/:c?',
    '.:d?',
    ':e(\\d+)',
    ':f([a-c]+)',
    ':g(a|bb)',
    '/:h*',
  ],
  ...['b?', 'a+', '(x|yy)', '/(z)?', '[^a]', '\\w', '([a-c]+)?', '(a*b)', '(a|)', 'a??', 'b+?'],
];

/** The match of the regular expression in Node.js. */
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
    // Some combinations are not valid as regular expressions.
    return undefined;
  }
}

describe('§9.3 linear matching', () => {
  it('finds the same match as the regular expression [F-9.3-29]', () => {
    const pattern = fc
      .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 3 })
      .map((pieces) => `/${pieces.join('')}`);
    // The target is longer than the limit for backtracking, with as few different letters as possible.
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

  for (const [path, hostile] of [
    ['/:a-:b-:c-:d-:e', `/${'-'.repeat(8000)}/x/`],
    ['/*a*a*a*a*b', `/${'a'.repeat(8000)}`],
    [['/*x*y*z', '/:a.:b.:c'], `/${'x'.repeat(8000)}/`],
  ] as const) {
    it(`rejects 8 kB for ${String(path)} in linear time`, () => {
      const route = new express3.Route('get', path as string, []);
      const before = process.cpuUsage();

      expect(route.match(hostile)).to.equal(false);

      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).to.be.below(3000);
    });
  }

  for (const path of ['/:a(\\bword)-:b-:c', '/:a(?=x)-:b', '/:a((x)+)-:b', '/(a)\\1*b*']) {
    it(`leaves ${path}, whose syntax is not supported, to Node.js`, () => {
      const route = new express3.Route('get', path, []);

      expect(route.match('/word-b-c')).to.equal(route.regexp.test('/word-b-c'));
    });
  }
});
