import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import express3 from 'nozomi/3';
import request from 'supertest';
import { muteDeprecations } from '../support/both';
import { serving } from '../support/serve';
import { thenable } from '../support/thenable';
import { underEnv } from './support';

const VIEWS = join(__dirname, '..', '..', 'fixtures', 'views');

describe('nozomi/3, the application (§9.3)', () => {
  muteDeprecations();

  it('app.configure calls its function only in the named environments [F-9.3-02]', () => {
    const app = express3();
    const called: string[] = [];
    const { env } = app.settings;

    app.configure(env, () => called.push('own'));
    app.configure('other', env, () => called.push('one of two'));
    app.configure('other', () => called.push('other'));

    expect(called).to.deep.equal(['own', 'one of two']);
  });

  it('app.configure without names of environments always calls its function [F-9.3-03]', () => {
    const app = express3();
    let that: unknown;
    app.configure(function (this: unknown) {
      that = this;
    });

    expect(that).to.equal(app);
  });

  it('app.param callbacks receive the value of their parameter, before the route [F-9.3-04]', async () => {
    const app = express3();
    const seen: unknown[] = [];
    app.param('id', (req, _res, next, value, name) => {
      seen.push(value, name, req.params.id);
      next();
    });
    app.get('/user/:id', (_req, res) => res.send(seen));

    await request(app).get('/user/12').expect(200, ['12', 'id', '12']);
  });

  it('app.param accepts a function that creates callbacks from the options of later calls [F-9.3-05]', async () => {
    const app = express3();
    app.param((_name, option) => {
      return option instanceof RegExp
        ? (_req, _res, next, value) => next(option.test(value) ? undefined : 'route')
        : undefined;
    });
    app.param('id', /^\d+$/);
    app.get('/user/:id', (_req, res) => res.send('a number'));

    await request(app).get('/user/12').expect(200, 'a number');
    await request(app).get('/user/ann').expect(404);
  });

  it('app.param throws for an option from which no function makes a callback [F-9.3-05]', () => {
    expect(() => express3().param('id', 'text')).to.throw(Error, 'invalid param() call for id, got text');
  });

  it('app.get runs its callbacks in order, also those in lists [F-9.3-06]', async () => {
    const app = express3();
    const step =
      (text: string): express3.Handler =>
      (_req, res, next) => {
        res.set('X-Steps', `${res.get('X-Steps') ?? ''}${text}`);
        next();
      };
    app.post('/', step('a'), [step('b'), [step('c')]], (_req: express3.Request, res: express3.Response) =>
      res.send(200),
    );

    await request(app).post('/').expect('X-Steps', 'abc').expect(200, 'OK');
    await request(app).get('/').expect(404, 'Cannot GET /\n');
  });

  it('responds to OPTIONS with the methods of the routes, in alphabetical order [F-9.3-06]', async () => {
    const app = express3();
    app.put('/', (_req, res) => res.send(200));
    app.get('/', (_req, res) => res.send(200));

    await request(app).options('/').expect('Allow', 'GET,HEAD,PUT').expect(200, 'GET,HEAD,PUT');
  });

  it('app.del is an alias of app.delete [F-9.3-06]', async () => {
    const app = express3();
    app.del('/', (_req, res) => res.send('deleted'));

    await request(app).delete('/').expect(200, 'deleted');
  });

  it('app.all handles every method [F-9.3-07]', async () => {
    const app = express3();
    app.all('/', (req, res) => res.send(req.method));

    for (const method of ['get', 'post', 'patch', 'options'] as const)
      await request(app)[method]('/').expect(200, method.toUpperCase());
  });

  it('app.locals(object) copies the properties of the object [F-9.3-08]', () => {
    const app = express3();
    app.locals({ title: 'One', kept: 1 });
    app.locals({ title: 'Two' });

    expect(app.locals).to.include({ title: 'Two', kept: 1 });
  });

  it('app.locals(object) does not copy __proto__ [F-9.3-08]', () => {
    const app = express3();
    app.locals(JSON.parse('{"__proto__": {"admin": true}}'));

    expect(app.locals.admin).to.equal(undefined);
  });

  it('app.locals is a function, and keeps its properties name and length [F-9.3-09]', () => {
    const app = express3();
    app.locals({ name: 'other', length: 7 });

    expect([app.locals.name, app.locals.length]).to.deep.equal(['locals', 1]);
  });

  it('app.locals has settings as its only property at first [F-9.3-10]', () => {
    const app = express3();

    expect(Object.keys(app.locals)).to.deep.equal(['settings']);
    expect(app.locals.settings).to.equal(app.settings);
  });

  it('a route matches with the regexp and the keys that an application assigns to it [F-9.3-12]', async () => {
    const app = express3();
    app.get('/a', (req, res) => res.send(req.params.id ?? 'none'));
    const [route] = app.routes.get ?? [];
    if (route) Object.assign(route, { regexp: /^\/b-(.)$/, keys: [{ name: 'id', optional: false }] });

    await request(app).get('/b-1').expect(200, '1');
    await request(app).get('/a').expect(404);
  });

  it('app.routes lists the routes of each method with path, callbacks, keys and pattern [F-9.3-11 F-9.3-12]', () => {
    const app = express3();
    const response: express3.Handler = (_req, res) => res.send(200);
    app.get('/user/:id/:op?', response);
    app.post('/login', response, response);

    expect(Object.keys(app.routes)).to.deep.equal(['get', 'post']);
    const [route] = app.routes.get ?? [];
    expect(route).to.include({ path: '/user/:id/:op?', method: 'get' });
    expect(route?.keys).to.deep.equal([
      { name: 'id', optional: false },
      { name: 'op', optional: true },
    ]);
    expect(route?.regexp.test('/USER/1/edit/')).to.equal(true);
    expect(app.routes.post?.[0]?.callbacks).to.deep.equal([response, response]);
  });

  it('app.render renders a view with app.locals and the engine of app.engine [F-9.3-13 F-9.3-15 F-9.3-26]', (done) => {
    const app = express3();
    app.engine('ejs', (path, values, callback) =>
      callback(null, `${path.slice(-8)} ${values.a}${values.b}${values.cache}`),
    );
    app.set('views', VIEWS).set('view engine', 'ejs');
    app.locals({ a: 1, b: 1 });

    app.render('page', { b: 2 }, (err, html) => {
      expect([err, html]).to.deep.equal([null, 'page.ejs 12false']);
      done();
    });
  });

  it('app.listen listens, and emits the errors of a server of Node.js [F-9.3-14]', async () => {
    await serving(express3(), async (_port, server) => {
      const second = express3().listen(server.address(), () => expect.fail('it cannot listen'));
      const [error] = await once(second, 'error');

      expect(error.code).to.equal('EADDRINUSE');
    });
  });

  it('app.enable, app.disable, app.enabled and app.disabled set and read settings [F-9.3-16]', () => {
    const app = express3();

    expect(app.enable('x')).to.equal(app);
    expect([app.enabled('x'), app.disabled('x'), app.get('x')]).to.deep.equal([true, false, true]);
    app.disable('x');
    expect([app.enabled('x'), app.disabled('x'), app.get('x')]).to.deep.equal([false, true, false]);
  });

  it('app.router as middleware decides when the routes run', async () => {
    const app = express3();
    app.use(app.router);
    app.use((_req, res) => res.send('behind'));
    app.get('/', (_req, res) => res.send('route'));

    await request(app).get('/').expect('route');
    await request(app).get('/other').expect('behind');
  });

  it('app.use throws for a value that is not a handler', () => {
    const app = express3();

    expect(() => app.use(undefined as never)).to.throw(TypeError, 'app.use() requires a middleware function');
    expect(() => app.use('/x', {} as never)).to.throw(TypeError, 'app.use() requires a middleware function');
  });

  it('app.get throws for a route without a path, and for callbacks that are not functions', () => {
    const app = express3();

    expect(() => app.get('', (_req, res) => res.send(200))).to.throw(Error, 'Router#get() requires a path');
    expect(() => app.post('/', 'text' as never)).to.throw(
      Error,
      '.post() requires callback functions but got a [object String]',
    );
  });

  it('app.use accepts a router', async () => {
    const app = express3();
    const router = new express3.Router({ caseSensitive: true, strict: true });
    router.get('/Foo', (_req, res) => res.send('Foo'));
    router.all('/all', (req, res) => res.send(req.method));
    app.use('/r', router.middleware);

    await request(app).get('/r/Foo').expect('Foo');
    await request(app).get('/r/foo').expect(404);
    await request(app).put('/r/all').expect('PUT');
  });

  it('express.createServer() creates an application', async () => {
    const app = express3.createServer();
    app.get('/', (_req, res) => res.send('made'));

    await request(app).get('/').expect('made');
  });

  it('app.use accepts a server, and calls its listener', async () => {
    const { createServer } = await import('node:http');
    const app = express3();
    app.use(
      '/server',
      createServer((req, res) => res.end(`${req.url}`)),
    );

    await request(app).get('/server/x').expect('/x');
  });

  it('app.param passes the rejection of an async callback to next', async () => {
    const app = express3();
    const told: express3.ErrorHandler = (err, _req, res, _next) => res.send(500, err.message);
    app.param('id', async () => {
      throw new Error('rejected');
    });
    app.get('/:id', (_req, res) => res.send(200));
    app.use(told);

    await request(app).get('/1').expect(500, 'rejected');
  });

  it('does not await thenables that handlers return, because awaiting a query runs it again', async () => {
    const app = express3();
    let runs = 0;
    app.get('/', (_req, res) => {
      res.send('queried');
      return thenable(() => runs++);
    });

    await request(app).get('/').expect('queried');
    expect(runs).to.equal(0);
  });
});

