/** Scenarios for the locals, mount path and router of an application. §2.1 */
import type { RequestHandler } from 'express';
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'app.locals keeps values between requests, and app.mountpath is the mount pattern',
    clauses: ['F-2.1-01', 'F-2.1-03', 'F-2.1-04', 'F-2.1-06', 'F-2.1-07', 'F-2.1-08'],
    build({ framework }) {
      const [app, one, several] = [framework(), framework(), framework()];
      const [slash, twice] = [framework(), framework()];
      app.locals.count = 0;
      app.use(slash).use('/first', twice).use('/last', twice);
      for (const sub of [one, several]) {
        sub.get('/', (req, res) =>
          res.json([sub.mountpath, sub.path(), req.baseUrl, Object.keys(req.app.locals)]),
        );
      }
      app.use('/users/:id', one);
      app.use(['/a', '/b{/:c}'], several);
      app.get('/', (req, res) => res.json([++req.app.locals.count, app.mountpath, Object.keys(app.locals)]));
      app.get('/mounts', (_req, res) => res.json([slash.mountpath, twice.mountpath]));
      app.get('/locals', (_req, res) =>
        res.json([Object.getPrototypeOf(app.locals), app.locals.settings === Object(app).settings]),
      );
      return app;
    },
    requests: [
      get('/').expect({ json: [1, '/', ['settings', 'count']] }),
      get('/').expect({ json: [2, '/', ['settings', 'count']] }),
      get('/mounts').expect({ json: ['/', '/last'] }),
      get('/locals').expect({ json: [null, true] }),
      get('/users/7').expect({ json: ['/users/:id', '/users/:id', '/users/7', ['settings']] }),
      get('/a').expect({ json: [['/a', '/b{/:c}'], '/a,/b{/:c}', '/a', ['settings']] }),
      get('/b/c').expect({ json: [['/a', '/b{/:c}'], '/a,/b{/:c}', '/b/c', ['settings']] }),
    ],
  }),
  scenario({
    name: 'app.router is created on first access, reads the settings then, and keeps the order of all layers',
    clauses: ['F-2.1-09', 'F-2.1-10', 'F-2.1-11'],
    build({ framework }) {
      const [app, other] = [framework(), framework()];
      app.enable('strict routing');
      const { router } = app;
      app.disable('strict routing');
      const note =
        (name: string): RequestHandler =>
        (_req, res, next) => {
          res.append('X-Order', name);
          next();
        };
      app.use(note('app.use'));
      router.use(note('router.use'));
      app.get('/strict', note('app.get'));
      router.get('/strict', (_req, res) => res.send('strict'));
      other.get('/', (_req, res) => res.send('old'));
      const { router: former } = other;
      other.init();
      app.get('/again', (_req, res) => res.json([other.router === former, other.router.stack]));
      app.get('/same', (_req, res) => {
        let refused = '';
        try {
          Object.assign(app, { router: framework.Router() });
        } catch (error) {
          refused = String((error as Error).name);
        }
        res.json([app.router === router, typeof router, router.stack.length, refused]);
      });
      return app;
    },
    requests: [
      get('/strict').expect({ 'x-order': ['app.use', 'router.use', 'app.get'], body: 'strict' }),
      get('/strict/').expect({ status: 404, 'x-order': ['app.use', 'router.use'] }),
      get('/again').expect({ json: [false, []] }),
      get('/same').expect({ json: [true, 'function', 6, 'TypeError'] }),
    ],
  }),
];
