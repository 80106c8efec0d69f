/** Scenarios for the properties and methods of a response in Express 3. §9.3 */

import type express3 from 'nozomi/3';
import { get, head } from '../../parity/client/request';
import type { Express3 } from '../../parity/scenario/scenario';
import { express3Scenario } from '../../parity/scenario/scenario';

type Responses = Record<string, express3.Handler>;

/** Creates an application with a GET route for each handler. */
function respondingWith(framework: Express3, responses: Responses): express3.Application {
  const app = framework();
  for (const [path, response] of Object.entries(responses)) app.get(path, response);
  return app;
}

/** Creates a scenario that requests each route once for each set of headers. */
function responses(
  name: string,
  clauses: readonly string[],
  make: Responses,
  headers: ReadonlyArray<Record<string, string>> = [{}],
) {
  return express3Scenario({
    name,
    clauses,
    build: ({ framework }) => respondingWith(framework, make),
    requests: Object.keys(make).flatMap((path) => headers.map((each) => get(path, each))),
  });
}

export default [
  responses('res.status sets the status of the response and can be chained', ['F-9.3-68'], {
    '/404': (_req, res) => res.status(404).send('lost'),
    '/201': (_req, res) => res.status(201).json({ made: true }),
    '/text': (_req, res) => res.status('202' as never).send('text'),
    '/end': (_req, res) => {
      res.status(418).end();
    },
  }),
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
      ...[
        '/plain',
        '/several',
        '/options',
        '/age',
        '/expires',
        '/object',
        '/signed',
        '/signed?secret',
        '/clear',
        '/set',
      ].map((path) => get(path)),
      get('/header'),
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
    [{}, { Accept: 'text/html', Referer: '/from' }, { Accept: 'image/png' }],
  ),
  responses(
    'res.redirect sends no link to a URL with a script scheme',
    ['F-9.3-74'],
    { '/script': (_req, res) => res.redirect('javascript://x/%0aalert(1)') },
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
      ['/absolute', '/full', '/scheme', '/mount', '/dot', '/dots', '/dots/', '/back', '/odd'].map((path) =>
        get(mount + path, { Referer: '/from' }),
      ),
    ),
  }),
  responses('res.charset is utf-8 unless the application assigns another', ['F-9.3-77'], {
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
  }),
  responses('res.send accepts every kind of body', ['F-9.3-78', 'F-9.3-81'], {
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
  }),
  responses('res.send sends a status with its message or with a body', ['F-9.3-79', 'F-9.3-80'], {
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
  }),
  responses('res.json accepts a value, or a status with a value', ['F-9.3-82'], {
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
  }),
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
      '/object',
      '/object?callback=foo',
      '/object?callback=foo[1].bar',
      '/object?callback=foo;alert(1)',
      '/object?callback=',
      '/object?callback=a&callback=b',
      '/object?callback[x]=a',
      '/status?callback=foo',
      '/reversed?callback=foo',
      '/numbers?callback=foo',
      '/typed?callback=foo',
      '/typed',
    ].map((target) => get(target)),
  }),
  responses('res.type accepts a media type, an extension or a name', ['F-9.3-84'], {
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
  }),
  responses('res.type uses the currently registered media type for scripts', ['F-9.3-84'], {
    '/js': (_req, res) => {
      res.type('js');
      res.end('js');
    },
  }),
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
    [
      {},
      { Accept: 'text/html; q=.5, application/json' },
      { Accept: 'text/*' },
      { Accept: 'image/png' },
      { Accept: '*/*' },
    ],
  ),
  responses('res.attachment sends the file name and its type', ['F-9.3-86'], {
    '/none': (_req, res) => res.attachment().send('none'),
    '/name': (_req, res) => res.attachment('path/to/logo.png').send('png'),
    '/spaces': (_req, res) => res.attachment('my report.txt').send('txt'),
    '/quotes': (_req, res) => res.attachment('a"b.txt').send('txt'),
    '/unicode': (_req, res) => res.attachment('日本語.txt').send('txt'),
    '/latin': (_req, res) => res.attachment('é%20.txt').send('txt'),
    '/empty': (_req, res) => res.attachment('').send('txt'),
    '/number': (_req, res) => Reflect.apply(res.attachment, res, [Number.NaN]),
  }),
  responses('res.links adds to the Link header', ['F-9.3-93'], {
    '/': (_req, res) => res.links({ next: '/2', last: '/5' }).links({ prev: '/0' }).send('links'),
  }),
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
      app.use('/inner', inner);
      app.get('/', (req, res) =>
        res.send([{ ...res.locals }, res.locals.length, res.req === req, typeof res.locals]),
      );
      return app;
    },
    requests: [get('/'), get('/inner')],
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
    requests: [head('/text'), head('/json'), head('/redirect'), head('/none')],
  }),
  express3Scenario({
    name: 'res.send responds with 304 if the ETag still matches',
    clauses: ['F-9.3-57', 'F-9.3-78'],
    build: ({ framework }) => respondingWith(framework, { '/': (_req, res) => res.send('x'.repeat(2000)) }),
    requests: [get('/'), (seen) => get('/', { 'If-None-Match': seen[0]?.header('ETag') ?? '' })],
  }),
  responses('res.headerSent and the event header still work and print a deprecation warning', ['F-9.3-01'], {
    '/sent': (_req, res) => {
      const before = res.headerSent;
      res.write('x');
      res.end(`${before} ${res.headerSent}`);
    },
    '/on': (_req, res) => {
      res.on('header', () => res.setHeader('X-On', 'header'));
      res.send('on');
    },
  }),
];