describe('nozomi/3, the settings (§9.3)', () => {
  it('env is NODE_ENV, otherwise development [F-9.3-17]', () => {
    expect(underEnv('staging', () => express3().get('env'))).to.equal('staging');
    expect(underEnv(undefined, () => express3().get('env'))).to.equal('development');
  });

  it('trust proxy is off by default [F-9.3-18]', async () => {
    const app = express3();
    app.get('/', (req, res) => res.send([app.get('trust proxy'), req.protocol]));

    await request(app).get('/').set('X-Forwarded-Proto', 'https').expect([false, 'http']);
  });

  it('jsonp callback name is callback by default [F-9.3-19]', () => {
    expect(express3().get('jsonp callback name')).to.equal('callback');
  });

  it('json replacer is null by default [F-9.3-20]', () => {
    expect(express3().get('json replacer')).to.equal(null);
  });

  it('json spaces is 2 in development and 0 in production [F-9.3-21 F-9.3-22]', () => {
    expect(underEnv('development', () => express3().get('json spaces'))).to.equal(2);
    expect(underEnv('production', () => express3().get('json spaces'))).to.equal(0);
  });

  it('a mounted application inherits values that its parent has set [F-9.3-20 F-9.3-22]', () => {
    const [app, inner] = underEnv('production', () => [express3(), express3()]) as [
      express3.Application,
      express3.Application,
    ];
    app.set('json spaces', 4);
    app.use(inner);

    expect(inner.get('json spaces')).to.equal(4);
  });

  it('a mounted application passes requests on if an accessor replaces req.app [F-9.3-01]', async () => {
    const app = express3();
    Object.defineProperty(app.request, 'app', { get: () => 'other', set: () => undefined });
    app.use(express3());
    app.use((_req, res) => res.send('after'));

    await request(app).get('/').expect(200, 'after');
  });

  it('app.request and app.response may be primitive values, which are ignored [F-9.3-01]', async () => {
    for (const name of ['request', 'response']) {
      const app = express3();
      Object.assign(app, { [name]: 5 });
      app.use('/mounted', express3());
      app.use((req, res) => res.end(`${typeof req.get} ${typeof res.send}`));
      const expected = name === 'request' ? 'undefined function' : 'function undefined';

      await request(app).get('/').expect(200, expected);
    }
  });

  it('routing ignores letter case and a trailing slash by default [F-9.3-23 F-9.3-24]', async () => {
    const [app, exact] = [express3(), express3()];
    exact.enable('case sensitive routing').enable('strict routing');
    for (const each of [app, exact]) each.get('/Foo', (_req, res) => res.send('Foo'));

    for (const path of ['/Foo', '/foo', '/FOO/']) await request(app).get(path).expect(200);
    await request(exact).get('/Foo').expect(200);
    for (const path of ['/foo', '/Foo/']) await request(exact).get(path).expect(404);
  });

  it('view cache is on in production only [F-9.3-25]', () => {
    expect(underEnv('production', () => express3().enabled('view cache'))).to.equal(true);
    expect(underEnv('development', () => express3().enabled('view cache'))).to.equal(false);
  });

  it('views is the directory views in the working directory by default [F-9.3-27]', () => {
    expect(express3().get('views')).to.equal(join(process.cwd(), 'views'));
  });

  for (const [value, tag] of [
    ['weak', 'W/"5-XUFAKrxLKna5cZ2REBfFkg"'],
    ['strong', '"5-XUFAKrxLKna5cZ2REBfFkg"'],
    [true, 'W/"5-XUFAKrxLKna5cZ2REBfFkg"'],
    [false, undefined],
    [() => '"own"', '"own"'],
  ] as const) {
    it(`etag ${value} gives responses the ETags of Express 3`, async () => {
      const app = express3();
      app.set('etag', value);
      app.get('/', (_req, res) => res.send('hello'));
      app.get('/bytes', (_req, res) => res.send(Buffer.from('hello')));

      for (const path of ['/', '/bytes']) {
        const { headers } = await request(app).get(path);
        expect(headers.etag).to.equal(tag);
      }
    });
  }
});
