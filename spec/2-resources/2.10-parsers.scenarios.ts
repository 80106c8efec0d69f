/** Scenarios for the options of the body parsers. §2.10 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { NextFunction, Request, Response } from 'express';
import type { Expected } from '../../parity/client/messages';
import { get, post } from '../../parity/client/request';
import { getEach, routeEach, routes } from '../../parity/scenario/routes';
import { type Framework, scenario } from '../../parity/scenario/scenario';

type Parser = 'json' | 'raw' | 'text' | 'urlencoded';

const TYPES: Readonly<Record<Parser, string>> = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
};
const SAMPLE = '{"a":"é"}';

/** The response for the parsed SAMPLE. */
const PARSED: Readonly<Record<Parser, Expected>> = {
  json: { status: 200, json: { body: { a: 'é' }, is: 'object' } },
  raw: { status: 200, json: { bytes: Buffer.from(SAMPLE).toString('base64') } },
  text: { status: 200, json: { body: SAMPLE, is: 'string' } },
  urlencoded: { status: 200, json: { body: { [SAMPLE]: '' }, is: 'object' } },
};
const IGNORED = { status: 200, json: { is: 'undefined' } };

/** The response for an error with this status and type. After it, `req.body` is undefined. */
const failed = (status: number, type: string): Expected => ({
  status,
  body: new RegExp(`"type":"${type}"(,"body":"[^"]*")?}}$`),
});
const TOO_LARGE = failed(413, 'entity.too.large');

/**
 * Creates an application with one parser for each set of options, on the paths `/0`, `/1` and so on. The application
 * responds with the parsed body or the error.
 */
function withOptions(framework: Framework, parser: Parser, ...sets: object[]) {
  const app = framework();
  for (const [index, options] of sets.entries()) app.use(`/${index}`, framework[parser](options));
  app.use((req: Request, res: Response) => {
    const { body } = req;
    if (req.url.endsWith('?brief')) res.json({ length: JSON.stringify(body).length, is: typeof body });
    else res.json(Buffer.isBuffer(body) ? { bytes: body.toString('base64') } : { body, is: typeof body });
  });
  app.use((err: Error & { status: number }, req: Request, res: Response, _next: NextFunction) => {
    res.status(err.status).json({ name: err.name, message: err.message, members: err, body: req.body });
  });
  return app;
}

/** Returns a JSON body of this many bytes. */
const ofLength = (length: number): string => `["${'x'.repeat(length - 4)}"]`;

const PARSERS = Object.keys(TYPES) as Parser[];

const json = (target: string, body: string) => post(target, body, { 'Content-Type': TYPES.json });
const form = (target: string, body: string) => post(target, body, { 'Content-Type': TYPES.urlencoded });

const text = (body: string): Expected => ({ json: { body, is: 'string' } });
const UTF16 = { json: { bytes: Buffer.from(SAMPLE, 'utf16le').toString('base64') } };
/** The sample in little-endian UTF-16, decoded as big-endian. */
const SWAPPED = text(Buffer.from(SAMPLE, 'utf16le').swap16().toString('utf16le'));
const NO_CHARSET = failed(415, 'charset.unsupported');

/** For each path, the responses without charset and with utf-8, utf-16, utf-16be, iso-8859-1 and evil. */
const CHARSETS: ReadonlyArray<readonly [target: string, type: string, expected: readonly Expected[]]> = [
  ['/json/0', TYPES.json, [PARSED.json, PARSED.json, PARSED.json, { status: 400 }, NO_CHARSET, NO_CHARSET]],
  ['/raw/0', TYPES.raw, [PARSED.raw, PARSED.raw, UTF16, UTF16, PARSED.raw, PARSED.raw]],
  ['/text/0', TYPES.text, [PARSED.text, PARSED.text, PARSED.text, SWAPPED, text('{"a":"Ã©"}'), NO_CHARSET]],
  [
    '/urlencoded/0',
    TYPES.urlencoded,
    [
      PARSED.urlencoded,
      PARSED.urlencoded,
      NO_CHARSET,
      NO_CHARSET,
      { json: { body: { '{"a":"Ã©"}': '' }, is: 'object' } },
      NO_CHARSET,
    ],
  ],
  [
    '/latin/0',
    TYPES.text,
    [text('{"a":"Ã©"}'), PARSED.text, PARSED.text, SWAPPED, text('{"a":"Ã©"}'), NO_CHARSET],
  ],
];

