/** Requests for the body parsers. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type express4 from 'nozomi/4';
import type { Request } from '../../../parity/client/messages';
import { type Area, application, drawn, type Headers, hit, send, showError, shown, values } from './cases';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const TYPES = [JSON_TYPE, 'text/plain', FORM, 'application/octet-stream'];
const TARGETS = ['/all', '/verify', '/options', '/any', '/list', '/simple', '/tiny', '/read'];

/** Not with two charsets: Express 4 takes the last, and `nozomi/4` the first (docs/express4.md). */
const DRAWN_TYPES = drawn(values('pieces of content-type'), 100).filter(
  (type) => !/charset.*charset/.test(type),
);

const json = Buffer.from('{"a":1}');

const post = (type: string, body: Buffer | string, target = '/all', headers: Headers = {}): Request =>
  send(target, { 'content-type': type, ...headers }, Buffer.from(body as string, 'latin1'));

const QUERIES = [
  ...values('query').map((query) => query.slice(1)),
  ...drawn([...values('pieces of query'), ' ', '\xe9', '&#9786;', '%E2%9C%93'], 150),
];

/** Bodies with a content encoding that is or is not theirs. */
const ENCODED: ReadonlyArray<readonly [encoding: string, body: Buffer]> = [
  ['gzip', gzipSync(json)],
  ['GZIP', gzipSync(json)],
  ['x-gzip', gzipSync(json)],
  ['deflate', deflateSync(json)],
  ['deflate', deflateRawSync(json)],
  ['br', brotliCompressSync(json)],
  ['identity', json],
  ['', json],
  ['gzip, deflate', gzipSync(json)],
  ['gzip', json],
  ['deflate', json],
  ['zstd', json],
  ['gzip', gzipSync(json).subarray(0, 12)],
  ['gzip', Buffer.concat([gzipSync(json), gzipSync(json)])],
  ['gzip', Buffer.concat([gzipSync(json), json])],
  ['gzip', Buffer.alloc(0)],
  ['deflate', Buffer.alloc(0)],
  ['gzip', gzipSync(Buffer.alloc(200_000, ' '))],
];

const chunked = (type: string, body: string, target: string): Request =>
  post(type, body, target, { 'Transfer-Encoding': 'chunked' });

const parsers: Area = {
  packages: 'body-parser, raw-body, iconv-lite, qs, type-is',
  build(framework) {
    const app = application(framework);
    const all = (options: object): express4.RequestHandler[] => [
      framework.json(options),
      framework.urlencoded({ extended: true, ...options }),
      framework.text(options),
      framework.raw(options),
    ];
    const verify = (_req: unknown, _res: unknown, body: Buffer, encoding: string): void => {
      if (body.length === 1) throw new Error(`verify ${encoding}`);
    };
    app.use('/all', all({}));
    app.use('/verify', all({ verify }));
    app.use('/options', all({ strict: false, inflate: false, limit: '20b', parameterLimit: 2 }));
    app.use('/any', framework.text({ type: '*/*', defaultCharset: 'latin1' }));
    app.use(
      '/list',
      framework.json({ type: ['json', '+json', 'text/*'] }),
      framework.raw({ type: () => true }),
    );
    app.use('/simple', framework.urlencoded({ extended: false, parameterLimit: 3 }), all({ type: 'json' }));
    app.use('/tiny', all({ limit: 3, defaultCharset: 'utf-16le' }));
    const read: express4.RequestHandler = (req, _res, next) => void req.resume().on('end', next);
    app.use('/read', read, all({}));
    app.use((req, res) => {
      res.end(
        shown(
          () => req.body,
          () => Reflect.get(req, '_body'),
        ),
      );
    });
    app.use(showError);
    return app;
  },
  requests: [
    ...TYPES.flatMap((type) => values('charset').map((charset) => `${type}; charset=${charset}`)).flatMap(
      (type) => [
        post(type, json),
        post(type, Buffer.from('{"a":"é"}', 'utf16le')),
        post(type, 'a=\xe9&b=%E9'),
        post(type, json, '/verify'),
      ],
    ),
    ...TYPES.flatMap((type) =>
      values('body').flatMap((body) => TARGETS.map((target) => post(type, body, target))),
    ),
    ...TYPES.flatMap((type) =>
      ENCODED.flatMap(([encoding, body]) =>
        TARGETS.map((target) => post(type, body, target, { 'content-encoding': encoding })),
      ),
    ),
    ...[...values('content-type'), ...DRAWN_TYPES].flatMap((type) =>
      ['/all', '/any', '/list'].map((target) => post(type, json, target)),
    ),
    ...[...values('form'), ...QUERIES].flatMap((form) =>
      ['/all', '/simple', '/options'].map((target) => post(FORM, form, target)),
    ),
    hit('/all', { 'content-type': JSON_TYPE }, 'POST'),
    chunked(JSON_TYPE, '7\r\n{"a":1}\r\n0\r\n\r\n', '/all'),
    chunked(JSON_TYPE, '7\r\n{"a":1}\r\n0\r\n\r\n', '/tiny'),
    chunked('text/plain', '0\r\n\r\n', '/all'),
  ],
};

const LIMITS: readonly unknown[] = [...values('limit'), 0, -1, 5.5, null, Number.NaN, {}, true];

const OPTIONS: readonly object[] = [
  ...LIMITS.map((limit) => ({ limit })),
  ...[0, -1, 'x', '5', 1.5, Number.POSITIVE_INFINITY].flatMap((count) => [
    { parameterLimit: count },
    { parameterLimit: count, extended: false },
    { depth: count },
  ]),
  ...['x', 1, null, true].flatMap((value) => [{ verify: value }, { type: value }, { inflate: value }]),
  { strict: 0 },
  { reviver: (key: string, value: unknown) => (key === 'a' ? `${value}` : value) },
];

const options: Area = {
  packages: 'bytes, body-parser',
  build(framework) {
    const app = application(framework);
    app.post('/:index/:parser', (req, res, next) => {
      const given = OPTIONS[Number(req.params.index)];
      const { parser } = req.params;
      const create = (): express4.RequestHandler => Reflect.get(framework, parser as string)(given);
      const error = shown(() => void create());
      if (error !== 'undefined') res.end(error);
      else create()(req, res, (err) => (err ? next(err) : res.end(shown(() => req.body))));
    });
    app.use(showError);
    return app;
  },
  requests: OPTIONS.flatMap((_given, index) => [
    post(JSON_TYPE, json, `/${index}/json`),
    post(FORM, 'a=1&b[c][d]=2&e=3', `/${index}/urlencoded`),
    post('text/plain', 'text', `/${index}/text`),
    post('application/octet-stream', '', `/${index}/raw`),
  ]),
};

export const bodyAreas: readonly Area[] = [parsers, options];
