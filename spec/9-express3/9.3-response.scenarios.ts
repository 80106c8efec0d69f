/** Scenarios for the properties and methods of a response in Express 3. §9.3 */

import { join } from 'node:path';
import type express3 from 'nozomi/3';
import type { Expected } from '../../parity/client/messages';
import { get, head } from '../../parity/client/request';
import { expectGets, gets } from '../../parity/scenario/routes';
import type { Express3 } from '../../parity/scenario/scenario';
import { express3Scenario } from '../../parity/scenario/scenario';
import { outcomeOf } from '../support/outcome';

/** Creates an application with a GET route for each handler. */
function respondingWith(
  framework: Express3,
  responses: Record<string, express3.Handler>,
): express3.Application {
  const app = framework();
  for (const [path, response] of Object.entries(responses)) app.get(path, response);
  return app;
}

/**
 * Creates a scenario that requests each route once for each set of headers.
 *
 * @param expected What is expected of the responses, by path: one for each set of headers, `{}` for nothing.
 */
function responses(
  name: string,
  clauses: readonly string[],
  make: Record<string, express3.Handler>,
  expected: Readonly<Record<string, Expected | readonly Expected[]>> = {},
  headers: ReadonlyArray<Record<string, string>> = [{}],
) {
  const of = (path: string): readonly Expected[] => [expected[path] ?? []].flat();
  return express3Scenario({
    name,
    clauses,
    build: ({ framework }) => respondingWith(framework, make),
    requests: Object.keys(make).flatMap((path) =>
      headers.map((each, index) => get(path, each).expect(of(path)[index] ?? {})),
    ),
  });
}

