/** Scenarios for the options of a router, and for `req.route`. §2.5 */
import type { RequestHandler } from 'express';
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
          path: '/users/:id',
          methods: { get: true },
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
    requests: [
      get('/users/7').expect({
        json: ['keys', 'params', 'path', 'method', 'handle', 'name'].map((name) => [name, true]),
      }),
    ],
  }),
  scenario({
    name: 'caseSensitive applies to mount paths and strict does not, and mergeParams continues numbered parameters',
    clauses: ['F-2.5-02', 'F-2.5-05'],
    build({ framework }) {
      const exact = framework.Router({ caseSensitive: true, strict: true });
      exact.use('/foo/', (_req, res) => res.end());
      const merging = framework.Router({ mergeParams: true });
      merging.get(/^\/(.)(.)$/, (req, res) => void res.json(req.params));
      return framework()
        .use(exact)
        .use(/^\/(.)(.)(.)/, merging);
    },
    requests: expectGets({
      '/foo': { status: 200 },
      '/foo/bar': { status: 200 },
      '/Foo/': { status: 404 },
      '/abc/de': { json: { 0: 'a', 1: 'b', 2: 'c', 3: 'd', 4: 'e' } },
    }),
  }),
  scenario({
    name: 'req.route has a layer for each handler, and methods without a prototype',
    clauses: ['F-2.5-09', 'F-2.5-10', 'F-2.5-11'],
    build({ framework }) {
      const app = framework();
      const sendRoute: RequestHandler = ({ route }, res) =>
        void res.json([route.path, route.stack.length, route.methods, Object.getPrototypeOf(route.methods)]);
      app.route('/:id').get(sendRoute).post(sendRoute);
      return app;
    },
    requests: [get('/7').expect({ json: ['/:id', 2, { get: true, post: true }, null] })],
  }),
];
