/** Scenarios for res.send(), res.sendStatus() and res.status(), and for response methods of Node.js. §4.5 */
import { expect } from 'chai';
import type { Response } from 'express';
import type { Expected } from '../../parity/client/messages';
import { get, head, onOneConnection, pipelined, post } from '../../parity/client/request';
import { expectGets, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';
import { withWrappedSet } from '../../parity/scenario/wrapped';

const text = 'grün, 緑, 💚';
const WAYS = ['end', 'send', 'empty', 'long', 'buffer', 'json', 'status'];

const HTML = { 'content-type': 'text/html; charset=utf-8', 'content-length': '16', body: text };
const PLAIN = { ...HTML, 'content-type': 'text/plain; charset=utf-8' };
const BYTES = { 'content-type': 'application/octet-stream' };
const JSON_TYPE = { status: 200, 'content-type': 'application/json; charset=utf-8' };
const TEXTS = ['text', 'grün', '\u{1f689}', '', 'x'.repeat(1000), `grün${'x'.repeat(1000)}`];
const NOTHING = { status: 200, 'content-type': undefined, 'content-length': '0', body: '' };
const NO_BODY = {
  'content-type': undefined,
  'content-length': undefined,
  'transfer-encoding': undefined,
  body: '',
};
const FRESH = { status: 304, etag: /./, ...NO_BODY };
const STALE = { status: 200, body: text };

const RANGE = 'Status code must be greater than 99 and less than 1000.';
const INTEGER = 'Status code must be an integer.';
const REFUSED: ReadonlyArray<readonly [code: unknown, error: string]> = [
  [99, `RangeError: Invalid status code: 99. ${RANGE}`],
  [1000, `RangeError: Invalid status code: 1000. ${RANGE}`],
  [0, `RangeError: Invalid status code: 0. ${RANGE}`],
  [-1, `RangeError: Invalid status code: -1. ${RANGE}`],
  [200.5, `TypeError: Invalid status code: 200.5. ${INTEGER}`],
  [Number.NaN, `TypeError: Invalid status code: null. ${INTEGER}`],
  ['200', `TypeError: Invalid status code: "200". ${INTEGER}`],
  [null, `TypeError: Invalid status code: null. ${INTEGER}`],
  [undefined, `TypeError: Invalid status code: undefined. ${INTEGER}`],
  [[200], `TypeError: Invalid status code: [200]. ${INTEGER}`],
];
/** What the settings of `etag` do to a response. */
const ETAGS: Readonly<Record<string, unknown>> = {
  true: /^W\/"[^"]+"$/,
  false: undefined,
  weak: /^W\/"[^"]+"$/,
  strong: /^"[^"]+"$/,
  mine: '"mine"',
  own: '"own"',
};
const CODES = [
  99,
  100,
  599,
  600,
  999,
  1000,
  0,
  -1,
  200.5,
  Number.NaN,
  '200',
  null,
  undefined,
  REFUSED[9]?.[0],
];
const errorOf = (code: unknown): string | undefined => REFUSED.find(([one]) => Object.is(one, code))?.[1];

/** What a client reads as Latin-1. Node.js sends the head in UTF-8 if the body is a string, otherwise in Latin-1. */
function headOf(path: string, isUtf8: boolean): Expected {
  const [name, reason] = isUtf8 ? ['Ã©', 'TrÃ¨s bien'] : ['é', 'Très bien'];
  if (path === 'message') return { reason };
  return { 'x-name': path === 'json' ? [name, 'a'] : name };
}

