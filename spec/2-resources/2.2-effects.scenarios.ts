/** Scenarios for the effect of settings on responses, and for settings that a mounted application inherits. §2.2 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ErrorRequestHandler } from 'express';
import { get } from '../../parity/client/request';
import { getEach } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

/** The defaults of query parser, subdomain offset, views, env, x-powered-by and etag. */
const DEFAULTS = ['simple', 2, '/nozomi/views', 'development', true, 'weak'];

const SIMPLE = {
  isBare: true,
  '': {},
  '?': {},
  '?a=1&a=2': { a: ['1', '2'] },
  '?a[b][c]=1&d[]=2': { 'a[b][c]': '1', 'd[]': '2' },
  '?x=%C3%A4%zz+y&&=v&bare': { x: 'ä%zz y', '': 'v', bare: '' },
};

/** For each parser, query strings with the value of req.query, and whether that has no prototype. */
const QUERIES: Readonly<Record<string, { isBare: boolean } & Record<string, unknown>>> = {
  none: {
    isBare: true,
    '': {},
    '?': {},
    '?a=1&a=2': {},
    '?a[b][c]=1&d[]=2': {},
    '?x=%C3%A4%zz+y&&=v&bare': {},
  },
  yes: SIMPLE,
  simple: SIMPLE,
  extended: {
    isBare: false,
    '': {},
    '?': {},
    '?a=1&a=2': { a: ['1', '2'] },
    '?a[b][c]=1&d[]=2': { a: { b: { c: '1' } }, d: ['2'] },
    '?x=%C3%A4%zz+y&&=v&bare': { x: '%C3%A4%zz y', bare: '' },
  },
  own: {
    isBare: false,
    '': { query: null },
    '?': { query: '' },
    '?a=1&a=2': { query: 'a=1&a=2' },
    '?a[b][c]=1&d[]=2': { query: 'a[b][c]=1&d[]=2' },
    '?x=%C3%A4%zz+y&&=v&bare': { query: 'x=%C3%A4%zz+y&&=v&bare' },
  },
};

