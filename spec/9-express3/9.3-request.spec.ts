import { expect } from 'chai';
import express3 from 'nozomi/3';
import request from 'supertest';
import { muteDeprecations } from '../support/both';

/** @returns The result of `tell` for a request with these headers. */
async function asked(
  tell: (req: express3.Request) => unknown,
  headers: Record<string, string> = {},
  path = '/',
  set: (app: express3.Application) => void = () => {},
): Promise<unknown> {
  const app = express3();
  set(app);
  app.all('*', (req, res) => res.send({ told: tell(req) }));
  const { body } = await request(app).get(path).set(headers);
  return (body as { told?: unknown }).told;
}

/** @returns `req.params` of a route with `pattern` for a path, or the status if it is not 200. */
async function params(pattern: string | RegExp | string[], path: string): Promise<unknown> {
  const app = express3();
  app.get(pattern, (req, res) => res.send({ ...req.params }));
  const { body, status } = await request(app).get(path);
  return status === 200 ? body : status;
}

describe('nozomi/3, the request (§9.3)', () => {
  muteDeprecations();

  for (const [query, expected] of [
    ['a[b]=1&a=2', { a: { 2: true, b: '1' } }],
    ['a[20]=x', { a: ['x'] }],
    ['a[21]=x', { a: { 21: 'x' } }],
    ['a=x&'.repeat(30), { a: Array(30).fill('x') }],
    ['a[]=x&'.repeat(30), { a: Array(30).fill('x') }],
  ] as const) {
    it(`req.query of ?${query.slice(0, 20)} is that of Express 3 [F-9.3-30]`, async () => {
      expect(await asked((req) => req.query, {}, `/?${query}`)).to.deep.equal(expected);
    });
  }

  it('req.params is an array with named properties [F-9.3-28]', async () => {
    const app = express3();
    app.get('/:a/*', (req, res) => res.send([Array.isArray(req.params), req.params.length, req.params.a]));

    await request(app).get('/x/y').expect([true, 1, 'x']);
  });

  for (const [pattern, path, expected] of [
    ['/file/*', '/file/a/b.txt', { 0: 'a/b.txt' }],
    ['/*/x/*', '/a/x/b', { 0: 'a', 1: 'b' }],
    [/^\/commits\/(\w+)\.\.(\w+)$/, '/commits/a..b', { 0: 'a', 1: 'b' }],
    ['/:id(\\d+)', '/12', { id: '12' }],
    ['/:id(\\d+)', '/ab', 404],
    ['/:a?', '/', {}],
    ['/:name.:format?', '/page.json', { name: 'page', format: 'json' }],
    ['/:from-:to', '/a-b-c', { from: 'a', to: 'b-c' }],
    // Express 3 joins the list into one group. It captures too, so `x` is the whole path.
    [['/a/:x', '/b/:y'], '/b/2', { 0: '2', x: '/b/2' }],
    ['/ab?cd', '/acd', {}],
    ['/:id', '/a%20b', { id: 'a b' }],
    ['/:id', '/%E0%A4%A', 400],
  ] as const) {
    it(`the path ${path} matches the pattern ${String(pattern)} [F-9.3-29]`, async () => {
      expect(await params(pattern as string, path)).to.deep.equal(expected);
    });
  }

  it('req.query has nested objects and lists [F-9.3-30]', async () => {
    expect(await asked((req) => req.query, {}, '/?shoe[color]=blue&list[]=1&list[]=2&q=a+b')).to.deep.equal({
      shoe: { color: 'blue' },
      list: ['1', '2'],
      q: 'a b',
    });
    expect(await asked((req) => req.query)).to.deep.equal({});
  });

  it('req.query stays the value that middleware has assigned [F-9.3-30]', async () => {
    const app = express3();
    app.use((req, _res, next) => {
      req.query = { own: '1' };
      next();
    });
    app.get('/', (req, res) => res.send(req.query));

    await request(app).get('/?a=1').expect({ own: '1' });
  });

  it('req.query is not parsed again if it was set before the application [F-9.3-30]', async () => {
    const app = express3();
    app.stack.unshift({
      route: '',
      handle: (req: object, _res: unknown, next: () => void) => {
        Object.defineProperty(req, 'query', { value: { before: '1' }, configurable: true, writable: true });
        next();
      },
    });
    app.get('/', (req, res) => res.send(req.query));

    await request(app).get('/?a=1').expect({ before: '1' });
  });

  it('req.query ignores the names of Object.prototype [F-9.3-30]', async () => {
    const told = await asked(
      (req) => [Object.keys(req.query), typeof req.query.hasOwnProperty, 'polluted' in {}],
      {},
      '/?__proto__[polluted]=1&hasOwnProperty=x&a=1',
    );

    expect(told).to.deep.equal([['a'], 'function', false]);
  });

  it('req.param() searches the path, the body and the query, in this order [F-9.3-45]', async () => {
    const app = express3();
    app.use((req, _res, next) => {
      req.body = { b: 'body', c: null };
      next();
    });
    app.get('/:a', (req, res) =>
      res.send(['a', 'b', 'c', 'd', 'toString'].map((name) => req.param(name, 'default'))),
    );

    await request(app)
      .get('/path?a=query&b=query&c=query')
      .expect(['path', 'body', 'query', 'default', 'default']);
  });

  it('req.route is the route that matched [F-9.3-46]', async () => {
    const app = express3();
    app.get('/user/:id', (req, res) => res.send([req.route.path, req.route.method, req.route.keys]));

    await request(app)
      .get('/user/1')
      .expect(['/user/:id', 'get', [{ name: 'id', optional: false }]]);
  });

  it('req.get() accepts the names that Express 3 accepts, and throws an error of V8 for others [F-9.3-49]', async () => {
    const values = (req: express3.Request): unknown[] =>
      ['', { toLowerCase: () => 'x-one' }, undefined, 1].map((name) => {
        try {
          return req.get(name as string) ?? 'undefined';
        } catch (error) {
          return String(error);
        }
      });
    expect(await asked(values, { 'X-One': '1' })).to.deep.equal([
      ...['undefined', '1'],
      "TypeError: Cannot read properties of undefined (reading 'toLowerCase')",
      'TypeError: name.toLowerCase is not a function',
    ]);
  });

  it('req.get() returns headers in any letter case; Referrer and Referer are the same [F-9.3-49]', async () => {
    expect(
      await asked((req) => [req.get('x-ONE'), req.header('X-One'), req.get('Referrer')], {
        'X-One': '1',
        Referer: '/a',
      }),
    ).to.deep.equal(['1', '1', '/a']);
  });

  it('req.accepts() returns one of the offered types, also of a string with commas or a list [F-9.3-50]', async () => {
    const told = await asked(
      (req) => [
        req.accepts('html'),
        req.accepts('json, html'),
        req.accepts(['text/html', 'application/json']),
        req.accepts('html', 'json'),
        req.accepts('application/json'),
      ],
      { Accept: 'text/*;q=.5, application/json' },
    );

    expect(told).to.deep.equal(['html', 'json', 'application/json', 'json', 'application/json']);
  });

  it('req.accepts() returns the first type if the client states no preference [F-9.3-50]', async () => {
    expect(await asked((req) => req.accepts('json', 'html'))).to.equal('json');
  });

  it('req.accepts() returns undefined for types that are not acceptable [F-9.3-51]', async () => {
    expect(await asked((req) => typeof req.accepts('png'), { Accept: 'text/html' })).to.equal('undefined');
  });

  it('req.accepted lists the types, the preferred one first [F-9.3-52]', async () => {
    const told = await asked(
      (req) => req.accepted.map(({ value, quality, type, subtype }) => [value, quality, type, subtype]),
      {
        Accept: 'text/html;q=.5, application/json, image/png;q=0',
      },
    );

    expect(told).to.deep.equal([
      ['application/json', 1, 'application', 'json'],
      ['text/html', 0.5, 'text', 'html'],
    ]);
  });

  it('req.is(type) returns true or false [F-9.3-53]', async () => {
    const app = express3();
    app.post('/', (req, res) =>
      res.send(['json', 'application/*', '*/json', 'html', 'text/*'].map((type) => req.is(type))),
    );
    app.get('/', (req, res) => res.send([req.is('json')]));

    await request(app).post('/').send({ a: 1 }).expect([true, true, true, false, false]);
    await request(app).get('/').expect([false]);
  });

  it('req.ip and req.protocol are those that a trusted proxy reports [F-9.3-54 F-9.3-60]', async () => {
    const headers = { 'X-Forwarded-For': '1.1.1.1, 2.2.2.2', 'X-Forwarded-Proto': 'https' };
    const tell = (req: express3.Request) => [req.ip, req.ips, req.protocol, req.secure];

    expect(await asked(tell, headers, '/', (app) => app.enable('trust proxy'))).to.deep.equal([
      '1.1.1.1',
      ['1.1.1.1', '2.2.2.2'],
      'https',
      true,
    ]);
    expect(await asked(tell, headers)).to.deep.equal(['127.0.0.1', [], 'http', false]);
  });

  it('req.path excludes the query, and req.originalUrl is the URL as sent [F-9.3-55 F-9.3-62]', async () => {
    const app = express3();
    app.use('/mount', (req, res) => res.send([req.path, req.url, req.originalUrl]));

    await request(app).get('/mount/a?b=c').expect(['/a', '/a?b=c', '/mount/a?b=c']);
    await request(app).get('/mount?b=c').expect(['/', '/?b=c', '/mount?b=c']);
  });

  it('req.host excludes the port, and req.subdomains are the labels before the domain [F-9.3-56 F-9.3-61]', async () => {
    const tell = (req: express3.Request) => [req.host, req.subdomains];

    expect(await asked(tell, { Host: 'a.b.parity.test:3000' })).to.deep.equal([
      'a.b.parity.test',
      ['b', 'a'],
    ]);
    expect(await asked(tell, { Host: '[::1]:3000' })).to.deep.equal(['[::1]', ['[::1]'].slice(2)]);
    expect(await asked((req) => typeof req.host, { Host: '' })).to.equal('undefined');
  });

  it('req.fresh is true if the ETag matches, otherwise req.stale is true [F-9.3-57 F-9.3-58]', async () => {
    const app = express3();
    app.get('/', (req, res) => {
      res.set('ETag', '"one"');
      res.set('X-Fresh', `${req.fresh} ${req.stale}`).end();
    });

    await request(app).get('/').set('If-None-Match', '"one"').expect('X-Fresh', 'true false');
    await request(app).get('/').set('If-None-Match', '"two"').expect('X-Fresh', 'false true');
  });

  it('req.xhr is true if the header X-Requested-With says so [F-9.3-59]', async () => {
    expect(await asked((req) => req.xhr, { 'X-Requested-With': 'XMLHttpRequest' })).to.equal(true);
    expect(await asked((req) => req.xhr)).to.equal(false);
  });

  it('req.acceptedLanguages lists languages, the preferred one first; req.acceptsLanguage checks one [F-9.3-63 F-9.3-66]', async () => {
    const tell = (req: express3.Request) => [
      req.acceptedLanguages,
      req.acceptsLanguage('en'),
      req.acceptsLanguage('de'),
    ];

    expect(await asked(tell, { 'Accept-Language': 'en;q=.5, en-us' })).to.deep.equal([
      ['en-us', 'en'],
      true,
      false,
    ]);
    expect(await asked(tell)).to.deep.equal([[], true, true]);
  });

  it('req.acceptedCharsets lists charsets, the preferred one first; req.acceptsCharset checks one [F-9.3-64 F-9.3-65]', async () => {
    const tell = (req: express3.Request) => [
      req.acceptedCharsets,
      req.acceptsCharset('utf-8'),
      req.acceptsCharset('x'),
    ];

    expect(await asked(tell, { 'Accept-Charset': 'iso-8859-5;q=.2, utf-8' })).to.deep.equal([
      ['utf-8', 'iso-8859-5'],
      true,
      false,
    ]);
    expect(await asked(tell)).to.deep.equal([[], true, true]);
  });

  it('req.acceptedEncodings lists encodings in the order of the header; req.acceptsEncoding checks one', async () => {
    const tell = (req: express3.Request) => [req.acceptedEncodings, req.acceptsEncoding('gzip')];

    expect(await asked(tell, { 'Accept-Encoding': 'gzip, deflate' })).to.deep.equal([
      ['gzip', 'deflate'],
      true,
    ]);
    expect(await asked(tell, { 'Accept-Encoding': '' })).to.deep.equal([[], false]);
  });

  it('req.res is the response, and res.req the request [F-9.3-67 F-9.3-96]', async () => {
    const app = express3();
    app.get('/', (req, res) => res.send([req.res === res, res.req === req]));

    await request(app).get('/').expect([true, true]);
  });

  it('req.auth has the credentials of basic authentication, or is undefined without any', async () => {
    const Authorization = `Basic ${Buffer.from('ann:secret').toString('base64')}`;

    expect(await asked((req) => req.auth, { Authorization })).to.deep.equal({
      username: 'ann',
      password: 'secret',
    });
    expect(await asked((req) => typeof req.auth)).to.equal('undefined');
  });

  it('has the members of Express 5 except those that mean something else in Express 3', async () => {
    const told = await asked((req) => [req.hostname, req.acceptsLanguages('en')], {
      Host: 'parity.test:80',
      'Accept-Language': 'en',
    });

    expect(told).to.deep.equal(['parity.test', 'en']);
  });
});