const many = (count: number): string => Array.from({ length: count }, (_, n) => `p${n}=`).join('&');
const deep = (levels: number): string => `a${'[b]'.repeat(levels)}=1`;
const TOO_MANY = { status: 413, body: /"type":"parameters.too.many"/ };
const TOO_DEEP = { status: 400, body: /"type":"querystring.parse.rangeError"/ };

/** Options of express.urlencoded, and forms with the parsed body or the error. */
const FORMS: ReadonlyArray<
  readonly [options: object, rows: ReadonlyArray<readonly [form: string, expected: Expected]>]
> = [
  [
    {},
    [
      [
        'a=1&b=x+y&c%20d=%C3%A9&e&f=&g=%zz&h=a=b',
        { a: '1', b: 'x y', 'c d': 'é', e: '', f: '', g: '%zz', h: 'a=b' },
      ],
      ['a[b]=1&a[b]=2&c[]=3', { 'a[b]': ['1', '2'], 'c[]': '3' }],
      ['a=1&b=2&a=3', { a: ['1', '3'], b: '2' }],
      ['=v&a=1&__proto__=x&&b', { a: '1', b: '' }],
      [many(1000), { status: 200 }],
      [many(1001), TOO_MANY],
    ],
  ],
  [
    { extended: true },
    [
      ['a[b][c]=1&d[]=2&d[]=3&e[1]=x&f=y', { a: { b: { c: '1' } }, d: ['2', '3'], e: ['x'], f: 'y' }],
      [deep(32), { status: 200 }],
      [deep(33), TOO_DEEP],
      [many(1001), TOO_MANY],
    ],
  ],
  [{ extended: true, depth: 1 }, [[deep(2), TOO_DEEP]]],
  [{ extended: true, depth: '1' }, [[deep(2), { status: 200 }]]],
  [
    { parameterLimit: 2.9 },
    [
      ['a&b', { a: '', b: '' }],
      ['a&b&c', TOO_MANY],
    ],
  ],
  [{ parameterLimit: '2' }, [['a&b&c', TOO_MANY]]],
  [{ parameterLimit: Infinity }, [['a&'.repeat(1001), { status: 200 }]]],
  [{ charsetSentinel: true }, [['utf8=%26%2310003%3B&a=%E9', { a: 'é' }]]],
];

/** Options that a parser throws for, with the message of the TypeError. */
const INVALID: ReadonlyArray<readonly [parser: Parser, options: object, message: string]> = [
  ...PARSERS.flatMap((parser) => [
    [parser, { limit: 'kb' }, 'option limit "kb" is invalid'] as const,
    [parser, { limit: {} }, 'option limit "[object Object]" is invalid'] as const,
    [parser, { verify: 'yes' }, 'option verify must be function'] as const,
  ]),
  ['urlencoded', { defaultCharset: 'utf-16' }, 'option defaultCharset must be either utf-8 or iso-8859-1'],
  ['urlencoded', { extended: true, depth: -1 }, 'option depth must be a zero or a positive number'],
  ...[0, -1, Number.NaN, null, 'many'].map(
    (parameterLimit) =>
      ['urlencoded', { parameterLimit }, 'option parameterLimit must be a positive number'] as const,
  ),
];

