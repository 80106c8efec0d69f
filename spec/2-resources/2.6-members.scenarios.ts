/** Scenarios for the type, the members, the parameters and the application of a request. §2.6 */
import { IncomingMessage } from 'node:http';
import { get, post } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'the request is an IncomingMessage with req.res, and has no body, files or cookies without parsers',
    clauses: ['F-2.6-01', 'F-2.6-05', 'F-2.6-06', 'F-2.6-40', 'F-2.6-51', 'F-9.1-02'],
    build({ framework }) {
      const app = framework();
      app.post('/bare', (req, res) => {
        const names = ['body', 'files', 'cookies', 'signedCookies', 'secret', 'session'];
        res.json([
          req instanceof IncomingMessage,
          req.res === res,
          res.req === req,
          names.map((name) => name in req),
        ]);
      });
      app.post('/parsed', framework.json(), framework.urlencoded(), (req, res) => res.json(req.body ?? null));
      return app;
    },
    requests: [
      post('/bare', { a: 1 }).expect({ json: [true, true, true, Array(6).fill(false)] }),
      post('/parsed', { a: 1 }).expect({ json: { a: 1 } }),
      post('/parsed', 'a=1&b=2', { 'Content-Type': 'application/x-www-form-urlencoded' }).expect({
        json: { a: '1', b: '2' },
      }),
      post('/parsed', 'text', { 'Content-Type': 'text/plain' }).expect({ json: null }),
    ],
  }),
  scenario({
    name: 'app.get throws for an unnamed wildcard, and params added by app.param do not reach the next route',
    clauses: ['F-2.6-26', 'F-2.6-30', 'F-2.6-31', 'F-2.6-32'],
    build({ framework }) {
      const app = framework();
      let refused = '';
      try {
        app.get('/file/*', (_req, res) => res.end());
      } catch (error) {
        refused = String(error);
      }
      app.param('n', (req, _res, next) => {
        req.params.n = 'changed';
        req.params.added = 'added';
        next();
      });
      app.get('/refused', (_req, res) => res.json(refused));
      app.get('/:n', (req, res, next) => {
        res.locals.first = { ...req.params };
        next();
      });
      app.get('/:n', (req, res) => res.json([res.locals.first, req.params]));
      return app;
    },
    requests: [
      get('/refused').expect({ body: /^"TypeError: Missing parameter name at index 7: \/file\/\*;/ }),
      get('/given').expect({ json: [{ n: 'changed', added: 'added' }, { n: 'changed' }] }),
    ],
  }),
  scenario({
    name: 'req.app is the current application, in the main and in a mounted application',
    clauses: ['F-2.6-02'],
    build({ framework }) {
      const [app, mounted] = [framework(), framework()];
      for (const one of [app, mounted]) {
        one.get(
          '/',
          (req, res) => void res.json({ isOwn: Object.hasOwn(req, 'app'), same: req.app === one }),
        );
      }
      app.use('/mounted', mounted);
      return app;
    },
    requests: [get('/'), get('/mounted')].map((one) => one.expect({ body: /"same":true/ })),
  }),
];
