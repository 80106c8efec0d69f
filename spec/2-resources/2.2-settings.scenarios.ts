/** Scenarios for application settings: defaults, writing and reading them, and what they change. §2.2 */
import { get } from '../../parity/client/request';
import { getEach, routeEach, routes } from '../../parity/scenario/routes';
import { type Framework, scenario } from '../../parity/scenario/scenario';

const NAMES = [
  'case sensitive routing',
  'env',
  'jsonp callback name',
  'json escape',
  'json replacer',
  'json spaces',
  'query parser',
  'strict routing',
  'subdomain offset',
  'trust proxy',
  'views',
  'view cache',
  'view engine',
  'x-powered-by',
  'etag',
  'mine',
];

function tellSettings(app: ReturnType<Framework>): unknown {
  return NAMES.map((name) => [name, app.get(name) ?? null, app.enabled(name), app.disabled(name)]);
}

/** An observation has this name for the name of each framework. */
const FRAMEWORK = 'Express';
/** Query strings, with req.query as JSON of the parsers simple and extended; undefined if that is empty. */
const QUERIES: Readonly<Record<string, readonly [simple?: string, extended?: string]>> = {
  '': [],
  '?': [],
  '?a=1&a=2': ['{"a":["1","2"]}', '{"a":["1","2"]}'],
  '?a[b]=1&a[c][]=2': ['{"a[b]":"1","a[c][]":"2"}', '{"a":{"b":"1","c":["2"]}}'],
  '?a%20b=c+d&=v&e': ['{"a b":"c d","":"v","e":""}', '{"a b":"c d","e":""}'],
  '?__proto__=x&toString=y': ['{"__proto__":"x","toString":"y"}', '{"toString":"y"}'],
  '?%zz=1': ['{"%zz":"1"}', '{"%zz":"1"}'],
};

const DEFAULTS: Readonly<Record<string, unknown>> = {
  env: 'development',
  'jsonp callback name': 'callback',
  'query parser': 'simple',
  'subdomain offset': 2,
  'trust proxy': false,
  views: '/nozomi/views',
  'x-powered-by': true,
  etag: 'weak',
};

/** What tellSettings() returns for these values. */
const told = (values: Readonly<Record<string, unknown>>): unknown =>
  NAMES.map((name) => [name, values[name] ?? null, Boolean(values[name]), !values[name]]);

const GIVEN = Object.fromEntries(NAMES.map((name) => [name, 'given']));
const INHERITED = {
  ...DEFAULTS,
  'case sensitive routing': 'given',
  'json escape': 'given',
  'json spaces': 'given',
  'strict routing': 'given',
  'trust proxy': 'loopback',
  'view cache': 'given',
  'view engine': 'given',
  mine: 'given',
};

/** Values that differ from the defaults of the settings, with what a mounted application sees: by default the same. */
export const MOUNTED: Readonly<
  Record<string, readonly [value: unknown, own?: unknown, inProduction?: unknown]>
> = {
  'case sensitive routing': [true],
  env: ['other', 'development', 'production'],
  etag: ['strong', 'weak'],
  'jsonp callback name': ['cb', 'callback'],
  'json escape': [true],
  'json replacer': [['a']],
  'json spaces': [2],
  'my own': ['value'],
  'own connection': [true],
  'query parser': ['extended', 'simple'],
  'strict body limit': [true],
  'strict host': [true],
  'strict paths': [true],
  'strict routing': [true],
  'subdomain offset': [3, 2],
  'trust proxy': [1],
  'view cache': ['on', undefined, true],
  'view engine': ['ejs'],
  views: ['/elsewhere', '/nozomi/views'],
  'web bodies': [true],
  'x-powered-by': ['yes', true],
};

/** Values for which app.set() throws, with the message. */
const REFUSED: ReadonlyArray<readonly [name: string, value: unknown, message: string]> = [
  ['query parser', 'bogus', 'unknown value for query parser function: bogus'],
  ['query parser', 1, 'unknown value for query parser function: 1'],
  ['etag', 'bogus', 'unknown value for etag function: bogus'],
  ['etag', null, 'unknown value for etag function: null'],
];

