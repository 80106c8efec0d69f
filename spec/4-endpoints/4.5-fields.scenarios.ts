/** Scenarios for res.set(), get(), append(), type(), links(), vary() and attachment(). §4.5 */
import { expect } from 'chai';
import { get } from '../../parity/client/request';
import { expectGets, getEach, gets, routeEach, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

/** Each argument of res.type, with the Content-Type that is sent for it. */
const TYPES: ReadonlyArray<readonly [type: string, sent: string]> = [
  ['.html', 'text/html; charset=utf-8'],
  ['html', 'text/html; charset=utf-8'],
  ['png', 'image/png'],
  ['.png', 'image/png'],
  ['json', 'application/json; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['txt', 'text/plain; charset=utf-8'],
  ['bin', 'application/octet-stream'],
  ['svg', 'image/svg+xml'],
  ['wasm', 'application/wasm'],
  ['md', 'text/markdown; charset=utf-8'],
  ['unknown-thing', 'application/octet-stream'],
  ['', 'application/octet-stream'],
  ['text/html', 'text/html; charset=utf-8'],
  ['application/json', 'application/json; charset=utf-8'],
  ['image/png', 'image/png'],
  ['application/xml', 'application/xml'],
  ['text/plain; charset=latin1', 'text/plain; charset=latin1'],
  ['a/b', 'a/b'],
  ['/', '/'],
  ['foo/bar; charset=UTF-8', 'foo/bar; charset=UTF-8'],
  ['text/x; a=b', 'text/x; a=b; charset=utf-8'],
  ['text/', 'text/; charset=utf-8'],
  ['HTML', 'text/html; charset=utf-8'],
  ['archive.tar.gz', 'application/gzip'],
  ['TEXT/HTML', 'TEXT/HTML; charset=utf-8'],
  [' text/html ', 'text/html ; charset=utf-8'],
];

/** Each argument of res.attachment, with the parameters of Content-Disposition and the media type that are sent for it. */
const NAMES: ReadonlyArray<readonly [name: string | undefined, parameters: string, type: string]> = [
  [undefined, '', 'text/html'],
  ['logo.png', '; filename=logo.png', 'image/png'],
  ['/path/to/report.pdf', '; filename=report.pdf', 'application/pdf'],
  ['a b.txt', '; filename="a b.txt"', 'text/plain'],
  ['grün.txt', `; filename="gr?n.txt"; filename*=UTF-8''gr%C3%BCn.txt`, 'text/plain'],
  ['日本.html', `; filename="??.html"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.html`, 'text/html'],
  ['quo"te.txt', '; filename="quo\\"te.txt"', 'text/plain'],
  ['no-ext', '; filename=no-ext', 'application/octet-stream'],
  ['', '; filename=""', 'text/html'],
  ['..', '; filename=..', 'application/octet-stream'],
  ['a\\b.txt', '; filename="a\\\\b.txt"', 'text/plain'],
  ['50%.txt', '; filename=50%.txt', 'text/plain'],
  ["it's.txt", "; filename=it's.txt", 'text/plain'],
  ['semi;colon.txt', '; filename="semi;colon.txt"', 'text/plain'],
  ['.bashrc', '; filename=.bashrc', 'application/octet-stream'],
  ['a/', '; filename=a', 'application/octet-stream'],
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
      '/line-break': (_req, res) => res.set('X-A', 'a\r\nX-B: b').end(),
    }),
    requests: expectGets({
      '/one': { 'x-one': 'a', 'x-two': 'b' },
      '/number': { 'x-number': '7' },
      '/array': { 'x-list': ['a', '2', 'null'] },
      '/undefined': { 'x-undefined': 'undefined' },
      '/null': { 'x-null': 'null' },
      '/false': { 'x-false': 'false' },
      '/object': { 'x-a': '1', 'x-b': ['2', '3'], 'x-c': '4', 'content-type': 'text/x; charset=utf-8' },
      '/inherited': { 'x-inherited': 'yes' },
      '/text': { 0: 'a' },
      '/again': { 'x-a': '2', 'x-b': '3' },
      '/latin1': { 'x-latin1': 'grün' },
      '/type-array': { status: 500, body: /TypeError: Content-Type cannot be set to an Array/ },
      '/type-lower': { 'content-type': 'text/html; charset=utf-8' },
      '/type-none': { 'content-type': 'false' },
      '/line-break': {
        status: 500,
        'x-a': undefined,
        'x-b': undefined,
        body: /Invalid character in header content/,
      },
    }),
    expect: ({ exchanges }) => {
      const names = exchanges[0]?.response.headers?.map(([name]) => name);
      expect(names).to.include.members(['x-One', 'X-TWO']);
    },
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
    requests: expectGets({ '/': { json: ['1', '1', ['a', 'b'], 'a=b', 'string', null] } }),
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
      '/same': (_req, res) => res.append('X-A', 'one').append('X-A', 'one').end(),
    }),
    requests: expectGets({
      '/new': { 'x-a': 'one' },
      '/new-list': { 'x-a': ['one', 'two'] },
      '/two': { 'x-a': ['one', 'two', 'three', 'four'] },
      '/list-first': { 'x-a': ['one', 'two', 'three'] },
      '/both-lists': { 'x-a': ['one', 'two', 'three'] },
      '/nested': { 'x-a': ['one', 'two,three', 'four'] },
      '/nothing': { 'x-a': 'undefined' },
      '/nothing-more': { 'x-a': ['one', 'undefined'] },
      '/reset': { 'x-a': 'three' },
      '/cookies': { 'set-cookie': ['a=1', 'b=2', 'c=3; Path=/'] },
      '/empty': { 'x-a': 'two' },
      '/type': { status: 500, body: /TypeError: Content-Type cannot be set to an Array/ },
      '/same': { 'x-a': ['one', 'one'] },
    }),
  }),
  scenario({
    name: 'res.type accepts an extension, a file name or a media type',
    // biome-ignore format: a table
    clauses: [
      'F-4.5-89', 'F-4.5-90', 'F-4.5-91', 'F-4.5-92', 'F-4.5-93', 'F-4.5-94', 'F-4.5-95', 'F-4.5-96',
      'F-4.5-106',
    ],
    build: routes({
      ...routeEach(TYPES, (res, [type]) => res.type(type).end()),
      '/alias': (_req, res) => res.contentType('.css').end(),
    }),
    requests: [
      ...getEach(TYPES, ([, sent]) => ({ status: 200, 'content-type': sent })),
      get('/alias').expect({ 'content-type': 'text/css; charset=utf-8' }),
    ],
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
    requests: expectGets({
      '/two': { link: '<http://a.test/?page=2>; rel="next", <http://a.test/?page=5>; rel="last"' },
      '/lists': { link: '</1>; rel="pages", </2>; rel="pages", </2>; rel="next",' },
      '/again': { link: '</2>; rel="next", </5>; rel="last"' },
      '/former': { link: '</a>; rel="a",</b>; rel="b", </5>; rel="last"' },
      '/empty': { link: '' },
      '/null': { status: 500 },
    }),
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
    requests: expectGets({
      '/one': { vary: 'Accept' },
      '/same': { vary: 'Accept, Origin' },
      '/list': { vary: 'Accept, User-Agent' },
      '/text-list': { vary: 'Accept, Origin' },
      '/any': { vary: '*' },
      '/nothing': { status: 500, body: /TypeError: field argument is required/ },
      '/no-token': { status: 500 },
      '/empty': { status: 200, vary: undefined },
    }),
  }),
  scenario({
    name: 'res.attachment sends the file name and sets its type',
    clauses: ['F-4.5-06', 'F-4.5-07', 'F-4.5-08', 'F-4.5-100'],
    build: routes(routeEach(NAMES, (res, [name]) => res.attachment(name).send('x'))),
    requests: getEach(NAMES, ([, parameters, type]) => ({
      'content-disposition': `attachment${parameters}`,
      'content-type': `${type}; charset=utf-8`,
    })),
  }),
  scenario({
    name: 'res.attachment replaces a Content-Type that was set before, unless it has no file name',
    clauses: ['F-4.5-08'],
    build: routes({
      '/named': (_req, res) => res.type('html').attachment('a.png').end(),
      '/unnamed': (_req, res) => res.type('html').attachment().end(),
    }),
    requests: expectGets({
      '/named': { 'content-type': 'image/png' },
      '/unnamed': { 'content-type': 'text/html; charset=utf-8' },
    }),
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
    // biome-ignore format: a table
    expect: ({ log }) =>
      expect(log.map((line) => line.split(':')[0])).to.deep.equal([
        'Content-Type', 'Content-Length', 'ETag',
        // res.json and res.type set the type, and res.send sets its charset.
        'Content-Type', 'Content-Type', 'Content-Length', 'ETag',
        'Content-Type', 'Content-Length', 'ETag',
        'Content-Type', 'Content-Type', 'Content-Length', 'ETag',
      ]),
  }),
  scenario({
    name: 'methods that set headers or the status return the response',
    // biome-ignore format: a table
    clauses: [
      'F-4.5-86', 'F-4.5-88', 'F-4.5-96', 'F-4.5-99', 'F-4.5-100', 'F-4.5-101', 'F-4.5-102', 'F-4.5-103',
      'F-4.5-104', 'F-4.5-105', 'F-4.5-106', 'F-4.5-107',
    ],
    build: routes({
      '/': (_req, res) => {
        const returned: Readonly<Record<string, unknown>> = {
          append: res.append('X-A', '1'),
          attachment: res.attachment('a.txt'),
          cookie: res.cookie('a', '1'),
          clearCookie: res.clearCookie('a'),
          links: res.links({ next: '/2' }),
          location: res.location('/'),
          set: res.set('X-A', '1'),
          setObject: res.set({ 'X-A': '1' }),
          type: res.type('html'),
          vary: res.vary('Accept'),
          status: res.status(200),
        };
        const others = Object.keys(returned).filter((name) => returned[name] !== res);
        res.json([others, res.header === res.set, res.contentType === res.type]);
      },
    }),
    requests: [get('/').expect({ json: [[], true, true] })],
  }),
];
