/** Scenarios for routes of several HTTP methods, on applications, routers and routes. §4.2, §4.3 */
import { del, get, post, put, request } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'app.get, post, put and delete run several callbacks for requests of their method',
    clauses: ['F-4.2-42', 'F-4.2-43', 'F-4.2-44', 'F-4.2-45', 'F-1-10', 'F-1-11'],
    build({ framework }) {
      const app = framework();
      for (const method of ['get', 'post', 'put', 'delete'] as const) {
        app[method](
          '/x',
          (_req, res, next) => {
            res.set('X-Route', method);
            next();
          },
          (req, res) => void res.send(`${req.method} ${req.path}`),
        );
      }
      return app;
    },
    requests: [get('/x'), post('/x'), put('/x'), del('/x'), request('PATCH', '/x')],
  }),
  scenario({
    name: 'router.all, router.route and methods such as router.get handle their requests',
    clauses: ['F-4.3-01', 'F-4.3-02', 'F-4.3-09', 'F-1-12'],
    build({ framework }) {
      const router = framework.Router();
      router.all('/all', framework.json(), (req, res) => void res.json({ all: req.body }));
      router.put('/put', framework.text(), (req, res) => void res.json({ put: req.body }));
      router
        .route('/route')
        .get((_req, res) => void res.send('get'))
        .post((_req, res) => void res.send('post'));
      return framework().use(router);
    },
    requests: [
      get('/all'),
      post('/all', { a: 1 }),
      put('/put', 'body', { 'Content-Type': 'text/plain' }),
      get('/put'),
      get('/route'),
      post('/route'),
      put('/route'),
    ],
  }),
];
