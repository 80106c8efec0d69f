/** Scenarios for finalhandler, which responds if no handler of the application does. §7 */
import { STATUS_CODES } from 'node:http';
import { expect } from 'chai';
import type { RequestHandler } from 'express';
import type { Expected } from '../../parity/client/messages';
import { get, head, onOneConnection, options, post, raw } from '../../parity/client/request';
import { expectGets, getEach, gets, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

/** Each error, with its status and what the page shows of it outside of production. */
const ERRORS: Readonly<Record<string, readonly [error: unknown, status: number, shown: string]>> = {
  plain: [
    new Error('plain <b>&</b>\n  second line'),
    500,
    'Error: plain &lt;b&gt;&amp;&lt;/b&gt;<br> &nbsp;second line<br> &nbsp; &nbsp;at ',
  ],
  status: [Object.assign(new Error('teapot'), { status: 418 }), 418, 'Error: teapot<br>'],
  'status-code': [Object.assign(new Error('gone'), { statusCode: 410 }), 410, 'Error: gone<br>'],
  both: [Object.assign(new Error('both'), { status: 200, statusCode: 503 }), 503, 'Error: both<br>'],
  'status-low': [Object.assign(new Error('low'), { status: 399 }), 500, 'Error: low<br>'],
  'status-high': [Object.assign(new Error('high'), { status: 600 }), 500, 'Error: high<br>'],
  'status-text': [Object.assign(new Error('text'), { status: '404' }), 500, 'Error: text<br>'],
  'status-unknown': [Object.assign(new Error('unknown'), { status: 499 }), 499, 'Error: unknown<br>'],
  fields: [
    Object.assign(new Error('fields'), {
      status: 401,
      headers: { 'WWW-Authenticate': 'Basic', 'x-own': '1' },
    }),
    401,
    'Error: fields<br>',
  ],
  'fields-without-status': [
    Object.assign(new Error('lost'), { headers: { 'X-Lost': '1' } }),
    500,
    'Error: lost<br>',
  ],
  'fields-text': [Object.assign(new Error('text'), { status: 400, headers: 'text' }), 400, 'Error: text<br>'],
  'no-stack': [Object.assign(new Error('no stack'), { stack: '' }), 500, 'Error: no stack'],
  text: ['a text <i>', 500, 'a text &lt;i&gt;'],
  number: [7, 500, '7'],
  object: [{ status: 404, message: 'an object' }, 404, '[object Object]'],
  'null-prototype': [Object.create(null), 500, 'Internal Server Error'],
  true: [true, 500, 'true'],
  'custom-name': [Object.assign(new TypeError('named'), { name: 'OwnError' }), 500, 'OwnError: named<br>'],
  cause: [new Error('outer', { cause: new Error('inner') }), 500, 'Error: outer<br>'],
};

const PAGE = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
};
const NO_CONTENT = {
  'content-language': undefined,
  'content-encoding': undefined,
  'content-range': undefined,
};

/** The 404 page for the method and the path. */
const missing = (what: string) => ({
  ...PAGE,
  status: 404,
  body: `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot ${what}</pre>\n</body>\n</html>\n`,
});

/** The page of an error: in production only the message of the status, otherwise the error with its stack. */
function pageOf(env: string, status: number, shown: string): Expected {
  const message = `${STATUS_CODES[status]}</pre>`.replace("'", '&#39;');
  const text = `<pre>${env === 'production' ? message : shown}`;
  return { ...PAGE, status, body: new RegExp(text.replace(/[[\]]/g, '\\$&')) };
}

const failing = routes({
  ...Object.fromEntries(
    Object.entries(ERRORS).map(([name, [error]]): [string, RequestHandler] => [
      `/${name}`,
      (_req, _res, next) => next(error),
    ]),
  ),
  '/falsy/:kind': (req, _res, next) =>
    next({ zero: 0, empty: '', false: false, null: null }[String(req.params.kind)]),
  '/response-status': (_req, res, next) => {
    res.status(409);
    next(new Error('conflict'));
  },
  '/response-status-unfit': (_req, res, next) => {
    res.status(302);
    next(new Error('unfit'));
  },
  '/content': (_req, res, next) => {
    res.set({
      'Content-Encoding': 'gzip',
      'Content-Language': 'de',
      'Content-Range': 'bytes 0-1/2',
      'X-Kept': '1',
    });
    res.set({
      'Content-Type': 'text/plain',
      'Content-Security-Policy': 'none',
      ETag: '"x"',
      'Content-Length': '3',
    });
    next(new Error('content'));
  },
  '/own-phrase': (_req, res, next) => {
    res.statusMessage = 'Own Phrase';
    next(Object.assign(new Error('phrase'), { status: 404 }));
  },
  '/after-head': (_req, res, next) => {
    res.write('begun');
    next(new Error('too late'));
  },
  '/after-end': (_req, res, next) => {
    res.send('done');
    next(new Error('too late'));
  },
  '/next-after-end': (_req, res, next) => {
    res.send('done');
    next();
  },
});