export default PARSERS.flatMap((parser, index) => {
  const id = (offset: number): string => `F-2.10-${String(index * 12 + offset).padStart(2, '0')}`;
  const bodies = (offset: number): string => `F-2.10-${70 + index * 4 + offset}`;
  const send = (target: string, body: string | Buffer = SAMPLE, headers: Record<string, string> = {}) =>
    post(target, body, { 'Content-Type': TYPES[parser], ...headers });
  const parsed = PARSED[parser];
  const sendAs = (target: string, type: string) => send(target, SAMPLE, { 'Content-Type': type });

  const sendGzip = (target: string, body: string) =>
    send(target, gzipSync(body), { 'Content-Encoding': 'gzip' });
  /** The media types that the parser accepts on each path. */
  const accepted = [
    [TYPES[parser]],
    ['text/html'],
    ['text/html', 'text/plain'],
    ['application/json', 'image/svg+xml'],
    [],
  ];

  return [
    scenario({
      name: `express.${parser} inflates compressed bodies unless inflate is false`,
      clauses: [id(1), id(2)],
      build: ({ framework }) => withOptions(framework, parser, {}, { inflate: false }),
      requests: [
        ...['/0', '/1'].flatMap((target) => {
          const inflated = target === '/0' ? parsed : failed(415, 'encoding.unsupported');
          return [
            send(target).expect(parsed),
            send(target, gzipSync(SAMPLE), { 'Content-Encoding': 'gzip' }).expect(inflated),
            send(target, deflateSync(SAMPLE), { 'Content-Encoding': 'deflate' }).expect(inflated),
            send(target, brotliCompressSync(SAMPLE), { 'Content-Encoding': 'br' }).expect(inflated),
            send(target, SAMPLE, { 'Content-Encoding': 'zip' }).expect(failed(415, 'encoding.unsupported')),
            send(target, SAMPLE, { 'Content-Encoding': 'identity' }).expect(parsed),
          ];
        }),
        send('/0', gzipSync(SAMPLE), { 'Content-Encoding': 'GZIP' }).expect(parsed),
      ],
    }),
    scenario({
      name: `express.${parser} rejects a body above its limit`,
      clauses: [id(3), id(4), id(5), bodies(3), 'F-8-01'],
      // biome-ignore format: a table
      build: ({ framework }) =>
        withOptions(
          framework, parser,
          { limit: 9 }, { limit: '1kb' }, {}, { limit: null }, { limit: Infinity },
          { limit: 0 }, { limit: -1 },
        ),
      requests: [
        send('/0', '').expect({ status: 200 }),
        send('/0', '{}').expect({ status: 200 }),
        send('/0', ofLength(10)).expect(TOO_LARGE),
        send('/0', ofLength(9)).expect({ status: 200 }),
        send('/1?brief', ofLength(1024)).expect({ status: 200 }),
        send('/1', ofLength(1025)).expect(TOO_LARGE),
        sendGzip('/2?brief', ofLength(102_400)).expect({ status: 200 }),
        sendGzip('/2?brief', ofLength(102_401)).expect({
          status: 413,
          body: /"limit":102400,"received":102401,"type":"entity.too.large"}}$/,
        }),
        post('/0', ['["xxx', 'xxx"]'], { 'Content-Type': TYPES[parser] }).expect(TOO_LARGE),
        sendGzip('/3?brief', ofLength(102_400)).expect({ status: 200 }),
        sendGzip('/3?brief', ofLength(102_401)).expect(TOO_LARGE),
        sendGzip('/4?brief', ofLength(300_000)).expect({ status: 200 }),
        send('/5', '').expect({ status: 200 }),
        send('/5', '{}').expect(TOO_LARGE),
        send('/6', '').expect(TOO_LARGE),
        send('/6', '{}').expect(TOO_LARGE),
      ],
    }),
    scenario({
      name: `express.${parser} throws at creation if the limit is invalid`,
      clauses: [id(5)],
      build({ framework }) {
        const messages = ['much', '', Number.NaN, true].map((limit) => {
          try {
            return framework[parser]({ limit } as never).name;
          } catch (err) {
            return String(err);
          }
        });
        return framework().use((_req, res) => void res.json(messages));
      },
      requests: [
        send('/').expect({
          json: ['much', '', 'NaN', 'true'].map((limit) => `TypeError: option limit "${limit}" is invalid`),
        }),
      ],
    }),
    scenario({
      name: `express.${parser} parses the media types that the option type selects`,
      clauses: [id(6), id(7), id(8), id(9), id(10), bodies(2)],
      build: ({ framework }) =>
        withOptions(
          framework,
          parser,
          {},
          { type: 'html' },
          { type: 'text/*' },
          { type: ['json', '*/*+xml'] },
          { type: (req: Request) => req.headers['x-parse'] },
          ...['', '.html', '*/html', '*/*+html', '+html'].map((type) => ({ type })),
        ),
      requests: [
        ...accepted.flatMap((types, target) => [
          ...[TYPES[parser], 'text/html', 'application/json', 'image/svg+xml', 'nonsense'].map((type) =>
            sendAs(`/${target}`, type).expect(types.includes(type) ? parsed : IGNORED),
          ),
          send(`/${target}`, SAMPLE, { 'X-Parse': 'yes' }).expect(
            target === 4 || types.includes(TYPES[parser]) ? parsed : IGNORED,
          ),
        ]),
        ...['application/x-other', 'text', 'text/plain2', '', ';', `${TYPES[parser]}x`].map((type) =>
          sendAs('/0', type).expect(IGNORED),
        ),
        sendAs('/5', TYPES[parser]).expect(parsed),
        sendAs('/6', 'text/html; charset=utf-8').expect(parsed),
        sendAs('/7', 'text/html').expect(parsed),
        sendAs('/8', 'text/vnd.x+html').expect(parsed),
        sendAs('/9', 'text/vnd.x+html').expect(parsed),
        sendAs('/9', 'text/html').expect(IGNORED),
      ],
    }),
    scenario({
      name: `express.${parser} passes the bytes to verify and fails if verify throws`,
      clauses: [id(11), id(12), 'F-7-17'],
      build: ({ framework }) =>
        withOptions(
          framework,
          parser,
          {
            verify(_req: unknown, res: Response, bytes: Buffer, charset: unknown) {
              res.setHeader('X-Verified', `${bytes.toString('hex')} ${charset}`);
            },
          },
          {
            verify() {
              throw new Error('unsigned');
            },
          },
          {
            verify() {
              throw Object.assign(new Error('unsigned'), { status: 422, type: 'signature' });
            },
          },
          {
            verify: (req: unknown, res: Response) => void res.setHeader('X-Verified', `${res.req === req}`),
          },
        ),
      requests: [
        {
          ...parsed,
          'x-verified': `${Buffer.from(SAMPLE).toString('hex')} ${parser === 'raw' ? null : 'utf-8'}`,
        },
        failed(403, 'entity.verify.failed'),
        { status: 422, body: /"type":"signature"/ },
        { ...parsed, 'x-verified': 'true' },
      ].flatMap((expected, target) => [
        send(`/${target}`).expect(expected),
        sendGzip(`/${target}`, SAMPLE).expect(expected),
      ]),
    }),
    scenario({
      name: `express.${parser} keeps req.body of a request that it does not parse, and the async context`,
      clauses: [id(6)],
      build({ framework }) {
        const store = new AsyncLocalStorage<string>();
        const app = framework();
        app.use(
          (req, _res, next) => {
            req.body = 'mine';
            store.run('kept', next);
          },
          framework[parser]({ limit: 50 }),
        );
        app.use((req: Request, res: Response) => void res.json([store.getStore(), req.body === 'mine']));
        app.use((_err: unknown, _req: unknown, res: Response, _next: unknown) => {
          res.json([store.getStore(), 'failed']);
        });
        return app;
      },
      requests: [
        sendAs('/', 'image/png').expect({ json: ['kept', true] }),
        send('/').expect({ json: ['kept', false] }),
        post('/', [SAMPLE], { 'Content-Type': TYPES[parser] }).expect({ json: ['kept', false] }),
        send('/', ofLength(60)).expect({ json: ['kept', 'failed'] }),
        post('/', [ofLength(60)], { 'Content-Type': TYPES[parser] }).expect({ json: ['kept', 'failed'] }),
      ],
    }),
  ];
}).concat([
  scenario({
    name: 'express.json accepts only Unicode charsets, express.text any known charset, express.raw all bytes',
    clauses: ['F-2.10-50', 'F-2.10-55', 'F-2.10-58', 'F-2.10-59', 'F-2.10-60', 'F-2.10-63'],
    build({ framework }) {
      const app = framework();
      for (const parser of PARSERS) app.use(`/${parser}`, withOptions(framework, parser, {}));
      return app.use('/latin', withOptions(framework, 'text', { defaultCharset: 'iso-8859-1' }));
    },
    requests: CHARSETS.flatMap(([target, type, expected]) =>
      [
        '',
        '; charset=utf-8',
        '; charset=utf-16',
        '; charset=utf-16be',
        '; charset=iso-8859-1',
        '; charset=evil',
      ].map((charset, index) =>
        post(target, Buffer.from(SAMPLE, charset.includes('16') ? 'utf16le' : 'utf8'), {
          'Content-Type': type + charset,
        }).expect(expected[index] as Expected),
      ),
    ),
  }),
  scenario({
    name: 'reviver affects only express.json, and parameterLimit only express.urlencoded',
    clauses: ['F-2.10-51', 'F-2.10-56', 'F-2.10-69'],
    build({ framework }) {
      const reviver = (key: string, value: unknown) => (key === 'a' ? `${value}!` : value);
      const app = framework();
      app.use('/json', withOptions(framework, 'json', { reviver }));
      app.use('/raw', withOptions(framework, 'raw', { reviver, strict: true, extended: true }));
      app.use(
        '/form',
        withOptions(framework, 'urlencoded', { parameterLimit: 2 }, { parameterLimit: Infinity }),
      );
      return app;
    },
    requests: [
      post('/json/0', { a: 1, b: { a: 2 } }).expect({
        json: { body: { a: '1!', b: { a: '2!' } }, is: 'object' },
      }),
      post('/raw/0', '{"a":1}', { 'Content-Type': TYPES.raw }).expect({
        json: { bytes: Buffer.from('{"a":1}').toString('base64') },
      }),
      form('/form/0', 'a=1&b=2').expect({ json: { body: { a: '1', b: '2' }, is: 'object' } }),
      form('/form/0', 'a=1&b=2&c=3').expect(failed(413, 'parameters.too.many')),
      form('/form/1', 'a=1&b=2').expect({ status: 200 }),
      form('/form/1', 'a=1&b=2&c=3').expect({
        json: { body: { a: '1', b: '2', c: '3' }, is: 'object' },
      }),
    ],
  }),
  scenario({
    name: 'the first of several body parsers that matches the type sets req.body',
    clauses: ['F-2.10-86'],
    build({ framework }) {
      const app = framework();
      app.use(
        framework.json(),
        framework.urlencoded(),
        framework.text({ type: '*/*' }),
        framework.raw({ type: '*/*' }),
      );
      app.use((req, res) => void res.json({ body: req.body, is: typeof req.body }));
      return app;
    },
    requests: [
      post('/', { a: 1 }).expect({ json: { body: { a: 1 }, is: 'object' } }),
      ...[TYPES.raw, TYPES.text].map((type) =>
        post('/', '{"a":1}', { 'Content-Type': type }).expect({ json: { body: '{"a":1}', is: 'string' } }),
      ),
      form('/', '{"a":1}').expect({ json: { body: { '{"a":1}': '' }, is: 'object' } }),
      post('/', '{"a":1}', { 'Content-Type': 'text/html' }).expect({
        json: { body: '{"a":1}', is: 'string' },
      }),
      post('/', [], { 'Content-Type': 'text/html' }).expect({ json: { body: '', is: 'string' } }),
    ],
  }),
  scenario({
    name: 'express.json decodes UTF-8 and UTF-16 with or without a byte order mark, and no other charset',
    clauses: ['F-2.10-50'],
    build: ({ framework }) => withOptions(framework, 'json', {}),
    requests: [
      ...(
        [
          ['utf-8', Buffer.from('{"a":"é𝄞"}')],
          ['UTF-8', Buffer.from('\ufeff{"a":"é𝄞"}')],
          ['"utf-8"', Buffer.from('{"a":"é𝄞"}')],
          ['utf-16le', Buffer.from('{"a":"é𝄞"}', 'utf16le')],
          ['utf-16', Buffer.from('\ufeff{"a":"é𝄞"}', 'utf16le')],
          ['utf-16be', Buffer.from('{"a":"é𝄞"}', 'utf16le').swap16()],
        ] as const
      ).map(([charset, body]) =>
        post('/0', body, { 'Content-Type': `application/json; charset=${charset}` }).expect({
          json: { body: { a: 'é𝄞' }, is: 'object' },
        }),
      ),
      ...['utf8', 'utf-9'].map((charset) =>
        post('/0', '{}', { 'Content-Type': `application/json; charset=${charset}` }).expect(
          failed(415, 'charset.unsupported'),
        ),
      ),
    ],
  }),
  scenario({
    name: 'express.json accepts any JSON value if not strict, otherwise only objects and arrays',
    clauses: ['F-2.10-49', 'F-2.10-52', 'F-2.10-53', 'F-7-16'],
    build: ({ framework }) => withOptions(framework, 'json', {}, { strict: false }, null as never),
    requests: [
      ...['{}', '[]', ' \t\r\n{"a":1}'].map((text) => json('/0', text).expect({ status: 200 })),
      ...['true', '"a"', '1', 'null', '  ', '\v{}', '\ufeff\ufeff{}', 'x'].map((text) =>
        json('/0', text).expect({ status: 400, body: /"type":"entity.parse.failed"}}$/ }),
      ),
      json('/1', 'true').expect({ json: { body: true, is: 'boolean' } }),
      json('/1', '"a"').expect({ json: { body: 'a', is: 'string' } }),
      json('/1', ' 1 ').expect({ json: { body: 1, is: 'number' } }),
      json('/1', 'null').expect({ json: { body: null, is: 'object' } }),
      json('/1', 'x').expect({ status: 400 }),
      json('/2', '{"').expect({ status: 400 }),
      json('/0', '{"a":').expect({
        status: 400,
        body: /^{"name":"SyntaxError",.*"members":{"expose":true,"statusCode":400,"status":400,"body":"{\\"a\\":","type":"entity.parse.failed"}}$/,
      }),
      post('/0', '{}', { 'Content-Type': 'application/vnd.api+json' }).expect(IGNORED),
    ],
  }),
  scenario({
    name: 'express.json calls the reviver once for each value, also if it throws',
    clauses: ['F-2.10-51'],
    build({ framework }) {
      const keys: string[] = [];
      const reviver = (key: string): never => {
        keys.push(key);
        throw new RangeError('no');
      };
      return framework()
        .use('/keys', (_req, res) => void res.json(keys))
        .use(withOptions(framework, 'json', { reviver }));
    },
    requests: [
      json('/0', '{"at":1}').expect({ status: 400, body: /"type":"entity.parse.failed"/ }),
      json('/keys', '').expect({ json: ['at'] }),
    ],
  }),
  scenario({
    name: 'express.urlencoded decodes, nests and counts the parameters of a form',
    // biome-ignore format: a table
    clauses: [
      'F-2.10-61', 'F-2.10-64', 'F-2.10-65', 'F-2.10-66', 'F-2.10-67', 'F-2.10-68', 'F-2.10-69',
      'F-8-02', 'F-7-18',
    ],
    build: ({ framework }) => withOptions(framework, 'urlencoded', ...FORMS.map(([options]) => options)),
    requests: FORMS.flatMap(([, rows], target) =>
      rows.map(([body, expected]) =>
        form(`/${target}`, body).expect(
          'status' in expected ? expected : { json: { body: expected, is: 'object' } },
        ),
      ),
    ),
  }),
  scenario({
    name: 'express.text decodes UTF-8, and with defaultCharset if the Content-Type has no charset',
    clauses: ['F-2.10-57', 'F-2.10-58', 'F-2.10-59', 'F-2.10-60'],
    build: ({ framework }) => withOptions(framework, 'text', {}, { defaultCharset: 'iso-8859-1' }),
    requests: [
      post('/0', 'é𝄞', { 'Content-Type': TYPES.text }).expect({ json: { body: 'é𝄞', is: 'string' } }),
      post('/1', Buffer.from('é', 'latin1'), { 'Content-Type': TYPES.text }).expect({
        json: { body: 'é', is: 'string' },
      }),
      post('/1', 'é', { 'Content-Type': `${TYPES.text}; charset=utf-8` }).expect({
        json: { body: 'é', is: 'string' },
      }),
    ],
  }),
  scenario({
    name: 'body parsers throw at creation for an invalid option',
    clauses: ['F-2.10-05', 'F-2.10-11', 'F-2.10-62', 'F-2.10-67', 'F-2.10-69'],
    build: routes(({ framework }) =>
      routeEach(INVALID, (res, [parser, options]) => {
        try {
          framework[parser](options);
        } catch (error) {
          res.send(String(error));
        }
      }),
    ),
    requests: getEach(INVALID, ([, , message]) => ({ body: `TypeError: ${message}` })),
  }),
  scenario({
    name: 'body parsers have the names of their functions, and their middleware names that end in Parser',
    clauses: ['F-2.10-49', 'F-2.10-54', 'F-2.10-57', 'F-2.10-61'],
    build: ({ framework }) =>
      framework().use((_req, res) => {
        const named = PARSERS.map((parser) => [framework[parser], framework[parser]()] as const);
        res.json(named.map(([create, made]) => [create.name, made.name, made.length]));
      }),
    requests: [get('/').expect({ json: PARSERS.map((parser) => [parser, `${parser}Parser`, 3]) })],
  }),
  scenario({
    name: 'body parsers read their options once at creation, also inherited options',
    clauses: ['F-2.10-03'],
    build({ framework }) {
      const options = Object.assign(Object.create({ limit: 20 }), { strict: false });
      const app = withOptions(framework, 'json', options);
      Object.assign(options, { limit: 1, strict: true });
      return app;
    },
    requests: [
      json('/0', '1').expect({ json: { body: 1, is: 'number' } }),
      json('/0', ofLength(30)).expect(TOO_LARGE),
    ],
  }),
]);
