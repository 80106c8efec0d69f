import { expect } from 'chai';
import express, { type RequestHandler } from 'express';
import framework from 'nozomi';
import request from 'supertest';
import { heardDuring } from '../support/heard';
import { seenBy } from './ask-router';

const add =
  (name: string): RequestHandler =>
  (_req, res, next) => {
    res.append('X-Seen', name);
    next();
  };
const sendSeen: RequestHandler = (_req, res) => void res.send(String(res.get('X-Seen')));
const sendOk: RequestHandler = (_req, res) => void res.send();
const sendParams: RequestHandler = (req, res) => void res.json(req.params);

/** `router.param` with any arguments, because @types/express declares only a name with a callback. */
type Param = (...args: unknown[]) => unknown;
const paramOf = (routes: object): Param => (routes as { param: Param }).param.bind(routes);

describe('router.param', () => {
  for (const [what, make] of [
    ['router', framework.Router],
    ['application', framework],
  ] as const) {
    proves('F-4.3-06 F-4.3-07 F-4.3-08');
    it(`lets a function as only argument create the callbacks of later calls (${what})`, async () => {
      const routes = make();
      const param = paramOf(routes);
      const deprecations = await heardDuring('deprecation', () => {
        param((name: string, option: unknown) =>
          option instanceof RegExp
            ? (
                req: { params: Record<string, string> },
                _res: unknown,
                next: (err?: string) => void,
                value: string,
              ) => {
                req.params[name] = `${value}!`;
                next(option.test(value) ? undefined : 'route');
              }
            : undefined,
        );
        param('id', /^\d+$/);
        param('plain', (_req: unknown, _res: unknown, next: () => void) => next());
      });
      routes.get('/:id', sendParams);
      routes.get('/:plain', sendParams);
      const app = framework().use(routes);

      expect((await request(app).get('/7')).body).to.deep.equal({ id: '7!' });
      expect((await request(app).get('/x')).body).to.deep.equal({ plain: 'x' });
      expect(deprecations).to.have.lengthOf(1);
      expect(() => param('id', 'text')).to.throw(TypeError, 'argument fn must be a function');
    });
  }
});