export default [
  ...['development', 'production', 'test'].map((env) =>
    scenario({
      name: `the final handler responds to each kind of error in ${env}`,
      clauses: ['F-7-01', 'F-7-02'],
      build: failing,
      requests: [
        ...getEach(ERRORS, ([, status, shown]) => pageOf(env, status, shown)),
        ...['zero', 'empty', 'false', 'null'].map((kind) =>
          get(`/falsy/${kind}`).expect(missing(`GET /falsy/${kind}`)),
        ),
        ...expectGets({
          '/response-status': pageOf(env, 409, 'Error: conflict<br>'),
          '/response-status-unfit': pageOf(env, 500, 'Error: unfit<br>'),
          '/content': { ...pageOf(env, 500, 'Error: content<br>'), ...NO_CONTENT, 'x-kept': '1' },
          '/own-phrase': pageOf(env, 404, 'Error: phrase<br>'),
          '/after-head': { outcome: 'closed' },
          '/after-end': { status: 200, body: 'done' },
          '/next-after-end': { status: 200, body: 'done' },
        }),
        head('/no-stack').expect({ status: 500, body: '' }),
        onOneConnection(get('/plain'), get('/status').expect({ status: 418 })),
        get('/fields').expect({ 'www-authenticate': 'Basic', 'x-own': '1' }),
        get('/fields-without-status').expect({ 'x-lost': undefined }),
      ],
      // Outside of the environment test, the application logs each error to stderr.
      expect: ({ stderr }) =>
        expect(stderr.some((text) => text.includes('Error: teapot'))).to.equal(env !== 'test'),
      env: { NODE_ENV: env },
    }),
  ),
  scenario({
    name: 'the final handler sends 404 if no handler responds',
    clauses: ['F-7-01'],
    build: routes({ '/there': (_req, res) => res.end() }),
    requests: [
      ...expectGets({
        '/': missing('GET /'),
        '/missing': missing('GET /missing'),
        '/a%20b/%3Cscript%3E?query=1': missing('GET /a%20b/%3Cscript%3E'),
        '/%zz': missing('GET /%25zz'),
        '/a//b': missing('GET /a//b'),
        '/"<>|': missing('GET /%22%3C%3E|'),
      }),
      head('/missing').expect({ ...missing('HEAD /missing'), body: '' }),
      post('/there', { large: 'x'.repeat(100_000) }).expect(missing('POST /there')),
      options('/missing').expect(missing('OPTIONS /missing')),
      options('/there').expect({ status: 200, allow: 'GET, HEAD' }),
      raw(
        'GET http://other.test/absolute?x HTTP/1.1\r\nHost: parity.test\r\nConnection: close\r\n\r\n',
      ).expect(missing('GET /absolute')),
      raw('OPTIONS * HTTP/1.1\r\nHost: parity.test\r\nConnection: close\r\n\r\n').expect(
        missing('OPTIONS *'),
      ),
      raw('GET http://%@x/ HTTP/1.1\r\nHost: parity.test\r\nConnection: close\r\n\r\n'),
      raw('GET /ü/\xfc HTTP/1.1\r\nHost: parity.test\r\nConnection: close\r\n\r\n'),
      onOneConnection(post('/missing', 'body').expect(missing('POST /missing')), get('/there')),
      raw('POST /<script>?query HTTP/1.1\r\nHost: parity.test\r\nConnection: close\r\n\r\n').expect(
        missing('POST /%3Cscript%3E'),
      ),
    ],
  }),
  scenario({
    name: 'the final handler sends headers that a handler sets when the request ends',
    clauses: ['F-1-13'],
    build({ framework }) {
      return framework().use((req, res, next) => {
        req.on('end', () => res.set('X-End', 'read'));
        next();
      });
    },
    requests: [
      get('/missing').expect({ ...missing('GET /missing'), 'x-end': 'read' }),
      head('/missing').expect({ status: 404, 'x-end': 'read' }),
      post('/missing', 'body').expect({ ...missing('POST /missing'), 'x-end': 'read' }),
    ],
  }),
  scenario({
    name: 'the final handler prefers the setting env to NODE_ENV',
    clauses: ['F-7-02'],
    build({ framework }) {
      const app = framework();
      app.set('env', 'production');
      app.get('/', () => {
        throw new Error('secret');
      });
      const sub = framework();
      sub.set('env', 'test');
      sub.get('/', () => {
        throw new Error('of the mounted application');
      });
      app.use('/sub', sub);
      return app;
    },
    requests: expectGets({
      '/': pageOf('production', 500, ''),
      '/sub': pageOf('production', 500, ''),
    }),
  }),
  scenario({
    name: 'the final handler responds if the error or the response has values that Node.js rejects',
    clauses: ['F-7-01', 'F-7-02'],
    build: routes({
      '/status': (_req, res) => {
        res.statusCode = Number.NaN;
        res.end();
      },
      '/header': () => {
        throw Object.assign(new Error('header'), { status: 400, headers: { 'X-Bad': 'a\r\nb' } });
      },
      '/trailer': (_req, res) => {
        res.set('Trailer', 'X-End').set('Content-Length', '4').end('text');
      },
    }),
    requests: gets('/status', '/header', '/trailer'),
    env: { NODE_ENV: 'test' },
    patience: 800,
  }),
];
