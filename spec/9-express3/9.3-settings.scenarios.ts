/** Scenarios for the settings of Express 3: their defaults and effects. §9.3 */
import { get } from '../../parity/client/request';
import { express3Scenario } from '../../parity/scenario/scenario';

const DEFAULTS: Readonly<Record<string, unknown>> = {
  env: 'development',
  'x-powered-by': true,
  etag: 'weak',
  'subdomain offset': 2,
  'trust proxy': false,
  'jsonp callback name': 'callback',
  'json replacer': null,
  'json spaces': 2,
  'case sensitive routing': undefined,
  'strict routing': undefined,
  'view cache': undefined,
  'view engine': undefined,
};
const IN_PRODUCTION = { env: 'production', 'json spaces': 0, 'view cache': true };

/** Creates a scenario for a value of NODE_ENV, in which a route responds with the default of each setting. */
function telling(env: string, clauses: readonly string[]) {
  return express3Scenario({
    name: `application settings have the documented defaults in ${env}`,
    clauses,
    env: { NODE_ENV: env },
    build({ framework }) {
      const app = framework();
      const views = app.get('views') as string;
      const settings = Object.keys(DEFAULTS).map((name) => [name, String(app.get(name))]);
      app.get('/', (_req, res) => res.send(JSON.stringify([settings, views === `${process.cwd()}/views`])));
      app.get('/json', (_req, res) => res.json({ a: [1], b: { c: null } }));
      return app;
    },
    requests: [
      get('/').expect({
        json: [
          Object.entries({ ...DEFAULTS, ...(env === 'production' && IN_PRODUCTION) }).map(([name, value]) => [
            name,
            String(value),
          ]),
          true,
        ],
      }),
      get('/json').expect({
        body:
          env === 'production'
            ? '{"a":[1],"b":{"c":null}}'
            : '{\n  "a": [\n    1\n  ],\n  "b": {\n    "c": null\n  }\n}',
      }),
    ],
  });
}

export default [
  // biome-ignore format: a table
  telling('development', [
    'F-9.3-17', 'F-9.3-18', 'F-9.3-19', 'F-9.3-20', 'F-9.3-21', 'F-9.3-23', 'F-9.3-24',
    'F-9.3-26', 'F-9.3-27',
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
    requests: [get('/').expect({ body: '{"open":2}' }), get('/inner').expect({ body: '{\n--"a": 1\n}' })],
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
    requests: [
      get('/inner', { 'X-Forwarded-Proto': 'https' }).expect({ body: '[\n "yes",\n "https",\n "/inner"\n]' }),
    ],
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
    requests: [
      get('/?cb=go').expect({ body: `/**/ typeof go === 'function' && go({\n  "a": 1\n});` }),
      get('/?callback=go').expect({ body: '{\n  "a": 1\n}' }),
    ],
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
      ...['/bar', '/BAR/'].map((path) => get(path).expect({ body: 'Bar' })),
      get('/bar//').expect({ status: 404 }),
      get('/exact/Foo').expect({ body: 'Foo' }),
      get('/exact/foo').expect({ status: 404 }),
      get('/exact/foo/').expect({ body: 'foo/' }),
      get('/EXACT/Foo').expect({ body: 'Foo' }),
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
    requests: [
      get('/').expect({ 'x-powered-by': undefined, etag: undefined }),
      get('/inner').expect({ 'x-powered-by': undefined, etag: '"3"' }),
      get('/strong').expect({ etag: /^"/ }),
      get('/inner', { 'If-None-Match': '"3"' }).expect({ status: 304 }),
    ],
  }),
  ...[undefined, 'staging'].map((NODE_ENV) =>
    express3Scenario({
      name: `env is ${NODE_ENV ?? 'development'} if NODE_ENV is ${NODE_ENV ?? 'not set'}`,
      clauses: ['F-9.3-03', 'F-9.3-17'],
      env: { NODE_ENV },
      build({ framework }) {
        const app = framework();
        let that: unknown;
        app.configure(function (this: unknown) {
          that = this;
        });
        return app.use((_req, res) => res.send([app.get('env'), that === app]));
      },
      requests: [get('/').expect({ json: [NODE_ENV ?? 'development', true] })],
    }),
  ),
  express3Scenario({
    name: 'the function for ETags reads text in its encoding',
    clauses: ['F-9.3-16'],
    build({ framework }) {
      const app = framework();
      const tags = (
        app as unknown as { settings: Record<string, (body: unknown, encoding?: string) => string> }
      ).settings;
      app.get('/', (_req, res) => {
        const bodies = [['é'], ['é', 'utf8'], ['é', 'latin1'], ['e9', 'hex'], [Buffer.from('é')]] as const;
        res.send(bodies.map(([body, encoding]) => tags['etag fn']?.(body, encoding)));
      });
      return app;
    },
    requests: [get('/')],
  }),
];
