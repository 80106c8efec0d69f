/** Requests for the members of `req` that read headers and the query string. */
import type express4 from 'nozomi/4';
import type { Request } from '../../../parity/client/messages';
import {
  type Area,
  application,
  drawn,
  FILES,
  type Framework,
  type Headers,
  hit,
  send,
  showError,
  shown,
  values,
} from './cases';

type Offers = [string];

const OFFERS = [
  [],
  [''],
  ['html'],
  ['json', 'html', 'text'],
  ['text/html', 'application/json'],
  ['text/html;level=1', 'text/plain'],
  ['text/*', '*/*'],
  ['nonsense', 'en', 'utf-8', 'gzip'],
  ['en-US', 'en', 'fr', 'de-'],
  ['UTF-8', 'iso-8859-1'],
  ['br', 'identity', 'gzip'],
  ['x y', 'en-', '-', '*'],
  ['EN', 'GZIP', 'TEXT/HTML'],
  ['.html', 'index.html', 'a/b/c', 'text/'],
] as unknown as readonly Offers[];

const SEPARATORS = [',', ', ', ' ', '"'];

/** Values of a header from the table, and some that join its grammar. */
function weighted(header: string, count: number, ...pieces: string[]): Request[] {
  const all = [...pieces, ...SEPARATORS, ...values('weights')];
  return [...values(header), ...drawn(all, count)].map((value) => hit('/', { [header]: value }));
}

const negotiation: Area = {
  packages: 'accepts, negotiator, mime-types',
  build(framework) {
    const app = application(framework);
    app.get('/', (req, res) => {
      const calls = OFFERS.flatMap((offers) => [
        () => req.accepts(...offers),
        () => req.accepts([...offers]),
        () => req.acceptsEncodings(...offers),
        () => req.acceptsCharsets(...offers),
        () => req.acceptsLanguages(...offers),
      ]);
      res.end(shown(...calls));
    });
    return app;
  },
  requests: [
    hit('/'),
    ...weighted('accept', 120, 'text/html', 'application/json', '*/*', 'text/*', ';level=1', '/'),
    ...weighted('accept-language', 120, 'en', 'en-US', 'fr', 'de-', '-', '*', 'EN'),
    ...weighted('accept-charset', 80, 'utf-8', 'iso-8859-1', 'x', '*'),
    ...weighted('accept-encoding', 80, 'gzip', 'br', 'identity', '*', 'deflate'),
  ],
};

const format: Area = {
  packages: 'accepts, mime',
  build(framework) {
    const app = application(framework);
    const sending = (res: express4.Response, ...types: string[]) =>
      Object.fromEntries(types.map((type) => [type, () => res.send(type)]));
    app.get('/short', (_req, res) => res.format(sending(res, 'text', 'html', 'json')));
    app.get('/long', (_req, res) =>
      res.format(sending(res, 'text/plain;level=1', 'application/vnd.x+json', 'default')),
    );
    app.get('/none', (_req, res) => res.format(sending(res, 'svg')));
    app.get('/redirect', (_req, res) => res.redirect('/a?b=<c>&d="é"'));
    app.use(showError);
    return app;
  },
  requests: [
    ...values('accept of res.format'),
    ...drawn(['text/html', 'text/plain', 'application/json', '*/*', ...SEPARATORS, ...values('weights')], 40),
  ].flatMap((accept) => ['/short', '/long', '/none', '/redirect'].map((target) => hit(target, { accept }))),
};

const RANGES = [
  ...values('range'),
  ...drawn(['0', '1', '5', '12', '999', '-', '-', ',', ', ', ' ', 'a', '+', '.', '=', 'bytes='], 200).map(
    (text) => `bytes=${text}`,
  ),
];

const ranges: Area = {
  packages: 'range-parser, send',
  build(framework) {
    const app = application(framework);
    app.get('/range', (req, res) => {
      const calls = [0, 1, 10, 1e6, 10.5, '10' as never].flatMap((size) => [
        () => req.range(size),
        () => req.range(size, { combine: true }),
      ]);
      res.end(shown(...calls));
    });
    app.get('/part', (_req, res) => res.sendFile('a.txt', { root: FILES, start: 1, end: 3 } as object));
    app.get('/none', (_req, res) => res.sendFile('a.txt', { root: FILES, acceptRanges: false }));
    app.use(framework.static(FILES), showError);
    return app;
  },
  requests: [
    ...RANGES.flatMap((range) => [hit('/range', { range }), hit('/a.txt', { range })]),
    ...values('range').flatMap((range) => [
      hit('/part', { range }),
      hit('/none', { range }),
      hit('/a.html', { range }, 'HEAD'),
      hit('/a.txt', { range, 'if-range': '"x"' }),
      hit('/a.txt', { range, 'if-range': 'Wed, 01 Jan 2300 00:00:00 GMT' }),
    ]),
  ],
};

const ASKED = [
  [],
  ['html'],
  ['json', 'html'],
  ['text/*'],
  ['*/*'],
  ['+json'],
  ['*/html', '*/*+json'],
  ['urlencoded'],
  ['multipart'],
  ['multipart/*'],
  ['js'],
  ['text/html; charset=utf-8'],
  ['', 'x'],
  ['TEXT/HTML'],
  ['application/*+json'],
  ['nope', '.html', 'a.html'],
  ['text/html', 'text'],
  ['json; a'],
] as unknown as readonly Offers[];

const types: Area = {
  packages: 'type-is, content-type, media-typer',
  build(framework) {
    const app = application(framework);
    app.use((req, res) => {
      res.end(shown(...ASKED.flatMap((list) => [() => req.is(...list), () => req.is([...list])])));
    });
    return app;
  },
  requests: [
    ...[...values('content-type'), ...drawn(values('pieces of content-type'), 200)].map((type) =>
      send('/', { 'content-type': type }, Buffer.from('x')),
    ),
    send('/', {}, Buffer.from('x')),
    send('/', { 'content-type': 'text/html' }, Buffer.alloc(0)),
    hit('/', { 'content-type': 'text/html' }),
  ],
};

