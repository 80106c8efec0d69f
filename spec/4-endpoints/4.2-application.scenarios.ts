/** Scenarios for route methods, paths, and other members of an application. §4.2 */
import { METHODS } from 'node:http';
import type { RequestHandler } from 'express';
import { get, options, post, put, request } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

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

const tell: RequestHandler = (req, res) => {
  res.json({ method: req.method, path: req.route?.path?.toString(), params: req.params });
};

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
      return app as never;
    },
    requests: [
      ...LISTED.flatMap((method) => ['/own', '/all', '/router/own'].map((path) => request(method, path))),
      get('/offered'),
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
    requests: [
      '/api/users',
      '/api/users/7',
      '/api/users/7/8',
      '/one',
      '/two/2',
      '/three/x',
      '/axb',
      '/a.b',
      '/files/a.b.c',
      '/files/a',
      '/',
      '/x/y',
    ].map((path) => get(path)),
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
      return app;
    },
    requests: ['/*', '/:', '/a?', '/(b)', '/+', '/[', '/!', '/{a', '/:a:b', '/"x"'].map((path) =>
      post('/', path, { 'Content-Type': 'text/plain' }),
    ),
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
      return app;
    },
    requests: [get('/')],
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
    requests: [get('/'), put('/all'), get('/none')],
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
    requests: [get('/x'), put('/x'), post('/x'), options('/x')],
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
    requests: [get('/all'), post('/post'), get('/several')],
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
    requests: [get('/'), get('/blog'), get('/bs/admin')],
  }),
];
