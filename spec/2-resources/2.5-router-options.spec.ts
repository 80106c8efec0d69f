import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import express, { type RequestHandler } from 'express';
import framework from 'nozomi';
import request from 'supertest';

describe('req.route', () => {
  proves('F-2.5-12 F-2.5-13 F-2.5-14');
  it('has layers with handle, name, method, keys, params and path', () => {
    const route = framework.Router().route('/:id');
    const named: RequestHandler = (_req, res) => res.end();
    route.get(named).all(() => undefined);
    const [first, second] = route.stack as unknown as Array<Record<string, unknown>>;

    expect(first).to.include({ handle: named, name: 'named', method: 'get', path: '' });
    expect(second).to.include({ name: '<anonymous>', method: undefined, path: '' });
    expect([first?.keys, first?.params]).to.deep.equal([[], {}]);
    expect(Object.keys(first as object).slice(0, 6)).to.deep.equal(
      Object.keys(express.Router().route('/').get(named).stack[0] as object),
    );
  });
});

proves('F-2.5-10');
describe('the structure of routers, compared with Express', () => {
  const shapeOf = (value: object): unknown[] =>
    Object.entries(Object.getOwnPropertyDescriptors(value))
      .filter(([, { enumerable }]) => enumerable)
      .map(([name, { value: held, writable, configurable }]) => [
        name,
        typeof held,
        typeof held === 'function' && held.length,
        writable,
        configurable,
      ])
      .sort();

  for (const [what, pick] of [
    ['a router', (make) => make.Router()],
    ['Router.prototype', (make) => make.Router.prototype],
    ['a route', (make) => make.Router().route('/')],
    ['a layer of a router', (make) => make.Router().use(() => undefined).stack[0] as object],
    ['a layer of a route', (make) => make.Router().get('/x', () => undefined).stack[0] as object],
  ] as Array<[string, (make: typeof express) => object]>) {
    it(`${what} has the same members as in Express`, () => {
      expect(shapeOf(pick(framework as unknown as typeof express))).to.deep.equal(shapeOf(pick(express)));
    });
  }

  it('a router is a function with three parameters whose prototype is the function Router.prototype', () => {
    const router = framework.Router();

    expect([router.name, router.length]).to.deep.equal(['router', 3]);
    expect([framework.Router.name, framework.Router.length]).to.deep.equal(['Router', 1]);
    expect(Object.getPrototypeOf(router)).to.be.an.instanceOf(framework.Router);
    expect(framework.Router.prototype).to.be.a('function');
    expect(router.call).to.equal(Function.prototype.call);
  });

  for (const [what, hole] of [
    ['undefined', undefined],
    ['null', null],
    ['a number', 7],
    ['an object that is no layer', {}],
  ] as const) {
    it(`${what} in router.stack fails every request that reaches it, as in Express`, async () => {
      const ours = await outcomes(framework as unknown as typeof express, hole);

      expect(ours).to.deep.equal(await outcomes(express, hole));
      expect(ours.slice(0, 2).join()).to.contain('TypeError');
      expect(ours[2]).to.equal('left with null');
    });
  }

  async function outcomes(make: typeof express, hole: unknown): Promise<string[]> {
    const router = make.Router();
    router.get('/before', (_req, _res, next) => next('router'));
    router.stack.push(hole as never);
    router.use((_req, _res, next) => next());
    const seen: string[] = [];
    for (const url of ['/', '/', '/before']) {
      try {
        router({ method: 'GET', url } as never, {} as never, (err: unknown) => seen.push(`left with ${err}`));
      } catch (err) {
        seen.push(`threw ${err}`);
      }
      await setImmediate();
    }
    return seen;
  }

  it('changes of Router.prototype apply to routers created before and after', async () => {
    const { prototype } = framework.Router as unknown as { prototype: Record<string, unknown> };
    const before = framework.Router();
    const { handle } = prototype;
    let calls = 0;
    prototype.respond = function respond(this: framework.Router) {
      return this.get('/', (_req, res) => void res.send('added'));
    };
    prototype.handle = function counted(this: unknown, ...args: unknown[]) {
      calls++;
      return (handle as (...args: unknown[]) => void).apply(this, args);
    };
    try {
      for (const router of [before, framework.Router()] as never[]) {
        (router as { respond(): void }).respond();
        const res = await request(framework().use(router)).get('/');
        expect(res.text).to.equal('added');
      }
      // Two requests, each handled by the application's router and a mounted router.
      expect(calls).to.equal(4);
    } finally {
      prototype.handle = handle;
      delete prototype.respond;
    }
  });

  it('listRoutes lists paths, methods and mounted routers as Express does', () => {
    const list = (make: typeof express): unknown => {
      const [router, mounted] = [make.Router(), make.Router()];
      const handler: RequestHandler = (_req, res) => res.end();
      router.use(handler);
      router.get(['/a', ['/b', /c/]] as string[], handler);
      router.route('/d').all(handler).post(handler).head(handler);
      router.use('/m', handler, mounted);
      return (router as unknown as { listRoutes(): Array<{ router: unknown }> })
        .listRoutes()
        .map((listed) => ({ ...listed, router: listed.router && listed.router === mounted }));
    };

    expect(list(framework as unknown as typeof express)).to.deep.equal(list(express));
  });
});