const defaults = (env: Record<string, string | undefined> | undefined, name: string, clauses: string[]) =>
  scenario({
    name,
    clauses,
    ...(env && { env }),
    build({ framework }) {
      const app = framework();
      app.get('/', (_req, res) => {
        res.json(tellSettings(app));
      });
      app.get('/error', () => {
        throw new Error('secret');
      });
      return app;
    },
    requests: [
      get('/').expect({
        json: told({
          ...DEFAULTS,
          env: env && 'NODE_ENV' in env ? (env.NODE_ENV ?? 'development') : 'development',
          'view cache': env?.NODE_ENV === 'production' || null,
        }),
      }),
      get('/error').expect({
        status: 500,
        body: env?.NODE_ENV === 'production' ? /<pre>Internal Server Error</ : /<pre>Error: secret</,
      }),
      get('/none').expect({ status: 404 }),
    ],
  });

export default [
  defaults(undefined, 'application settings have the documented defaults in development', [
    'F-2.2-03',
    'F-2.2-12',
    'F-2.2-14',
    'F-2.2-16',
    'F-2.2-28',
    'F-2.2-48',
    'F-2.2-55',
  ]),
  defaults({ NODE_ENV: 'production' }, 'application settings have the documented defaults in production', [
    'F-2.2-10',
    'F-2.2-47',
  ]),
  defaults({ NODE_ENV: 'test' }, 'application settings have the documented defaults in test', ['F-2.2-10']),
  defaults({ NODE_ENV: undefined }, 'application settings have the documented defaults without NODE_ENV', [
    'F-2.2-09',
  ]),
  scenario({
    name: 'a mounted application inherits settings that have no default',
    clauses: [
      'F-2.2-06',
      'F-2.2-21',
      'F-2.2-24',
      'F-2.2-27',
      'F-2.2-51',
      'F-2.2-54',
      'F-2.2-58',
      'F-2.2-59',
      'F-2.2-63',
      'F-2.2-65',
    ],
    build({ framework }) {
      const [app, sub, deep] = [framework(), framework(), framework()];
      for (const name of NAMES) {
        if (name === 'trust proxy') app.set(name, 'loopback');
        else if (name === 'query parser' || name === 'etag') app.set(name, false);
        else if (name !== 'json replacer') app.set(name, 'given');
      }
      sub.use('/deep', deep);
      deep.set('mine', 'own');
      app.use('/sub', sub);
      for (const one of [app, sub, deep])
        one.get('/', (_req, res) => void res.send(JSON.stringify(tellSettings(one))));
      return app;
    },
    requests: [
      get('/').expect({
        json: told({
          ...GIVEN,
          'json replacer': null,
          'query parser': false,
          'trust proxy': 'loopback',
          etag: false,
        }),
      }),
      get('/sub').expect({ json: told(INHERITED) }),
      get('/sub/deep').expect({ json: told({ ...INHERITED, mine: 'own' }) }),
    ],
  }),
  scenario({
    name: 'app.set, enable and disable write settings, and app.get, enabled and disabled read them',
    clauses: [
      'F-2.2-01',
      'F-2.2-02',
      'F-2.2-66',
      'F-2.2-67',
      'F-4.2-70',
      'F-4.2-71',
      'F-4.2-72',
      'F-4.2-73',
      'F-4.2-74',
      'F-4.2-75',
    ],
    build({ framework }) {
      const app = framework();
      const same = app.set('a', 1) === app && app.enable('b') === app && app.disable('c') === app;
      app.get('/', (_req, res) => {
        res.json({
          same,
          all: ['a', 'b', 'c', 'd'].map((name) => [
            app.get(name) ?? null,
            app.enabled(name),
            app.disabled(name),
          ]),
        });
      });
      return app;
    },
    requests: [
      get('/').expect({
        json: {
          same: true,
          all: [
            [1, true, false],
            [true, true, false],
            [false, false, true],
            [null, false, true],
          ],
        },
      }),
    ],
  }),
  scenario({
    name: 'case sensitive routing and strict routing distinguish similar paths',
    clauses: ['F-2.2-04', 'F-2.2-05', 'F-2.2-07', 'F-2.2-08'],
    build({ framework }) {
      const [loose, strict, early, late] = [framework(), framework(), framework(), framework()];
      strict.enable('case sensitive routing').enable('strict routing');
      for (const app of [loose, strict, early]) app.get('/Foo', (_req, res) => res.send('Foo'));
      strict.use('/early', early);
      strict.use('/late', late);
      late.get('/Foo', (_req, res) => res.send('late Foo'));
      const main = framework();
      main.use('/loose', loose);
      main.use('/strict', strict);
      return main;
    },
    requests: ['loose', 'strict', 'strict/early', 'strict/late', 'Strict'].flatMap((app) =>
      ['Foo', 'foo', 'Foo/', 'foo/'].map((path) => {
        const isLoose = app === 'loose' || app === 'strict/early' || path === 'Foo';
        const body = app === 'strict/late' ? 'late Foo' : 'Foo';
        return get(`/${app}/${path}`).expect(isLoose ? { status: 200, body } : { status: 404 });
      }),
    ),
  }),
  scenario({
    name: 'json escape, json replacer and json spaces change every JSON body',
    clauses: ['F-2.2-17', 'F-2.2-18', 'F-2.2-19', 'F-2.2-20', 'F-2.2-23', 'F-2.2-26'],
    build({ framework }) {
      const value = { html: '<a>&</a>', hidden: 1, list: [1, { b: null }] };
      const [plain, shaped] = [framework(), framework()];
      shaped.enable('json escape').set('json spaces', 2);
      shaped.set('json replacer', (key: string, one: unknown) => (key === 'hidden' ? undefined : one));
      for (const app of [plain, shaped]) {
        app.get('/json', (_req, res) => void res.json(value));
        app.get('/jsonp', (_req, res) => void res.jsonp(value));
        app.get('/send', (_req, res) => void res.send(value));
      }
      const main = framework();
      main.use('/plain', plain);
      main.use('/shaped', shaped);
      return main;
    },
    requests: [
      '{"html":"<a>&</a>","hidden":1,"list":[1,{"b":null}]}',
      '{\n  "html": "\\u003ca\\u003e\\u0026\\u003c/a\\u003e",\n  "list": [\n    1,\n    {\n      "b": null\n    }\n  ]\n}',
    ].flatMap((body, index) => {
      const app = ['plain', 'shaped'][index];
      return [
        get(`/${app}/json`).expect({ body }),
        get(`/${app}/jsonp?callback=f`).expect({ body: `/**/ typeof f === 'function' && f(${body});` }),
        get(`/${app}/send`).expect({ body }),
      ];
    }),
  }),
  scenario({
    name: 'a mounted application that disables x-powered-by keeps the header that its parent sets',
    clauses: ['F-2.2-56', 'F-2.2-57', 'F-2.2-63'],
    build({ framework }) {
      const [app, quiet] = [framework(), framework()];
      quiet.disable('x-powered-by');
      quiet.get('/', (_req, res) => res.send('quiet'));
      app.use('/quiet', quiet);
      quiet.use('/loud', framework());
      return app;
    },
    requests: [
      get('/').expect({ 'x-powered-by': FRAMEWORK }),
      get('/quiet').expect({ body: 'quiet', 'x-powered-by': FRAMEWORK }),
      get('/quiet/loud').expect({ 'x-powered-by': FRAMEWORK }),
    ],
  }),
  scenario({
    name: 'responses have no X-Powered-By header if the setting is disabled, not even a 404',
    clauses: ['F-2.2-57'],
    build({ framework }) {
      return framework()
        .disable('x-powered-by')
        .get('/', (_req, res) => res.send('quiet'));
    },
    requests: [
      get('/').expect({ body: 'quiet', 'x-powered-by': undefined }),
      get('/none').expect({ status: 404, 'x-powered-by': undefined }),
    ],
  }),
  scenario({
    name: 'the setting query parser determines the value of req.query',
    clauses: ['F-2.2-28', 'F-2.6-36', 'F-2.6-37', 'F-2.6-38'],
    build({ framework }) {
      const main = framework();
      const parsers = {
        simple: 'simple',
        extended: 'extended',
        none: false,
        own: (text: string) => ({ text }),
      };
      for (const [name, parser] of Object.entries(parsers)) {
        const app = framework();
        app.set('query parser', parser);
        app.get('/', (req, res) => {
          res.json({ query: req.query, bare: Object.getPrototypeOf(req.query) === null });
        });
        main.use(`/${name}`, app);
      }
      return main;
    },
    requests: ['simple', 'extended', 'none', 'own'].flatMap((name, parser) =>
      Object.entries(QUERIES).map(([query, bodies]) => {
        const text = query ? JSON.stringify(query.slice(1)) : 'null';
        const parsed = bodies[parser] ?? (name === 'own' ? `{"text":${text}}` : '{}');
        const isBare = name === 'simple' || name === 'none';
        return get(`/${name}${query}`).expect({ body: `{"query":${parsed},"bare":${isBare}}` });
      }),
    ),
  }),
  scenario({
    name: 'a setting may have any name and value, also that of a property of Object.prototype',
    clauses: ['F-2.2-01', 'F-2.2-02'],
    build({ framework }) {
      const app = framework();
      const value = { any: 'value' };
      app.set('my own', value).set('__proto__', 'text').set('nothing', undefined);
      const read = app.set as unknown as (name: string) => unknown;
      return app.use((_req, res) => {
        res.json([
          app.get('my own') === value,
          read.call(app, 'my own') === value,
          ...['__proto__', 'nothing', 'constructor'].map((name) => app.get(name) ?? null),
          Object.getPrototypeOf(app.settings),
        ]);
      });
    },
    requests: [get('/').expect({ json: [true, true, 'text', null, null, null] })],
  }),
  ...['development', 'production'].map((env, column) =>
    scenario({
      name: `a mounted application inherits each setting without a default of its own in ${env}`,
      // biome-ignore format: a table
      clauses: [
        'F-2.2-06', 'F-2.2-21', 'F-2.2-24', 'F-2.2-27', 'F-2.2-37', 'F-2.2-42', 'F-2.2-50', 'F-2.2-51',
        'F-2.2-54', 'F-2.2-58', 'F-2.2-59', 'F-2.2-60', 'F-2.2-61', 'F-2.2-62', 'F-2.2-63', 'F-2.2-64',
        'F-2.2-65',
      ],
      env: { NODE_ENV: env },
      build({ framework }) {
        const seen = Object.entries({ ...MOUNTED, view: [class {}] }).map(([name, [value]]) => {
          const [parent, sub] = [framework().set(name, value), framework()];
          const isOwn = sub.get(name) !== undefined;
          parent.use(sub);
          // A view class is its own value, of which JSON shows nothing.
          return name === 'view' ? sub.get(name) !== value && isOwn : sub.get(name);
        });
        return framework().use((_req, res) => void res.json(seen));
      },
      requests: [
        get('/').expect({
          json: [
            ...Object.values(MOUNTED).map(
              ([value, own, inProduction]) => (column === 1 ? inProduction : undefined) ?? own ?? value,
            ),
            true,
          ],
        }),
      ],
    }),
  ),
  scenario({
    name: 'a mounted application sees later changes of its parent until it sets its own value',
    clauses: ['F-2.2-42', 'F-2.2-43', 'F-2.2-65'],
    build({ framework }) {
      const [parent, sub, explicit] = [framework(), framework(), framework().set('trust proxy', false)];
      parent.use(sub).set('title', 'parent').set('trust proxy', true).use(explicit);
      const [bare, below] = [framework(), framework()];
      Reflect.deleteProperty(bare.settings, 'trust proxy fn');
      bare.use(below);
      const inherited = sub.get('title');
      sub.set('title', 'sub');
      return framework().use((_req, res) => {
        res.json([
          inherited,
          sub.get('title'),
          parent.get('title'),
          explicit.get('trust proxy'),
          'trust proxy' in below.settings,
        ]);
      });
    },
    requests: [get('/').expect({ json: ['parent', 'sub', 'parent', false, true] })],
  }),
  scenario({
    name: 'app.set throws for an unknown value of etag or query parser, and keeps the former one',
    clauses: ['F-2.2-12', 'F-2.2-33'],
    build: routes(({ framework }) =>
      routeEach(REFUSED, (res, [name, value]) => {
        const app = framework();
        const former = app.get(`${name} fn`);
        try {
          app.set(name, value);
        } catch (error) {
          res.json([String(error), app.get(`${name} fn`) === former]);
        }
      }),
    ),
    requests: getEach(REFUSED, ([, , message]) => ({ json: [`TypeError: ${message}`, true] })),
  }),
  scenario({
    name: 'json spaces may be a string',
    clauses: ['F-2.2-26'],
    build({ framework }) {
      const app = framework().set('json spaces', '\t');
      return app.use((_req, res) => void res.json({ a: 1 }));
    },
    requests: [get('/').expect({ body: '{\n\t"a": 1\n}' })],
  }),
];
