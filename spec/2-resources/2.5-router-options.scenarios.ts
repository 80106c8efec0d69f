/** Scenarios for the options of a router, and for `req.route`. §2.5 */
import { get } from '../../parity/client/request';
import { expectGets } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'express.Router uses the options caseSensitive, strict and mergeParams',
    clauses: ['F-2.5-01', 'F-2.5-02', 'F-2.5-03', 'F-2.5-04', 'F-2.5-05', 'F-2.5-07', 'F-2.5-08'],
    build({ framework }) {
      const app = framework();
      const all = { plain: {}, exact: { caseSensitive: true, strict: true }, merged: { mergeParams: true } };
      for (const [name, options] of Object.entries(all)) {
        const router = framework.Router(options);
        router.get('/Foo', (req, res) => void res.json(req.params));
        router.get('/own/:id', (req, res) => void res.json(req.params));
        app.use(`/${name}/:id`, router);
      }
      return app;
    },
    requests: expectGets({
      '/plain/1/Foo': { json: {} },
      '/plain/1/foo': { json: {} },
      '/plain/1/Foo/': { json: {} },
      '/plain/1/own/2': { json: { id: '2' } },
      '/exact/1/Foo': { json: {} },
      '/exact/1/foo': { status: 404 },
      '/exact/1/Foo/': { status: 404 },
      '/exact/1/own/2': { json: { id: '2' } },
      '/merged/1/Foo': { json: { id: '1' } },
      '/merged/1/foo': { json: { id: '1' } },
      '/merged/1/Foo/': { json: { id: '1' } },
      '/merged/1/own/2': { json: { id: '2' } },
    }),
  }),
  scenario({
    name: 'req.route has the path, methods and stack of the current route',
    clauses: ['F-2.5-09', 'F-2.5-10', 'F-2.5-11', 'F-2.5-12', 'F-2.5-13', 'F-2.6-41'],
    build({ framework }) {
      const app = framework();
      app.get(
        '/users/:id',
        function named(_req, _res, next) {
          next();
        },
        (req, res) => {
          const { path, methods, stack } = req.route;
          res.json({
            path,
            methods,
            stack: stack.map(({ name, method }: { name: string; method: string }) => [name, method]),
          });
        },
      );
      return app;
    },
    requests: [
      get('/users/7').expect({
        json: {
          ...{ path: '/users/:id', methods: { get: true } },
          stack: ['named', '<anonymous>'].map((name) => [name, 'get']),
        },
      }),
    ],
  }),
  scenario({
    name: 'layers of req.route.stack have keys, params and path',
    clauses: ['F-2.5-14'],
    build({ framework }) {
      const app = framework();
      app.get('/users/:id', (req, res) => {
        const [layer] = req.route.stack;
        res.json(['keys', 'params', 'path', 'method', 'handle', 'name'].map((name) => [name, name in layer]));
      });
      return app;
    },
    requests: [get('/users/7')],
  }),
];
