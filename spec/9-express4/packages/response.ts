/** Calls of the members of `res` that set headers and send bodies, and errors for the final handler. */
import { join } from 'node:path';
import fc from 'fast-check';
import {
  type Area,
  application,
  type Call,
  callArea,
  calling,
  draw,
  drawn,
  FILES,
  hit,
  LATER,
  showError,
  values,
} from './cases';

// biome-ignore format: a table
const VALUES: readonly unknown[] = [
  'b', '', 'é', 'a b', 'a;b', '"q"', 'a\n', '%', 'j:{}', '€',
  { a: 1 }, [1], 1, null, undefined, true, Number.NaN,
];

const EPOCH = new Date(0);

// biome-ignore format: a table
const COOKIE_OPTIONS: readonly unknown[] = [
  undefined, null, {},
  ...[1000, 0, -1, 'x', '10', 1.5, null, Number.NaN, Number.POSITIVE_INFINITY].map((maxAge) => ({ maxAge })),
  ...[EPOCH, new Date(Number.NaN), 'x', 0].map((expires) => ({ expires })),
  ...['a.b', '.a', '', 'a;b', 'a b'].map((domain) => ({ domain })),
  ...['', 'x', '/a;b', null].map((path) => ({ path })),
  ...['low', 'HIGH', 'x', 1].map((priority) => ({ priority })),
  ...[true, 'Lax', 'none', 'x', false, 1].map((sameSite) => ({ sameSite })),
  ...[String, 1].map((encode) => ({ encode })),
  { httpOnly: true }, { httpOnly: 0 }, { secure: 1 }, { partitioned: true }, { signed: true },
  { httpOnly: true, secure: true, sameSite: 'strict', path: '/x', domain: 'd', maxAge: 5000, expires: EPOCH },
];

/** Replaces the dates that `maxAge` adds, because they depend on the clock. */
function withoutClock(call: Call): Call {
  return (req, res) => {
    const returned = call(req, res);
    const cookie = res.get('Set-Cookie');
    if (cookie)
      res.set('Set-Cookie', `${cookie}`.replace(/Expires=[^;]* 20[2-9]\d [^;]*/g, 'Expires=(later)'));
    return returned;
  };
}

const signed = (call: Call): Call => {
  return (req, res) => {
    Object.assign(req, { secret: 'secret' });
    return call(req, res);
  };
};

const drawnCookies = fc.tuple(
  fc.constantFrom(...values('cookie name')),
  fc.constantFrom(...VALUES),
  fc.array(fc.constantFrom(...COOKIE_OPTIONS), { maxLength: 3 }),
);

const cookies = callArea(
  'cookie, cookie-signature',
  [
    ...values('cookie name').flatMap((name) =>
      VALUES.slice(0, 4).map((value) => calling('cookie', name, value)),
    ),
    ...VALUES.flatMap((value) => [
      calling('cookie', 'a', value),
      signed(calling('cookie', 'a', value, { signed: true })),
    ]),
    ...COOKIE_OPTIONS.flatMap((options) => [
      calling('cookie', 'a', 'b', options),
      calling('clearCookie', 'a', options),
    ]),
    ...draw(drawnCookies, 200).map(([name, value, options]) =>
      calling('cookie', name, value, Object.assign({}, ...options)),
    ),
  ].map(withoutClock),
);

const FILENAMES: readonly unknown[] = [
  ...values('filename'),
  ...drawn(values('pieces of filename'), 150),
  'x'.repeat(300),
  undefined,
  null,
  5,
];

const dispositions = callArea(
  'content-disposition, mime',
  FILENAMES.flatMap((name) => [
    calling('attachment', name),
    (_req, res) => {
      res.download(join(FILES, 'a.txt'), name as string);
      return LATER;
    },
  ]),
);

const URLS: readonly unknown[] = [
  ...values('url'),
  ...drawn(values('pieces of url'), 150),
  5,
  null,
  undefined,
  {},
];

const locations = callArea(
  'encodeurl, escape-html, statuses',
  [
    ...URLS.flatMap((url) => [calling('location', url), calling('redirect', url)]),
    ...[301, 303, 308, 300, 200, 404, 999, 304, 204, 0, 99, 1000, '301', 301.5, Number.NaN].flatMap(
      (status) => [calling('redirect', status, '/a'), calling('redirect', '/a', status)],
    ),
  ],
  { Referer: '/ref \xe9', Accept: 'text/html' },
);

// biome-ignore format: a table
const FIELDS: ReadonlyArray<readonly unknown[]> = [
  ['Accept'],
  ['accept', 'Accept'],
  ['*'],
  ['*', 'A'],
  ['A', '*'],
  ['A, B'],
  ['A,B', 'B, C'],
  ['A', 'B', 'a'],
  ['a b'], ['é'], [' A '], ['A,,B'], ['A\n'], [''], [undefined], [null], [5], [{}],
  [['A', 'B']], [['A', 'a']], [[]], [['*']], [['']], [['A', '']],
  ...draw(fc.array(fc.constantFrom(...drawn(['A', 'b', ',', ' ', '*', '-', 'é'], 40)), { maxLength: 3 }), 80),
];

const vary = callArea(
  'vary',
  FIELDS.map((fields) => (_req, res) => {
    for (const field of fields) res.vary(field as string);
    return res.get('Vary');
  }),
);

const TYPES: readonly unknown[] = [
  ...values('type of res.type'),
  ...values('type of res.type').map((extension) => `a.${extension}`),
  ...drawn(values('pieces of content-type'), 80),
  5,
  null,
  undefined,
];

