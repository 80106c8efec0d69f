/** Scenarios for the properties of a response. §2.7 */
import type { RequestHandler } from 'express';
import { get, onOneConnection } from '../../parity/client/request';
import { expectGets, gets, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

const NO_MEMBER = [
  [false, false],
  [false, false],
];

export default [
  scenario({
    name: 'res.app and res.req belong to the current request, also in a mounted application',
    clauses: ['F-2.7-01', 'F-2.7-06'],
    build({ framework }) {
      const app = framework();
      const sub = framework();
      sub.get('/', (req, res) =>
        res.json([res.app === sub, req.app === sub, res.req === req, req.res === res]),
      );
      app.get('/', (req, res) =>
        res.json([res.app === app, req.app === app, res.req === req, req.res === res]),
      );
      app.use('/sub', sub);
      app.use((_req, res) => res.json([res.app === app]));
      return app;
    },
    requests: expectGets({
      ...Object.fromEntries(['/', '/sub'].map((path) => [path, { json: [true, true, true, true] }])),
      '/sub/other': { json: [true] },
    }),
  }),
  scenario({
    name: 'res.headersSent is true after the headers are sent',
    clauses: ['F-2.7-02'],
    build: routes({
      '/': (_req, res) => {
        res.write(`${res.headersSent}, `);
        res.end(String(res.headersSent));
      },
    }),
    requests: expectGets({ '/': 'false, true' }),
  }),
  scenario({
    name: 'res.locals are local variables of the views of this response',
    clauses: ['F-2.7-03'],
    build({ framework }) {
      const app = framework();
      app.set(
        'view',
        class {
          readonly path = 'view';
          render(options: { who: string }, done: (err: null, html: string) => void): void {
            done(null, options.who);
          }
        },
      );
      return app.get('/', (_req, res) => {
        res.locals.who = 'Ada';
        res.render('view');
      });
    },
    requests: expectGets({ '/': 'Ada' }),
  }),
  scenario({
    name: 'res.locals lasts for one request and has no prototype',
    clauses: ['F-2.7-03', 'F-2.7-04'],
    build({ framework }) {
      const app = framework();
      app.use((_req, res, next) => {
        res.locals.count = (res.locals.count ?? 0) + 1;
        next();
      });
      app.get('/', (_req, res) =>
        res.json([res.locals, Object.getPrototypeOf(res.locals), 'toString' in res.locals]),
      );
      const sub = framework();
      sub.get('/', (_req, res) => res.json(res.locals));
      app.use('/sub', sub);
      return app;
    },
    requests: [
      onOneConnection(
        ...[get('/'), get('/')].map((one) => one.expect({ json: [{ count: 1 }, null, false] })),
        get('/sub').expect({ json: { count: 1 } }),
      ),
      get('/'),
    ],
  }),
  scenario({
    name: 'the application keeps res.locals that were set before it runs',
    clauses: ['F-2.7-03'],
    build({ framework }) {
      const app = framework();
      app.get('/', (_req, res) => res.json(res.locals));
      return (req, res) => {
        Object.assign(res, { locals: { early: true } });
        app(req, res);
      };
    },
    requests: [get('/').expect({ json: { early: true } })],
  }),
  scenario({
    name: 'members added to app.request and app.response exist in the application and those mounted in it',
    clauses: ['F-2.6-01', 'F-2.6-02', 'F-2.7-01'],
    build({ framework }) {
      const app = framework();
      const sub = framework();
      const tell: RequestHandler = (req, res) =>
        void res.json(['ofParent', 'ofMounted'].map((name) => [name in req, name in res]));
      app.get('/extend', (_req, res) => {
        for (const each of [app.request, app.response]) Object.assign(each, { ofParent: true });
        for (const each of [sub.request, sub.response]) Object.assign(each, { ofMounted: true });
        res.end();
      });
      sub.get('/', tell);
      app.use('/sub', sub);
      app.use(tell);
      return app;
    },
    requests: [
      ...gets('/', '/sub').map((one) => one.expect({ json: NO_MEMBER })),
      get('/extend'),
      get('/').expect({ json: [[true, true], NO_MEMBER[1]] }),
      get('/sub').expect({
        json: [
          [true, true],
          [true, true],
        ],
      }),
      get('/sub/nowhere').expect({ json: [[true, true], NO_MEMBER[1]] }),
    ],
  }),
];
