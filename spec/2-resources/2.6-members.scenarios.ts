/** Scenarios for the type, the members, the parameters and the application of a request. §2.6 */
import { IncomingMessage } from 'node:http';
import cookieParser from 'cookie-parser';
import { sign } from 'cookie-signature';
import type { RequestHandler } from 'express';
import { get, post, raw } from '../../parity/client/request';
import { expectGets } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';
import { outcomeOf } from '../support/outcome';

/** Values of the setting `subdomain offset`, and what is left of a host. */
const OFFSETS: ReadonlyArray<readonly [offset: string, host: string, labels: readonly string[]]> = [
  ['0', 'a.example.com', ['com', 'example', 'a']],
  ['0', '127.0.0.1', ['127.0.0.1']],
  ['1', 'a.example.com', ['example', 'a']],
  ['-1', 'a.example.com', ['a']],
  ['9', 'a.example.com', []],
];

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
  scenario({
    name: 'the prototype of req is app.request, req.app follows the running application, and baseUrl the mount path',
    clauses: ['F-2.6-01', 'F-2.6-02', 'F-2.6-03', 'F-2.6-04'],
    build({ framework }) {
      const [app, sub, outer, inner] = [framework(), framework(), framework.Router(), framework.Router()];
      const note: RequestHandler = (req, res, next) => {
        res.append('X-App', req.app === app ? 'app' : 'sub');
        next();
      };
      inner.get('/c', (req, res) => {
        const isOwn = Object.getPrototypeOf(req) === app.request;
        res.json([req.baseUrl, req.url, req.originalUrl, isOwn]);
      });
      outer.use('/:b', inner);
      sub.use(note);
      return app.use(note, sub, note).use('/{*a}/x', outer);
    },
    requests: [
      get('/1/2/x/3/c?q').expect({
        json: ['/1/2/x/3', '/c?q', '/1/2/x/3/c?q', true],
        'x-app': ['app', 'sub', 'app'],
      }),
    ],
  }),
  scenario({
    name: 'req.cookies and req.signedCookies have the values of cookie-parser',
    clauses: ['F-2.6-08', 'F-2.6-09', 'F-2.6-43', 'F-2.6-44', 'F-2.6-45', 'F-2.6-46'],
    build({ framework }) {
      const app = framework().use(cookieParser('secret'));
      return app.get('/', (req, res) => void res.json([req.cookies, req.signedCookies]));
    },
    requests: [
      get('/', { Cookie: 'a=1; b=%7B%7D; c=j:{"d":2}' }).expect({
        json: [{ a: '1', b: '{}', c: { d: 2 } }, {}],
      }),
      get('/', { Cookie: `u=s:${sign('ada', 'secret')}; v=s:${sign('ada', 'other')}; w=plain` }).expect({
        json: [{ w: 'plain' }, { u: 'ada', v: false }],
      }),
      get('/').expect({ json: [{}, {}] }),
    ],
  }),
  scenario({
    name: 'req.hostname omits the port, and req.subdomains as many labels as subdomain offset',
    clauses: ['F-2.6-14', 'F-2.6-15', 'F-2.6-48', 'F-2.6-49'],
    build: ({ framework }) =>
      framework().use((req, res) => {
        req.app.set('subdomain offset', Number(req.get('X-Offset') ?? 2));
        res.json([req.host, req.hostname, req.subdomains]);
      }),
    requests: Object.entries({
      'example.com': ['example.com', []],
      'example.com:3000': ['example.com', []],
      'tobi.ferrets.example.com': ['tobi.ferrets.example.com', ['ferrets', 'tobi']],
      'a.b.c.d.': ['a.b.c.d.', ['c', 'b', 'a']],
      '127.0.0.1:80': ['127.0.0.1', []],
      '[::1]:3000': ['[::1]', []],
      '[::1]': ['[::1]', []],
    })
      .map(([Host, seen]) => get('/', { Host }).expect({ json: [Host, ...seen] }))
      .concat(
        OFFSETS.map(([offset, Host, labels]) =>
          get('/', { Host, 'X-Offset': offset }).expect({ json: [Host, Host, labels] }),
        ),
        raw('GET / HTTP/1.0\r\n\r\n').expect({ json: [null, null, []] }),
      ),
  }),
  scenario({
    name: 'req.query is parsed at each access, follows req.url, and cannot be assigned; req.params has no prototype',
    clauses: ['F-2.6-24', 'F-2.6-36', 'F-2.6-37', 'F-2.6-38'],
    build({ framework }) {
      const [app, off] = [framework(), framework().disable('query parser')];
      off.use((req, res) => void res.json(req.query));
      app.get('/params', (req, res) => void res.json([req.params, Object.getPrototypeOf(req.params)]));
      app.get('/query', (req, res) => {
        const { query } = req;
        const assigning = outcomeOf(() => Object.assign(req, { query: {} })).slice(0, 9);
        res.json([query, query !== req.query, assigning]);
      });
      app.use('/off', off);
      app.use((req, res) => {
        req.url = '/?b=2';
        res.json(req.query);
      });
      return app;
    },
    requests: expectGets({
      '/params': { json: [{}, null] },
      '/query?q=tobi%20ferret&n=&list=1&list=2&bare': {
        json: [{ q: 'tobi ferret', n: '', list: ['1', '2'], bare: '' }, true, 'TypeError'],
      },
      '/query': { json: [{}, true, 'TypeError'] },
      '/off?a=1': { json: {} },
      '/?a=1': { json: { b: '2' } },
    }),
  }),
];
