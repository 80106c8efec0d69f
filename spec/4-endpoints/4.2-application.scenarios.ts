/** Scenarios for route methods, paths, and other members of an application. §4.2 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { METHODS } from 'node:http';
import { join } from 'node:path';
import type { Application, RequestHandler, Response, Router } from 'express';
import { get, options, post, put, request } from '../../parity/client/request';
import { expectGets } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';
import { braces } from '../support/files';

const LISTED = [
  'CHECKOUT',
  'COPY',
  'DELETE',
  'GET',
  'HEAD',
  'LOCK',
  'MERGE',
  'MKACTIVITY',
  'MKCOL',
  'MOVE',
  'M-SEARCH',
  'NOTIFY',
  'OPTIONS',
  'PATCH',
  'POST',
  'PURGE',
  'PUT',
  'REPORT',
  'SEARCH',
  'SUBSCRIBE',
  'TRACE',
  'UNLOCK',
  'UNSUBSCRIBE',
];

type Verbs = Record<string, (handler: RequestHandler) => void>;

const tell: RequestHandler = (req, res) => {
  res.json({ method: req.method, path: req.route?.path?.toString(), params: req.params });
};

/** What `tell` responds to GET. */
const toldOf = (path: string, params: object) => ({ method: 'GET', path, params });
const LIST = '/one,/two/:n,/^\\/three\\/(\\w+)$/';

const MALFORMED = ['/*', '/:', '/(a)', '/a?', '/a+', '/[a]', '/{a', '/a}', '/:a:b', '/!', '/\\', '/:"a'];
type Done = (err: unknown, html?: string) => void;

function writeViews(folder: string): void {
  const views = {
    'hello.txt': 'Hello {name}',
    'hello.ejs': 'Hello <%= name %>',
    'abc.txt': '{a}{b}{c}',
    'a.depd': '',
    'a.nowhere': '',
    'folder.txt/hello.txt': 'second',
  };
  mkdirSync(join(folder, 'folder.txt'), { recursive: true });
  for (const [name, text] of Object.entries(views)) writeFileSync(join(folder, name), text);
}

/** Returns a callback that sends the HTML, or the error without the folders. */
const sendTo = (res: Response) => (err: unknown, html?: string) =>
  void res.send(err ? String(err).split(' in views')[0] : html);

/** Calls a function that throws. Returns the first line of the error. */
function messageOf(act: () => unknown): string {
  try {
    return typeof act();
  } catch (error) {
    return String(error).split('\n')[0] ?? '';
  }
}

const USED = ['a', 'b', 'c', 'router', 'sub'];
const TEXT = { 'Content-Type': 'text/plain' };

