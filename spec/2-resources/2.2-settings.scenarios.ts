/** Scenarios for application settings: defaults, writing and reading them, and what they change. §2.2 */
import { get } from '../../parity/client/request';
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
    requests: [get('/'), get('/error'), get('/none')],
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
    requests: [get('/'), get('/sub'), get('/sub/deep')],
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
    requests: [get('/')],
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
      ['Foo', 'foo', 'Foo/', 'foo/'].map((path) => get(`/${app}/${path}`)),
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
    requests: ['plain', 'shaped'].flatMap((app) => [
      get(`/${app}/json`),
      get(`/${app}/jsonp?callback=f`),
      get(`/${app}/send`),
    ]),
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
    requests: [get('/'), get('/quiet'), get('/quiet/loud')],
  }),
  scenario({
    name: 'responses have no X-Powered-By header if the setting is disabled, not even a 404',
    clauses: ['F-2.2-57'],
    build({ framework }) {
      return framework()
        .disable('x-powered-by')
        .get('/', (_req, res) => res.send('quiet'));
    },
    requests: [get('/'), get('/none')],
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
    requests: ['simple', 'extended', 'none', 'own'].flatMap((name) =>
      ['', '?', '?a=1&a=2', '?a[b]=1&a[c][]=2', '?a%20b=c+d&=v&e', '?__proto__=x&toString=y', '?%zz=1'].map(
        (query) => get(`/${name}${query}`),
      ),
    ),
  }),
];
