/**
 * Constructors that Express exports, used as before classes: in derived constructors, and without `new`. Each use gives
 * the result that it gives with Express.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inherits } from 'node:util';
import { expect } from 'chai';
import { muteDeprecations } from '../support/both';
import { loadExpress3 } from '../support/express3-original';

// biome-ignore lint/suspicious/noExplicitAny: each series has its own constructors, which take any arguments.
type Any = any;
type Constructor = Any;

const handler = (): void => {};
loadExpress3();

/** The constructors of each series, with arguments: those of Express, and those of this package. */
const SERIES: Readonly<
  Record<string, Readonly<Record<string, readonly [Constructor, Constructor, unknown[]]>>>
> = {
  '5': {
    Route: [member('express', 'Route'), member('nozomi', 'Route'), ['/a']],
    'Router.Route': [member('express', 'Router').Route, member('nozomi', 'Router').Route, ['/a']],
    Layer: [
      inside('express', 'router/lib/layer'),
      ownFile('node_modules/router/lib/layer.js'),
      ['/a', {}, handler],
    ],
    View: [inside('express', 'express/lib/view'), require('nozomi/lib/view'), viewArguments()],
  },
  '4': {
    Route: [member('express4', 'Route'), member('nozomi/4', 'Route'), ['/a']],
    Layer: [require('express4/lib/router/layer'), require('nozomi/4/lib/router/layer'), ['/a', {}, handler]],
    View: [require('express4/lib/view'), require('nozomi/4/lib/view'), viewArguments()],
  },
  '3': {
    Route: [member('express3', 'Route'), member('nozomi/3', 'Route'), ['get', '/a', [handler], {}]],
    Router: [member('express3', 'Router'), member('nozomi/3', 'Router'), [{}]],
    View: [require('express3/lib/view'), require('nozomi/3/lib/view'), viewArguments()],
  },
};

/** Uses of a constructor. Each returns what it creates. */
const USES: Readonly<Record<string, (base: Constructor, args: unknown[]) => unknown>> = {
  'new with the constructor': (base, args) => new base(...args),
  'a derived constructor that calls it': (base, args) => {
    function Derived(this: unknown): void {
      base.apply(this, args);
    }
    inherits(Derived, base);
    return new (Derived as Constructor)();
  },
  'a derived constructor that returns its result': (base, args) => {
    function Derived(this: unknown): unknown {
      return base.apply(this, args) || this;
    }
    Derived.prototype = Object.create(base.prototype);
    return new (Derived as Constructor)();
  },
  'a constructor with the same prototype': (base, args) => {
    function Traced(this: unknown): unknown {
      return base.apply(this, args);
    }
    Traced.prototype = base.prototype;
    return new (Traced as Constructor)();
  },
  'a class that extends a derived constructor': (base, args) => {
    function Derived(this: unknown, ...given: unknown[]): void {
      base.apply(this, given);
    }
    inherits(Derived, base);
    return new (class extends (Derived as Constructor) {} as Constructor)(...args);
  },
  'a class that extends it': (base, args) => new (class extends base {} as Constructor)(...args),
  'an object with its prototype': (base, args) => {
    const object = Object.create(base.prototype);
    base.apply(object, args);
    return object;
  },
};

for (const [series, constructors] of Object.entries(SERIES)) {
  describe(`constructors of Express ${series}`, () => {
    muteDeprecations();

    for (const [name, [theirs, ours, args]] of Object.entries(constructors)) {
      for (const [use, create] of Object.entries(USES)) {
        it(`${name}: ${use} gives what it gives with Express`, () => {
          const [expected, actual] = [theirs, ours].map((base) => outcome(base, () => create(base, args)));

          expect(actual).to.deep.equal(expected);
        });
      }

      if (name === 'Layer')
        it('Layer: a call without new creates a layer', () => {
          expect(ours(...args)).to.be.an.instanceOf(ours);
          expect(outcome(ours, () => ours(...args))).to.deep.equal(outcome(theirs, () => theirs(...args)));
        });

      it(`${name}: has the name, the length and the prototype of a constructor`, () => {
        expect([ours.name, ours.length]).to.deep.equal([theirs.name, theirs.length]);
        expect(ours.prototype.constructor).to.equal(ours);
        expect(Object.getPrototypeOf(ours)).to.equal(Function.prototype);
      });
    }
  });
}

/** @returns What an object does: its class, and the result of the methods that need fields of the constructor. */
function outcome(base: Constructor, create: () => unknown): unknown {
  let created: Any;
  try {
    created = create();
  } catch (err) {
    return (err as Error).name;
  }
  if (created === undefined) return 'nothing';
  const uses: Record<string, () => unknown> = {
    match: () => [created.match('/a'), created.match('/b')].map(Boolean),
    get: () => {
      created.get(...(created.map ? ['/x', handler] : [handler]));
      return (created.stack ?? created.map.get).length;
    },
    dispatch: () => {
      const seen: unknown[] = [];
      created.get((_req: unknown, _res: unknown, next: () => void) => seen.push('first') && next());
      created.dispatch({ method: 'GET' }, {}, () => seen.push('done'));
      return seen;
    },
    handleRequest: () => created.handleRequest({}, {}, () => {}),
    handle_request: () => created.handle_request({}, {}, () => {}),
    param: () => created.param('id', handler) === created && created.param(() => handler),
    lookup: () => created.lookup('none.txt'),
  };
  // Routers of Express 3 have other methods `match`.
  const methods = Object.keys(uses).filter(
    (name) => typeof created[name] === 'function' && !(name === 'match' && created.map),
  );
  return {
    isInstance: created instanceof base,
    hasOwnName: Object.hasOwn(created, 'path') || Object.hasOwn(created, 'map'),
    ...Object.fromEntries(methods.map((name) => [name, uses[name]?.()])),
  };
}

function member(framework: string, name: string): Constructor {
  return require(framework)[name];
}

/** @returns A file of a package as the file of Express finds it. */
function inside(from: string, path: string): Constructor {
  return createRequire(require.resolve(from))(path);
}

function ownFile(path: string): Constructor {
  return require(join(__dirname, '..', '..', 'dist', path));
}

function viewArguments(): unknown[] {
  return ['4.1-constructors.spec.ts', { root: __dirname, engines: { '.ts': handler }, defaultEngine: 'ts' }];
}