export default [
  responses(
    'res.status sets the status of the response and can be chained',
    ['F-9.3-68'],
    {
      '/404': (_req, res) => res.status(404).send('lost'),
      '/201': (_req, res) => res.status(201).json({ made: true }),
      '/text': (_req, res) => res.status('202' as never).send('text'),
      '/end': (_req, res) => {
        res.status(418).end();
      },
    },
    {
      '/404': { status: 404, body: 'lost' },
      '/201': { status: 201, json: { made: true } },
      '/text': { status: 202, body: 'text' },
      '/end': { status: 418, body: '' },
    },
  ),
  responses(
    'res.set and res.header accept a name or an object, and res.get reads a header',
    ['F-9.3-69', 'F-9.3-70'],
    {
      '/one': (_req, res) => res.set('X-One', '1').header('X-Two', 2).send(res.get('x-one')),
      '/object': (_req, res) => res.set({ 'X-A': 'a', 'X-B': ['b', 3] }).send(String(res.get('X-B'))),
      '/type': (_req, res) => res.set('Content-Type', 'text/plain').send('typed'),
      '/none': (_req, res) => res.send(String(res.get('X-None'))),
      '/undefined': (_req, res) => res.set('X-U', undefined).send('set'),
      '/vary': (_req, res) => res.vary('A').vary('B').vary(['A', 'C']).vary().send('vary'),
    },
    {
      '/one': { 'x-one': '1', 'x-two': '2', body: '1' },
      '/object': { 'x-a': 'a', 'x-b': ['b', '3'], body: 'b,3' },
      '/type': { 'content-type': 'text/plain; charset=utf-8' },
      '/vary': { vary: 'A, B, C' },
    },
  ),
  express3Scenario({
    name: 'res.cookie adds cookies with path, age, expiry and signature',
    clauses: ['F-9.3-71', 'F-9.3-72', 'F-9.3-73'],
    build({ framework }) {
      const app = respondingWith(framework, {
        '/plain': (_req, res) => res.cookie('name', 'tobi').send('one'),
        '/several': (_req, res) => res.cookie('a', '1').cookie('b', '2').cookie('a', '1').send('three'),
        '/options': (_req, res) =>
          res
            .cookie('o', 'x y', { path: '/admin', domain: '.parity.test', secure: true, httpOnly: true })
            .send('o'),
        '/age': (_req, res) => res.cookie('age', '1', { maxAge: 900000 }).send('age'),
        '/expires': (_req, res) => res.cookie('e', '1', { expires: new Date(0) }).send('expires'),
        '/object': (_req, res) =>
          res
            .cookie('cart', { items: [1, 2] })
            .cookie('n', 5)
            .send('object'),
        '/signed': (_req, res) => res.cookie('name', 'tobi', { signed: true }).send('signed'),
        '/clear': (_req, res) => res.clearCookie('name').clearCookie('o', { path: '/admin' }).send('cleared'),
        '/set': (_req, res) =>
          res.set('Set-Cookie', 'raw=1').set('Set-Cookie', ['x=1', 'y=2']).cookie('z', '3').send('set'),
        '/header': (_req, res) => {
          res.setHeader('Set-Cookie', 'a=1');
          res.setHeader('Set-Cookie', [...[res.getHeader('Set-Cookie') as string].flat(), 'b=2']);
          res.end('header');
        },
      });
      app.stack.unshift({
        route: '',
        handle: (req: { secret?: string; url: string }, _res: unknown, next: () => void) => {
          if (req.url.endsWith('secret')) req.secret = 'keyboard cat';
          next();
        },
      });
      return app;
    },
    requests: [
      ...expectGets({
        '/plain': { 'set-cookie': 'name=tobi; Path=/' },
        '/several': { 'set-cookie': ['a=1; Path=/', 'b=2; Path=/', 'a=1; Path=/'] },
        '/options': { 'set-cookie': 'o=x%20y; Domain=.parity.test; Path=/admin; HttpOnly; Secure' },
        '/age': { 'set-cookie': /^age=1; Max-Age=900; Path=\/; Expires=/ },
        '/expires': { 'set-cookie': 'e=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT' },
        '/object': {},
        '/signed': {
          status: 500,
          body: /connect\.cookieParser\(&quot;secret&quot;\) required for signed cookies/,
        },
        '/signed?secret': {
          'set-cookie': 'name=s%3Atobi.k%2FMBGA3LV%2FDe%2B0YTROxcLuurjbOQXyaa2veNodQBZc4; Path=/',
        },
        '/clear': {
          'set-cookie': [
            'name=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
            'o=; Path=/admin; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
          ],
        },
        '/set': { 'set-cookie': ['raw=1', 'x=1', 'y=2', 'z=3; Path=/'] },
        '/header': { 'set-cookie': ['a=1', 'b=2'] },
      }),
    ],
  }),
  responses(
    'res.redirect sends the status, the location and a short body',
    ['F-9.3-74', 'F-9.3-75'],
    {
      '/url': (_req, res) => res.redirect('http://parity.test/a?b=c&d=<e>'),
      '/status': (_req, res) => res.redirect(301, '/there'),
      '/reversed': (_req, res) => res.redirect('/there', 303),
      '/back': (_req, res) => res.redirect('back'),
      '/relative': (_req, res) => res.redirect('there'),
      '/dots': (_req, res) => res.redirect('../there'),
      '/unknown': (_req, res) => res.redirect(399, '/x'),
    },
    {
      '/url': [
        {},
        { body: /^<p>Found\. Redirecting to <a href="http:\/\/parity\.test\/a\?b=c&amp;d=&lt;e&gt;">/ },
        { status: 302, body: '' },
      ],
      '/status': { status: 301, location: '/there', body: 'Moved Permanently. Redirecting to /there' },
      '/reversed': { status: 303, location: '/there' },
      '/back': [{ location: '/' }, { location: '/from' }],
      '/relative': { status: 302, location: '/there', body: 'Found. Redirecting to /there' },
    },
    [{}, { Accept: 'text/html', Referer: '/from' }, { Accept: 'image/png' }],
  ),
  responses(
    'res.redirect sends no link to a URL with a script scheme',
    ['F-9.3-74'],
    { '/script': (_req, res) => res.redirect('javascript://x/%0aalert(1)') },
    { '/script': { status: 302, body: '<p>Found. Redirecting to javascript://x/%0aalert(1)</p>' } },
    [{ Accept: 'text/html' }],
  ),
  express3Scenario({
    name: 'res.location resolves a relative URL against the mount path or the request path',
    clauses: ['F-9.3-76'],
    build({ framework }) {
      const [app, blog, admin] = [framework(), framework(), framework()];
      for (const [path, target] of Object.entries({
        '/absolute': '/foo/bar',
        '/full': 'http://other.test/',
        '/scheme': '//other.test/x',
        '/mount': 'login',
        '/dot': './edit',
        '/dots': '../new',
        '/dots/': '..',
        '/back': 'back',
        '/odd': 'a b',
      })) {
        for (const each of [app, blog, admin]) {
          each.get(path, (_req, res) => res.location(target).send(String(res.get('Location'))));
        }
      }
      blog.use('/admin', admin);
      app.use('/blog', blog);
      return app;
    },
    requests: ['', '/blog', '/blog/admin'].flatMap((mount) =>
      Object.entries({
        '/absolute': '/foo/bar',
        '/full': 'http://other.test/',
        '/scheme': '//other.test/x',
        '/mount': `${mount}/login`,
        '/dot': `${mount}/dot/edit`,
        '/dots': `${mount}/new`,
        '/dots/': `${mount}/new`,
        '/back': '/from',
        '/odd': `${mount}/a b`,
      }).map(([path, location]) => get(mount + path, { Referer: '/from' }).expect({ location })),
    ),
  }),
  responses(
    'res.charset is utf-8 unless the application assigns another',
    ['F-9.3-77'],
    {
      '/default': (_req, res) => res.send(`<p>${String(res.charset)}</p>`),
      '/assigned': (_req, res) => {
        res.charset = 'ISO-8859-1';
        res.send('assigned');
      },
      '/type': (_req, res) => {
        res.charset = 'x-user';
        res.type('text/plain');
        res.end('type');
      },
      '/own': (_req, res) => {
        res.charset = 'utf-8';
        res.set('Content-Type', 'text/plain; charset=latin1').end('own');
      },
      '/json': (_req, res) => {
        res.charset = 'ascii';
        res.json({ a: 1 });
      },
      '/bytes': (_req, res) => {
        res.charset = 'utf-8';
        res.send(Buffer.from('bytes'));
      },
    },
    {
      '/default': { 'content-type': 'text/html; charset=utf-8' },
      '/type': { 'content-type': 'text/plain; charset=x-user' },
      '/own': { 'content-type': 'text/plain; charset=latin1' },
    },
  ),
  responses(
    'res.send accepts every kind of body',
    ['F-9.3-78', 'F-9.3-81'],
    {
      '/text': (_req, res) => res.send('<p>tëxt</p>'),
      '/empty': (_req, res) => res.send(''),
      '/nothing': (_req, res) => res.send(),
      '/null': (_req, res) => res.send(null),
      '/bytes': (_req, res) => res.send(Buffer.from('whoop')),
      '/typed': (_req, res) => res.type('png').send(Buffer.from('whoop')),
      '/object': (_req, res) => res.send({ some: 'json' }),
      '/list': (_req, res) => res.send([1, 2, 3]),
      '/true': (_req, res) => res.send(true),
      '/large': (_req, res) => res.send('x'.repeat(3000)),
      '/array': (_req, res) => res.send(new Uint8Array([1, 2])),
      '/etag': (_req, res) => res.set('ETag', '"own"').send('etag'),
      '/length': (_req, res) => res.set('Content-Length', 2).send('ok'),
      '/plain': (_req, res) => res.set('Content-Type', 'text/plain').send('plain'),
    },
    {
      '/text': { status: 200, 'content-type': 'text/html; charset=utf-8', body: '<p>tëxt</p>' },
      '/nothing': { 'content-type': undefined, body: '' },
      '/null': { 'content-type': undefined, body: '' },
      '/bytes': { 'content-type': 'application/octet-stream', body: 'whoop' },
      '/object': { 'content-type': 'application/json; charset=utf-8', json: { some: 'json' } },
      '/list': { 'content-type': 'application/json; charset=utf-8', json: [1, 2, 3] },
      '/true': { 'content-type': 'application/json; charset=utf-8', body: 'true' },
    },
  ),
  responses(
    'res.send sends a status with its message or with a body',
    ['F-9.3-79', 'F-9.3-80'],
    {
      '/404': (_req, res) => res.send(404),
      '/200': (_req, res) => res.send(200),
      '/204': (_req, res) => res.send(204),
      '/304': (_req, res) => res.send(304),
      '/typed': (_req, res) => res.type('html').send(500),
      '/unknown': (_req, res) => res.send(599),
      '/both': (_req, res) => res.send(201, 'made'),
      '/object': (_req, res) => res.send(500, { error: 'something blew up' }),
      '/null': (_req, res) => res.send(202, null),
      '/numbers': (_req, res) => res.send(200, 5),
      '/reversed': (_req, res) => res.send('made', 201),
      '/no-body': (_req, res) => res.send(204, 'ignored'),
    },
    {
      '/404': { status: 404, 'content-type': /^text\/plain/, body: 'Not Found' },
      '/204': { status: 204, body: '' },
      '/typed': { status: 500, 'content-type': /html/, body: 'Internal Server Error' },
      '/both': { status: 201, body: 'made' },
      '/object': { status: 500, json: { error: 'something blew up' } },
      '/reversed': { status: 201, body: 'made' },
    },
  ),
  responses(
    'res.json accepts a value, or a status with a value',
    ['F-9.3-82'],
    {
      '/null': (_req, res) => res.json(null),
      '/object': (_req, res) => res.json({ user: 'tobi' }),
      '/text': (_req, res) => res.json('text'),
      '/number': (_req, res) => res.json(300),
      '/undefined': (_req, res) => res.json(undefined),
      '/none': (_req, res) => res.json(),
      '/status': (_req, res) => res.json(500, { error: 'message' }),
      '/reversed': (_req, res) => res.json({ id: 1 }, 201),
      '/numbers': (_req, res) => res.json(201, 202),
      '/typed': (_req, res) => res.type('application/vnd.x+json').json({ a: 1 }),
      '/marks': (_req, res) => res.json({ html: '</script>&\u2028' }),
    },
    {
      '/object': { status: 200, json: { user: 'tobi' } },
      '/status': { status: 500, json: { error: 'message' } },
      '/reversed': { status: 201, json: { id: 1 } },
      '/numbers': { status: 202, body: '201' },
    },
  ),
  express3Scenario({
    name: 'res.jsonp calls the callback that the query names',
    clauses: ['F-9.3-83', 'F-9.3-19'],
    build: ({ framework }) =>
      respondingWith(framework, {
        '/object': (_req, res) => res.jsonp({ user: 'tobi\u2028\u2029' }),
        '/status': (_req, res) => res.jsonp(500, { error: 'message' }),
        '/reversed': (_req, res) => res.jsonp({ id: 1 }, 201),
        '/numbers': (_req, res) => res.jsonp(201, 202),
        '/typed': (_req, res) => res.type('text/plain').jsonp({ a: 1 }),
      }),
    requests: [
      ...expectGets({
        '/object': { 'content-type': 'application/json; charset=utf-8', json: { user: 'tobi\u2028\u2029' } },
        '/object?callback=foo':
          /^\/\*\*\/ typeof foo === 'function' && foo\(\{\s+"user": "tobi\\u2028\\u2029"\s\}\);$/,
        '/object?callback=foo[1].bar': /typeof foo\[1\]\.bar ===/,
        '/object?callback=foo;alert(1)': /typeof fooalert1 ===/,
      }),
      ...gets('/object?callback=', '/object?callback=a&callback=b', '/object?callback[x]=a'),
      ...expectGets({
        '/status?callback=foo': { status: 500 },
        '/reversed?callback=foo': { status: 201 },
        '/numbers?callback=foo': { status: 202, body: "/**/ typeof foo === 'function' && foo(201);" },
      }),
      ...gets('/typed?callback=foo', '/typed'),
    ],
  }),
  responses(
    'res.type accepts a media type, an extension or a name',
    ['F-9.3-84'],
    {
      ...Object.fromEntries(
        [
          'html',
          '.html',
          'json',
          'application/json',
          'png',
          'txt',
          'file.css',
          'a/b.c',
          'none',
          'xml',
          'zip',
        ].map((type, index) => [
          `/${index}`,
          (_req: unknown, res: express3.Response) => {
            res.type(type);
            res.end(type);
          },
        ]),
      ),
      '/content': (_req, res) => res.contentType('txt').send('sent'),
    },
    {
      '/0': { 'content-type': 'text/html' },
      '/3': { 'content-type': 'application/json' },
      '/4': { 'content-type': 'image/png' },
      '/6': { 'content-type': 'text/css' },
      '/7': { 'content-type': 'a/b.c' },
      '/8': { 'content-type': 'application/octet-stream' },
      '/content': { 'content-type': 'text/plain; charset=utf-8' },
    },
  ),
  responses(
    'res.type uses the currently registered media type for scripts',
    ['F-9.3-84'],
    {
      '/js': (_req, res) => {
        res.type('js');
        res.end('js');
      },
    },
    { '/js': { 'content-type': 'text/javascript' } },
  ),
  responses(
    'res.format sends the format that the client accepts',
    ['F-9.3-85'],
    {
      '/types': (_req, res) =>
        res.format({
          'text/plain': () => res.send('hey'),
          'text/html': () => res.send('<p>hey</p>'),
          'application/json': () => res.send({ message: 'hey' }),
        }),
      '/extensions': (_req, res) =>
        res.format({
          text: () => res.send('hey'),
          html: () => res.send('<p>hey</p>'),
          json: () => res.send({ a: 1 }),
        }),
      '/default': (_req, res) => res.format({ json: () => res.send({}), default: () => res.send('default') }),
    },
    {
      '/types': [
        { vary: 'Accept', 'content-type': 'text/plain; charset=utf-8', body: 'hey' },
        { vary: 'Accept', json: { message: 'hey' } },
        {},
        { status: 406 },
      ],
      '/extensions': [{ body: 'hey' }, { json: { a: 1 } }, {}, { status: 406 }],
      '/default': [{}, {}, {}, { status: 200, body: 'default' }],
    },
    [
      {},
      { Accept: 'text/html; q=.5, application/json' },
      { Accept: 'text/*' },
      { Accept: 'image/png' },
      { Accept: '*/*' },
    ],
  ),
  responses(
    'res.attachment sends the file name and its type',
    ['F-9.3-86'],
    {
      '/none': (_req, res) => res.attachment().send('none'),
      '/name': (_req, res) => res.attachment('path/to/logo.png').send('png'),
      '/spaces': (_req, res) => res.attachment('my report.txt').send('txt'),
      '/quotes': (_req, res) => res.attachment('a"b.txt').send('txt'),
      '/unicode': (_req, res) => res.attachment('日本語.txt').send('txt'),
      '/latin': (_req, res) => res.attachment('é%20.txt').send('txt'),
      '/empty': (_req, res) => res.attachment('').send('txt'),
      '/number': (_req, res) => Reflect.apply(res.attachment, res, [Number.NaN]),
    },
    {
      '/none': { 'content-disposition': 'attachment' },
      '/name': { 'content-disposition': 'attachment; filename="logo.png"', 'content-type': /^image\/png/ },
      '/number': { status: 500, body: /TypeError: filename must be a string/ },
    },
  ),
  responses(
    'res.links adds to the Link header',
    ['F-9.3-93'],
    {
      '/': (_req, res) => res.links({ next: '/2', last: '/5' }).links({ prev: '/0' }).send('links'),
      '/list': (_req, res) => res.links({ last: ['/1', '/2'] as unknown as string }).send('list'),
    },
    {
      '/list': { link: '</1,/2>; rel="last"' },
      '/': { link: '</2>; rel="next", </5>; rel="last", </0>; rel="prev"' },
    },
  ),
  express3Scenario({
    name: 'res.locals is a function and belongs to one response',
    clauses: ['F-9.3-94', 'F-9.3-96'],
    build({ framework }) {
      const app = framework();
      app.use((req, res, next) => {
        res.locals.user = 'ann';
        res.locals({ more: [req.path], length: 1 });
        next();
      });
      const inner = framework();
      inner.get('/', (_req, res) => res.send([{ ...res.locals }, typeof res.locals]));
      app.use('/null', (_req, res, next) => {
        Reflect.set(res, 'locals', null);
        next();
      });
      app.use('/null', inner);
      app.use('/inner', inner);
      app.get('/', (req, res) =>
        res.send([{ ...res.locals }, res.locals.length, res.req === req, typeof res.locals]),
      );
      return app;
    },
    requests: [
      get('/').expect({ json: [{ user: 'ann', more: ['/'] }, 1, true, 'function'] }),
      get('/inner').expect({ json: [{ user: 'ann', more: ['/inner'] }, 'function'] }),
      get('/null').expect({ json: [{}, 'function'] }),
    ],
  }),
  express3Scenario({
    name: 'the response to HEAD has the headers of GET and no body',
    clauses: ['F-9.3-78', 'F-9.3-82', 'F-9.3-74'],
    build: ({ framework }) =>
      respondingWith(framework, {
        '/text': (_req, res) => res.send('text'),
        '/json': (_req, res) => res.json({ a: 1 }),
        '/redirect': (_req, res) => res.redirect('/there'),
      }),
    requests: [
      head('/text').expect({ status: 200, 'content-length': '4', body: '' }),
      head('/json'),
      head('/redirect'),
      head('/none'),
    ],
  }),
  express3Scenario({
    name: 'res.send responds with 304 if the ETag still matches',
    clauses: ['F-9.3-57', 'F-9.3-78'],
    build: ({ framework }) => respondingWith(framework, { '/': (_req, res) => res.send('x'.repeat(2000)) }),
    requests: [
      get('/'),
      (seen) =>
        get('/', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }).expect({
          status: 304,
          body: '',
          'content-type': undefined,
        }),
    ],
  }),
  responses(
    'res.headerSent and the event header still work and print a deprecation warning',
    ['F-9.3-01'],
    {
      '/sent': (_req, res) => {
        const before = res.headerSent;
        res.write('x');
        res.end(`${before} ${res.headerSent}`);
      },
      '/on': (_req, res) => {
        res.on('header', () => res.setHeader('X-On', 'header'));
        res.send('on');
      },
    },
    {
      '/sent': { body: 'xfalse true' },
      '/on': { 'x-on': 'header' },
    },
  ),
  responses(
    'res.clearCookie sends the maxAge of its options',
    ['F-9.3-73'],
    { '/': (_req, res) => res.clearCookie('a', { maxAge: 5000 }).send('cleared') },
    { '/': { 'set-cookie': /^a=; Max-Age=5; Path=\/; Expires=/ } },
  ),
  responses(
    'res.set and res.type throw or quote what is no media type or charset',
    ['F-9.3-77'],
    {
      '/type': (_req, res) => {
        res.set('Content-Type', 'text');
        let told = '';
        try {
          res.json({});
        } catch (error) {
          told = String(error);
        }
        res.removeHeader('Content-Type');
        res.end(told);
      },
      '/charset': (_req, res) => {
        Object.assign(res, { charset: ['a b'] });
        res.type('text/plain').end();
      },
    },
    {
      '/type': { body: 'TypeError: invalid media type' },
      '/charset': { 'content-type': 'text/plain; charset="a b"' },
    },
  ),
  express3Scenario({
    name: 'res.location resolves a target against a mount path with decoded parameters',
    clauses: ['F-9.3-76'],
    build({ framework }) {
      const [app, blog] = [framework(), framework()];
      blog.get('/:place/*', (req, res) => res.location(`${req.params.place}${req.params[0]}`).send(200));
      app.use('/blog', blog);
      return app;
    },
    requests: expectGets({
      '/blog/log/in': { location: '/blog/login' },
      '/blog/.%2F/edit': { location: '/blog/.%2F/edit/edit' },
      '/blog/http:%2F%2Fother.test%2F/x': { location: 'http://other.test/x' },
    }),
  }),
  express3Scenario({
    name: 'res.jsonp uses the first of several callbacks, and only safe characters of it',
    clauses: ['F-9.3-83'],
    build: ({ framework }) =>
      respondingWith(framework, {
        '/text': (_req, res) => res.jsonp(201, 'a\u2028b'),
      }),
    requests: expectGets({
      '/text?callback=go(1)': { status: 201, body: `/**/ typeof go1 === 'function' && go1("a\\u2028b");` },
      '/text?callback=a&callback=b': /typeof a ===/,
      '/text': '"a\u2028b"',
    }),
  }),
  responses(
    'res.attachment throws for a name that is not a string',
    ['F-9.3-86'],
    Object.fromEntries(
      [null, 0, false].map((name): [string, express3.Handler] => [
        `/${name}`,
        (_req, res) => res.send(outcomeOf(() => Reflect.apply(res.attachment, res, [name]))),
      ]),
    ),
    Object.fromEntries(
      [null, 0, false].map((name) => [`/${name}`, { body: 'TypeError: filename must be a string' }]),
    ),
  ),
  express3Scenario({
    name: 'res.locals is assigned even if app.response has its own, so that a setter is called',
    clauses: ['F-9.3-94'],
    build({ framework }) {
      const app = framework();
      const own = { a: 1 };
      const given: unknown[] = [];
      Object.defineProperty(app.response, 'locals', { get: () => own, set: (value) => given.push(value) });
      app.get('/', (_req, res) => res.send(given.map((value) => value === own)));
      return app;
    },
    requests: [get('/').expect({ json: [true] })],
  }),
  express3Scenario({
    name: 'res.render passes res.locals and options to the view, but no locals to options without properties',
    clauses: ['F-9.3-94', 'F-9.3-95'],
    build({ framework, files }) {
      const app = framework();
      app.engine('ejs', (_path, { a, b }, done) => done(null, `${a} ${b}`));
      app.set('views', join(files, '..', 'views'));
      for (const [path, options] of Object.entries({
        '/true': true,
        '/5': 5,
        '/frozen': Object.freeze({ a: 1 }),
      }))
        app.get(path, (_req, res) => {
          res.locals({ b: 2 });
          Reflect.apply(res.render, res, ['page.ejs', options]);
        });
      app.get('/both', (_req, res) => {
        res.locals({ a: 1 });
        res.locals.b = 2;
        res.render('page.ejs');
      });
      app.get('/other', (_req, res) => res.render('page.ejs'));
      return app;
    },
    requests: expectGets({
      '/true': 'undefined undefined',
      '/5': 'undefined undefined',
      '/frozen': '1 undefined',
      '/both': '1 2',
      '/other': 'undefined undefined',
    }),
  }),
  express3Scenario({
    name: 'express.mime finds media types by extension, also those that an application defines',
    clauses: ['F-9.3-84'],
    build({ framework }) {
      const { mime } = framework;
      mime.define({ 'text/x-nozomi': ['nozomi'] });
      return respondingWith(framework, {
        '/lookup': (_req, res) =>
          res.send([mime.lookup('/a/b.HTML'), mime.lookup('none', 'x/y'), mime.lookup('none')]),
        '/lines': (_req, res) =>
          res.send([mime.lookup('/a/b\nc.html'), mime.lookup('b.txt\nc'), mime.lookup('/\nc')]),
        '/extension': (_req, res) =>
          res.send([
            mime.extension('text/css; charset=utf-8'),
            mime.extension('x/y'),
            mime.charsets.lookup('text/html'),
          ]),
        '/own': (_req, res) => res.type('a.nozomi').send('x'),
      });
    },
    requests: expectGets({
      '/lookup': { json: ['text/html', 'x/y', 'application/octet-stream'] },
      '/lines': { json: Array(3).fill('application/octet-stream') },
      '/extension': { json: ['css', null, 'UTF-8'] },
      '/own': { 'content-type': /^text\/x-nozomi/ },
    }),
  }),
  responses(
    'res.cookie calculates with any maxAge',
    ['F-9.3-71'],
    Object.fromEntries(
      [1500, -2750, 0, 1e21, Infinity, Number.NaN, undefined, null, true, '2000', 'text'].map((maxAge) => [
        `/${maxAge}`,
        (_req: express3.Request, res: express3.Response) => {
          res.cookie('a', 'b').cookie('c', 'd', { maxAge: maxAge as never });
          const cookies = String(res.getHeader('Set-Cookie'));
          res.removeHeader('Set-Cookie');
          // The date depends on the clock.
          res.send(cookies.replace(/Expires=\w+, [^;]+/, 'Expires'));
        },
      ]),
    ),
  ),
  responses('a list of one cookie that is set again is added', ['F-9.3-72'], {
    '/one': (_req, res) => {
      res.setHeader('Set-Cookie', ['a=1']);
      res.setHeader('Set-Cookie', ['a=1']);
      res.end();
    },
    '/several': (_req, res) => {
      res.setHeader('Set-Cookie', ['a=1', 'b=2']);
      res.setHeader('Set-Cookie', ['a=1', 'b=2', 'c=3']);
      res.end();
    },
  }),
];
