/** Scenarios for res.set(), get(), append(), type(), links(), vary() and attachment(). §4.5 */
import { getEach, gets, routeEach, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

const TYPES = [
  ...['.html', 'html', 'png', '.png', 'json', 'js', 'txt', 'bin', 'svg', 'wasm', 'md', 'unknown-thing', ''],
  ...[
    'text/html',
    'application/json',
    'image/png',
    'application/xml',
    'text/plain; charset=latin1',
    'a/b',
    '/',
  ],
  ...['foo/bar; charset=UTF-8', 'text/x; a=b', 'text/', 'HTML', 'archive.tar.gz', 'TEXT/HTML', ' text/html '],
];

const NAMES = [
  ...[
    undefined,
    'logo.png',
    '/path/to/report.pdf',
    'a b.txt',
    'grün.txt',
    '日本.html',
    'quo"te.txt',
    'no-ext',
  ],
  ...['', '..', 'a\\b.txt', '50%.txt', "it's.txt", 'semi;colon.txt', '.bashrc', 'a/'],
];

export default [
  scenario({
    name: 'res.set writes values as strings and keeps the case of names',
    clauses: ['F-4.5-84', 'F-4.5-85', 'F-4.5-86', 'F-4.5-105'],
    build: routes({
      '/one': (_req, res) => res.set('x-One', 'a').header('X-TWO', 'b').end(),
      '/number': (_req, res) => res.set('X-Number', 7 as never).end(),
      '/array': (_req, res) => res.set('X-List', ['a', 2 as never, null as never]).end(),
      '/undefined': (_req, res) => res.set('X-Undefined', undefined as never).end(),
      '/null': (_req, res) => res.set('X-Null', null as never).end(),
      '/false': (_req, res) => res.set('X-False', false as never).end(),
      '/object': (_req, res) =>
        res.set({ 'X-A': '1', 'x-b': ['2', '3'], 'X-C': 4, 'Content-Type': 'text/x' }).end(),
      '/inherited': (_req, res) => res.set(Object.create({ 'X-Inherited': 'yes' })).end(),
      '/text': (_req, res) => res.set('a' as never).end(),
      '/again': (_req, res) => res.set('X-A', '1').set('x-a', '2').set('X-B', '3').end(),
      '/latin1': (_req, res) => res.set('X-Latin1', 'grün').end(),
      '/type-array': (_req, res) => res.set('Content-Type', ['text/html', 'text/plain'] as never).end(),
      '/type-lower': (_req, res) => res.set('content-type', 'text/html').end(),
      '/type-none': (_req, res) => res.set('Content-Type', '').end(),
    }),
    requests: [
      ...gets('/one', '/number', '/array', '/undefined', '/null', '/false', '/object', '/inherited', '/text'),
      ...gets('/again', '/latin1', '/type-array', '/type-lower', '/type-none'),
    ],
  }),
  scenario({
    name: 'res.get reads a header and ignores case',
    clauses: ['F-4.5-32', 'F-4.5-33'],
    build: routes({
      '/': (_req, res) => {
        res.set({ 'X-A': '1', 'X-List': ['a', 'b'], 'Set-Cookie': 'a=b' });
        const names = ['X-A', 'x-a', 'X-LIST', 'set-cookie', 'x-powered-by', 'none'];
        res.json(names.map((name) => (name === 'x-powered-by' ? typeof res.get(name) : res.get(name))));
      },
    }),
    requests: gets('/'),
  }),
  scenario({
    name: 'res.append adds values to a header until res.set replaces them',
    clauses: ['F-4.5-01', 'F-4.5-02', 'F-4.5-03', 'F-4.5-04', 'F-4.5-05', 'F-4.5-99'],
    build: routes({
      '/new': (_req, res) => res.append('X-A', 'one').end(),
      '/new-list': (_req, res) => res.append('X-A', ['one', 'two']).end(),
      '/two': (_req, res) =>
        res.append('X-A', 'one').append('x-a', 'two').append('X-A', ['three', 'four']).end(),
      '/list-first': (_req, res) => res.append('X-A', ['one', 'two']).append('X-A', 'three').end(),
      '/both-lists': (_req, res) => res.append('X-A', ['one']).append('X-A', ['two', 'three']).end(),
      '/nested': (_req, res) =>
        res
          .set('X-A', 'one')
          .append('X-A', [['two', 'three'], 'four'] as never)
          .end(),
      '/nothing': (_req, res) => res.append('X-A').end(),
      '/nothing-more': (_req, res) => res.set('X-A', 'one').append('X-A').end(),
      '/reset': (_req, res) => res.append('X-A', 'one').append('X-A', 'two').set('X-A', 'three').end(),
      '/cookies': (_req, res) =>
        res.append('Set-Cookie', 'a=1').append('Set-Cookie', 'b=2').cookie('c', '3').end(),
      '/empty': (_req, res) => res.set('X-A', '').append('X-A', 'two').end(),
      '/type': (_req, res) => res.type('html').append('Content-Type', 'text/plain').end(),
    }),
    requests: [
      ...gets(
        '/new',
        '/new-list',
        '/two',
        '/list-first',
        '/both-lists',
        '/nested',
        '/nothing',
        '/nothing-more',
      ),
      ...gets('/reset', '/cookies', '/empty', '/type'),
    ],
  }),
  scenario({
    name: 'res.type accepts an extension, a file name or a media type',
    clauses: [
      ...['F-4.5-89', 'F-4.5-90', 'F-4.5-91', 'F-4.5-92', 'F-4.5-93', 'F-4.5-94', 'F-4.5-95', 'F-4.5-96'],
      'F-4.5-106',
    ],
    build: routes({
      ...routeEach(TYPES, (res, type) => res.type(type).end()),
      '/alias': (_req, res) => res.contentType('.css').end(),
    }),
    requests: [...getEach(TYPES), ...gets('/alias')],
  }),
  scenario({
    name: 'res.links lists links by relation and adds to the Link header',
    clauses: ['F-4.5-44', 'F-4.5-103'],
    build: routes({
      '/two': (_req, res) =>
        res.links({ next: 'http://a.test/?page=2', last: 'http://a.test/?page=5' }).end(),
      '/lists': (_req, res) => res.links({ pages: ['/1', '/2'], next: '/2', none: [] as never }).end(),
      '/again': (_req, res) => res.links({ next: '/2' }).links({ last: '/5' }).end(),
      '/former': (_req, res) =>
        res.set('Link', ['</a>; rel="a"', '</b>; rel="b"']).links({ last: '/5' }).end(),
      '/empty': (_req, res) => res.links({}).end(),
      '/null': (_req, res) => res.links(null as never).end(),
    }),
    requests: gets('/two', '/lists', '/again', '/former', '/empty', '/null'),
  }),
  scenario({
    name: 'res.vary adds each header name once',
    clauses: ['F-4.5-97', 'F-4.5-107'],
    build: routes({
      '/one': (_req, res) => res.vary('Accept').end(),
      '/same': (_req, res) => res.vary('Accept').vary('accept').vary('Origin').end(),
      '/list': (_req, res) => res.vary(['Accept', 'User-Agent'] as never).end(),
      '/text-list': (_req, res) => res.vary('Accept, Origin').end(),
      '/any': (_req, res) => res.vary('Accept').vary('*').vary('Origin').end(),
      '/nothing': (_req, res) => res.vary(undefined as never).end(),
      '/no-token': (_req, res) => res.vary('a b').end(),
      '/empty': (_req, res) => res.vary([] as never).end(),
    }),
    requests: gets('/one', '/same', '/list', '/text-list', '/any', '/nothing', '/no-token', '/empty'),
  }),
  scenario({
    name: 'res.attachment sends the file name and sets its type',
    clauses: ['F-4.5-06', 'F-4.5-07', 'F-4.5-08', 'F-4.5-100'],
    build: routes(routeEach(NAMES, (res, name) => res.attachment(name).send('x'))),
    requests: getEach(NAMES),
  }),
  scenario({
    name: 'res.send, res.json and res.type call an overridden res.setHeader for each header',
    clauses: ['F-4.5-84'],
    build({ framework, log }) {
      const app = framework();
      app.use((_req, res, next) => {
        const { setHeader } = res;
        res.setHeader = (name, value) => {
          log.write(`${name}: ${value}\n`);
          return setHeader.call(res, name, value) as typeof res;
        };
        next();
      });
      app.get('/text', (_req, res) => res.send('text'));
      app.get('/json', (_req, res) => res.json({ a: 1 }));
      app.get('/bytes', (_req, res) => res.send(Buffer.from('bytes')));
      app.get('/typed', (_req, res) => res.type('txt').send('typed'));
      return app;
    },
    requests: gets('/text', '/json', '/bytes', '/typed'),
  }),
];
