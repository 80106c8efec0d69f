/** Scenarios for res.json() and res.jsonp(), and for the settings that they read. §4.5 */
import { get, head } from '../../parity/client/request';
import { getEach, gets, routeEach, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';
import { withWrappedSet } from '../../parity/scenario/wrapped';

const VALUES: Readonly<Record<string, unknown>> = {
  null: null,
  number: 300.5,
  zero: 0,
  string: 'text "quoted" \u2028',
  'empty-string': '',
  boolean: false,
  array: ['a', [], {}],
  object: { a: 1, b: undefined, c: { d: [null] } },
  date: new Date(0),
  'to-json': { toJSON: () => ({ as: 'told' }) },
  function: () => 'none',
  symbol: Symbol('none'),
  undefined: undefined,
};

export default withWrappedSet([
  scenario({
    name: 'res.json sends values of any type as JSON',
    clauses: ['F-4.5-34', 'F-4.5-35', 'F-4.5-36', 'F-4.5-37', 'F-4.5-38', 'F-4.5-39', 'F-4.5-40'],
    build: routes({
      ...routeEach(VALUES, (res, value) => res.json(value)),
      '/nothing': (_req, res) => res.json(),
      '/typed': (_req, res) => res.type('application/vnd.example+json').json({ a: 1 }),
      '/html': (_req, res) => res.type('html').json({ a: '<b>' }),
      '/status': (_req, res) => res.status(201).json({ a: 1 }),
    }),
    requests: [...getEach(VALUES), ...gets('/nothing', '/typed', '/html', '/status'), head('/object')],
  }),
  scenario({
    name: 'res.json uses the settings json escape, json replacer and json spaces',
    clauses: ['F-4.5-34'],
    build({ framework }) {
      const app = framework();
      const value = { html: '<script>&amp;</script>', n: 1, deep: { n: 2, list: [1, '<'] } };
      const settings: ReadonlyArray<Readonly<Record<string, unknown>>> = [
        { 'json escape': true },
        { 'json spaces': 2 },
        { 'json spaces': '\t' },
        { 'json spaces': 30 },
        { 'json replacer': ['n', 'deep'] },
        { 'json replacer': (key: string, each: unknown) => (key === 'n' ? undefined : each) },
        { 'json escape': true, 'json spaces': 1, 'json replacer': ['html'] },
        { etag: false, 'json spaces': 4 },
      ];
      for (const [index, some] of settings.entries()) {
        const sub = framework();
        for (const [name, setting] of Object.entries(some)) sub.set(name, setting);
        sub.get('/json', (_req, res) => res.json(value));
        sub.get('/jsonp', (_req, res) => res.jsonp(value));
        sub.get('/nothing', (_req, res) => res.json(undefined));
        app.use(`/${index}`, sub);
      }
      return app;
    },
    requests: Array.from({ length: 8 }, (_one, index) =>
      gets(`/${index}/json`, `/${index}/jsonp?callback=go`, `/${index}/nothing`),
    ).flat(),
  }),
  scenario({
    name: 'res.jsonp sends JSON without the callback parameter, and a guarded call with it',
    clauses: ['F-4.5-41', 'F-4.5-42', 'F-4.5-43'],
    build: routes({
      ...routeEach(VALUES, (res, value) => res.jsonp(value)),
      '/typed': (_req, res) => res.type('application/vnd.example+json').jsonp({ a: 1 }),
      '/status': (_req, res) => res.status(400).jsonp({ a: 1 }),
    }),
    requests: [
      ...getEach(VALUES),
      ...gets(...Object.keys(VALUES).map((name) => `/${name}?callback=go`)),
      ...gets('/typed', '/status', '/typed?callback=go', '/status?callback=go'),
      ...gets(
        '/number?callback=',
        '/number?callback=a&callback=b',
        '/number?callback[a]=b',
        '/number?other=go',
      ),
      ...gets(
        '/number?callback=a.b[0].$_c',
        '/number?callback=alert(1)%3B%3Cscript%3E',
        '/number?callback=%00%0d%0a',
      ),
      head('/object?callback=go'),
    ],
  }),
  scenario({
    name: 'res.jsonp reads the parameter that the setting jsonp callback name gives',
    clauses: ['F-4.5-42'],
    build({ framework }) {
      const app = framework();
      app.set('jsonp callback name', 'cb');
      app.set('query parser', 'extended');
      app.get('/', (_req, res) => res.jsonp({ a: 1 }));
      return app;
    },
    requests: [get('/?cb=go'), get('/?callback=go'), get('/?cb[]=first&cb[]=second'), get('/?cb[x]=y')],
  }),
  scenario({
    name: 'res.json throws for values that JSON cannot represent',
    clauses: ['F-4.5-34'],
    build: routes({
      '/circular': (_req, res) => {
        const value: Record<string, unknown> = {};
        value.self = value;
        res.json(value);
      },
      '/bigint': (_req, res) => res.json({ n: 1n }),
      '/throws': (_req, res) => {
        res.json({
          toJSON() {
            throw Object.assign(new Error('no'), { status: 418 });
          },
        });
      },
    }),
    requests: gets('/circular', '/bigint', '/throws'),
  }),
]);
