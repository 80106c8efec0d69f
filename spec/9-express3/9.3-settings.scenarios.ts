/** Scenarios for the settings of Express 3: their defaults and effects. §9.3 */
import { get } from '../../parity/client/request';
import { express3Scenario } from '../../parity/scenario/scenario';

const NAMES = [
  'env',
  'x-powered-by',
  'etag',
  'subdomain offset',
  'trust proxy',
  'jsonp callback name',
  'json replacer',
  'json spaces',
  'case sensitive routing',
  'strict routing',
  'view cache',
  'view engine',
];

/** Creates a scenario for a value of NODE_ENV, in which a route responds with the default of each setting. */
function telling(env: string, clauses: readonly string[]) {
  return express3Scenario({
    name: `application settings have the documented defaults in ${env}`,
    clauses,
    env: { NODE_ENV: env },
    build({ framework }) {
      const app = framework();
      const views = app.get('views') as string;
      const settings = NAMES.map((name) => [name, String(app.get(name))]);
      app.get('/', (_req, res) => res.send(JSON.stringify([settings, views === `${process.cwd()}/views`])));
      app.get('/json', (_req, res) => res.json({ a: [1], b: { c: null } }));
      return app;
    },
    requests: [get('/'), get('/json')],
  });
}

export default [
  telling('development', [
    ...['F-9.3-17', 'F-9.3-18', 'F-9.3-19', 'F-9.3-20', 'F-9.3-21', 'F-9.3-23', 'F-9.3-24'],
    ...['F-9.3-26', 'F-9.3-27'],
  ]),
  telling('production', ['F-9.3-17', 'F-9.3-22', 'F-9.3-25']),
  express3Scenario({
    name: 'json replacer and json spaces change JSON bodies',
    clauses: ['F-9.3-20', 'F-9.3-21', 'F-9.3-22'],
    build({ framework }) {
      const app = framework();
      const inner = framework();
      inner.set('json spaces', '--');
      inner.get('/', (_req, res) => res.json({ a: 1 }));
      app.set('json replacer', (key: string, value: unknown) => (key === 'secret' ? undefined : value));
      app.set('json spaces', 0);
      app.get('/', (_req, res) => res.json({ secret: 1, open: 2 }));
      app.use('/inner', inner);
      return app;
    },
    requests: [get('/'), get('/inner')],
  }),
  express3Scenario({
    name: 'a mounted application inherits the settings that it does not set itself',
    clauses: ['F-9.3-18', 'F-9.3-20', 'F-9.3-22'],
    env: { NODE_ENV: 'production' },
    build({ framework }) {
      const [app, inner] = [framework(), framework()];
      app.set('json spaces', 1).set('of parent', 'yes').enable('trust proxy');
      inner.get('/', (req, res) => res.json([inner.get('of parent'), req.protocol, inner.path()]));
      app.use('/inner', inner);
      return app;
    },
    requests: [get('/inner', { 'X-Forwarded-Proto': 'https' })],
  }),
  express3Scenario({
    name: 'jsonp callback name sets the query parameter with the callback',
    clauses: ['F-9.3-19'],
    build({ framework }) {
      const app = framework();
      app.set('jsonp callback name', 'cb');
      app.get('/', (_req, res) => res.jsonp({ a: 1 }));
      return app;
    },
    requests: [get('/?cb=go'), get('/?callback=go')],
  }),
  express3Scenario({
    name: 'case sensitive routing and strict routing distinguish similar paths',
    clauses: ['F-9.3-23', 'F-9.3-24'],
    build({ framework }) {
      const app = framework();
      const exact = framework();
      exact.enable('case sensitive routing').enable('strict routing');
      exact.get('/Foo', (_req, res) => res.send('Foo'));
      exact.get('/foo/', (_req, res) => res.send('foo/'));
      app.use('/exact', exact);
      app.get('/Bar', (_req, res) => res.send('Bar'));
      return app;
    },
    requests: [
      ...['/bar', '/BAR/', '/bar//', '/exact/Foo', '/exact/foo', '/exact/foo/', '/EXACT/Foo'].map((path) =>
        get(path),
      ),
    ],
  }),
  express3Scenario({
    name: 'x-powered-by and etag can be disabled, and etag can be a function',
    clauses: ['F-9.3-16'],
    build({ framework }) {
      const app = framework();
      const inner = framework();
      app.disable('x-powered-by').set('etag', false);
      inner.disable('x-powered-by').set('etag', (body: string) => `"${body.length}"`);
      app.get('/', (_req, res) => res.send('plain'));
      inner.get('/', (_req, res) => res.send('own'));
      app.use('/inner', inner);
      const strong = framework();
      strong.set('etag', 'strong');
      strong.get('/', (_req, res) => res.send('strong'));
      app.use('/strong', strong);
      return app;
    },
    requests: [get('/'), get('/inner'), get('/strong'), get('/inner', { 'If-None-Match': '"3"' })],
  }),
];
