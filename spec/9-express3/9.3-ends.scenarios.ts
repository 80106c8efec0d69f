/** Scenarios for the pages for 404 and errors, rejected promises, and unusual mounts in Express 3. §9.3 */
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
      get('/none?<x>'),
      head('/none'),
      post('/none', 'x'.repeat(1000)),
      options('/none'),
      ...['/error', '/status', '/code', '/former', '/text', '/late', '/late404'].map((path) => get(path)),
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
    requests: [get('/error'), get('/status')],
  }),
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
    requests: [get('/told'), get('/'), get('/inner')],
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
    requests: [get('/')],
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
    requests: ['/connect/deep/x?y', '/connect/none', '/twice/deep', '/'].map((path) => get(path)),
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
    requests: [get('/blog/admin'), get('/blog/admin/next')],
  }),
];
