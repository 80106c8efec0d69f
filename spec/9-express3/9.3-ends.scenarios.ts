/** Scenarios for the pages for 404 and errors, rejected promises, and unusual mounts in Express 3. §9.3 */
import { expect } from 'chai';
import type express3 from 'nozomi/3';
import { get, head, options, post } from '../../parity/client/request';
import { express3Scenario } from '../../parity/scenario/scenario';

export default [
  express3Scenario({
    name: 'the final handler responds if no handler responds or a handler fails',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      app.get('/error', (_req, _res, next) => next(new Error('two  blanks & <marks>')));
      app.get('/status', (_req, _res, next) => next(Object.assign(new Error('no'), { status: 403 })));
      app.get('/code', (_req, _res, next) => next(Object.assign(new Error('no'), { statusCode: 422 })));
      app.get('/former', (_req, res, next) => {
        res.status(410);
        next(new Error('gone'));
      });
      app.get('/text', (_req, _res, next) => next('text'));
      app.get('/late', (_req, res, next) => {
        res.write('late');
        next(new Error('late'));
      });
      app.get('/late404', (_req, res, next) => {
        res.end('late');
        next();
      });
      return app;
    },
    requests: [
      get('/none?<x>').expect({
        status: 404,
        body: 'Cannot GET /none?&lt;x&gt;\n',
        'x-content-type-options': 'nosniff',
      }),
      head('/none').expect({ status: 404, body: '' }),
      post('/none', 'x'.repeat(1000)).expect({ status: 404, body: 'Cannot POST /none\n' }),
      options('/none').expect({ status: 404 }),
      get('/error').expect({ status: 500, body: /^Error: two &nbsp;blanks &amp; &lt;marks&gt;/ }),
      get('/status').expect({ status: 403 }),
      get('/code').expect({ status: 422 }),
      get('/former').expect({ status: 410 }),
      get('/text').expect({ status: 500, body: 'text\n' }),
      get('/late').expect({ body: 'late', outcome: 'closed' }),
      get('/late404').expect({ body: 'late' }),
    ],
  }),
  express3Scenario({
    name: 'the error page shows only the status if NODE_ENV is production, whatever the setting env is',
    clauses: ['F-9.3-17'],
    env: { NODE_ENV: 'production' },
    build({ framework }) {
      const app = framework();
      app.set('env', 'development');
      app.get('/error', () => {
        throw new Error('secret');
      });
      app.get('/status', (_req, _res, next) => next(Object.assign(new Error('no'), { status: 403 })));
      return app;
    },
    requests: [
      get('/error').expect({ status: 500, body: 'Internal Server Error\n' }),
      get('/status').expect({ status: 403, body: 'Forbidden\n' }),
    ],
  }),
  ...[
    { NODE_ENV: 'development', setting: 'production', isLogged: true },
    { NODE_ENV: 'test', setting: 'development', isLogged: false },
  ].map(({ NODE_ENV, setting, isLogged }) =>
    express3Scenario({
      name: `an error is shown and ${isLogged ? '' : 'not '}logged if NODE_ENV is ${NODE_ENV}, whatever the setting env is`,
      clauses: ['F-9.3-17'],
      env: { NODE_ENV },
      build({ framework }) {
        const app = framework();
        app.set('env', setting);
        app.get('/error', () => {
          throw new Error('secret');
        });
        app.get('/799', (_req, _res, next) => next(Object.assign(new Error('no'), { status: 799 })));
        app.get('/499', (_req, _res, next) => next(Object.assign(new Error('no'), { statusCode: 499 })));
        return app;
      },
      requests: [
        get('/error').expect({ status: 500, body: /^Error: secret/ }),
        ...[799, 499].map((status) => get(`/${status}`).expect({ status, reason: 'unknown' })),
      ],
      expect: ({ stderr }) => expect(stderr.join().includes('secret')).to.equal(isLogged),
    }),
  ),
  express3Scenario({
    name: 'errors skip everything except error handlers',
    clauses: ['F-9.3-06'],
    build({ framework }) {
      const app = framework();
      const inner = framework();
      const told: express3.ErrorHandler = (err, _req, res, _next) => res.send(500, `told ${err.message}`);
      const passed: express3.ErrorHandler = (err, _req, _res, next) =>
        next(new Error(`${err.message}, passed`));
      app.use((_req, _res, next) => next(new Error('first')));
      app.get('/', (_req, res) => res.send('not here'));
      app.use((_req, res) => res.send('nor here'));
      app.use('/inner', inner);
      app.use(passed);
      app.use('/told', told);
      return app;
    },
    requests: [
      get('/told').expect({ status: 500, body: 'told first, passed' }),
      get('/').expect({ status: 500, body: /^Error: first, passed/ }),
      get('/inner').expect({ status: 500 }),
    ],
  }),
  express3Scenario({
    name: 'a rejected promise of a handler reaches error handlers',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      const told: express3.ErrorHandler = (err, _req, res, _next) => res.send(500, `told ${err.message}`);
      app.get('/', async () => {
        throw new Error('rejected');
      });
      app.use(told);
      return app;
    },
    requests: [get('/').expect({ status: 500, body: 'told rejected' })],
    patience: 800,
  }),
  express3Scenario({
    name: 'app.use mounts a function by its handle method if it has one',
    clauses: ['F-9.3-62'],
    build({ framework }) {
      const app = framework();
      const handle: express3.Handler = (req, res, next) => {
        if (req.url.startsWith('/deep')) res.end(`${req.url} ${req.originalUrl}`);
        else next();
      };
      const inner = Object.assign((() => {}) as express3.Handler, { handle });
      app.use('/connect', inner);
      app.use('/twice', inner);
      app.get('/', (_req, res) => res.send('own'));
      return app;
    },
    requests: [
      get('/connect/deep/x?y').expect({ body: '/deep/x?y /connect/deep/x?y' }),
      get('/connect/none').expect({ status: 404 }),
      get('/twice/deep').expect({ body: '/deep /twice/deep' }),
      get('/').expect({ body: 'own' }),
    ],
  }),
  express3Scenario({
    name: 'a mounted application emits mount and uses the members of its parent',
    clauses: ['F-9.3-14'],
    build({ framework }) {
      const [app, blog, admin] = [framework(), framework(), framework()];
      const heard: unknown[] = [];
      admin.on('mount', (parent: unknown) => heard.push(['admin', parent === blog, admin.path()]));
      blog.on('mount', (parent: unknown) => heard.push(['blog', parent === app, blog.path()]));
      blog.use('/admin', admin);
      app.use('/blog', blog);
      Object.assign(app.request, { shared: 'of the parent' });
      admin.get('/', (req, res) =>
        res.send([
          heard,
          app.path(),
          blog.path(),
          admin.path(),
          admin.route,
          (req as never as { shared: string }).shared,
        ]),
      );
      app.get('/blog/admin/next', (req, res) => res.send([req.app === app, req.url, res.app === app]));
      return app;
    },
    requests: [
      get('/blog/admin').expect({
        json: [
          [
            ['admin', true, '/admin'],
            ['blog', true, '/blog'],
          ],
          '',
          '/blog',
          '/blog/admin',
          '/admin',
          'of the parent',
        ],
      }),
      get('/blog/admin/next').expect({ json: [true, '/blog/admin/next', true] }),
    ],
  }),
  express3Scenario({
    name: 'an error handler that passes a falsy error on drops it',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const skipped: express3.ErrorHandler = (err, _req, _res, next) => next(err);
      const [app, routed] = [framework(), framework()];
      app.use((_req, _res, next) => next(0));
      app.use(skipped);
      routed.get('/', (_req, _res, next) => next(0), skipped);
      return (req, res) => {
        const served = req.headers['x-routed'] ? routed : app;
        served(req as never, res as never, (err: unknown) => res.end(`ended ${err}`));
      };
    },
    requests: [
      get('/').expect({ body: 'ended undefined' }),
      get('/', { 'X-Routed': 'yes' }).expect({ body: 'ended undefined' }),
    ],
  }),
];