export default [
  scenario({
    name: 'the setting query parser selects the parser of req.query, and unknown names throw',
    clauses: ['F-2.2-29', 'F-2.2-30', 'F-2.2-31', 'F-2.2-32', 'F-2.2-33', 'F-2.6-36', 'F-2.6-37', 'F-2.6-38'],
    build({ framework }) {
      const main = framework();
      const parsers = {
        none: false,
        yes: true,
        simple: 'simple',
        extended: 'extended',
        own: (query: string) => ({ query }),
      };
      for (const [name, parser] of Object.entries(parsers)) {
        const app = framework().set('query parser', parser);
        app.get('/', (req, res) => res.json([req.query, Object.getPrototypeOf(req.query) === null]));
        main.use(`/${name}`, app);
      }
      main.get('/bogus', (req, res) => res.json(req.app.set('query parser', req.query.value)));
      return main;
    },
    requests: [
      ...Object.entries(QUERIES).flatMap(([name, { isBare, ...queries }]) =>
        Object.entries(queries).map(([query, parsed]) =>
          get(`/${name}${query}`).expect({ json: [parsed, isBare] }),
        ),
      ),
      get('/bogus?value=bogus').expect({
        status: 500,
        body: /TypeError: unknown value for query parser function: bogus/,
      }),
      get('/bogus').expect({ status: 500 }),
    ],
  }),
  scenario({
    name: 'applications read routing settings when they register the first route',
    clauses: [
      'F-2.2-34',
      'F-2.2-35',
      'F-2.2-36',
      'F-2.2-37',
      'F-2.2-38',
      'F-2.2-04',
      'F-2.2-05',
      'F-2.2-07',
      'F-2.2-08',
    ],
    build({ framework }) {
      const app = framework().enable('strict routing').enable('case sensitive routing');
      const [early, late] = [framework(), framework()];
      early.get('/foo', (_req, res) => res.send('early'));
      app.use('/early', early);
      app.use('/late', late);
      late.get('/foo', (_req, res) => res.send('late'));
      app.get('/foo', (_req, res) => res.send('top'));
      return app;
    },
    requests: [
      get('/foo').expect({ body: 'top' }),
      ...['/foo/', '/Foo'].map((path) => get(path).expect({ status: 404 })),
      ...['/foo', '/foo/', '/Foo'].map((path) => get(`/early${path}`).expect({ body: 'early' })),
      get('/late/foo').expect({ body: 'late' }),
      ...['/late/foo/', '/late/Foo'].map((path) => get(path).expect({ status: 404 })),
    ],
  }),
  scenario({
    name: 'a mounted application keeps its own defaults, except trust proxy if it was never set',
    clauses: [
      'F-2.2-39',
      'F-2.2-41',
      'F-2.2-42',
      'F-2.2-43',
      'F-2.2-44',
      'F-2.2-60',
      'F-2.2-61',
      'F-2.2-62',
      'F-2.2-63',
      'F-2.2-64',
    ],
    build({ framework }) {
      const [app, sub, explicit] = [framework(), framework(), framework().set('trust proxy', false)];
      app.set('trust proxy', 'loopback').set('query parser', 'extended').set('subdomain offset', 1);
      app
        .set('views', '/elsewhere')
        .set('env', 'staging')
        .set('x-powered-by', 'yes' as string)
        .set('etag', 'strong');
      app.use('/sub', sub);
      app.use('/explicit', explicit);
      for (const one of [app, sub, explicit]) {
        one.get('/', (req, res) => {
          const names = [
            'trust proxy',
            'query parser',
            'subdomain offset',
            'views',
            'env',
            'x-powered-by',
            'etag',
          ];
          res.json([
            names.map((name) => one.get(name)),
            req.ip,
            req.query,
            req.subdomains,
            Object.keys(one.settings),
          ]);
        });
      }
      return app;
    },
    requests: Object.entries({
      '/': [
        ['loopback', 'extended', 1, '/elsewhere', 'staging', 'yes', 'strong'],
        '1.2.3.4',
        { a: { b: '1' } },
        ['example', 'y', 'x'],
      ],
      '/sub': [['loopback', ...DEFAULTS], '1.2.3.4', { 'a[b]': '1' }, ['y', 'x']],
      '/explicit': [[false, ...DEFAULTS], '127.0.0.1', { 'a[b]': '1' }, ['y', 'x']],
    }).map(([path, values]) =>
      get(`${path}?a[b]=1`, { Host: 'x.y.example.com', 'X-Forwarded-For': '1.2.3.4' }).expect({
        json: [
          ...values,
          // biome-ignore format: a table
          [
            'x-powered-by', 'etag', 'etag fn', 'env', 'query parser', 'query parser fn',
            'subdomain offset',
            ...(path === '/sub' ? [] : ['trust proxy', 'trust proxy fn']),
            'view', 'views', 'jsonp callback name',
          ],
        ],
      }),
    ),
  }),
  scenario({
    name: 'subdomain offset and jsonp callback name take effect, and JSON settings have no default',
    clauses: ['F-2.2-13', 'F-2.2-15', 'F-2.2-22', 'F-2.2-25', 'F-2.2-40', 'F-2.4-02', 'F-2.6-49', 'F-8-03'],
    build({ framework, files }) {
      const app = framework().set('jsonp callback name', 'fn').disable('etag');
      app.get('/jsonp', (_req, res) => res.jsonp({ a: 1 }));
      app.get('/none', (_req, res) =>
        res.json([app.get('json replacer') ?? null, app.get('json spaces') ?? null]),
      );
      app.get('/offset/:offset', (req, res) => {
        app.set('subdomain offset', Number(req.params.offset));
        res.json(req.subdomains);
      });
      app.use(framework.static(files));
      return app;
    },
    requests: [
      get('/jsonp?fn=show&callback=other').expect({
        body: `/**/ typeof show === 'function' && show({"a":1});`,
        etag: undefined,
      }),
      get('/jsonp?callback=other').expect({ body: '{"a":1}' }),
      get('/none').expect({ json: [null, null] }),
      ...(
        [
          [2, ['b', 'a']],
          [0, ['com', 'example', 'b', 'a']],
          [1, ['example', 'b', 'a']],
          [3, ['a']],
          [9, []],
          [-1, ['a']],
        ] as const
      ).map(([offset, labels]) =>
        get(`/offset/${offset}`, { Host: 'a.b.example.com' }).expect({ json: labels }),
      ),
      // The setting etag applies to dynamic responses only.
      get('/hello.txt').expect({ etag: /^W\// }),
    ],
  }),
  ...[undefined, 'production'].map((NODE_ENV) =>
    scenario({
      name: `app.render searches views in order and keeps them if view cache is set, in ${NODE_ENV ?? 'development'}`,
      clauses: [
        'F-2.2-45',
        'F-2.2-46',
        'F-2.2-49',
        'F-2.2-50',
        'F-2.2-52',
        'F-2.2-53',
        'F-4.2-64',
        'F-4.2-65',
        'F-4.2-68',
        'F-4.2-69',
      ],
      ...(NODE_ENV && { env: { NODE_ENV } }),
      build({ framework, files }) {
        const [app, sub] = [framework(), framework()];
        app.engine('txt', (path, options, done) =>
          done(null, `${path}\n${(options as { cache: unknown }).cache}`),
        );
        app.set('view cache', 'on' as string).use('/sub', sub);
        for (const one of [app, sub])
          one.set('views', [join(files, 'folder'), join(files, 'shelf', 'inner'), files]);
        app.get('/settings', (_req, res) => res.json([app.get('view cache'), sub.get('view cache') ?? null]));
        app.get('/cached', (_req, res) => {
          const { cache, engines } = app as unknown as Record<string, object>;
          res.json(
            [cache, (sub as unknown as Record<string, object>).cache, engines].map((one) =>
              Object.keys(one ?? {}),
            ),
          );
        });
        for (const one of [app, sub]) {
          one.get('/local/:view', (req, res) => res.render(req.params.view as string, { cache: true }));
          one.get('/:view', (req, res) => {
            if (req.query.engine) one.set('view engine', req.query.engine as string);
            res.render(req.params.view as string);
          });
        }
        // Send the first line only: the other lines of a message can name files that differ between implementations.
        app.use(((err, _req, res, _next) => res.send(err.message.split('\n')[0])) as ErrorRequestHandler);
        return app;
      },
      requests: [
        get('/settings').expect({ json: ['on', NODE_ENV ? true : 'on'] }),
        get('/other.txt').expect({ body: '/nozomi/fixtures/files/folder/other.txt\ntrue' }),
        get('/deep.txt').expect({ body: '/nozomi/fixtures/files/shelf/inner/deep.txt\ntrue' }),
        get('/hello.txt').expect({ body: '/nozomi/fixtures/files/hello.txt\ntrue' }),
        get('/hello').expect({ body: 'No default engine was specified and no extension was provided.' }),
        ...['txt', '.txt'].map((engine) =>
          get(`/hello?engine=${engine}`).expect({ body: '/nozomi/fixtures/files/hello.txt\ntrue' }),
        ),
        get('/sub/hello.txt').expect({ body: '/nozomi/fixtures/files/hello.txt\ntrue' }),
        get('/sub/local/deep.txt').expect({ body: '/nozomi/fixtures/files/shelf/inner/deep.txt\ntrue' }),
        get('/sub/nowhere.txt').expect({
          body: /^Failed to lookup view "nowhere.txt" in views directories "/,
        }),
        get('/nowhere.zz').expect({ body: "Cannot find module 'zz'" }),
        get('/cached').expect({
          json: [['other.txt', 'deep.txt', 'hello.txt', 'hello'], ['hello.txt', 'deep.txt'], ['.txt']],
        }),
      ],
    }),
  ),
  scenario({
    name: 'app.render looks a view up again unless view cache is set, and finds the index of a folder',
    clauses: ['F-2.2-45', 'F-2.2-49', 'F-2.2-53'],
    build({ framework, folder }) {
      for (const [path, text] of [
        ['first/a.txt', 'first'],
        ['second/a.txt', 'second'],
        ['second/dir/index.txt', 'index'],
      ] as const) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      const app = framework().enable('view cache').set('view engine', 'txt');
      app.engine('txt', (path, _options, done) => done(null, readFileSync(path, 'utf8')));
      app.get('/:folder/:cache/:view', (req, res) => {
        const { folder: name, cache, view } = req.params;
        app.set('views', join(folder, name as string)).set('view cache', cache === 'cached');
        res.render(view as string);
      });
      return app;
    },
    requests: getEach(
      {
        'first/cached/a': 'first',
        'second/cached/a': 'first',
        'second/fresh/a': 'second',
        'second/fresh/dir': 'index',
      },
      (body) => ({ body }),
    ),
  }),
];