export default [
  ...withWrappedSet([
    scenario({
      name: 'res.send sends a string as HTML in UTF-8 unless a type is set',
      clauses: ['F-4.5-68', 'F-4.5-73'],
      build: routes({
        '/html': (_req, res) => res.send(text),
        '/empty': (_req, res) => res.send(''),
        '/typed': (_req, res) => res.type('text').send(text),
        '/bare': (_req, res) => res.set('Content-Type', 'text/plain').send(text),
        '/latin1': (_req, res) => res.set('Content-Type', 'text/plain; charset=iso-8859-1').send(text),
        '/parameters': (_req, res) =>
          res.set('Content-Type', 'text/plain; Format=flowed; x="a b"').send(text),
        '/no-media-type': (_req, res) => res.set('Content-Type', 'nonsense').send(text),
        '/raw-type': (_req, res) => {
          res.setHeader('content-type', 'TEXT/Plain ;q=1');
          res.send(text);
        },
        '/numeric-type': (_req, res) => {
          res.setHeader('Content-Type', 7);
          res.send(text);
        },
        '/long': (_req, res) => res.send('ä'.repeat(5000)),
        '/empty-type': (_req, res) => {
          res.setHeader('Content-Type', '');
          res.send('text');
        },
      }),
      requests: expectGets({
        '/html': HTML,
        '/empty': { ...HTML, 'content-length': '0', body: '' },
        '/typed': PLAIN,
        '/bare': PLAIN,
        '/latin1': PLAIN,
        '/parameters': { ...HTML, 'content-type': 'text/plain; format=flowed; x="a b"; charset=utf-8' },
        '/no-media-type': HTML,
        '/raw-type': { ...HTML, 'content-type': 'text/plain; q=1; charset=utf-8' },
        '/numeric-type': HTML,
        '/long': { ...HTML, 'content-length': '10000', body: 'ä'.repeat(5000) },
        '/empty-type': { 'content-type': 'false', body: 'text' },
      }),
    }),
    scenario({
      name: 'res.send sends a buffer as application/octet-stream unless a type is set',
      clauses: ['F-4.5-66', 'F-4.5-67', 'F-4.5-73'],
      build: routes({
        '/buffer': (_req, res) => res.send(Buffer.from([0, 1, 254, 255])),
        '/empty': (_req, res) => res.send(Buffer.alloc(0)),
        '/typed': (_req, res) => res.type('png').send(Buffer.from('png')),
        '/text': (_req, res) => res.set('Content-Type', 'text/plain').send(Buffer.from(text)),
        '/uint8': (_req, res) => res.send(new Uint8Array([104, 105])),
        '/uint16': (_req, res) => res.send(new Uint16Array([104, 105, 300])),
        '/data-view': (_req, res) => res.send(new DataView(new ArrayBuffer(2))),
        '/array-buffer': (_req, res) => res.send(new ArrayBuffer(2)),
      }),
      requests: expectGets({
        '/buffer': { ...BYTES, 'content-length': '4' },
        '/empty': { ...BYTES, 'content-length': '0' },
        '/typed': { 'content-type': 'image/png', body: 'png' },
        '/text': PLAIN,
        '/uint8': { ...BYTES, body: 'hi' },
        '/uint16': { ...BYTES, body: 'hi,' },
        '/data-view': { ...BYTES, 'content-length': '0' },
        '/array-buffer': { ...JSON_TYPE, body: '{}' },
      }),
      expect: ({ exchanges }) =>
        expect(exchanges[0]?.response.body).to.deep.equal(Buffer.from([0, 1, 254, 255])),
    }),
    scenario({
      name: 'res.send sends other values as JSON, and an empty body for null and undefined',
      clauses: ['F-4.5-69', 'F-4.5-70', 'F-4.5-71', 'F-4.5-72'],
      build: routes({
        '/object': (_req, res) => res.send({ a: [1, { b: null }], c: text }),
        '/array': (_req, res) => res.send([1, 'two', null, undefined]),
        '/true': (_req, res) => res.send(true),
        '/false': (_req, res) => res.send(false),
        '/number': (_req, res) => res.send(404 as never),
        '/nan': (_req, res) => res.send(Number.NaN as never),
        '/date': (_req, res) => res.send(new Date(0)),
        '/string-object': (_req, res) => res.send(new String('boxed')),
        '/null': (_req, res) => res.send(null),
        '/undefined': (_req, res) => res.send(undefined),
        '/nothing': (_req, res) => res.send(),
        '/typed': (_req, res) => res.type('application/vnd.api+json').send({ a: 1 }),
        '/typed-null': (_req, res) => res.type('text').send(null),
      }),
      requests: expectGets({
        '/object': { ...JSON_TYPE, json: { a: [1, { b: null }], c: text } },
        '/array': { ...JSON_TYPE, body: '[1,"two",null,null]' },
        '/true': { ...JSON_TYPE, body: 'true' },
        '/false': { ...JSON_TYPE, body: 'false' },
        '/number': { ...JSON_TYPE, body: '404' },
        '/nan': { ...JSON_TYPE, body: 'null' },
        '/date': { ...JSON_TYPE, body: '"1970-01-01T00:00:00.000Z"' },
        '/string-object': { ...JSON_TYPE, body: '"boxed"' },
        '/null': NOTHING,
        '/undefined': { ...NOTHING, etag: undefined },
        '/nothing': { ...NOTHING, etag: undefined },
        '/typed': { 'content-type': 'application/vnd.api+json; charset=utf-8', body: '{"a":1}' },
        '/typed-null': { ...NOTHING, 'content-type': 'text/plain; charset=utf-8' },
      }),
    }),
    scenario({
      name: 'res.send responds to HEAD with the headers of GET and no body',
      clauses: ['F-4.5-74', 'F-4.5-73'],
      build: routes({
        '/text': (_req, res) => res.send(text),
        '/json': (_req, res) => res.json({ a: 1 }),
        '/buffer': (_req, res) => res.send(Buffer.from(text)),
        '/nothing': (_req, res) => res.send(),
        '/status': (_req, res) => res.sendStatus(202),
        '/end': (_req, res) => res.end(text),
      }),
      requests: [
        head('/text').expect({ ...HTML, etag: 'W/"10-+lKHrQTBZ8kqj72x0ICH0HrKJ7g"', body: '' }),
        head('/json').expect({ ...JSON_TYPE, 'content-length': '7', body: '' }),
        head('/buffer').expect({ ...BYTES, 'content-length': '16', body: '' }),
        head('/nothing').expect({ status: 200, body: '' }),
        head('/status').expect({ status: 202, 'content-length': '8', body: '' }),
        head('/end').expect({ status: 200, body: '' }),
        onOneConnection(
          head('/text'),
          get('/text').expect({ ...HTML, etag: 'W/"10-+lKHrQTBZ8kqj72x0ICH0HrKJ7g"' }),
          head('/json'),
          get('/json').expect({ ...JSON_TYPE, 'content-length': '7' }),
        ),
      ],
    }),
    scenario({
      name: 'res.send responds with 304 and no body if the copy of the client is fresh',
      clauses: ['F-4.5-75'],
      build({ framework }) {
        const app = framework();
        app.get('/text', (_req, res) => res.send(text));
        app.post('/text', (_req, res) => res.send(text));
        app.get('/own', (_req, res) => res.set('ETag', '"own"').send(text));
        app.get('/dated', (_req, res) => res.set('Last-Modified', new Date(0).toUTCString()).send(text));
        app.get('/missing', (_req, res) => res.status(404).set('ETag', '"own"').send(text));
        app.get('/created', (_req, res) => res.status(201).set('ETag', '"own"').send(text));
        app.get('/json', (_req, res) => res.json({ text }));
        app.get('/chunked', (_req, res) =>
          res.set('Transfer-Encoding', 'chunked').set('ETag', '"own"').send(text),
        );
        return app;
      },
      requests: [
        get('/text').expect({ ...STALE, etag: 'W/"10-+lKHrQTBZ8kqj72x0ICH0HrKJ7g"' }),
        (seen) => get('/text', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }).expect(FRESH),
        (seen) => head('/text', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }).expect(FRESH),
        (seen) => post('/text', 'x', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }).expect(STALE),
        (seen) => get('/text', { 'If-None-Match': (seen[0]?.header('ETag') ?? '').slice(2) }).expect(FRESH),
        (seen) => get('/text', { 'If-None-Match': `"a", ${seen[0]?.header('ETag')} , "b"` }).expect(FRESH),
        (seen) =>
          get('/text', {
            'If-None-Match': seen[0]?.header('ETag') ?? '',
            'Cache-Control': 'max-age=0, no-cache',
          }).expect(STALE),
        get('/own', { 'If-None-Match': '"own"' }).expect({ ...FRESH, etag: '"own"' }),
        get('/own', { 'If-None-Match': 'W/"own"' }).expect(FRESH),
        get('/own', { 'If-None-Match': '*' }).expect(FRESH),
        get('/own', { 'If-None-Match': '"other"' }).expect(STALE),
        get('/dated', { 'If-Modified-Since': new Date(0).toUTCString() }).expect({ status: 304 }),
        get('/dated', { 'If-Modified-Since': new Date(-1000).toUTCString() }).expect(STALE),
        get('/dated', { 'If-Modified-Since': 'yesterday' }).expect(STALE),
        get('/dated', { 'If-None-Match': '"x"', 'If-Modified-Since': new Date(0).toUTCString() }).expect(
          STALE,
        ),
        get('/missing', { 'If-None-Match': '"own"' }).expect({ status: 404, body: text }),
        get('/created', { 'If-None-Match': '"own"' }).expect(FRESH),
        get('/json', { 'If-None-Match': '*' }).expect(FRESH),
        get('/chunked', { 'If-None-Match': '"own"' }).expect(FRESH),
      ],
    }),
    scenario({
      name: 'res.send drops the headers of a body for statuses without one',
      clauses: ['F-4.5-73', 'F-4.5-87', 'F-4.5-88'],
      build: routes({
        '/204': (_req, res) => res.status(204).send(text),
        '/204-json': (_req, res) => res.status(204).json({ a: 1 }),
        '/205': (_req, res) => res.status(205).send(text),
        '/205-chunked': (_req, res) => res.status(205).set('Transfer-Encoding', 'chunked').send(text),
        '/304': (_req, res) => res.status(304).send(text),
        '/chunked': (_req, res) => res.set('Transfer-Encoding', 'chunked').send(text),
        '/length': (_req, res) => res.set('Content-Length', '3').send(text),
      }),
      requests: [
        ...expectGets({
          '/204': { status: 204, ...NO_BODY },
          '/204-json': { status: 204, ...NO_BODY },
          '/205': { status: 205, 'content-length': '0', body: '' },
          '/205-chunked': { status: 205, 'content-length': '0', 'transfer-encoding': undefined, body: '' },
          '/304': { status: 304, ...NO_BODY },
          '/chunked': { 'content-length': undefined, 'transfer-encoding': 'chunked', body: text },
          '/length': { 'content-length': '16', body: text },
        }),
        head('/204').expect({ status: 204, ...NO_BODY }),
        head('/205').expect({ status: 205, 'content-length': '0' }),
        onOneConnection(get('/204'), get('/205'), get('/304')),
      ],
    }),
    scenario({
      name: 'res.send follows the setting etag',
      clauses: ['F-4.5-73', 'F-4.5-75', 'F-2.4-01'],
      build({ framework }) {
        const app = framework();
        const settings = [true, false, 'weak', 'strong', () => '"mine"', () => undefined, () => ''];
        for (const [index, etag] of settings.entries()) {
          const sub = framework();
          sub.set('etag', etag);
          sub.get('/text', (_req, res) => res.send(text));
          sub.get('/long', (_req, res) => res.send('x'.repeat(1000)));
          sub.get('/bytes', (_req, res) => res.send(Buffer.from(text)));
          sub.get('/array', (_req, res) => res.send(new Uint8Array([1, 2])));
          sub.get('/null', (_req, res) => res.send(null));
          sub.get('/json', (_req, res) => res.json({ text }));
          sub.get('/own', (_req, res) => res.set('ETag', '"own"').send(text));
          sub.get('/view', (_req, res) => res.send(new DataView(new ArrayBuffer(3))));
          sub.get('/symbol', (_req, res) => res.send(Symbol('body')));
          app.use(`/${String(etag).replace(/\W/g, '')}`, sub);
          app.use(`/${index}`, sub);
        }
        return app;
      },
      requests: [
        ...['true', 'false', 'weak', 'strong', 'mine'].flatMap((name) =>
          ['text', 'long', 'bytes', 'array', 'null', 'json', 'own'].map((path) =>
            get(`/${name}/${path}`).expect({ etag: path === 'own' ? '"own"' : ETAGS[name] }),
          ),
        ),
        // No application has these paths.
        ...['undefined', ''].flatMap((name) =>
          ['text', 'long', 'bytes', 'array', 'null', 'json', 'own'].map((path) =>
            get(`/${name}/${path}`).expect({ status: 404 }),
          ),
        ),
        ...['5', '6'].flatMap((index) => [
          get(`/${index}/text`).expect({ status: 200, etag: undefined }),
          get(`/${index}/own`).expect({ status: 200, etag: '"own"' }),
        ]),
        ...['true', 'false'].flatMap((name) => [
          get(`/${name}/view`).expect({ status: 200, 'content-length': '0' }),
          get(`/${name}/symbol`).expect({ status: 500, body: /TypeError/ }),
        ]),
      ],
    }),
    scenario({
      name: 'res.sendStatus sends the registered message, or the number if there is none',
      clauses: ['F-4.5-82', 'F-4.5-83', 'F-7-11'],
      build({ framework }) {
        const app = framework();
        app.get('/:code', (req, res) => res.sendStatus(Number(req.params.code)));
        return app;
      },
      requests: expectGets({
        '/200': { status: 200, 'content-type': 'text/plain; charset=utf-8', body: 'OK' },
        '/201': { status: 201, body: 'Created' },
        '/204': { status: 204, body: '' },
        '/205': { status: 205, body: '' },
        '/304': { status: 304, body: '' },
        '/404': { status: 404, body: 'Not Found' },
        '/418': { status: 418, 'content-type': 'text/plain; charset=utf-8', body: "I'm a Teapot" },
        '/500': { status: 500, body: 'Internal Server Error' },
        '/599': { status: 599, body: '599' },
        '/600': { status: 600, body: '600' },
        '/799': { status: 799, body: '799' },
        '/999': { status: 999, body: '999' },
      }),
    }),
    scenario({
      name: 'res.status and res.sendStatus throw for an invalid status',
      clauses: ['F-4.5-87', 'F-7-12', 'F-8-05', 'F-8-06', 'F-8-07'],
      build({ framework }) {
        const app = framework();
        app.get('/', (_req, res) => {
          const told = CODES.map((code) => {
            try {
              return `${res.status(code as number).statusCode}`;
            } catch (err) {
              return String(err);
            }
          });
          res.status(200).json(told);
        });
        app.get('/thrown', (_req, res) => res.sendStatus(1000));
        app.get('/thrown-type', (_req, res) => res.status('200' as never).send('never'));
        app.get('/send-status', (_req, res) => {
          const told = REFUSED.map(([code]) => {
            try {
              return res.sendStatus(code as number);
            } catch (err) {
              return String(err);
            }
          });
          res.json([res.statusCode, ...told]);
        });
        app.get('/chained', (_req, res) => res.status(201).status(202).send('x'));
        return app;
      },
      requests: expectGets({
        '/': { json: CODES.map((code) => errorOf(code) ?? String(code)) },
        '/thrown': { status: 500 },
        '/thrown-type': { status: 500 },
        '/send-status': { json: [200, ...REFUSED.map(([, error]) => error)] },
        '/chained': { status: 202, body: 'x' },
      }),
      env: { NODE_ENV: 'production' },
    }),
    scenario({
      name: 'response methods of Node.js such as res.write keep their behaviour',
      clauses: ['F-4.5-24', 'F-4.5-98', 'F-2.7-02'],
      build: routes({
        '/end': (_req, res) => res.end('ended'),
        '/end-encoding': (_req, res) => res.end('6869', 'hex'),
        '/end-nothing': (_req, res) => res.status(202).end(),
        '/end-callback': (_req, res) => {
          res.end('called', () => undefined);
        },
        '/write': (_req, res) => {
          res.write('a');
          res.write('b');
          res.end('c');
        },
        '/write-head': (_req, res) => {
          res.writeHead(203, 'Fine', { 'X-One': '1', 'Content-Length': '2' });
          res.end(String(res.headersSent).slice(0, 2));
        },
        '/set-header': (_req, res) => {
          res.setHeader('x-LOWER', ['a', 'b']);
          res.removeHeader('X-Powered-By');
          res.send(JSON.stringify([res.headersSent, res.hasHeader('X-Lower'), res.getHeaderNames()]));
        },
        '/hints': (_req, res) => {
          res.writeEarlyHints({ link: '</a.css>; rel=preload' });
          res.send('after the hints');
        },
        '/trailers': (_req, res) => {
          res.setHeader('Trailer', 'X-Sum');
          res.write('body');
          res.addTrailers({ 'X-Sum': '4' });
          res.end();
        },
      }),
      requests: [
        ...expectGets({
          '/end': { 'content-type': undefined, etag: undefined, body: 'ended' },
          '/end-encoding': { 'content-type': undefined, etag: undefined, body: 'hi' },
          '/end-nothing': { status: 202, body: '' },
          '/end-callback': 'called',
          '/write': 'abc',
          '/write-head': { status: 203, reason: 'Fine', 'x-one': '1', body: 'tr' },
          '/set-header': { 'x-lower': ['a', 'b'], body: '[false,true,["x-lower"]]' },
          '/hints': 'after the hints',
        }),
        get('/trailers', { TE: 'trailers' }).expect({ body: 'body' }),
      ],
      expect: ({ exchanges }) => {
        expect(exchanges[7]?.response.interim?.[0]?.status).to.equal(103);
        expect(exchanges[8]?.response.trailers).to.deep.equal([['X-Sum', '4']]);
      },
    }),
  ]),
  scenario({
    name: 'res.send keeps 100 Continue before its response while an earlier response is pending',
    clauses: ['F-4.5-66'],
    build({ framework }) {
      const app = framework();
      let first: Response;
      app.get('/first', (_req, res) => {
        first = res;
      });
      app.post('/second', (_req, res) => {
        res.send('second');
        first.send('first');
      });
      return app;
    },
    requests: [pipelined(get('/first'), post('/second', 'body', { Expect: '100-continue' }))],
  }),
  scenario({
    name: 'res.send passes a short string to res.end as a string if the response needs no ETag',
    clauses: ['F-4.5-73'],
    build({ framework, log }) {
      const app = framework();
      app.disable('etag');
      app.get('/', (_req, res) => {
        const end = res.end.bind(res) as (...args: unknown[]) => typeof res;
        res.end = (...args: unknown[]) => {
          log.write(`${JSON.stringify(args)}\n`);
          return end(...args);
        };
        res.send('grün');
      });
      return app;
    },
    requests: [get('/').expect({ 'content-length': '5', etag: undefined })],
    expect: ({ log }) => expect(log).to.deep.equal(['["grün","utf8"]\n']),
  }),
  scenario({
    name: 'res.end calls its callback when the response was sent',
    clauses: ['F-4.5-24'],
    build: ({ framework, log }) => {
      const app = framework();
      app.get('/', (_req, res) => {
        res.end(() => log.write(`finished: ${res.writableFinished}\n`));
      });
      return app;
    },
    requests: [get('/')],
    expect: ({ log }) => expect(log).to.deep.equal(['finished: true\n']),
  }),
  scenario({
    name: 'res.send keeps what a handler has decided about the connection and the date',
    clauses: ['F-2.7-02', 'F-4.5-68'],
    build: routes({
      '/close': (_req, res) => res.set('Connection', 'close').send('text'),
      '/limit': (_req, res) => res.set('Keep-Alive', 'timeout=9').send('text'),
      '/not-kept': (_req, res) => {
        res.shouldKeepAlive = false;
        res.send('text');
      },
      '/undated': (_req, res) => {
        res.sendDate = false;
        res.send('text');
      },
      '/reason': (_req, res) => {
        res.statusMessage = 'Fine';
        res.json({});
      },
    }),
    requests: expectGets({
      '/close': { connection: 'close', 'keep-alive': undefined, body: 'text' },
      '/limit': { 'keep-alive': 'timeout=9', body: 'text' },
      '/not-kept': { connection: 'close', body: 'text' },
      '/undated': { date: undefined, body: 'text' },
      '/reason': { status: 200, reason: 'Fine', body: '{}' },
    }),
  }),
  scenario({
    name: 'res.send sends the same head for a header or reason outside of ASCII, with each kind of body',
    clauses: ['F-4.5-68'],
    build({ framework }) {
      const app = framework();
      for (const [index, body] of TEXTS.entries()) {
        for (const [name, etag] of [
          ['weak', 'weak'] as const,
          ['false', false] as const,
          ['own', () => '"own"'] as const,
        ]) {
          const sub = framework();
          sub.set('etag', etag);
          sub.get('/header', (_req, res) => res.set('X-Name', 'é').send(body));
          sub.get('/message', (_req, res) => {
            res.statusMessage = 'Très bien';
            res.send(body);
          });
          sub.get('/json', (_req, res) => res.append('X-Name', ['é', 'a']).json({ body }));
          sub.get('/late', (_req, res) => {
            const { writeHead } = res;
            res.writeHead = function (this: typeof res, ...args: unknown[]) {
              this.setHeader('X-Name', 'é');
              return Reflect.apply(writeHead, this, args);
            };
            res.send(body);
          });
          app.use(`/${index}/${name}`, sub);
        }
      }
      return app;
    },
    requests: TEXTS.flatMap((text, index) =>
      ['weak', 'false', 'own'].flatMap((etag) =>
        ['header', 'message', 'json', 'late'].flatMap((path) => {
          const body = path === 'json' ? JSON.stringify({ body: text }) : text;
          const isString = etag === 'false' && body !== '' && body.length < 1000;
          const [target, tag] = [`/${index}/${etag}/${path}`, { etag: ETAGS[etag] }];
          return [
            get(target).expect({ ...headOf(path, isString), ...tag, body }),
            head(target).expect({ ...headOf(path, false), ...tag, body: '' }),
          ];
        }),
      ),
    ),
  }),
  scenario({
    name: 'after the client has disconnected, the methods that respond send no head, and later headers can be set',
    clauses: ['F-4.5-69'],
    build({ framework }) {
      const app = framework();
      app.enable('etag');
      const responded: Record<string, unknown> = {};
      // Whether `writableFinished` is set then depends on the version of Node.js, so it is compared with that of `res.end`.
      const finished: Record<string, boolean> = {};
      const ways: Readonly<Record<string, (res: Response) => unknown>> = {
        send: (res) => res.send('text'),
        empty: (res) => res.send(''),
        long: (res) => res.send('x'.repeat(1000)),
        buffer: (res) => res.send(Buffer.from('text')),
        json: (res) => res.json({ a: 1 }),
        status: (res) => res.sendStatus(200),
        end: (res) => res.end(Buffer.from('text')),
      };
      const respond = (name: string, res: Response): void => {
        ways[name]?.(res);
        const when = String(res.req.params.when);
        finished[when] ??= res.writableFinished;
        const outcome = [res.headersSent, res.writableEnded, res.writableFinished === finished[when]];
        try {
          res.set('X-Late', '1').send('again');
          outcome.push(res.headersSent);
        } finally {
          responded[`${name} ${when}`] = outcome;
        }
      };
      app.get('/:when/:name', ({ params: { when, name }, socket }, res) => {
        if (when === 'before') res.once('close', () => respond(`${name}`, res));
        socket.destroy();
        if (when === 'during') respond(`${name}`, res);
      });
      return app.get('/responded', (_req, res) => void res.json(responded));
    },
    requests: [
      ...['before', 'during'].flatMap((when) => WAYS.map((name) => get(`/${when}/${name}`))),
      get('/responded').expect({ status: 200, body: /"send before":\[false,true,true,false\]/ }),
    ],
  }),
];
