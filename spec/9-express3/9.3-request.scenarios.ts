/** Scenarios for the properties and methods of a request in Express 3. §9.3 */
import { expect } from 'chai';
import type express3 from 'nozomi/3';
import { get, head, post, raw } from '../../parity/client/request';
import { gets } from '../../parity/scenario/routes';
import { express3Scenario } from '../../parity/scenario/scenario';
import { outcomeOf } from '../support/outcome';

/** Request targets, with the parameters of the route or the status. An optional parameter that is missing is undefined. */
const PARAMS = {
  '/user/ann%20b%2Fc': { id: 'ann b/c' },
  '/user/': 404,
  '/date/2013-01-02': { year: '2013', month: '01', day: '02' },
  '/date/a--b-c': { year: 'a', month: '-b', day: 'c' },
  '/date/2013-01': 404,
  '/file/a/b%20c.txt': { 0: 'a/b c.txt' },
  '/file/': { 0: '' },
  '/two/a/and/b/and/c': { 0: 'a/and/b', 1: 'c' },
  '/opt': { a: null, b: null },
  '/opt/1': { a: '1', b: null },
  '/opt/1/2': { a: '1', b: '2' },
  '/fmt/page': { name: 'page', format: null },
  '/fmt/page.tar.gz': { name: 'page.tar', format: 'gz' },
  '/fmt/.hidden': { name: '.hidden', format: null },
  '/num/12': { id: '12' },
  '/num/x': 404,
  '/word/cat': { kind: 'cat', n: null },
  '/word/dog/12': { kind: 'dog', n: '12' },
  '/word/cow': 404,
  '/deep/a': { 0: null, 1: null, dir: 'a' },
  '/deep/a/b/c': { 0: '/b/c', 1: 'b/c', dir: 'a' },
  '/acd': {},
  '/ABCD': {},
  '/xxxy': {},
  '/poneq': { 0: 'one' },
  '/re/a..b': { 0: 'a', 1: 'b' },
  '/re/a..': { 0: 'a', 1: null },
  // Express 3 joins a list of paths into one group. It captures too, so `a` is the whole path.
  '/list/1': { 0: null, a: '/list/1', b: '1' },
  '/other/2/': { 0: '2', a: '/other/2', b: null },
  '/user/%E0%A4%A': 400,
  '/user/a?b=c': { id: 'a' },
};

const TYPES = ['html', 'text/html', 'text/*', '*/html', 'json', 'application/*', '*/*', 'xml', 'urlencoded'];

/** `req.ip`, `ips`, `protocol`, `secure`, `host` and `subdomains` without a trusted proxy, and the last four with one. */
const DIRECT = ['127.0.0.1', [], 'http', false, 'a.b.parity.test', ['b', 'a']];
const FORWARDED = ['https', true, 'tobi.ferrets.forwarded.test', ['ferrets', 'tobi']];

