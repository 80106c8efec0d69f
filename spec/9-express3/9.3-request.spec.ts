import { expect } from 'chai';
import express3 from 'nozomi/3';
import request from 'supertest';
import { muteDeprecations } from '../support/both';

/** The result of a handler for a request with these headers. */
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

/** The `req.params` for a path. */
async function params(pattern: string | RegExp | string[], path: string): Promise<unknown> {
  const app = express3();
  app.get(pattern, (req, res) => res.send({ ...req.params }));
  const { body, status } = await request(app).get(path);
  return status === 200 ? body : status;
}

describe('§9.3 the request of 3.x', () => {
  muteDeprecations();

  it('params is an array with named properties [F-9.3-28]', async () => {
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
    // The list becomes one group, which is counted, as in Express 3.
    [['/a/:x', '/b/:y'], '/b/2', { 0: '2', x: '/b/2' }],
    ['/ab?cd', '/acd', {}],
    ['/:id', '/a%20b', { id: 'a b' }],
    ['/:id', '/%E0%A4%A', 400],
  ] as const) {
    it(`matches ${path} with ${String(pattern)} [F-9.3-29]`, async () => {
      expect(await params(pattern as string, path)).to.deep.equal(expected);
    });
  }

  it('parses the query, with nested objects and lists [F-9.3-30]', async () => {
    expect(await asked((req) => req.query, {}, '/?shoe[color]=blue&list[]=1&list[]=2&q=a+b')).to.deep.equal({
      shoe: { color: 'blue' },
      list: ['1', '2'],
      q: 'a b',
    });
    expect(await asked((req) => req.query)).to.deep.equal({});
  });

  it('keeps a query that middleware has assigned [F-9.3-30]', async () => {
    const app = express3();
    app.use((req, _res, next) => {
      req.query = { own: '1' };
      next();
    });
    app.get('/', (req, res) => res.send(req.query));

    await request(app).get('/?a=1').expect({ own: '1' });
  });

  it('keeps a query that was parsed before [F-9.3-30]', async () => {
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

  it('ignores prototype and method names in a query [F-9.3-30]', async () => {
    const told = await asked(
      (req) => [Object.keys(req.query), typeof req.query.hasOwnProperty, 'polluted' in {}],
      {},
      '/?__proto__[polluted]=1&hasOwnProperty=x&a=1',
    );

    expect(told).to.deep.equal([['a'], 'function', false]);
  });

  it('param() searches the path, the body and the query, in this order [F-9.3-45]', async () => {
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

  it('route is the route that matched [F-9.3-46]', async () => {
    const app = express3();
    app.get('/user/:id', (req, res) => res.send([req.route.path, req.route.method, req.route.keys]));

    await request(app)
      .get('/user/1')
      .expect(['/user/:id', 'get', [{ name: 'id', optional: false }]]);
  });

  it('get() reads headers in any letter case; Referrer and Referer are the same [F-9.3-49]', async () => {
    expect(
      await asked((req) => [req.get('x-ONE'), req.header('X-One'), req.get('Referrer')], {
        'X-One': '1',
        Referer: '/a',
      }),
    ).to.deep.equal(['1', '1', '/a']);
  });

  it('accepts() chooses one of the offered types, also of a string with commas or a list [F-9.3-50]', async () => {
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

  it('accepts() returns the first type if the client states no preference [F-9.3-50]', async () => {
    expect(await asked((req) => req.accepts('json', 'html'))).to.equal('json');
  });

  it('accepts() returns undefined for types that are not acceptable [F-9.3-51]', async () => {
    expect(await asked((req) => typeof req.accepts('png'), { Accept: 'text/html' })).to.equal('undefined');
  });

  it('accepted lists the types, the preferred one first [F-9.3-52]', async () => {
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

  it('is(type) returns true or false [F-9.3-53]', async () => {
    const app = express3();
    app.post('/', (req, res) =>
      res.send(['json', 'application/*', '*/json', 'html', 'text/*'].map((type) => req.is(type))),
    );
    app.get('/', (req, res) => res.send([req.is('json')]));

    await request(app).post('/').send({ a: 1 }).expect([true, true, true, false, false]);
    await request(app).get('/').expect([false]);
  });

  it('ip and protocol are those that a trusted proxy reports [F-9.3-54 F-9.3-60]', async () => {
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

  it('path excludes the query, and originalUrl is the URL as sent [F-9.3-55 F-9.3-62]', async () => {
    const app = express3();
    app.use('/mount', (req, res) => res.send([req.path, req.url, req.originalUrl]));

    await request(app).get('/mount/a?b=c').expect(['/a', '/a?b=c', '/mount/a?b=c']);
    await request(app).get('/mount?b=c').expect(['/', '/?b=c', '/mount?b=c']);
  });

  it('host excludes the port, and subdomains are the labels before the domain [F-9.3-56 F-9.3-61]', async () => {
    const tell = (req: express3.Request) => [req.host, req.subdomains];

    expect(await asked(tell, { Host: 'a.b.parity.test:3000' })).to.deep.equal([
      'a.b.parity.test',
      ['b', 'a'],
    ]);
    expect(await asked(tell, { Host: '[::1]:3000' })).to.deep.equal(['[::1]', ['[::1]'].slice(2)]);
    expect(await asked((req) => typeof req.host, { Host: '' })).to.equal('undefined');
  });

  it('fresh is true if the ETag matches, otherwise stale is [F-9.3-57 F-9.3-58]', async () => {
    const app = express3();
    app.get('/', (req, res) => {
      res.set('ETag', '"one"');
      res.set('X-Fresh', `${req.fresh} ${req.stale}`).end();
    });

    await request(app).get('/').set('If-None-Match', '"one"').expect('X-Fresh', 'true false');
    await request(app).get('/').set('If-None-Match', '"two"').expect('X-Fresh', 'false true');
  });

  it('xhr depends on the header X-Requested-With [F-9.3-59]', async () => {
    expect(await asked((req) => req.xhr, { 'X-Requested-With': 'XMLHttpRequest' })).to.equal(true);
    expect(await asked((req) => req.xhr)).to.equal(false);
  });

  it('acceptedLanguages lists the languages, the preferred one first; acceptsLanguage checks one [F-9.3-63 F-9.3-66]', async () => {
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

  it('acceptedCharsets lists the charsets, the preferred one first; acceptsCharset checks one [F-9.3-64 F-9.3-65]', async () => {
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

  it('acceptedEncodings lists the encodings in the order of the header; acceptsEncoding checks one', async () => {
    const tell = (req: express3.Request) => [req.acceptedEncodings, req.acceptsEncoding('gzip')];

    expect(await asked(tell, { 'Accept-Encoding': 'gzip, deflate' })).to.deep.equal([
      ['gzip', 'deflate'],
      true,
    ]);
    expect(await asked(tell, { 'Accept-Encoding': '' })).to.deep.equal([[], false]);
  });

  it('res is the response, whose req is the request [F-9.3-67 F-9.3-96]', async () => {
    const app = express3();
    app.get('/', (req, res) => res.send([req.res === res, res.req === req]));

    await request(app).get('/').expect([true, true]);
  });

  it('auth contains the credentials, or is undefined without any', async () => {
    const Authorization = `Basic ${Buffer.from('ann:secret').toString('base64')}`;

    expect(await asked((req) => req.auth, { Authorization })).to.deep.equal({
      username: 'ann',
      password: 'secret',
    });
    expect(await asked((req) => typeof req.auth)).to.equal('undefined');
  });

  it('has the members of 5.x, unless 3.x gives the name another meaning', async () => {
    const told = await asked((req) => [req.hostname, req.acceptsLanguages('en')], {
      Host: 'parity.test:80',
      'Accept-Language': 'en',
    });

    expect(told).to.deep.equal(['parity.test', 'en']);
  });
});
