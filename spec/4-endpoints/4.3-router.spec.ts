import { expect } from 'chai';
import type { ErrorRequestHandler, RequestHandler } from 'express';
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

/** `router.param` with all forms of the specification; @types/express has a name and a callback only. */
type Param = (...args: unknown[]) => unknown;
const paramOf = (routes: object): Param => (routes as { param: Param }).param.bind(routes);

describe('§4.3 routers', () => {
  it('router.all handles every method, router.METHOD one [F-4.3-01 F-4.3-02]', async () => {
    const router = framework.Router();
    expect(router.all('/all', add('all'), sendSeen)).to.equal(router);
    expect(router.put('/put', add('put'), sendSeen)).to.equal(router);
    const app = framework().use(router);

    expect((await request(app).delete('/all')).text).to.equal('all');
    expect((await request(app).put('/put')).text).to.equal('put');
    expect((await request(app).get('/put')).status).to.equal(404);
  });

  it('router.route returns its own route [F-4.3-09]', async () => {
    const router = framework.Router();
    const route = router.route('/x').get(add('get')).all(sendSeen);

    expect(route.path).to.equal('/x');
    expect((await request(framework().use(router)).get('/x')).text).to.equal('get');
  });

  it('router.use mounts in order: by default on /, or on a path with parameters [F-4.3-10 F-4.3-11 F-4.3-12]', async () => {
    const router = framework.Router();
    router.use(add('first'));
    router.use(
      '/:id',
      (req: framework.Request, res: framework.Response, next: framework.NextFunction) => {
        res.append('X-Seen', `${req.params.id} ${req.baseUrl} ${req.url}`);
        next();
      },
      [add('third')],
    );
    router.use(sendSeen);
    router.use(add('never'));

    expect((await request(framework().use('/m', router)).get('/m/7/x')).text).to.equal(
      'first,7 /m/7 /x,third',
    );
  });
});

describe('§4.3 router.param', () => {
  it('calls (req, res, next, value, name) before the handlers [F-4.3-04]', async () => {
    const router = framework.Router();
    expect(
      router.param('id', (req, _res, next, value, name) => {
        req.params[name] = `<${value}>`;
        next();
      }),
    ).to.equal(router);
    router.get('/:id', sendParams);

    expect((await request(framework().use(router)).get('/7')).body).to.deep.equal({ id: '<7>' });
  });

  it('accepts one name and a function only [F-4.3-05]', () => {
    const param = paramOf(framework.Router());
    const fn = (): void => undefined;

    expect(() => param(['a', 'b'], fn)).to.throw(TypeError, 'argument name must be a string');
    expect(() => param()).to.throw(TypeError, 'argument name is required');
    expect(() => param('', fn)).to.throw(TypeError, 'argument name is required');
    expect(() => param('a')).to.throw(TypeError, 'argument fn is required');
    expect(() => param('a', /x/)).to.throw(TypeError, 'argument fn must be a function');
  });

  for (const [what, make] of [
    ['router', framework.Router],
    ['application', framework],
  ] as const) {
    it(`with a function alone creates the callbacks of later options (${what}) [F-4.3-06 F-4.3-07 F-4.3-08]`, async () => {
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

describe('§4.3 router.stack: any change applies to the next request', () => {
  /** The routes `/a`, `/b` and `/c` respond with their names, and a wildcard with `rest`. */
  const makeRouter = (): framework.Router => {
    const router = framework.Router();
    for (const name of ['a', 'b', 'c']) router.get(`/${name}`, (_req, res) => void res.send(name));
    router.get('/:any', (_req, res) => void res.send('rest'));
    expect(responses(router)).to.deep.equal(['/a', '/b', '/c', '/:any']);
    return router;
  };
  /** The responses for the three paths, and for another one. */
  const responses = (router: framework.Router): unknown[] =>
    ['/a', '/b', '/c', '/d'].map(
      (path) => (seenBy(router, path) as { route?: { path: string } })?.route?.path,
    );

  it('is an array of layers', () => {
    const { stack } = makeRouter();

    expect(Array.isArray(stack)).to.equal(true);
    expect(stack.map(({ route }) => route?.path)).to.deep.equal(['/a', '/b', '/c', '/:any']);
    expect(
      stack.map(({ route }) => Object.keys((route as unknown as { methods: object }).methods)),
    ).to.deep.equal(Array(4).fill(['get']));
    expect(stack[0]?.route?.stack[0]).to.have.property('method', 'get');
    expect(JSON.stringify([...stack].length)).to.equal('4');
  });

  it('splice, length, reverse, sort, assignment by index, delete', () => {
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

  it('a layer removed from the end', () => {
    const router = makeRouter();
    const last = router.stack.pop();

    expect(responses(router)).to.deep.equal(['/a', '/b', '/c', undefined]);
    router.stack.unshift(last as never);
    expect(responses(router)).to.deep.equal(['/:any', '/:any', '/:any', '/:any']);
    expect(delete (router.stack as unknown[])[0]).to.equal(true);
    router.stack.shift();
    expect(responses(router)).to.deep.equal(['/a', '/b', '/c', undefined]);
  });

  it('an assigned array, and later changes of it', () => {
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

  it('an array that two routers share', () => {
    const [one, two] = [makeRouter(), framework.Router()];
    two.stack = one.stack;
    two.get('/late', sendOk);

    expect(responses(two)).to.deep.equal(['/a', '/b', '/c', '/:any']);
    expect(one.stack).to.have.lengthOf(5);
    one.stack.splice(3, 1);
    expect(seenBy(two, '/late')).to.include({ url: '/late' });
  });

  it('a layer of another router, or of the application: its match is called for every path', () => {
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

  it('a wrapped layer.handle, also during a request', async () => {
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

  it('changes while a request is pending', async () => {
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

describe('§4.3 unusual requests', () => {
  it('a target in absolute form, a rewritten URL and a lower-case method match their routes [F-4.2-36]', () => {
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

  it('an error while responding to OPTIONS reaches the caller [F-7-01]', () => {
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

  it('an error handler of a route receives an error of that route [F-1-18]', async () => {
    const app = framework();
    app.get(
      '/',
      (_req, _res, next) => next('trouble'),
      add('skipped'),
      ((err, _req, res, _next) =>
        void res.send(`${err} ${res.get('X-Seen')}`)) as ErrorRequestHandler as never,
    );

    expect((await request(app).get('/')).text).to.equal('trouble undefined');
  });
});