export default [
  express3Scenario({
    name: 'req.params has named parameters by name and unnamed ones by number',
    clauses: ['F-9.3-28', 'F-9.3-29'],
    build({ framework }) {
      const app = framework();
      const paths = [
        '/user/:id',
        '/date/:year-:month-:day',
        '/file/*',
        '/two/*/and/*',
        '/opt/:a?/:b?',
        '/fmt/:name.:format?',
        '/num/:id(\\d+)',
        '/word/:kind(cat|dog)/:n([0-9]+)?',
        '/deep/:dir*',
        '/ab?cd',
        '/x+y',
        '/p(one|two)q',
        /^\/re\/(\w+)\.\.(\w+)?$/,
        ['/list/:a', '/other/:b'],
      ];
      for (const path of paths) {
        app.get(path, (req, res) => {
          const { params } = req;
          res.send([String(path), Array.isArray(params), params.length, params, Object.entries(params)]);
        });
      }
      return app;
    },
    requests: gets(...Object.keys(PARAMS)),
    expect({ exchanges }) {
      const seen = exchanges.map(({ response: { status, body } }) =>
        status === 200 ? Object.fromEntries(JSON.parse(String(body))[4]) : status,
      );
      expect(seen).to.deep.equal(Object.values(PARAMS));
    },
  }),
  express3Scenario({
    name: 'req.query is parsed once, has nested objects and can be assigned',
    clauses: ['F-9.3-30'],
    build({ framework }) {
      const app = framework();
      const inner = framework();
      app.use((req, _res, next) => {
        if (req.query.assign) req.query = { assigned: 'yes' };
        req.query.added = 1;
        next();
      });
      inner.get('/', (req, res) => res.send(req.query));
      app.use('/inner', inner);
      app.get('/', (req, res) => res.send(req.query));
      return app;
    },
    requests: Object.entries({
      '/': {},
      '/?': {},
      '/?a=1&b=two%20words&c': { a: '1', b: 'two words', c: '' },
      '/?order=desc&shoe[color]=blue&shoe[type]=converse': {
        order: 'desc',
        shoe: { color: 'blue', type: 'converse' },
      },
      '/?list[]=1&list[]=2&same=1&same=2': { list: ['1', '2'], same: ['1', '2'] },
      '/?deep[a][b][c]=1&index[0]=x&index[1]=y': { deep: { a: { b: { c: '1' } } }, index: ['x', 'y'] },
      '/?assign=1': { assigned: 'yes' },
      '/inner?x=1': { x: '1' },
      '/inner/?x[y]=1': { x: { y: '1' } },
      '/?plus=a+b&pct=%25&bad=%E0%A4%A': { plus: 'a b', pct: '%', bad: '%E0%A4%A' },
    }).map(([target, query]) => get(target).expect({ json: { ...query, added: 1 } })),
  }),
  express3Scenario({
    name: 'the query string cannot replace members of Object.prototype',
    clauses: ['F-9.3-30'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => {
        const { query } = req;
        const called = typeof query.hasOwnProperty === 'function';
        res.send([
          called,
          'polluted' in query,
          'polluted' in (query.a ?? {}),
          'polluted' in {},
          Object.keys(query),
        ]);
      });
      return app;
    },
    requests: [
      get('/?hasOwnProperty=1&toString=2&b=3').expect({ json: [true, false, false, false, ['b']] }),
      get('/?__proto__[polluted]=1&a[__proto__][polluted]=1&constructor[prototype][polluted]=1'),
    ],
  }),
  express3Scenario({
    name: 'the query string can repeat a name, as a value, a list and an object',
    clauses: ['F-9.3-30'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => res.send(req.query));
      return app;
    },
    requests: [
      ...Object.entries({
        'a[b]=1&a=2': { 2: true, b: '1' },
        'a=2&a[b]=1': ['2', { b: '1' }],
        'a[]=1&a=2': ['1', '2'],
        'a[20]=x': ['x'],
        'a[21]=x': { 21: 'x' },
        ['a=x&'.repeat(30)]: Array(30).fill('x'),
        ['a[]=x&'.repeat(30)]: Array(30).fill('x'),
      }).map(([query, a]) => get(`/?${query}`).expect({ json: { a } })),
      ...gets('/?a=1&a', '/?a[21]=x&a=1', '/?a=1&a[]=2&a=3', '/?a]=1', '/?a[b=1'),
    ],
  }),
  express3Scenario({
    name: 'req.param searches the path, then the body, then the query',
    clauses: ['F-9.3-45'],
    build({ framework }) {
      const app = framework();
      app.use((req, _res, next) => {
        if (req.get('X-Body')) req.body = { name: 'body', only: 'body', none: null };
        next();
      });
      const response: express3.Handler = (req, res) =>
        res.send([
          req.param('name'),
          req.param('only'),
          req.param('none', 'default'),
          req.param('zero', 'default'),
        ]);
      app.get('/p/:name', response);
      app.get('/q', response);
      return app;
    },
    requests: [
      get('/p/path?name=query&only=query', { 'X-Body': '1' }).expect({
        json: ['path', 'body', 'default', 'default'],
      }),
      get('/q?name=query&only=query', { 'X-Body': '1' }).expect({
        json: ['body', 'body', 'default', 'default'],
      }),
      get('/q?name=query&only=query&zero=0&none=').expect({ json: ['query', 'query', '', '0'] }),
      get('/q').expect({ json: [null, null, 'default', 'default'] }),
    ],
  }),
  express3Scenario({
    name: 'req.route is the route that matched',
    clauses: ['F-9.3-46'],
    build({ framework }) {
      const app = framework();
      app.use((req, _res, next) => {
        Object.assign(req, { before: String(req.route) });
        next();
      });
      app.get('/u/:id?', (req, res) => {
        const { path, method, keys, regexp, params, callbacks } = req.route;
        res.send([
          { path, method, keys, regexp: String(regexp), params, callbacks: callbacks.length },
          (req as never as { before: string }).before,
        ]);
      });
      app.use((req, res) => res.send(String(req.route)));
      return app;
    },
    requests: [
      get('/u/1').expect({ body: /"path": "\/u\/:id\?",\s+"method": "get".*"optional": true.*"undefined"/s }),
      get('/u'),
      get('/none').expect({ body: 'undefined' }),
    ],
  }),
  express3Scenario({
    name: 'req.get and req.header read headers and ignore case',
    clauses: ['F-9.3-49'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) =>
        res.send([
          req.get('content-TYPE'),
          req.header('X-One'),
          req.get('Referer'),
          req.get('referrer'),
          req.get('X-None'),
        ]),
      );
      return app;
    },
    requests: [
      get('/', { 'Content-Type': 'text/plain', 'x-one': '1', Referer: '/a' }).expect({
        json: ['text/plain', '1', '/a', '/a', null],
      }),
      get('/', { Referrer: '/b', 'X-One': ['1', '2'] }).expect({ json: [null, '1, 2', '/b', '/b', null] }),
    ],
  }),
  express3Scenario({
    name: 'req.accepts returns the best type, or undefined if none is acceptable',
    clauses: ['F-9.3-50', 'F-9.3-51', 'F-9.3-52'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => {
        const responses = [
          req.accepts('html'),
          req.accepts('text/html'),
          req.accepts('json, text'),
          req.accepts('application/json'),
          req.accepts('png'),
          req.accepts(['html', 'json']),
          req.accepts('json', 'html'),
          req.accepts('text/*'),
          req.accepts('text/html;level=1'),
        ];
        res.json([responses.map(String), req.accepted]);
      });
      return app;
    },
    requests: [
      ...[
        'text/html',
        'text/*, application/json',
        'text/*;q=.5, application/json',
        '*/*',
        'image/png;q=0, text/html;level=1;q=0.9',
        'text/html ; q=0.3,text/plain; q = 0.8, */*;q=0.1',
        'nonsense',
        '',
      ].map((accept) => get('/', { Accept: accept })),
      get('/'),
    ],
    expect({ exchanges }) {
      const seen = exchanges.map(({ response }) => JSON.parse(String(response.body)));
      const [html, , preferring] = seen.map(([types]) => types.slice(0, 7).join());
      expect(html).to.equal('html,text/html,undefined,undefined,undefined,html,html');
      expect(preferring).to.equal('html,text/html,json,application/json,undefined,json,json');
      // biome-ignore format: a table
      expect(seen.at(-1)[0].slice(0, 7)).to.deep.equal([
        'html', 'text/html', 'json', 'application/json', 'png', 'html', 'json',
      ]);
      expect(
        seen[2][1].map((one: { value: string; quality: number }) => [one.value, one.quality]),
      ).to.deep.equal([
        ['application/json', 1],
        ['text/*', 0.5],
      ]);
    },
  }),
  express3Scenario({
    name: 'req lists accepted languages, charsets and encodings, and tests single ones',
    clauses: ['F-9.3-63', 'F-9.3-64', 'F-9.3-65', 'F-9.3-66'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) =>
        res.json({
          languages: req.acceptedLanguages,
          language: [req.acceptsLanguage('en'), req.acceptsLanguage('de'), req.acceptsLanguage('en-us')],
          charsets: req.acceptedCharsets,
          charset: [req.acceptsCharset('utf-8'), req.acceptsCharset('UTF-8'), req.acceptsCharset('x')],
          encodings: req.acceptedEncodings,
          encoding: [req.acceptsEncoding('gzip'), req.acceptsEncoding('br')],
        }),
      );
      return app;
    },
    requests: [
      get('/').expect({
        json: {
          languages: [],
          language: [true, true, true],
          charsets: [],
          charset: [true, true, true],
          encodings: [],
          encoding: [false, false],
        },
      }),
      get('/', {
        'Accept-Language': 'en;q=.5, en-us, fr;q=0',
        'Accept-Charset': 'iso-8859-5;q=.2, unicode-1-1;q=0.8, utf-8',
        'Accept-Encoding': 'gzip, deflate;q=0.5',
      }).expect({
        json: {
          languages: ['en-us', 'en'],
          language: [true, false, true],
          charsets: ['utf-8', 'unicode-1-1', 'iso-8859-5'],
          charset: [true, false, false],
          encodings: ['gzip', 'deflate;q=0.5'],
          encoding: [true, false],
        },
      }),
    ],
  }),
  express3Scenario({
    name: 'req.is returns whether the body has a type',
    clauses: ['F-9.3-53'],
    build({ framework }) {
      const app = framework();
      app.post('/', (req, res) => res.json(TYPES.map((type) => [type, req.is(type)])));
      return app;
    },
    requests: [
      ...Object.entries({
        'text/html; charset=utf-8': ['html', 'text/html', 'text/*', '*/html'],
        'application/json': ['json', 'application/*'],
        'application/x-www-form-urlencoded': ['application/*'],
        nonsense: [],
      }).map(([type, matching]) =>
        post('/', 'x', { 'Content-Type': type }).expect({
          json: TYPES.map((one) => [one, (matching as string[]).includes(one)]),
        }),
      ),
      post('/', 'x').expect({ json: TYPES.map((type) => [type, false]) }),
    ],
  }),
  express3Scenario({
    name: 'req.ip, protocol and host come from the headers of trusted proxies',
    clauses: ['F-9.3-18', 'F-9.3-54', 'F-9.3-56', 'F-9.3-60', 'F-9.3-61'],
    build({ framework }) {
      const app = framework();
      for (const [path, trust] of [
        ['/none', false],
        ['/all', true],
        ['/one', 1],
        ['/loopback', 'loopback'],
        ['/other', '10.0.0.1'],
      ] as const) {
        const inner = framework();
        inner.set('trust proxy', trust);
        inner.get('/', (req, res) =>
          res.json([req.ip, req.ips, req.protocol, req.secure, req.host, req.subdomains]),
        );
        app.use(path, inner);
      }
      return app;
    },
    requests: Object.entries({
      '/none': DIRECT,
      '/all': ['1.1.1.1', ['1.1.1.1', '2.2.2.2'], ...FORWARDED],
      '/one': ['2.2.2.2', ['2.2.2.2'], ...FORWARDED],
      '/loopback': ['2.2.2.2', ['2.2.2.2'], ...FORWARDED],
      '/other': DIRECT,
    }).flatMap(([path, json]) => [
      get(path),
      get(path, {
        Host: 'a.b.parity.test:3000',
        'X-Forwarded-For': '1.1.1.1, 2.2.2.2',
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Host': 'tobi.ferrets.forwarded.test:80',
      }).expect({ json }),
      get(path, { Host: '[::1]:8080' }).expect({ json: ['127.0.0.1', [], 'http', false, '[::1]', []] }),
      get(path, { Host: '127.0.0.1' }).expect({ json: ['127.0.0.1', [], 'http', false, '127.0.0.1', []] }),
    ]),
  }),
  express3Scenario({
    name: 'req.host is the first of several forwarded hosts',
    clauses: ['F-9.3-56'],
    build({ framework }) {
      const app = framework();
      app.enable('trust proxy');
      app.get('/', (req, res) => res.send(req.host));
      return app;
    },
    requests: [get('/', { 'X-Forwarded-Host': 'first.test, second.test' }).expect({ body: 'first.test' })],
  }),
  express3Scenario({
    name: 'req.path and req.originalUrl include or omit the mount path',
    clauses: ['F-9.3-55', 'F-9.3-62', 'F-9.3-67'],
    build({ framework }) {
      const app = framework();
      const tell: express3.Handler = (req, res) =>
        res.json([req.path, req.url, req.originalUrl, req.res === res, res.req === req]);
      const [inner, deep] = [framework(), framework()];
      deep.get('*', tell);
      inner.use('/deep.x', deep);
      inner.get('/a', tell);
      app.use('/mount', inner);
      app.use('/plain/', tell);
      app.get('/users', tell);
      return app;
    },
    requests: Object.entries({
      '/users?sort=desc': ['/users', '/users?sort=desc'],
      '/mount/a?b': ['/a', '/a?b'],
      '/Mount/A': ['/A', '/A'],
      '/mount': 404,
      '/mount/deep.x/y?z=1': ['/y', '/y?z=1'],
      '/mount.a': 404,
      '/mounted': 404,
      '/plain': ['/', '/'],
      '/plain?x=1': ['/', '/?x=1'],
      '/plain/x/': ['/x/', '/x/'],
      '/plain.x': ['/.x', '/.x'],
      '/plain-x': 404,
      'http://parity.test/mount/a?b=1': ['/a', 'http://parity.test/a?b=1'],
      '*': 404,
    }).map(([target, seen]) =>
      get(target).expect(
        typeof seen === 'number' ? { status: seen } : { json: [...seen, target, true, true] },
      ),
    ),
  }),
  express3Scenario({
    name: 'req.fresh and req.stale depend on validators and the status',
    clauses: ['F-9.3-57', 'F-9.3-58'],
    build({ framework }) {
      const app = framework();
      app.all('/:status', (req, res) => {
        res.set('ETag', '"one"').set('Last-Modified', 'Thu, 01 Jan 2015 00:00:00 GMT');
        res.statusCode = Number(req.params.status);
        res.set('X-Fresh', [req.fresh, req.stale].join()).end();
      });
      return app;
    },
    requests: [
      get('/200').expect({ 'x-fresh': 'false,true' }),
      get('/200', { 'If-None-Match': '"one"' }).expect({ 'x-fresh': 'true,false' }),
      get('/200', { 'If-None-Match': 'W/"one", "two"' }).expect({ 'x-fresh': 'true,false' }),
      get('/200', { 'If-None-Match': '"two"' }).expect({ 'x-fresh': 'false,true' }),
      get('/200', { 'If-None-Match': '*' }).expect({ 'x-fresh': 'true,false' }),
      get('/200', { 'If-Modified-Since': 'Fri, 02 Jan 2015 00:00:00 GMT' }).expect({
        'x-fresh': 'true,false',
      }),
      get('/200', { 'If-Modified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' }).expect({
        'x-fresh': 'true,false',
      }),
      get('/200', { 'If-Modified-Since': 'Wed, 31 Dec 2014 00:00:00 GMT' }).expect({
        'x-fresh': 'false,true',
      }),
      get('/200', { 'If-None-Match': '"one"', 'Cache-Control': 'no-cache' }).expect({
        'x-fresh': 'false,true',
      }),
      get('/404', { 'If-None-Match': '"one"' }).expect({ 'x-fresh': 'false,true' }),
      post('/200', '', { 'If-None-Match': '"one"' }).expect({ 'x-fresh': 'false,true' }),
      head('/200', { 'If-None-Match': '"one"' }).expect({ 'x-fresh': 'true,false' }),
    ],
  }),
  express3Scenario({
    name: 'req.xhr depends on the header X-Requested-With',
    clauses: ['F-9.3-59'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => res.json(req.xhr));
      return app;
    },
    requests: [
      get('/').expect({ json: false }),
      get('/', { 'X-Requested-With': 'XMLHttpRequest' }).expect({ json: true }),
      get('/', { 'X-Requested-With': 'xmlhttprequest' }).expect({ json: true }),
      get('/', { 'X-Requested-With': 'fetch' }).expect({ json: false }),
    ],
  }),
  express3Scenario({
    name: 'req.auth warns of its deprecation, and req.range parses ranges',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      app.get('/auth', (req, res) => res.json(req.auth ?? 'none'));
      app.get('/range', (req, res) => res.json(req.range(100) ?? 'none'));
      return app;
    },
    requests: [
      get('/auth', { Authorization: `Basic ${Buffer.from('ann:se:cret').toString('base64')}` }).expect({
        json: { username: 'ann', password: 'se:cret' },
      }),
      get('/auth', { Authorization: 'Basic nonsense' }).expect({ json: 'none' }),
      get('/auth').expect({ json: 'none' }),
      get('/range', { Range: 'bytes=0-9,20-' }),
      get('/range', { Range: 'bytes=200-' }),
      get('/range'),
    ],
  }),
  express3Scenario({
    name: 'req.accepts compares the parameters of a media type, but not those of a wildcard',
    clauses: ['F-9.3-50'],
    build({ framework }) {
      const app = framework();
      app.get('/levels', (req, res) =>
        res.send(['text/html;level=1', 'text/html;level=2'].map((type) => String(req.accepts(type)))),
      );
      app.get('/wildcard', (req, res) => res.send([req.accepts('png', 'html')]));
      return app;
    },
    requests: [
      get('/levels', { Accept: 'text/html;level=1, image/*;q=bad' }).expect({
        json: ['text/html;level=1', 'undefined'],
      }),
      get('/wildcard', { Accept: 'text/*' }).expect({ json: ['html'] }),
    ],
  }),
  express3Scenario({
    name: 'req.url keeps a request target in absolute form that has no path',
    clauses: ['F-9.3-62'],
    build: ({ framework }) => framework().use((req, res) => res.send([req.url, req.originalUrl])),
    requests: [
      raw('GET http://parity.test?b HTTP/1.1\r\nHost: parity.test\r\nConnection: close\r\n\r\n').expect({
        json: ['http://parity.test?b', 'http://parity.test?b'],
      }),
    ],
  }),
  express3Scenario({
    name: 'req.query is not parsed again if it was set before the application',
    clauses: ['F-9.3-30'],
    build({ framework }) {
      const app = framework();
      app.stack.unshift({
        route: '',
        handle: (req: object, _res: unknown, next: () => void) => {
          Object.defineProperty(req, 'query', { value: { before: '1' }, configurable: true, writable: true });
          next();
        },
      });
      app.get('/', (req, res) => res.send(req.query));
      return app;
    },
    requests: [get('/?a=1').expect({ json: { before: '1' } })],
  }),
  express3Scenario({
    name: 'req.get accepts any name with a method toLowerCase, and throws an error of V8 for others',
    clauses: ['F-9.3-49'],
    build({ framework }) {
      const app = framework();
      const name = { toLowerCase: () => 'x-one' };
      app.get('/', (req, res) => {
        const outcomes = ['', undefined, 1].map((one) => outcomeOf(() => req.get(one as string)));
        res.send([req.get(name as unknown as string), ...outcomes]);
      });
      return app;
    },
    requests: [
      get('/', { 'X-One': '1' }).expect({
        json: [
          '1',
          'undefined',
          "TypeError: Cannot read properties of undefined (reading 'toLowerCase')",
          'TypeError: name.toLowerCase is not a function',
        ],
      }),
    ],
  }),
  express3Scenario({
    name: 'req.acceptedEncodings lists no encoding of an empty header',
    clauses: ['F-9.3-65'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => res.send([req.acceptedEncodings, req.acceptsEncoding('gzip')]));
      return app;
    },
    requests: [get('/', { 'Accept-Encoding': '' }).expect({ json: [[], false] })],
  }),
];
