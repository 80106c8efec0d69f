/** Scenarios for the methods and properties of an application in Express 3. §9.3 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import type express3 from 'nozomi/3';
import { del, get, head, options, post, put, request } from '../../parity/client/request';
import { getEach } from '../../parity/scenario/routes';
import { express3Scenario } from '../../parity/scenario/scenario';
import { outcomeOf } from '../support/outcome';

const caught: express3.ErrorHandler = (err, _req, res, _next) => res.send(500, `caught ${err.message}`);

/** Values of the setting etag, with the ETag of the body `hello`. */
const ETAGS: Readonly<Record<string, readonly [value: unknown, etag: string | undefined]>> = {
  weak: ['weak', 'W/"5-XUFAKrxLKna5cZ2REBfFkg"'],
  strong: ['strong', '"5-XUFAKrxLKna5cZ2REBfFkg"'],
  true: [true, 'W/"5-XUFAKrxLKna5cZ2REBfFkg"'],
  false: [false, undefined],
  own: [() => '"own"', '"own"'],
};

export default [
  express3Scenario({
    name: 'app.configure calls its function always, or only in the given environments',
    clauses: ['F-9.3-02', 'F-9.3-03', 'F-9.3-17'],
    build({ framework }) {
      const app = framework();
      const called: string[] = [];
      app.configure(() => called.push('always'));
      app.configure('all', () => called.push('all'));
      app.configure('development', () => called.push('development'));
      app.configure('production', 'development', () => called.push('both'));
      app.configure('production', () => called.push('production'));
      app.get('/', (_req, res) => res.send([app.get('env'), called]));
      return app;
    },
    requests: [get('/').expect({ json: ['development', ['always', 'all', 'development', 'both']] })],
  }),
  express3Scenario({
    name: 'app.configure uses NODE_ENV at the start of the process',
    clauses: ['F-9.3-02', 'F-9.3-17'],
    env: { NODE_ENV: 'production' },
    build({ framework }) {
      const app = framework();
      const called: string[] = [];
      app.configure('development', () => called.push('development'));
      app.configure('production', () => called.push('production'));
      app.get('/', (_req, res) => res.send([app.get('env'), called]));
      return app;
    },
    requests: [get('/').expect({ json: ['production', ['production']] })],
  }),
  express3Scenario({
    name: 'app.param callbacks run in order before the route, with the value and the name',
    clauses: ['F-9.3-04'],
    build({ framework }) {
      const app = framework();
      const trace: unknown[] = [];
      app.param('user', (_req, _res, next, value, name) => {
        trace.push(['first', value, name]);
        next();
      });
      app.param(
        ':user',
        (_req, _res, next, value) => {
          trace.push(['second', value]);
          next(value === 'nobody' ? new Error('no such user') : undefined);
        },
        (_req, _res, next, value) => {
          trace.push(['third', value]);
          next(value === 'other' ? 'route' : undefined);
        },
      );
      app.param(['a', 'b'], (_req, _res, next, value, name) => {
        trace.push([name, value]);
        next();
      });
      app.get('/u/:user', (_req, res) => res.send(trace.splice(0)));
      app.get('/u/other', (_req, res) => res.send({ other: trace.splice(0) }));
      app.get('/:a?/x/:b?', (_req, res) => res.send(trace.splice(0)));
      const told: express3.ErrorHandler = (_err, _req, res, _next) => res.send(500, trace.splice(0));
      app.use(told);
      return app;
    },
    requests: [
      get('/u/ann%20b').expect({
        json: [
          ['first', 'ann b', 'user'],
          ['second', 'ann b'],
          ['third', 'ann b'],
        ],
      }),
      get('/u/nobody').expect({
        status: 500,
        json: [
          ['first', 'nobody', 'user'],
          ['second', 'nobody'],
        ],
      }),
      get('/u/other').expect({ status: 200, body: /^{\n {2}"other"/ }),
      get('/1/x/2').expect({
        json: [
          ['a', '1'],
          ['b', '2'],
        ],
      }),
      get('/x').expect({ json: [] }),
      get('/1/x').expect({ json: [['a', '1']] }),
    ],
  }),
  express3Scenario({
    name: 'app.param with only a function creates callbacks from later app.param calls',
    clauses: ['F-9.3-05'],
    build({ framework }) {
      const app = framework();
      app.param((name, option) => {
        if (!(option instanceof RegExp)) return;
        return (req, _res, next, value) => {
          const captures = option.exec(String(value));
          if (!captures) return next('route');
          req.params[name as never] = captures as never;
          next();
        };
      });
      app.param('id', /^\d+$/);
      app.param('range', /^(\w+)\.\.(\w+)?$/);
      const refused = outcomeOf(() => app.param('name', 'no function'));
      app.get('/user/:id', (req, res) => res.send(`user ${req.params.id}`));
      app.get('/range/:range', (req, res) => res.send({ range: req.params.range }));
      app.get('/refused', (_req, res) => res.send(refused));
      return app;
    },
    requests: [
      get('/user/12').expect({ body: 'user 12' }),
      get('/user/ann').expect({ status: 404 }),
      get('/range/1..a').expect({ json: { range: ['1..a', '1', 'a'] } }),
      get('/range/1.a').expect({ status: 404 }),
      get('/refused').expect({ body: 'Error: invalid param() call for name, got no function' }),
    ],
  }),
  express3Scenario({
    name: 'app.get accepts several callbacks and arrays of callbacks',
    clauses: ['F-9.3-06'],
    build({ framework }) {
      const app = framework();
      const note = (text: string) => (req: object, _res: unknown, next: () => void) => {
        Object.assign(req, { noted: [...((req as { noted?: string[] }).noted ?? []), text] });
        next();
      };
      const tell: express3.Handler = (req, res) => res.send((req as unknown as { noted: string[] }).noted);
      app.get('/', note('a'), [note('b'), [note('c')]], tell);
      app.post('/', (_req, res) => res.send('posted'));
      app.put('/', (_req, res) => res.send('put'));
      app.del('/', (_req, res) => res.send('deleted'));
      app.get(
        '/next',
        (_req, _res, next) => next('route'),
        (_req, res) => res.send('skipped'),
        (_req, res) => res.send('also skipped'),
      );
      app.get('/next', (_req, res) => res.send('the next route'));
      app.get(
        '/error',
        (_req, _res, next) => next(new Error('first')),
        (_req, res) => res.send('skipped'),
        caught,
      );
      app.get('/thrown', () => {
        throw new Error('thrown');
      });
      const refused = [
        outcomeOf(() => app.get('', (_req, res) => res.send(''))),
        outcomeOf(() => app.get('/x', {} as never)),
        outcomeOf(() => app.post('/x', 'text' as never)),
        outcomeOf(() => Reflect.apply(app.get, app, [])),
      ];
      app.get('/refused', (_req, res) => res.send(refused));
      return app;
    },
    requests: [
      get('/').expect({ json: ['a', 'b', 'c'] }),
      post('/', '').expect({ body: 'posted' }),
      put('/', '').expect({ body: 'put' }),
      del('/').expect({ body: 'deleted' }),
      head('/').expect({ status: 200, body: '' }),
      options('/').expect({ allow: 'DELETE,GET,HEAD,POST,PUT', body: 'DELETE,GET,HEAD,POST,PUT' }),
      options('/none').expect({ status: 404 }),
      get('/next').expect({ body: 'the next route' }),
      get('/error').expect({ status: 500, body: 'caught first' }),
      get('/thrown').expect({ status: 500, body: /^Error: thrown/ }),
      get('/refused').expect({
        json: [
          'Error: Router#get() requires a path',
          'Error: .get() requires callback functions but got a [object Object]',
          'Error: .post() requires callback functions but got a [object String]',
          'Error: Router#get() requires a path',
        ],
      }),
      request('PATCH', '/x').expect({ status: 404, body: 'Cannot PATCH /x\n' }),
    ],
    expect: ({ deprecations }) =>
      expect(deprecations).to.deep.equal(['express: app.del: Use app.delete instead']),
  }),
  express3Scenario({
    name: 'app.all handles every method',
    clauses: ['F-9.3-07'],
    build({ framework }) {
      const app = framework();
      app.all('/x', (_req, res, next) => {
        res.set('X-All', 'yes');
        next();
      });
      app.get('/x', (req, res) => res.send(req.method));
      app.all('*', (req, res) => res.send(`all ${req.method} ${req.params[0]}`));
      return app;
    },
    requests: [
      get('/x').expect({ body: 'GET', 'x-all': 'yes' }),
      post('/x', '').expect({ body: 'all POST /x' }),
      del('/y/z').expect({ body: 'all DELETE /y/z' }),
      head('/x').expect({ 'content-length': '11', 'x-all': 'yes' }),
      options('/x').expect({ body: 'all OPTIONS /x' }),
      request('REPORT', '/x').expect({ body: 'all REPORT /x' }),
    ],
  }),
  express3Scenario({
    name: 'app.locals is a function that copies members and has the settings',
    clauses: ['F-9.3-08', 'F-9.3-09', 'F-9.3-10'],
    build({ framework }) {
      const app = framework();
      const before = Object.keys(app.locals);
      const returned = app.locals({ title: 'One', phone: 1 });
      app.locals.email = 'me@parity.test';
      app.locals({ title: 'Two', name: 'ignored', length: 7 });
      const { settings, ...rest } = app.locals;
      app.get('/', (_req, res) =>
        res.send({
          before,
          returned,
          type: typeof app.locals,
          isSettings: settings === app.settings,
          rest,
          title: app.locals.title,
          name: app.locals.name,
        }),
      );
      return app;
    },
    requests: [
      get('/').expect({
        json: {
          before: ['settings'],
          returned: { title: 'One', phone: 1 },
          type: 'function',
          isSettings: true,
          rest: { title: 'Two', phone: 1, email: 'me@parity.test' },
          title: 'Two',
          name: 'locals',
        },
      }),
    ],
  }),
  express3Scenario({
    name: 'a route matches with the regexp that an application assigns to it',
    clauses: ['F-9.3-12'],
    build({ framework }) {
      const app = framework();
      app.get('/a', (_req, res) => res.send('matched'));
      for (const route of app.routes.get ?? []) route.regexp = /^\/b$/;
      return app;
    },
    requests: [get('/a').expect({ status: 404 }), get('/b').expect({ body: 'matched' })],
  }),
  express3Scenario({
    name: 'app.routes lists routes by method, each with path, callbacks, keys and regexp',
    clauses: ['F-9.3-11', 'F-9.3-12'],
    build({ framework }) {
      const app = framework();
      app.get('/u/:id/:op?', (_req, res) => res.send(''));
      app.get(/^\/re(\d+)$/i, (_req, res) => res.send(''));
      app.post('/files/*', (_req, res) => res.send(''));
      app.get(
        '/list/:a.:format?',
        (_req, _res, next) => next(),
        (_req, res) => res.send(''),
      );
      app.get('/', (_req, res) =>
        res.send(
          Object.entries(app.routes).map(([method, routes]) => [
            method,
            routes.map((route) => ({
              path: String(route.path),
              method: route.method,
              callbacks: route.callbacks.length,
              keys: route.keys,
              regexp: String(route.regexp),
              own: Object.keys(route).filter((name) => name !== 'params'),
            })),
          ]),
        ),
      );
      return app;
    },
    requests: [get('/')],
    expect({ exchanges: [exchange] }) {
      const listed = Object.fromEntries(JSON.parse(`${exchange?.response.body}`));
      const [user, , list] = listed.get;
      expect(Object.keys(listed)).to.deep.equal(['get', 'post']);
      expect(user).to.deep.include({ path: '/u/:id/:op?', method: 'get', callbacks: 1 });
      expect(user.keys).to.deep.equal([
        { name: 'id', optional: false },
        { name: 'op', optional: true },
      ]);
      expect(user.regexp).to.equal('/^\\/u\\/(?:([^\\/]+?))(?:\\/([^\\/]+?))?\\/?$/i');
      expect(list.callbacks).to.equal(2);
    },
  }),
  express3Scenario({
    name: 'app.render uses registered engines and the locals of application and call',
    clauses: ['F-9.3-13', 'F-9.3-15', 'F-9.3-26', 'F-9.3-94', 'F-9.3-95'],
    build({ framework, files }) {
      const app = framework();
      app.set('views', join(files, '..', 'views'));
      app.engine('ejs', (path, values, done) => {
        const { settings: _settings, cache, _locals, ...rest } = values;
        done(null, JSON.stringify([path.split(/[\\/]/).pop(), cache, rest]));
      });
      app.engine('.txt', (_path, _values, done) => done(new Error('engine failed')));
      app.set('view engine', 'ejs');
      app.locals({ site: 'app', both: 'app' });
      app.get('/app', (_req, res, next) => {
        app.render('page', { both: 'call', extra: 1 }, (err, html) => (err ? next(err) : res.send(html)));
      });
      app.get('/plain', (_req, res, next) =>
        app.render('page.ejs', (err, html) => (err ? next(err) : res.send(html))),
      );
      app.get('/missing', (_req, res) => app.render('nowhere', (err) => res.send(500, err.message)));
      app.get('/res', (_req, res) => {
        res.locals({ both: 'res', user: 'ann' });
        res.locals.more = true;
        res.render('page', { extra: 2 });
      });
      app.get('/status', (_req, res) => res.status(201).render('page.ejs'));
      app.get('/back', (_req, res) =>
        res.render('page', (err, html) => res.send(err ? 500 : 200, html.length)),
      );
      app.get('/values', (_req, res) => res.render('page', { a: 1 }, (_err, html) => res.json(html)));
      app.get('/lost', (_req, res) => res.render('nowhere'));
      return app;
    },
    requests: [
      get('/app').expect({ json: ['page.ejs', false, { site: 'app', both: 'call', extra: 1 }] }),
      get('/plain').expect({ json: ['page.ejs', false, { site: 'app', both: 'app' }] }),
      get('/missing').expect({ status: 500, body: /^Failed to lookup view "nowhere" in views directory/ }),
      get('/res').expect({
        json: ['page.ejs', false, { site: 'app', both: 'res', user: 'ann', more: true, extra: 2 }],
      }),
      get('/status').expect({ status: 201 }),
      get('/back').expect({ body: '46' }),
      get('/values').expect({ json: '["page.ejs",false,{"site":"app","both":"app","a":1}]' }),
      get('/lost').expect({ status: 500 }),
    ],
  }),
  express3Scenario({
    name: 'app.use restores no prototypes if an accessor replaces req.app',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      Object.defineProperty(app.request, 'app', { get: () => 'other', set: () => undefined });
      app.use(framework());
      app.use((_req, res) => res.send('after the mounted application'));
      return app;
    },
    requests: [get('/').expect({ body: 'after the mounted application' })],
  }),
  express3Scenario({
    name: 'app.request and app.response: a primitive value leaves the prototypes of Node.js',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      const mounted = framework();
      const typesOf = (req: object, res: object) =>
        JSON.stringify([typeof Object(req).get, typeof Object(res).send]);
      mounted.use((req, res) => res.end(`mounted ${typesOf(req, res)}`));
      Object.assign(app, { request: 5 });
      app.use('/never', mounted);
      app.use((req, res) => res.end(typesOf(req, res)));
      return app;
    },
    requests: [get('/').expect({ json: ['undefined', 'function'] })],
  }),
  express3Scenario({
    name: 'app.listen returns the listening server',
    clauses: ['F-9.3-14'],
    build({ framework }) {
      const app = framework();
      app.get('/', (_req, res) => res.send('listening'));
      return new Promise((resolve) => {
        const server = app.listen(0, '127.0.0.1', () => resolve(server));
      });
    },
    requests: [get('/').expect({ body: 'listening' })],
  }),
  express3Scenario({
    name: 'an application can be the request listener of any server',
    clauses: ['F-9.3-14'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => res.send([req.host, req.path]));
      return createServer(app);
    },
    requests: [get('/').expect({ json: ['parity.test', '/'] }), get('/none').expect({ status: 404 })],
  }),
  express3Scenario({
    name: 'app.enable, app.disable and app.get write and read settings',
    clauses: ['F-9.3-16'],
    build({ framework }) {
      const app = framework();
      const before = [app.enabled('x'), app.disabled('x')];
      const chained = app.enable('x') === app && app.set('name', 'value') === app;
      const after = [app.enabled('x'), app.disabled('x'), app.get('x')];
      app.disable('x');
      app.get('/', (_req, res) =>
        res.send([
          before,
          after,
          chained,
          app.get('x'),
          app.get('name'),
          app.enabled('name'),
          app.get('none') ?? null,
        ]),
      );
      return app;
    },
    requests: [
      get('/').expect({ json: [[false, true], [true, false, true], true, false, 'value', true, null] }),
    ],
  }),
  express3Scenario({
    name: 'app.router runs at the first route, or where app.use registers it',
    clauses: ['F-9.3-06', 'F-9.3-07'],
    build({ framework }) {
      const app = framework();
      const named = framework();
      named.use(named.router);
      named.use((_req, res) => res.send('behind the router'));
      named.get('/route', (_req, res) => res.send('route'));
      app.use('/named', named);
      app.get('/first', (_req, res) => res.send('first'));
      app.use((_req, res) => res.send('middleware'));
      app.get('/second', (_req, res) => res.send('second, although defined behind'));
      return app;
    },
    requests: getEach(
      {
        'named/route': 'route',
        'named/other': 'behind the router',
        first: 'first',
        second: 'second, although defined behind',
        third: 'middleware',
      },
      (body) => ({ body }),
    ),
  }),
  express3Scenario({
    name: 'app.locals keeps the name and the length of its function',
    clauses: ['F-9.3-09'],
    build({ framework }) {
      const app = framework();
      app.locals({ name: 'other', length: 7 });
      return app.use((_req, res) => res.send([app.locals.name, app.locals.length]));
    },
    requests: [get('/').expect({ json: ['locals', 1] })],
  }),
  express3Scenario({
    name: 'a route matches with the keys that an application assigns to it',
    clauses: ['F-9.3-12'],
    build({ framework }) {
      const app = framework();
      app.get('/a', (req, res) => res.send(req.params.id ?? 'none'));
      for (const route of app.routes.get ?? [])
        Object.assign(route, { regexp: /^\/b-(.)$/, keys: [{ name: 'id', optional: false }] });
      return app;
    },
    requests: [get('/b-1').expect({ body: '1' }), get('/a').expect({ status: 404 })],
  }),
  express3Scenario({
    name: 'app.use accepts a server and a router, and throws for a value that is not a handler',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      const router = new framework.Router({ caseSensitive: true, strict: true });
      router.get('/Foo', (_req, res) => res.send('Foo'));
      router.all('/all', (req, res) => res.send(req.method));
      app.use('/r', router.middleware);
      app.use(
        '/server',
        createServer((req, res) => res.end(`${req.url}`)),
      );
      return app;
    },
    requests: [
      get('/r/Foo').expect({ body: 'Foo' }),
      get('/r/foo').expect({ status: 404 }),
      put('/r/all', '').expect({ body: 'PUT' }),
      get('/server/x').expect({ body: '/x' }),
    ],
  }),
  express3Scenario({
    name: 'app.param passes an error that its callback throws to the error handlers',
    clauses: ['F-9.3-04'],
    build({ framework }) {
      const app = framework();
      app.param('thrown', () => {
        throw new Error('thrown');
      });
      app.get('/thrown/:thrown', (_req, res) => res.send(200), caught);
      return app;
    },
    requests: [get('/thrown/1').expect({ status: 500, body: 'caught thrown' })],
  }),
  express3Scenario({
    name: 'the setting etag gives responses weak, strong, own or no ETags',
    clauses: ['F-9.3-16'],
    build({ framework }) {
      const main = framework();
      for (const [name, [value]] of Object.entries(ETAGS)) {
        const app = framework();
        app.set('etag', value);
        app.get('/', (_req, res) => res.send('hello'));
        app.get('/bytes', (_req, res) => res.send(Buffer.from('hello')));
        main.use(`/${name}`, app);
      }
      return main;
    },
    requests: Object.entries(ETAGS).flatMap(([name, [, etag]]) =>
      ['', '/bytes'].map((path) => get(`/${name}${path}`).expect({ status: 200, etag })),
    ),
  }),
  express3Scenario({
    name: 'app.router is a property that can be listed and replaced',
    clauses: ['F-9.3-08'],
    build({ framework }) {
      const app = framework();
      const { configurable, enumerable } = Object.getOwnPropertyDescriptor(app, 'router') ?? {};
      const isListed = Object.keys(app).includes('router');
      app.get('/', (_req, res) => res.send([configurable, enumerable, isListed]));
      return app;
    },
    requests: [get('/')],
  }),
];
