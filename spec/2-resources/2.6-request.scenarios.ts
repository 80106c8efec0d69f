/** Scenarios for the properties of a request. §2.6 */
import type { Expected } from '../../parity/client/messages';
import { get, post } from '../../parity/client/request';
import { expectGets } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

/** Returns what is expected of the members of `GET /`, if these members have other values. */
const has = (others: Readonly<Record<string, unknown>>): Expected => ({
  json: {
    baseUrl: '',
    originalUrl: '/',
    url: '/',
    path: '/',
    method: 'GET',
    params: { splat: ['', ''] },
    host: 'parity.test',
    hostname: 'parity.test',
    protocol: 'http',
    subdomains: [],
    xhr: false,
    own: true,
    body: true,
    ...others,
  },
});

const FRESH: Expected = { body: 'true false' };
const STALE: Expected = { body: 'false true' };

export default [
  scenario({
    name: 'req has the URL, host, method and connection of the request',
    clauses: [
      'F-2.6-02',
      'F-2.6-03',
      'F-2.6-04',
      'F-2.6-14',
      'F-2.6-15',
      'F-2.6-19',
      'F-2.6-20',
      'F-2.6-21',
      'F-2.6-22',
      'F-2.6-33',
      'F-2.6-34',
      'F-2.6-35',
      'F-2.6-48',
      'F-2.6-50',
      'F-2.7-01',
      'F-2.7-06',
    ],
    build({ framework }) {
      const [app, sub] = [framework(), framework()];
      for (const one of [app, sub]) {
        one.all('{*splat}', (req, res, next) => {
          if (req.path === '/admin' && one === app) return next();
          const {
            baseUrl,
            originalUrl,
            url,
            path,
            method,
            host,
            hostname,
            protocol,
            subdomains,
            xhr,
            params,
          } = req;
          res.json({
            baseUrl,
            originalUrl,
            url,
            path,
            method,
            host,
            hostname,
            protocol,
            subdomains,
            xhr,
            params,
            own: req.app === one && res.app === one && req.res === res && res.req === req,
            body: req.body === undefined,
          });
        });
      }
      const main = framework();
      main.use('/admin', sub);
      main.use(app);
      return main;
    },
    requests: [
      get('/admin').expect(has({ baseUrl: '/admin', originalUrl: '/admin' })),
      get('/admin?x=1').expect(has({ baseUrl: '/admin', originalUrl: '/admin?x=1', url: '/?x=1' })),
      get('/admin/users/?y=%20').expect(
        has({
          baseUrl: '/admin',
          originalUrl: '/admin/users/?y=%20',
          url: '/users/?y=%20',
          path: '/users/',
          params: { splat: ['', 'users', ''] },
        }),
      ),
      post('/a%2Fb//c?d', 'body', {
        Host: 'a.b.parity.test:8080',
        'X-Requested-With': 'xmlhttprequest',
      }).expect(
        has({
          originalUrl: '/a%2Fb//c?d',
          url: '/a%2Fb//c?d',
          path: '/a%2Fb//c',
          method: 'POST',
          xhr: true,
          host: 'a.b.parity.test:8080',
          hostname: 'a.b.parity.test',
          subdomains: ['b', 'a'],
          params: { splat: ['', 'a/b', '', 'c'] },
        }),
      ),
      get('/', { 'X-Requested-With': 'XMLHttpRequest' }).expect(has({ xhr: true })),
      get('/', { 'X-Requested-With': 'fetch', Host: '127.0.0.1:8080' }).expect(
        has({ host: '127.0.0.1:8080', hostname: '127.0.0.1' }),
      ),
      get('/', { Host: false, Connection: 'close' }),
      get('http://elsewhere.test/absolute?x'),
    ],
  }),
  scenario({
    name: 'req.params are decoded, and the response is 400 if decoding fails',
    clauses: ['F-2.6-23', 'F-2.6-24', 'F-2.6-25', 'F-2.6-27'],
    build({ framework }) {
      const app = framework();
      app.get('/one/:name', (req, res) => void res.json(req.params));
      app.get('/file/:name{.:ext}', (req, res) => void res.json(req.params));
      app.get('/all/{*rest}', (req, res) => void res.json(req.params));
      app.get('/range/:from-:to', (req, res) => void res.json(req.params));
      app.get(/^\/re\/(\d+)\/(?<word>\w+)$/, (req, res) => void res.json(req.params));
      app.use((req, res) => void res.status(404).json(req.params));
      return app;
    },
    requests: expectGets({
      '/one/a%20b': { json: { name: 'a b' } },
      '/one/%E4%BD%A0': { json: { name: '你' } },
      '/one/a%2Fb': { json: { name: 'a/b' } },
      '/one/%zz': { status: 400, body: /Failed to decode param &#39;%zz&#39;/ },
      '/one/%C3': { status: 400 },
      '/file/a.txt': { json: { name: 'a', ext: 'txt' } },
      '/file/a': { json: { name: 'a' } },
      '/all': { status: 404 },
      '/all/a/b%2Fc/d': { json: { rest: ['a', 'b/c', 'd'] } },
      '/range/1-2': { json: { from: '1', to: '2' } },
      '/re/12/ab': { json: { 0: '12', word: 'ab' } },
      '/re/x/ab': { status: 404, json: {} },
    }),
  }),
  scenario({
    name: 'req.params are reset for the next route, but not between handlers of one route',
    clauses: ['F-2.6-28', 'F-2.6-29', 'F-2.6-30', 'F-2.6-31', 'F-4.2-51'],
    build({ framework }) {
      const app = framework();
      app.param('id', (req, _res, next, id) => {
        req.params.id = `${id}!`;
        next();
      });
      app.get(
        '/:n/:id',
        (req, res, next) => {
          req.params.n = 'changed';
          res.locals.trail = [];
          next();
        },
        (req, res, next) => {
          res.locals.trail.push({ ...req.params });
          next();
        },
      );
      app.get('/:n/:id', (req, res) => void res.json([...res.locals.trail, req.params]));
      return app;
    },
    requests: [
      get('/1/2').expect({
        json: [
          { n: 'changed', id: '2!' },
          { n: '1', id: '2!' },
        ],
      }),
    ],
  }),
  scenario({
    name: 'req.fresh and req.stale compare the validators of the request',
    clauses: ['F-2.6-10', 'F-2.6-11', 'F-2.6-12', 'F-2.6-13', 'F-2.6-47'],
    build({ framework }) {
      const app = framework();
      app.all('/{:status}', (req, res) => {
        res.set({ ETag: '"v1"', 'Last-Modified': 'Thu, 29 Feb 2024 12:00:00 GMT' });
        res.status(Number(req.params.status ?? 200));
        res.end(`${req.fresh} ${req.stale}`);
      });
      return app;
    },
    requests: [
      get('/').expect(STALE),
      get('/', { 'If-None-Match': '"v1"' }).expect(FRESH),
      get('/', { 'If-None-Match': 'W/"v1", "v2"' }).expect(FRESH),
      get('/', { 'If-None-Match': '*' }).expect(FRESH),
      get('/', { 'If-None-Match': '"v2"' }).expect(STALE),
      get('/', { 'If-Modified-Since': 'Thu, 29 Feb 2024 12:00:00 GMT' }).expect(FRESH),
      get('/', { 'If-Modified-Since': 'Thu, 29 Feb 2024 11:59:59 GMT' }).expect(STALE),
      get('/', { 'If-None-Match': '"v1"', 'Cache-Control': 'no-cache' }).expect(STALE),
      get('/500', { 'If-None-Match': '"v1"' }).expect(STALE),
      post('/', undefined, { 'If-None-Match': '"v1"' }).expect(STALE),
    ],
  }),
];