describe('changes of router.stack', () => {
  /** @returns A router with the routes `/a`, `/b`, `/c` and `/:any`. */
  const makeRouter = (): framework.Router => {
    const router = framework.Router();
    for (const name of ['a', 'b', 'c']) router.get(`/${name}`, (_req, res) => void res.send(name));
    router.get('/:any', (_req, res) => void res.send('rest'));
    expect(responses(router)).to.deep.equal(['/a', '/b', '/c', '/:any']);
    return router;
  };
  /** @returns The paths of the routes that handle `/a`, `/b`, `/c` and `/d`. */
  const responses = (router: framework.Router): unknown[] =>
    ['/a', '/b', '/c', '/d'].map(
      (path) => (seenBy(router, path) as { route?: { path: string } })?.route?.path,
    );

  it('router.stack is an array of layers', () => {
    const { stack } = makeRouter();

    expect(Array.isArray(stack)).to.equal(true);
    expect(stack.map(({ route }) => route?.path)).to.deep.equal(['/a', '/b', '/c', '/:any']);
    expect(
      stack.map(({ route }) => Object.keys((route as unknown as { methods: object }).methods)),
    ).to.deep.equal(Array(4).fill(['get']));
    expect(stack[0]?.route?.stack[0]).to.have.property('method', 'get');
    expect(JSON.stringify([...stack].length)).to.equal('4');
  });

  it('splice, length, reverse, sort and assignment by index apply to the next request', () => {
    const router = makeRouter();
    router.stack.splice(1, 1);
    expect(responses(router)).to.deep.equal(['/a', '/:any', '/c', '/:any']);
    router.stack.length = 2;
    expect(responses(router)).to.deep.equal(['/a', undefined, '/c', undefined]);

    const reversed = makeRouter();
    reversed.stack.reverse();
    expect(responses(reversed)).to.deep.equal(['/:any', '/:any', '/:any', '/:any']);
    reversed.stack.sort((one, other) => (one.route?.path ?? '').localeCompare(other.route?.path ?? '') * -1);
    expect(responses(reversed)).to.deep.equal(['/a', '/b', '/c', '/:any']);

    const set = makeRouter();
    [set.stack[0], set.stack[3]] = [set.stack[3] as never, set.stack[0] as never];
    expect(responses(set)).to.deep.equal(['/:any', '/:any', '/:any', '/:any']);
    Object.defineProperty(set.stack, 0, {
      value: set.stack[1],
      configurable: true,
      enumerable: true,
      writable: true,
    });
    expect(responses(set)).to.deep.equal(['/a', '/b', '/c', undefined]);
  });

  it('pop, unshift, delete and shift of a layer apply to the next request', () => {
    const router = makeRouter();
    const last = router.stack.pop();

    expect(responses(router)).to.deep.equal(['/a', '/b', '/c', undefined]);
    router.stack.unshift(last as never);
    expect(responses(router)).to.deep.equal(['/:any', '/:any', '/:any', '/:any']);
    expect(delete (router.stack as unknown[])[0]).to.equal(true);
    router.stack.shift();
    expect(responses(router)).to.deep.equal(['/a', '/b', '/c', undefined]);
  });

  it('an array assigned to router.stack, and its later changes, apply to the next request', () => {
    const router = makeRouter();
    const original = router.stack;
    const kept = original.filter(({ route }) => route?.path !== '/b');
    router.stack = kept;
    expect(responses(router)).to.deep.equal(['/a', '/:any', '/c', '/:any']);
    kept.shift();
    expect(responses(router)).to.deep.equal(['/:any', '/:any', '/c', '/:any']);
    router.get('/d', sendOk);
    expect(kept).to.have.lengthOf(3);
    kept.reverse();
    expect(responses(router)).to.deep.equal(['/:any', '/:any', '/:any', '/d']);
    kept.length = 1;
    expect(responses(router)).to.deep.equal([undefined, undefined, undefined, '/d']);

    router.stack = original;
    expect(responses(router)).to.deep.equal(['/a', '/b', '/c', '/:any']);
    original.pop();
    expect(responses(router)).to.deep.equal(['/a', '/b', '/c', undefined]);
  });

  it('two routers can share one array as router.stack', () => {
    const [one, two] = [makeRouter(), framework.Router()];
    two.stack = one.stack;
    two.get('/late', sendOk);

    expect(responses(two)).to.deep.equal(['/a', '/b', '/c', '/:any']);
    expect(one.stack).to.have.lengthOf(5);
    one.stack.splice(3, 1);
    expect(seenBy(two, '/late')).to.include({ url: '/late' });
  });

  it('layers of another router, or made by the application, have their match called for every path', () => {
    const router = makeRouter();
    const foreign = framework.Router().get('/d', sendOk).stack[0];
    router.stack.unshift(foreign as never);
    router.stack.unshift(
      Object.assign(Object.create(Object.getPrototypeOf(foreign)), foreign, {
        match: (path: string) => path === '/b' && { params: {}, path, keys: [], pattern: 'own' },
        route: { path: 'own', _handlesMethod: () => true },
        handle: (_req: unknown, res: { send(): void }) => res.send(),
      }),
    );

    expect(responses(router)).to.deep.equal(['/a', 'own', '/c', '/d']);
  });

  it('a wrapped layer.handle is called, also if the application wraps it during a request', async () => {
    const app = framework();
    app.use(add('plain'));
    app.use((_req, res) => void res.end());
    const [first, second] = app.router.stack as unknown as Array<{ handle: RequestHandler }>;
    const wrapped = first?.handle as RequestHandler;
    (first as { handle: RequestHandler }).handle = (req, res, next) => {
      res.append('X-Seen', 'wrapped');
      (second as { handle: RequestHandler }).handle = sendSeen;
      wrapped(req, res, next);
    };

    expect((await request(app).get('/')).text).to.equal('wrapped,plain');
  });

  it('changes during a request apply to its remaining layers', async () => {
    const app = framework();
    app.get('/x', (_req, _res, next) => {
      app.get('/x', sendSeen);
      app.router.stack.splice(1, 1);
      setImmediate(next);
    });
    app.get('/x', add('spliced'));
    app.get('/x', add('stays'));

    expect((await request(app).get('/x')).text).to.equal('stays');
  });

  it('layer.match(path) returns parameters, path, keys and pattern, and stores nothing', () => {
    const router = framework
      .Router()
      .get(['/x/:id', /^\/y(.)/], sendParams)
      .use(sendSeen);
    const [route, slash] = router.stack as unknown as Array<{ match(path?: string | null): unknown }>;
    const none = Object.create(null) as object;

    expect(route?.match('/x/%20')).to.deep.equal({
      params: Object.assign(none, { id: ' ' }),
      path: '/x/%20',
      keys: ['id'],
      pattern: '/x/:id',
    });
    expect(route?.match('/yz')).to.deep.equal({
      params: { 0: 'z' },
      path: '/yz',
      keys: ['0'],
      pattern: /^\/y(.)/,
    });
    expect([route?.match('/z'), route?.match(undefined), route?.match(null)]).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect(slash?.match('/any')).to.deep.equal({ params: {}, path: '', keys: [], pattern: '/' });
    expect(() => route?.match('/x/%zz'))
      .to.throw(URIError, "Failed to decode param '%zz'")
      .with.property('status', 400);
  });
});