// biome-ignore format: a table
const HEADERS: ReadonlyArray<readonly unknown[]> = [
  ...values('content-type of res.set').flatMap((type) => [
    ['Content-Type', type],
    ['content-TYPE', type],
    [{ 'Content-Type': type }],
  ]),
  ...[['b', 5], 5, undefined, null, {}, [], 'b\n'].map((value) => ['A', value]),
  ...[['a'], undefined, 5].map((type) => ['Content-Type', type]),
  ['A'], [undefined, 'a'], ['a b', 'c'], [{ A: 1, B: [2] }], [null], [],
];

const headers = callArea('mime, content-type', [
  ...TYPES.map(
    (type): Call =>
      (_req, res) =>
        res.type(type as string).get('Content-Type'),
  ),
  ...HEADERS.map(
    (given): Call =>
      (req, res) => {
        calling('set', ...given)(req, res);
        return res.getHeaders();
      },
  ),
  (_req, res) => res.append('A', 'b').append('A', ['c']).getHeaders(),
  (_req, res) => res.append('Vary', 'a').vary('b').append('Vary', '*').vary('c').getHeaders(),
  (_req, res) => res.links({ a: 'b', 'c d': 'e>f' }).links({ h: 'i' }).get('Link'),
]);

// biome-ignore format: a table
const BODIES: readonly unknown[] = [
  null, undefined, '', 'text', 'é', 'x'.repeat(2000), Buffer.from('é'), Buffer.alloc(0),
  {}, [], true, false, 0, 1, 200, 404, 999, 1e9, -1, Number.NaN, 10n,
  EPOCH, new Uint8Array([1]), Symbol.iterator, () => 1,
];

/** Sends a body with a content type that was set without `res.type`. */
const typed =
  (type: string, body: unknown, member = 'send'): Call =>
  (req, res) => {
    if (type) res.setHeader('Content-Type', type);
    return calling(member, body)(req, res);
  };

// biome-ignore format: a table
const STATUSES: readonly unknown[] = [
  0, 99, 200, 204, 205, 299, 304, 404, 418, 600, 999, 1000, 200.5, '404', 'x', null, undefined,
  Number.NaN,
];

const sent = callArea('content-type, etag, statuses', [
  ...BODIES.flatMap((body) => [
    ...values('content-type of res.send').map((type) => typed(type, body)),
    ...['json', 'jsonp'].flatMap((member) => [
      typed('', body, member),
      typed('application/xml', body, member),
      calling(member, 201, body),
      calling(member, body, 201),
    ]),
    calling('send', 201, body),
    calling('send', body, 201),
  ]),
  ...drawn(values('pieces of content-type'), 100).flatMap((type) => [typed(type, 'text'), typed(type, null)]),
  ...STATUSES.flatMap((status) => [
    calling('sendStatus', status),
    ...['x', '', null, Buffer.from('x'), {}].map(
      (body): Call =>
        (_req, res) =>
          res.status(status as number).send(body),
    ),
  ]),
]);

const jsonp: Area = {
  packages: 'qs, in jsonp',
  build(framework) {
    const app = application(framework).set('json escape', true);
    app.get('/', (_req, res) => res.jsonp({ a: '<\u2028\u2029&>é' }));
    app.get('/typed', (_req, res) => res.type('x/y').jsonp([1]));
    app.use(showError);
    return app;
  },
  requests: [
    ...values('callback'),
    ...drawn(
      ['a', 'b', '.', '[', ']', '0', '(', '<', '$', '_', '%20', '+', '%E9', '&callback=c', '='],
      80,
    ).map((text) => `?callback=${text}`),
  ].flatMap((query) => [hit(`/${query}`), hit(`/typed${query}`)]),
};

const failing = (members: object, message = 'a<b>'): Error =>
  Object.assign(new Error(message), { stack: `${message}\n  at x` }, members);

// biome-ignore format: a table
const ERRORS: readonly unknown[] = [
  ...[{}, { status: 404 }, { statusCode: 403 }, { status: 200 }, { status: 999 }, { status: '404' }].map(
    (members) => failing(members),
  ),
  failing({ status: 404, headers: { 'X-A': 'b' } }),
  failing({ status: 404, headers: 'x' }),
  failing({ status: 500, expose: true }),
  'text', 5, null, true, [], { a: 1 }, { status: 410, toString: () => 'own' }, 'route', 'router',
];

const failures: Area = {
  packages: 'finalhandler, escape-html, encodeurl',
  build(framework) {
    const apps = ['test', 'production'].map((env) => {
      const app = framework().disable('x-powered-by').set('env', env);
      app.get('/:index', (req, res, next) => {
        if (req.query.status) res.statusCode = Number(req.query.status);
        if (req.query.header) res.set('X-Former', 'a');
        next(ERRORS[Number(req.params.index)]);
      });
      return app;
    });
    return (req, res) => apps[req.headers.env === 'production' ? 1 : 0]?.(req, res);
  },
  requests: [
    ...ERRORS.flatMap((_error, index) =>
      ['', '?status=404', '?status=200&header=1', '?status=502'].flatMap((query) =>
        ['test', 'production'].map((env) => hit(`/${index}${query}`, { env })),
      ),
    ),
    ...values('target without a handler').flatMap((target) =>
      ['GET', 'HEAD', 'POST', 'DELETE'].map((method) => hit(target, {}, method)),
    ),
    hit('*', {}, 'OPTIONS'),
    hit('http://a.b/none/x'),
    hit('http://a.b'),
  ],
};

export const responseAreas: readonly Area[] = [
  cookies,
  dispositions,
  locations,
  vary,
  headers,
  sent,
  jsonp,
  failures,
];