const TAGS = values('if-none-match');
const DATES = values('if-modified-since');
const [, later = ''] = DATES;

const CONDITIONS: readonly Headers[] = [
  ...TAGS.flatMap((tag) => [{ 'if-none-match': tag }, { 'if-match': tag }]),
  ...DATES.flatMap((date) => [{ 'if-modified-since': date }, { 'if-unmodified-since': date }]),
  ...TAGS.flatMap((tag) =>
    DATES.slice(0, 4).map((date) => ({ 'if-none-match': tag, 'if-modified-since': date })),
  ),
  ...values('cache-control').flatMap((control) => [
    { 'if-none-match': '"a"', 'cache-control': control },
    { 'if-modified-since': later, 'cache-control': control },
  ]),
  ...drawn(['"a"', 'W/', '"b"', ',', ' ', '*', 'a', '"'], 60).map((tag) => ({ 'if-none-match': tag })),
];

const conditions: Area = {
  packages: 'fresh, etag, send',
  build(framework) {
    const app = application(framework);
    app.use((req, res, next) => {
      if (req.path.startsWith('/set')) res.set({ ETag: '"a"', 'Last-Modified': DATES[0] });
      if (req.path.startsWith('/weak')) res.set({ ETag: 'W/"a"' });
      if (req.path.startsWith('/odd')) res.set({ ETag: 'a', 'Last-Modified': 'x' });
      next();
    });
    app.get(/fresh$/, (req, res) => res.status(202).json([req.fresh, req.stale]));
    app.get(/send$/, (_req, res) => res.send('body'));
    app.get(/file$/, (_req, res) => res.sendFile('a.txt', { root: FILES }));
    app.use(showError);
    return app;
  },
  requests: CONDITIONS.flatMap((headers) =>
    ['/set-fresh', '/weak-fresh', '/odd-fresh', '/set-send', '/set-file', '/weak-file'].map((target) =>
      hit(target, headers),
    ),
  ),
};

const MANY = [
  Array.from({ length: 1005 }, (_, index) => `a${index}=1`).join('&'),
  Array.from({ length: 1005 }, () => 'a=1').join('&'),
  Array.from({ length: 1005 }, () => 'a[]=1').join('&'),
  Array.from({ length: 30 }, () => 'a[]=1').join('&'),
  `a${'[b]'.repeat(40)}=1`,
].map((text) => `?${text}`);

const queries: Area = {
  packages: 'qs, querystring, parseurl',
  build(framework) {
    const app = application(framework);
    const show: express4.RequestHandler = (req, res) => {
      res.end(shown(...['query', 'path', 'url', 'originalUrl'].map((name) => () => Reflect.get(req, name))));
    };
    const handlers: Record<string, express4.RequestHandler> = {};
    for (const parser of ['simple', 'extended', false]) {
      handlers[`/${parser}`] = application(framework).set('query parser', parser).use(show);
    }
    handlers['/options'] = framework.query({ depth: 1, delimiter: ';', allowDots: true });
    app.use((req, res, next) => {
      const handler = handlers[req.path.replace(/(.)\/.*/, '$1')];
      if (!handler) return next();
      // The query parser of the application has run before.
      Reflect.deleteProperty(req, 'query');
      return handler(req, res, next);
    });
    app.use(show);
    return app;
  },
  requests: [...values('query'), ...MANY, ...drawn(values('pieces of query'), 250).map((text) => `?${text}`)]
    .flatMap((query) => ['/extended', '/simple', '/options'].map((mount) => hit(`${mount}/x${query}`)))
    .concat(values('query').map((query) => hit(`/false/${query}`))),
};

const TRUSTED: ReadonlyArray<readonly [name: string, value: unknown]> = [
  ['true', true],
  ['false', false],
  ['0', 0],
  ['1', 1],
  ['2', 2],
  ['loopback', 'loopback'],
  ['list', 'loopback, 10.0.0.0/8'],
  ['array', ['127.0.0.1', 'uniquelocal']],
  ['mask', '127.0.0.0/255.0.0.0'],
  ['function', (ip: string, hop: number) => ip === '127.0.0.1' || hop === 1],
];

const MEMBERS = ['ip', 'ips', 'hostname', 'host', 'protocol', 'secure', 'subdomains', 'xhr'];

const proxies: Area = {
  packages: 'proxy-addr, forwarded, ipaddr.js',
  build(framework: Framework) {
    const app = application(framework);
    for (const [name, value] of TRUSTED) {
      const inner = application(framework)
        .set('trust proxy', value)
        .set('subdomain offset', TRUSTED.length % 4);
      inner.use((req, res) => {
        res.end(shown(...MEMBERS.map((member) => () => Reflect.get(req, member))));
      });
      app.use(`/${name}`, inner);
    }
    return app;
  },
  requests: [
    {},
    ...['host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'].flatMap((name) =>
      values(name).map((value) => (name === 'host' ? { Host: value } : { [name]: value })),
    ),
    ...drawn(['1.1.1.1', '10.0.0.1', '127.0.0.1', '::1', ',', ', ', ' ', 'x', ':80', '"'], 40).map(
      (list) => ({
        'x-forwarded-for': list,
      }),
    ),
  ].flatMap((headers) => TRUSTED.map(([name]) => hit(`/${name}`, headers as Headers))),
};

export const requestAreas: readonly Area[] = [
  negotiation,
  format,
  ranges,
  types,
  conditions,
  queries,
  proxies,
];