/** Ways to change which paths a layer matches. */
const REPLACED: Record<string, (layer: Matching) => void> = {
  match(layer) {
    layer.match = (path) => path === '/other' && { params: {}, path };
  },
  'a matcher': ({ matchers }) => {
    matchers.push((path) => path === '/other' && { params: {}, path });
  },
};
type Match = (path: string) => object | false;
type Matching = { match: Match; matchers: Match[] };

describe('framework.Router(), a layer whose matching the application has changed', () => {
  for (const [name, replace] of Object.entries(REPLACED)) {
    for (const when of [
      'before the first request',
      'after the first request',
      'after the first request, in an array that the application assigned to router.stack',
    ]) {
      it(`finds the layer by the replaced ${name}, ${when}`, () => {
        const [ofExpress, ofNozomi] = [express, framework].map((make) => {
          const router = make.Router();
          const calls: string[] = [];
          for (let i = 0; i < 8; i++) router.get(`/${i}`, () => void calls.push(String(i)));
          const send = (url: string): void =>
            void router({ method: 'GET', url } as never, {} as never, () => void calls.push('none'));
          if (when.includes('assigned')) router.stack = [...router.stack];
          if (when.includes('after')) send('/other');
          replace(router.stack[5] as unknown as Matching);
          for (const url of ['/other', '/5', '/7', '/8']) send(url);
          return calls;
        });
        expect(ofExpress?.includes('5')).to.equal(true);
        expect(ofNozomi).to.deep.equal(ofExpress);
      });
    }
  }
});

describe('framework.Router() and unusual requests', () => {
  proves('F-4.2-36');
  it('a target in absolute form, a rewritten URL and a lower-case method match their routes', () => {
    const router = framework.Router();
    router.use('/a', framework.Router().get('/b', sendOk));
    router.use('/old', (req, _res, next) => {
      req.url = '/new';
      next();
    });
    router.get('/old/new', sendOk);

    expect(seenBy(router, 'http://host/a/b')?.url).to.equal('http://host/b');
    expect(seenBy(router, '/old/x')?.url).to.equal('/old/new');
    expect(seenBy(router, '/old/x', 'get')?.url).to.equal('/old/new');
    expect(seenBy(router, undefined as never)).to.equal(undefined);
    for (const url of ['', 'http://[', '*']) expect(seenBy(router, url), url).to.equal(undefined);
  });

  proves('F-7-01');
  it('an error while responding to OPTIONS reaches the caller', () => {
    const router = framework.Router().get('/x', sendSeen) as unknown as (...args: unknown[]) => void;
    let heard: unknown;
    const res = {
      setHeader: () => {
        throw new Error('sent already');
      },
    };

    router({ method: 'OPTIONS', url: '/x' }, res, (err: unknown) => {
      heard = err;
    });

    expect(String(heard)).to.equal('Error: sent already');
  });
});
