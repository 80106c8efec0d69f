/** Scenarios for finalhandler, which responds if no handler of the application does. §7 */
import type { RequestHandler } from 'express';
import { get, head, onOneConnection, options, post, raw } from '../../parity/client/request';
import { getEach, gets, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

const ERRORS: Readonly<Record<string, unknown>> = {
  plain: new Error('plain <b>&</b>\n  second line'),
  status: Object.assign(new Error('teapot'), { status: 418 }),
  'status-code': Object.assign(new Error('gone'), { statusCode: 410 }),
  both: Object.assign(new Error('both'), { status: 200, statusCode: 503 }),
  'status-low': Object.assign(new Error('low'), { status: 399 }),
  'status-high': Object.assign(new Error('high'), { status: 600 }),
  'status-text': Object.assign(new Error('text'), { status: '404' }),
  'status-unknown': Object.assign(new Error('unknown'), { status: 499 }),
  fields: Object.assign(new Error('fields'), {
    status: 401,
    headers: { 'WWW-Authenticate': 'Basic', 'x-own': '1' },
  }),
  'fields-without-status': Object.assign(new Error('lost'), { headers: { 'X-Lost': '1' } }),
  'fields-text': Object.assign(new Error('text'), { status: 400, headers: 'text' }),
  'no-stack': Object.assign(new Error('no stack'), { stack: '' }),
  text: 'a text <i>',
  number: 7,
  object: { status: 404, message: 'an object' },
  'null-prototype': Object.create(null),
  true: true,
  'custom-name': Object.assign(new TypeError('named'), { name: 'OwnError' }),
  cause: new Error('outer', { cause: new Error('inner') }),
};

const failing = routes({
  ...Object.fromEntries(
    Object.entries(ERRORS).map(([name, error]): [string, RequestHandler] => [
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
        ...getEach(ERRORS),
        ...['zero', 'empty', 'false', 'null'].map((kind) => get(`/falsy/${kind}`)),
        ...gets('/response-status', '/response-status-unfit', '/content', '/own-phrase', '/after-head'),
        ...gets('/after-end', '/next-after-end'),
        head('/no-stack'),
        onOneConnection(get('/plain'), get('/status')),
      ],
      env: { NODE_ENV: env },
    }),
  ),
  scenario({
    name: 'the final handler sends 404 if no handler responds',
    clauses: ['F-7-01'],
    build: routes({ '/there': (_req, res) => res.end() }),
    requests: [
      ...gets('/', '/missing', '/a%20b/%3Cscript%3E?query=1', '/%zz', '/a//b', '/"<>|'),
      head('/missing'),
      post('/there', { large: 'x'.repeat(100_000) }),
      options('/missing'),
      options('/there'),
      raw('GET http://other.test/absolute?x HTTP/1.1\r\nHost: parity.test\r\nConnection: close\r\n\r\n'),
      raw('OPTIONS * HTTP/1.1\r\nHost: parity.test\r\nConnection: close\r\n\r\n'),
      raw('GET http://%@x/ HTTP/1.1\r\nHost: parity.test\r\nConnection: close\r\n\r\n'),
      raw('GET /ü/\xfc HTTP/1.1\r\nHost: parity.test\r\nConnection: close\r\n\r\n'),
      onOneConnection(post('/missing', 'body'), get('/there')),
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
    requests: [get('/missing'), head('/missing'), post('/missing', 'body')],
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
    requests: gets('/', '/sub'),
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