export default [
  scenario({
    name: 'each route method, such as app.get, handles only its HTTP method',
    clauses: [
      ...LISTED.map((_method, index) => `F-4.2-${String(index + 1).padStart(2, '0')}`),
      'F-4.2-24',
      'F-4.2-25',
      'F-4.2-39',
    ],
    build({ framework }) {
      const app = framework() as unknown as Record<string, (path: string, handler: RequestHandler) => void>;
      const router = framework.Router() as unknown as typeof app;
      for (const method of LISTED) {
        app[method.toLowerCase()]?.('/own', (req, res) => void res.set('X-Route', method).end(req.method));
        router[method.toLowerCase()]?.('/own', (req, res) => void res.set('X-Route', method).end(req.method));
      }
      app.all?.('/all', (req, res) => void res.set('X-Route', 'all').end(req.method));
      app.use?.('/router', router as unknown as RequestHandler);
      app.get?.('/offered', (_req, res) => {
        res.json(METHODS.filter((method) => typeof app[method.toLowerCase()] === 'function'));
      });
      const only = framework() as unknown as typeof app;
      for (const method of LISTED) {
        const name = method.toLowerCase();
        const taken: RequestHandler = (_req, res) => void res.set('X-Route', method).end('taken');
        const routeOf = (path: string) => (router as unknown as Router).route(path) as unknown as Verbs;
        only[name]?.(`/${name}`, taken);
        router[name]?.(`/${name}`, taken);
        routeOf(`/route/${name}`)[name]?.(taken);
        routeOf('/route')[name]?.(taken);
      }
      app.use?.('/only', only as unknown as RequestHandler);
      app.get?.('/router-lacks', (_req, res) => {
        res.json(METHODS.filter((method) => typeof router[method.toLowerCase()] !== 'function'));
      });
      return app as never;
    },
    requests: [
      ...LISTED.flatMap((method) => [
        // The route of GET is registered before that of HEAD.
        request(method, '/own').expect({ status: 200, 'x-route': method === 'HEAD' ? 'GET' : method }),
        request(method, '/all').expect({ status: 200, 'x-route': 'all' }),
        request(method, '/router/own').expect({ status: 200, 'x-route': method === 'HEAD' ? 'GET' : method }),
      ]),
      get('/offered').expect({ json: METHODS }),
      ...LISTED.flatMap((method) => [
        request(method, '/router/route').expect({ 'x-route': method === 'HEAD' ? 'GET' : method }),
        ...['/only/', '/router/', '/router/route/'].flatMap((path) => [
          request(method, path + method.toLowerCase()).expect({ status: 200, 'x-route': method }),
          request(method === 'POST' ? 'PUT' : 'POST', path + method.toLowerCase()).expect({ status: 404 }),
        ]),
      ]),
      get('/router-lacks').expect({ json: [] }),
    ],
  }),
  scenario({
    name: 'app.get matches strings, patterns, regular expressions and arrays of them',
    clauses: ['F-4.2-26', 'F-4.2-27', 'F-4.2-28', 'F-4.2-29', 'F-4.2-37', 'F-4.2-38', 'F-4.2-40'],
    build({ framework }) {
      const app = framework();
      app.all('/api/{*splat}', (_req, res, next) => {
        res.set('X-Api', 'yes');
        next();
      });
      app.get('/api/users{/:id}', tell);
      app.get(['/one', '/two/:n', /^\/three\/(\w+)$/], tell);
      app.get('/a.b', tell);
      app.get('/files/:name.:ext', tell);
      app.get('/*rest', tell);
      return app;
    },
    requests: expectGets({
      '/api/users': { 'x-api': 'yes', json: toldOf('/api/users{/:id}', {}) },
      '/api/users/7': { 'x-api': 'yes', json: toldOf('/api/users{/:id}', { id: '7' }) },
      '/api/users/7/8': { 'x-api': 'yes', json: toldOf('/*rest', { rest: ['api', 'users', '7', '8'] }) },
      '/one': { 'x-api': undefined, json: toldOf(LIST, {}) },
      '/two/2': { json: toldOf(LIST, { n: '2' }) },
      '/three/x': { json: toldOf(LIST, { 0: 'x' }) },
      '/axb': { json: toldOf('/*rest', { rest: ['axb'] }) },
      '/a.b': { json: toldOf('/a.b', {}) },
      '/files/a.b.c': { json: toldOf('/files/:name.:ext', { name: 'a.b', ext: 'c' }) },
      '/files/a': { json: toldOf('/*rest', { rest: ['files', 'a'] }) },
      '/': { status: 404 },
      '/x/y': { json: toldOf('/*rest', { rest: ['x', 'y'] }) },
    }),
  }),
  scenario({
    name: 'app.get throws for invalid paths',
    clauses: ['F-4.2-27'],
    build({ framework }) {
      const app = framework();
      app.post('/', framework.text(), (req, res) => {
        try {
          framework().get(req.body, tell);
          res.send('taken');
        } catch (error) {
          res.send(String(error));
        }
      });
      app.post('/use', framework.text(), (req, res) => {
        try {
          framework().use(req.body, tell);
          res.send('taken');
        } catch (error) {
          res.send(String(error));
        }
      });
      return app;
    },
    requests: [
      ...['/*', '/:', '/a?', '/(b)', '/+', '/[', '/!', '/{a', '/:a:b', '/"x"'].map((path) =>
        post('/', path, TEXT).expect({ body: path === '/"x"' ? 'taken' : /^TypeError: .*; visit https:/ }),
      ),
      ...MALFORMED.flatMap((path) => [
        post('/', path, TEXT).expect({ body: /^TypeError: .*; visit https:/ }),
        post('/use', path, TEXT).expect({ body: /^TypeError: .*; visit https:/ }),
      ]),
    ],
  }),
  scenario({
    name: 'app methods throw for invalid arguments',
    clauses: ['F-4.2-32'],
    build({ framework }) {
      const attempts: Array<(app: ReturnType<typeof framework>) => unknown> = [
        (app) => app.use(undefined as never),
        (app) => app.use('/x' as never),
        (app) => app.use('/x', 'no function' as never),
        (app) => app.get('/x', undefined as never),
        (app) => app.get('/x', {} as never),
        (app) => app.route('/x').get(),
        (app) => app.param('id', 'no function' as never),
        (app) => app.param(undefined as never, () => {}),
        (app) => app.engine('x', undefined as never),
        (app) => app.set('etag', 'zz' as string),
        (app) => app.set('query parser', 'zz' as string),
        () => framework.static(undefined as never),
        () => framework.static(7 as never),
        () => framework.json({ limit: 'zz' }),
        () => framework.json({ verify: 7 as never }),
      ];
      const app = framework();
      app.get('/', (_req, res) => {
        const seen = attempts.map((attempt) => {
          try {
            attempt(framework());
            return 'taken';
          } catch (error) {
            return String(error);
          }
        });
        res.json(seen);
      });
      app.get('/routers', (_req, res) => {
        const router = framework.Router() as unknown as Record<string, (...args: unknown[]) => unknown>;
        const others: ReadonlyArray<() => unknown> = [
          () => framework().use('/x', 7 as never),
          () => framework().get('/x', 'y' as never),
          () => router.use?.(),
          () => router.use?.('/x', {}),
          () => router.post?.('/x'),
          () => router.handle?.({}, {}),
        ];
        const seen = others.map((attempt) => {
          try {
            return attempt();
          } catch (error) {
            return String(error);
          }
        });
        res.json(seen);
      });
      return app;
    },
    requests: [
      get('/').expect({
        body: /^\["TypeError: app.use\(\) requires a middleware function","TypeError: app.use\(\) requires a middleware function","TypeError: argument handler must be a function"/,
      }),
      get('/routers').expect({
        json: [
          'TypeError: argument handler must be a function',
          'TypeError: argument handler must be a function',
          'TypeError: argument handler is required',
          'TypeError: argument handler must be a function',
          'TypeError: argument handler is required',
          'TypeError: argument callback is required',
        ],
      }),
    ],
  }),
  scenario({
    name: 'app.use and routes accept callbacks, arrays of callbacks, routers and applications',
    clauses: [
      'F-4.2-30',
      'F-4.2-32',
      'F-4.2-33',
      'F-4.2-34',
      'F-4.2-35',
      'F-4.2-36',
      'F-4.2-41',
      'F-4.2-46',
      'F-4.2-47',
    ],
    build({ framework }) {
      const mark =
        (name: string): RequestHandler =>
        (_req, res, next) => {
          res.append('X-Trail', name);
          next();
        };
      const app = framework();
      const [router, sub] = [framework.Router(), framework()];
      router.use(mark('router'));
      sub.use(mark('sub'));
      // The types of Express allow only lists of handlers, not lists in lists.
      app.use(mark('a'), [mark('b'), [mark('c')]] as never, router, sub);
      app.get('/', [mark('d'), mark('e')], router, sub, mark('f'), tell);
      app.all('/all', mark('g'), mark('h'), tell);
      return app;
    },
    requests: [
      get('/').expect({ 'x-trail': [...USED, 'd', 'e', 'router', 'sub', 'f'], json: toldOf('/', {}) }),
      put('/all').expect({ 'x-trail': [...USED, 'g', 'h'], status: 200 }),
      get('/none').expect({ 'x-trail': USED, status: 404 }),
    ],
  }),
  scenario({
    name: 'app.route adds the route when it is called and returns it for chaining',
    clauses: ['F-4.2-48', 'F-4.2-49', 'F-4.2-50'],
    build({ framework }) {
      const app = framework();
      const route = app.route('/x').all((_req, res, next) => {
        res.set('X-All', 'yes');
        next();
      });
      app.get('/x', (_req, res) => res.send('later route'));
      route.get((_req, res) => res.send('earlier route')).put((_req, res) => res.send('put'));
      return app;
    },
    requests: [
      get('/x').expect({ 'x-all': 'yes', body: 'earlier route' }),
      put('/x').expect({ 'x-all': 'yes', body: 'put' }),
      post('/x').expect({ 'x-all': 'yes', status: 404 }),
      options('/x').expect({ allow: 'GET, HEAD' }),
    ],
  }),
  scenario({
    name: 'app.all and the route methods use the path / if none is given',
    clauses: ['F-4.2-31'],
    build({ framework }) {
      // The types of Express do not declare app.get() and the like without a path.
      type Pathless = Record<'all' | 'get' | 'post', (...handlers: RequestHandler[]) => unknown>;
      const attempts: Record<string, (app: Pathless) => unknown> = {
        all: (app) => app.all(tell),
        post: (app) => app.post(tell),
        several: (app) => app.get((_req, _res, next) => next(), tell),
        router(app) {
          const router = framework.Router() as unknown as Pathless;
          router.get(tell);
          router.all(tell, tell);
          (app as unknown as Application).use(router as unknown as Router);
        },
      };
      const main = framework();
      for (const [name, attempt] of Object.entries(attempts)) {
        const app = framework();
        try {
          attempt(app as unknown as Pathless);
          main.use(`/${name}`, app);
        } catch {
          main.use(`/${name}`, (_req, res) => void res.status(501).send('refused at registration'));
        }
      }
      return main;
    },
    requests: [
      get('/all').expect({ json: toldOf('/', {}) }),
      post('/post').expect({ json: { ...toldOf('/', {}), method: 'POST' } }),
      get('/several').expect({ json: toldOf('/', {}) }),
      get('/router').expect({ json: toldOf('/', {}) }),
      put('/router').expect({ json: { ...toldOf('/', {}), method: 'PUT' } }),
      get('/all/x').expect({ status: 404 }),
      get('/router/x').expect({ status: 404 }),
    ],
  }),
  scenario({
    name: 'app.path(), app.mountpath and app.locals have their values in mounted applications',
    clauses: ['F-2.1-01', 'F-2.1-03', 'F-2.1-04', 'F-2.1-06', 'F-2.1-07', 'F-2.1-08', 'F-4.2-54', 'F-4.2-55'],
    build({ framework }) {
      const [app, blog, admin] = [framework(), framework(), framework()];
      blog.use('/admin', admin);
      app.use(['/blog', '/b{log}s'], blog);
      app.locals.visits = 0;
      for (const one of [app, blog, admin]) {
        one.get('/', (req, res) => {
          app.locals.visits++;
          const { locals, mountpath } = req.app;
          res.json({ path: one.path(), mountpath, locals: Object.keys(locals), visits: app.locals.visits });
        });
      }
      return app;
    },
    requests: [
      get('/').expect({ json: { path: '', mountpath: '/', locals: ['settings', 'visits'], visits: 1 } }),
      get('/blog').expect({
        json: { path: '/blog,/b{log}s', mountpath: ['/blog', '/b{log}s'], locals: ['settings'], visits: 2 },
      }),
      get('/bs/admin').expect({
        json: { path: '/blog,/b{log}s/admin', mountpath: '/admin', locals: ['settings'], visits: 3 },
      }),
    ],
  }),
  scenario({
    name: 'app.set, app.get, app.enable, app.disable, app.enabled and app.disabled store and read settings',
    clauses: ['F-4.2-70', 'F-4.2-71', 'F-4.2-72', 'F-4.2-73', 'F-4.2-74', 'F-4.2-75'],
    build({ framework }) {
      const app = framework();
      app.get('/', (_req, res) => {
        const one = framework();
        const read = [one.get('title') ?? null, one.set('title', 'Nozomi') === one, one.get('title')];
        const on = [one.enable('x') === one, one.get('x')];
        const off = [one.disable('x') === one, one.get('x')];
        const enabled = [true, 'text', 1, false, undefined, null, 0, ''].map((value) => {
          one.set('x', value);
          return [one.enabled('x'), one.disabled('x')];
        });
        res.json({ read, on, off, enabled });
      });
      return app;
    },
    requests: [
      get('/').expect({
        json: {
          read: [null, true, 'Nozomi'],
          on: [true, true],
          off: [true, false],
          enabled: [...Array(3).fill([true, false]), ...Array(5).fill([false, true])],
        },
      }),
    ],
  }),
  scenario({
    name: 'app.engine registers an engine, app.render loads others once, and mounted applications inherit them',
    clauses: ['F-4.2-67', 'F-4.2-68', 'F-4.2-69'],
    build({ framework, folder }) {
      writeViews(folder);
      const made = () => framework().set('views', folder);
      const app = framework();
      app.get('/without-dot', (_req, res) =>
        made().engine('txt', braces).render('hello.txt', { name: 'Ada' }, sendTo(res)),
      );
      app.get('/with-dot', (_req, res) =>
        made().engine('.txt', braces).render('hello.txt', { name: 'Ada' }, sendTo(res)),
      );
      app.get('/no-function', (_req, res) => res.send(messageOf(() => made().engine('txt', null as never))));
      app.get('/package', (_req, res) => made().render('hello.ejs', { name: 'Ada' }, sendTo(res)));
      app.get('/replaced', (_req, res) => {
        const one = made();
        one.render('hello.ejs', { name: 'Ada' }, () => {
          const { engines } = one as unknown as { engines: Record<string, unknown> };
          const before = typeof engines['.ejs'];
          engines['.ejs'] = (_path: string, _options: object, done: Done) => done(null, `${before}, kept`);
          one.render('hello.ejs', {}, sendTo(res));
        });
      });
      app.get('/no-engine', (_req, res) => res.send(messageOf(() => made().render('a.depd', sendTo(res)))));
      app.get('/no-package', (_req, res) =>
        res.send(messageOf(() => made().render('a.nowhere', sendTo(res)))),
      );
      app.get('/inherited', (_req, res) => {
        const sub = made();
        framework().engine('txt', braces).use(sub);
        sub.render('hello.txt', { name: 'Bob' }, sendTo(res));
      });
      return app;
    },
    requests: expectGets({
      '/without-dot': 'Hello Ada',
      '/with-dot': 'Hello Ada',
      '/no-function': 'Error: callback function required',
      '/package': 'Hello Ada',
      '/replaced': 'function, kept',
      '/no-engine': 'Error: Module "depd" does not provide a view engine.',
      '/no-package': "Error: Cannot find module 'nowhere'",
      '/inherited': 'Hello Bob',
    }),
  }),
  scenario({
    name: 'app.render passes the HTML or an error to its callback, or throws for a view that it cannot look up',
    clauses: ['F-4.2-61', 'F-4.2-62', 'F-4.2-64'],
    build({ framework, folder }) {
      writeViews(folder);
      const made = () => framework().set('views', folder).engine('txt', braces);
      const app = framework();
      app.get('/locals', (_req, res) => {
        const one = made();
        Object.assign(one.locals, { a: 'app', b: 'app', c: 'app' });
        one.render('abc.txt', { a: 'call', _locals: { a: 'response', b: 'response' } }, sendTo(res));
      });
      app.get('/asynchronous', (_req, res) => {
        const one = made().engine('txt', (_path, _options, done) => done(null, 'sync'));
        const order: string[] = [];
        one.render('hello.txt', (_err: Error, html: string) => res.json([...order, html]));
        order.push('returned');
      });
      for (const [index, views] of ['/one', ['/one'], ['/one', '/two', '/three']].entries()) {
        app.get(`/missing/${index}`, (_req, res) => {
          made()
            .set('views', views)
            .render('nope.txt', (err: Error & { view: { name: string; path?: string } }) =>
              res.json([err.message, err.view.name, err.view.path ?? null]),
            );
        });
      }
      app.get('/throws', (_req, res) => {
        const one = made().engine('txt', () => {
          throw new Error('thrown');
        });
        one.render('hello.txt', sendTo(res));
      });
      app.get('/fails', (_req, res) => {
        const one = made().engine('txt', (_path, _options, done) => setImmediate(done, new Error('told')));
        one.render('hello.txt', sendTo(res));
      });
      app.get('/no-extension', (_req, res) => res.send(messageOf(() => made().render('hello', sendTo(res)))));
      app.get('/folder', (_req, res) => made().render('folder.txt', sendTo(res)));
      app.get('/invalid-views', (_req, res) => {
        const told = [undefined, null, 7, [undefined]].map((views) => {
          try {
            return made()
              .set('views', views as never)
              .render('hello.txt', sendTo(res));
          } catch (error) {
            return (error as NodeJS.ErrnoException).code;
          }
        });
        res.json(told);
      });
      app.get('/cached', (_req, res) => {
        const one = made();
        one.render('hello.txt', { cache: true, name: 'first' }, () => {
          one.set('views', join(folder, 'folder.txt'));
          one.render('hello.txt', { cache: true, name: 'Ada' }, (_err: Error, cached: string) =>
            one.render('hello.txt', (_error: Error, fresh: string) => res.json([cached, fresh])),
          );
        });
      });
      return app;
    },
    requests: expectGets({
      '/locals': 'callresponseapp',
      '/asynchronous': { json: ['returned', 'sync'] },
      '/missing/0': {
        json: ['Failed to lookup view "nope.txt" in views directory "/one"', 'nope.txt', null],
      },
      '/missing/1': {
        json: ['Failed to lookup view "nope.txt" in views directory "/one"', 'nope.txt', null],
      },
      '/missing/2': {
        json: [
          'Failed to lookup view "nope.txt" in views directories "/one", "/two" or "/three"',
          'nope.txt',
          null,
        ],
      },
      '/throws': 'Error: thrown',
      '/fails': 'Error: told',
      '/no-extension': 'Error: No default engine was specified and no extension was provided.',
      '/folder': 'Error: Failed to lookup view "folder.txt"',
      '/invalid-views': { json: Array(4).fill('ERR_INVALID_ARG_TYPE') },
      '/cached': { json: ['Hello Ada', 'second'] },
    }),
  }),
  ...['production', 'development'].map((env) =>
    scenario({
      name: `app.render ${env === 'production' ? 'caches' : 'does not cache'} views if NODE_ENV is ${env}`,
      clauses: ['F-4.2-65'],
      build({ framework, folder }) {
        writeViews(folder);
        const app = framework().set('views', folder);
        app.engine('txt', (_path, options, done) =>
          done(null, String((options as { cache?: unknown }).cache)),
        );
        app.get('/', (_req, res) => {
          const { cache } = app as unknown as { cache: object };
          app.render('hello.txt', (_err: Error, html: string) => res.json([html, Object.keys(cache)]));
        });
        return app;
      },
      requests: [get('/').expect({ json: env === 'production' ? ['true', ['hello.txt']] : ['false', []] })],
      env: { NODE_ENV: env },
    }),
  ),
];
