/** Scenarios for compress, logger, methodOverride and other middleware of Express 3. §9.3 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import type express3 from 'nozomi/3';
import { get, post } from '../../parity/client/request';
import { express3Scenario } from '../../parity/scenario/scenario';

const onError: express3.ErrorHandler = (err, _req, res, _next) =>
  res.send(err.status, [err.message, err.code]);

const TEXT = 'hello '.repeat(500);

export default [
  express3Scenario({
    name: 'compress compresses responses of later handlers',
    clauses: ['F-9.3-103', 'F-9.3-104'],
    build({ framework }) {
      const app = framework();
      app.get('/before', (_req, res) => res.send(TEXT));
      app.use(framework.compress());
      app.get('/text', (_req, res) => res.send(TEXT));
      app.get('/small', (_req, res) => res.send('hello'));
      app.get('/picture', (_req, res) => res.type('png').send(TEXT));
      return app;
    },
    requests: [
      get('/text'),
      get('/text', { 'Accept-Encoding': 'gzip' }),
      get('/text', { 'Accept-Encoding': 'deflate' }),
      get('/text', { 'Accept-Encoding': 'identity' }),
      get('/small', { 'Accept-Encoding': 'gzip' }),
      get('/picture', { 'Accept-Encoding': 'gzip' }),
      get('/before', { 'Accept-Encoding': 'gzip' }),
    ],
  }),
  express3Scenario({
    name: 'compress sends br to a client that accepts it',
    clauses: ['F-9.3-103'],
    build({ framework }) {
      const app = framework();
      app.use(framework.compress());
      app.get('/', (_req, res) => res.send(TEXT));
      return app;
    },
    requests: [get('/', { 'Accept-Encoding': 'gzip, deflate, br' })],
  }),
  express3Scenario({
    name: 'logger writes a line for each request',
    clauses: ['F-9.3-123', 'F-9.3-124'],
    build({ framework, log: stream }) {
      const app = framework();
      app.use(framework.logger({ stream }));
      app.use(framework.logger({ format: 'default', stream }));
      app.use(framework.logger({ format: 'tiny', stream, skip: (req) => req.url === '/quiet' }));
      app.use(framework.logger({ format: ':method :url :req[x-own] :res[x-own]', stream }));
      app.use(framework.logger({ format: ':method first', immediate: true, stream }));
      app.use(framework.logger({ format: (_tokens, req) => `called ${req.url}`, stream }));
      app.get('*', (_req, res) => {
        res.set('X-Own', 'yes');
        res.send('hello');
      });
      return app;
    },
    requests: [get('/', { 'User-Agent': 'parity', 'X-Own': 'no' }), get('/quiet'), post('/none')],
  }),
  express3Scenario({
    name: 'logger writes the format dev',
    clauses: ['F-9.3-124'],
    build({ framework, log: stream }) {
      const app = framework();
      app.use(framework.logger({ format: 'dev', stream }));
      app.get('/', (_req, res) => res.send('hello'));
      return app;
    },
    requests: [get('/'), get('/none')],
  }),
  express3Scenario({
    name: 'methodOverride reads the method from the body or a header',
    clauses: ['F-9.3-126', 'F-9.3-127'],
    build({ framework }) {
      const app = framework();
      app.use(framework.json());
      app.use('/verb', framework.methodOverride('verb'));
      app.use(framework.methodOverride());
      app.all('*', (req, res) => {
        res.send([req.method, (req as { originalMethod?: string }).originalMethod, req.body]);
      });
      return app;
    },
    requests: [
      get('/'),
      post('/', { _method: 'delete', a: 1 }),
      post('/', { _method: 'none-such' }),
      post('/verb', { verb: 'PUT' }),
      post('/', { _method: 'delete' }, { 'X-HTTP-Method-Override': 'patch' }),
      get('/', { 'X-HTTP-Method-Override': 'put' }),
      post('/', {}, { 'X-HTTP-Method-Override': 'none-such' }),
    ],
  }),
  express3Scenario({
    name: 'timeout ends a slow request with an error, and vhost serves one host pattern',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      app.use(
        framework.vhost(
          '*.own.test',
          createServer((req, res) => res.end(`own ${req.headers.host}`)),
        ),
      );
      app.use(framework.timeout(20));
      app.get('/slow', () => {});
      app.use(onError);
      return app;
    },
    requests: [get('/', { Host: 'a.b.own.test' }), get('/', { Host: 'own.test' }), get('/slow')],
  }),
  express3Scenario({
    name: 'limit rejects a body whose Content-Length is too large',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      app.use(framework.limit('5b'));
      app.use(framework.json());
      app.post('/', (req, res) => res.send({ body: req.body }));
      app.use(onError);
      return app;
    },
    requests: [post('/', '[1]', { 'Content-Type': 'application/json' }), post('/', { a: 'more' })],
  }),
  express3Scenario({
    name: 'favicon serves an icon, responseTime calls its function, and staticCache misses',
    clauses: ['F-9.3-01'],
    build({ framework, files, log }) {
      const app = framework();
      app.use(framework.responseTime((_req, _res, time) => log.write(`${typeof time}\n`)));
      app.use(framework.favicon(join(files, 'hello.txt'), { maxAge: 60_000 }));
      app.use(framework.staticCache({ maxObjects: 1 }));
      app.all('/', (_req, res) => res.send('hello'));
      return app;
    },
    requests: [
      get('/favicon.ico'),
      (seen) => get('/favicon.ico', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }),
      post('/favicon.ico'),
      get('/'),
      post('/'),
    ],
  }),
  express3Scenario({
    name: 'errorHandler sends an error as HTML, JSON and text',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      app.get('/', () => {
        throw Object.assign(new Error('no <tea>'), { status: 418, stack: 'Error: no <tea>\n    at kitchen' });
      });
      app.use(framework.errorHandler({ log: false }));
      return app;
    },
    requests: [
      get('/', { Accept: 'text/html' }),
      get('/', { Accept: 'application/json' }),
      get('/', { Accept: 'text/plain' }),
    ],
  }),
];
