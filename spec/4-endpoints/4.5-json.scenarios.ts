/** Scenarios for res.json() and res.jsonp(), and for the settings that they read. §4.5 */
import { get, head } from '../../parity/client/request';
import { expectGets, getEach, routeEach, routes } from '../../parity/scenario/routes';
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

const JSON_TYPE = { status: 200, 'content-type': 'application/json; charset=utf-8' };
const NO_VALUE = { ...JSON_TYPE, etag: undefined, body: '' };
const jsonOf = (value: unknown) => ({ ...JSON_TYPE, body: JSON.stringify(value) ?? '' });

const NOSNIFF = { 'x-content-type-options': 'nosniff' };
const callOf = (name: string, argument: string) => ({
  ...NOSNIFF,
  'content-type': 'text/javascript; charset=utf-8',
  body: `/**/ typeof ${name} === 'function' && ${name}(${argument});`,
});

const HTML = '{"html":"\\u003cscript\\u003e\\u0026amp;\\u003c/script\\u003e"';
const VALUE = { html: '<script>&amp;</script>', n: 1, deep: { n: 2, list: [1, '<'] } };
const withoutN = (key: string, each: unknown): unknown => (key === 'n' ? undefined : each);
/** Settings, with the JSON of VALUE that they give. */
const SETTINGS: ReadonlyArray<readonly [settings: Readonly<Record<string, unknown>>, json: string]> = [
  [{ 'json escape': true }, `${HTML},"n":1,"deep":{"n":2,"list":[1,"\\u003c"]}}`],
  [{ 'json spaces': 2 }, JSON.stringify(VALUE, null, 2)],
  [{ 'json spaces': '\t' }, JSON.stringify(VALUE, null, '\t')],
  [{ 'json spaces': 30 }, JSON.stringify(VALUE, null, 10)],
  [{ 'json replacer': ['n', 'deep'] }, '{"n":1,"deep":{"n":2}}'],
  [{ 'json replacer': withoutN }, '{"html":"<script>&amp;</script>","deep":{"list":[1,"<"]}}'],
  [{ 'json escape': true, 'json spaces': 1, 'json replacer': ['html'] }, `{\n "html": ${HTML.slice(8)}\n}`],
  [{ etag: false, 'json spaces': 4 }, JSON.stringify(VALUE, null, 4)],
];

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
    requests: [
      ...getEach(VALUES, (value) => (JSON.stringify(value) === undefined ? NO_VALUE : jsonOf(value))),
      ...expectGets({
        '/nothing': NO_VALUE,
        '/typed': { 'content-type': 'application/vnd.example+json; charset=utf-8', body: '{"a":1}' },
        '/html': { 'content-type': 'text/html; charset=utf-8', body: '{"a":"<b>"}' },
        '/status': { ...jsonOf({ a: 1 }), status: 201 },
      }),
      head('/object').expect({ ...JSON_TYPE, 'content-length': '24', body: '' }),
    ],
  }),
  scenario({
    name: 'res.json uses the settings json escape, json replacer and json spaces',
    clauses: ['F-4.5-34'],
    build({ framework }) {
      const app = framework();
      for (const [index, [some]] of SETTINGS.entries()) {
        const sub = framework();
        for (const [name, setting] of Object.entries(some)) sub.set(name, setting);
        sub.get('/json', (_req, res) => res.json(VALUE));
        sub.get('/jsonp', (_req, res) => res.jsonp(VALUE));
        sub.get('/nothing', (_req, res) => res.json(undefined));
        app.use(`/${index}`, sub);
      }
      return app;
    },
    requests: SETTINGS.flatMap(([, json], index) => [
      get(`/${index}/json`).expect({ ...JSON_TYPE, body: json }),
      get(`/${index}/jsonp?callback=go`).expect(callOf('go', json)),
      get(`/${index}/nothing`).expect({ body: '' }),
    ]),
  }),
  scenario({
    name: 'res.jsonp sends JSON without the callback parameter, and a guarded call with it',
    clauses: ['F-4.5-41', 'F-4.5-42', 'F-4.5-43'],
    build: routes({
      ...routeEach(VALUES, (res, value) => res.jsonp(value)),
      '/typed': (_req, res) => res.type('application/vnd.example+json').jsonp({ a: 1 }),
      '/status': (_req, res) => res.status(400).jsonp({ a: 1 }),
      '/separators': (_req, res) => res.jsonp('\u2028\u2029'),
    }),
    requests: [
      ...getEach(VALUES, (value) => ({ ...NOSNIFF, ...jsonOf(value) })),
      ...Object.entries(VALUES).map(([name, value]) =>
        get(`/${name}?callback=go`).expect(
          callOf('go', (JSON.stringify(value) ?? '').replace('\u2028', '\\u2028')),
        ),
      ),
      ...expectGets({
        '/typed': {
          'content-type': 'application/vnd.example+json; charset=utf-8',
          'x-content-type-options': undefined,
          body: '{"a":1}',
        },
        '/status': { ...NOSNIFF, ...jsonOf({ a: 1 }), status: 400 },
        '/typed?callback=go': callOf('go', '{"a":1}'),
        '/status?callback=go': { ...callOf('go', '{"a":1}'), status: 400 },
        '/number?callback=': jsonOf(300.5),
        '/number?callback=a&callback=b': callOf('a', '300.5'),
        '/number?callback[a]=b': jsonOf(300.5),
        '/number?other=go': jsonOf(300.5),
        '/number?callback=a.b[0].$_c': callOf('a.b[0].$_c', '300.5'),
        '/number?callback=alert(1)%3B%3Cscript%3E': callOf('alert1script', '300.5'),
        '/number?callback=%00%0d%0a': callOf('', '300.5'),
      }),
      head('/object?callback=go').expect({ ...callOf('go', ''), 'content-length': '62', body: '' }),
      get('/separators?callback=go').expect(callOf('go', '"\\u2028\\u2029"')),
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
    requests: expectGets({
      '/?cb=go': callOf('go', '{"a":1}'),
      '/?callback=go': jsonOf({ a: 1 }),
      '/?cb[]=first&cb[]=second': callOf('first', '{"a":1}'),
      '/?cb[x]=y': jsonOf({ a: 1 }),
    }),
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
    requests: expectGets({
      '/circular': { status: 500, body: /Converting circular structure to JSON/ },
      '/bigint': { status: 500, body: /Do not know how to serialize a BigInt/ },
      '/throws': { status: 418 },
    }),
  }),
]);
