/** Scenarios for compress, logger, methodOverride and other middleware of Express 3. §9.3 */
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';
import { expect } from 'chai';
import type express3 from 'nozomi/3';
import { get, post } from '../../parity/client/request';
import { express3Scenario } from '../../parity/scenario/scenario';

const onError: express3.ErrorHandler = (err, _req, res, _next) =>
  res.send(err.status, [err.message, err.code]);

const TEXT = 'hello '.repeat(500);

export default [
  express3Scenario({
    name: 'compress does nothing behind the router, which the first route registers',
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
      ...['gzip', 'deflate', 'identity'].map((one) => get('/text', { 'Accept-Encoding': one })),
      ...['/small', '/picture', '/before'].map((path) => get(path, { 'Accept-Encoding': 'gzip' })),
    ].map((one) => one.expect({ status: 200, 'content-encoding': undefined })),
  }),
  express3Scenario({
    name: 'compress sends gzip, deflate or plain text, as the client prefers',
    clauses: ['F-9.3-103', 'F-9.3-104'],
    build({ framework }) {
      const app = framework();
      app.use(framework.compress());
      app.get('/text', (_req, res) => res.send(TEXT));
      app.get('/small', (_req, res) => res.send('hello'));
      app.get('/picture', (_req, res) => res.type('png').send(TEXT));
      return app;
    },
    requests: [
      ...['gzip', 'deflate'].map((encoding) =>
        get('/text', { 'Accept-Encoding': encoding }).expect({
          'content-encoding': encoding,
          vary: 'Accept-Encoding',
        }),
      ),
      get('/text', { 'Accept-Encoding': 'identity' }).expect({ 'content-encoding': undefined, body: TEXT }),
      ...['/small', '/picture'].map((path) =>
        get(path, { 'Accept-Encoding': 'gzip' }).expect({ 'content-encoding': undefined }),
      ),
    ],
    expect({ exchanges: [gzip, deflate] }) {
      expect(gunzipSync(gzip?.response.body as Buffer).toString()).to.equal(TEXT);
      expect(inflateSync(deflate?.response.body as Buffer).toString()).to.equal(TEXT);
    },
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
    name: 'compress asks its filter, whose default is compress.filter',
    clauses: ['F-9.3-103'],
    build({ framework }) {
      const app = framework();
      app.use(framework.compress({ filter: () => false }));
      app.get('/', (_req, res) => res.set('X-Filter', typeof framework.compress.filter).send(TEXT));
      return app;
    },
    requests: [
      get('/', { 'Accept-Encoding': 'gzip' }).expect({
        'content-encoding': undefined,
        'x-filter': 'function',
      }),
    ],
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
    expect({ log }) {
      const text = log.join('\n');
      expect(text).to.match(/^\S+ - - \[.+\] "GET \/ HTTP\/1\.1" 200 5 "-" "parity"$/m);
      expect(text).to.include('GET / no yes').and.include('GET first').and.include('called /none');
      expect(text).not.to.match(/^GET \/quiet 200/m);
    },
  }),
  express3Scenario({
    name: 'logger accepts a format as only argument, and writes to standard output',
    clauses: ['F-9.3-124'],
    build({ framework }) {
      const app = framework();
      app.use(framework.logger(':method only'));
      app.use(framework.logger());
      app.get('/', (_req, res) => res.send('hello'));
      return app;
    },
    requests: [get('/')],
    expect: ({ stdout }) => expect(stdout).to.include('GET only\n').and.have.length(2),
  }),
  express3Scenario({
    name: 'logger has the functions token and compile of morgan, and its formats',
    clauses: ['F-9.3-124'],
    build({ framework }) {
      const { logger } = framework;
      const isChained = logger.token('own-of-scenario', () => 'x') === logger;
      const app = framework();
      app.get('/', (_req, res) =>
        res.send([isChained, typeof logger.compile(':own-of-scenario'), 'combined' in logger]),
      );
      return app;
    },
    requests: [get('/').expect({ json: [true, 'function', true] })],
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
      get('/').expect({ json: ['GET', 'GET', {}] }),
      post('/', { _method: 'delete', a: 1 }).expect({ json: ['DELETE', 'POST', { a: 1 }] }),
      post('/', { _method: 'none-such' }).expect({ json: ['POST', 'POST', {}] }),
      post('/verb', { verb: 'PUT' }),
      post('/', { _method: 'delete' }, { 'X-HTTP-Method-Override': 'patch' }).expect({
        json: ['PATCH', 'POST', {}],
      }),
      get('/', { 'X-HTTP-Method-Override': 'put' }).expect({ json: ['PUT', 'GET', {}] }),
      post('/', {}, { 'X-HTTP-Method-Override': 'none-such' }),
    ],
  }),
  express3Scenario({
    name: 'methodOverride reads the method from a given property, and ignores a list and a missing body',
    clauses: ['F-9.3-126', 'F-9.3-127'],
    build({ framework }) {
      const app = framework();
      app.use('/json', framework.json());
      app.use(framework.methodOverride('verb'));
      app.all('*', (req, res) =>
        res.send([req.method, (req as { originalMethod?: string }).originalMethod, req.body]),
      );
      return app;
    },
    requests: [
      post('/json', { verb: 'put' }).expect({ json: ['PUT', 'POST', {}] }),
      post('/json', '[1]', { 'Content-Type': 'application/json' }).expect({ json: ['POST', 'POST', [1]] }),
      get('/').expect({ json: ['GET', 'GET', null] }),
    ],
  }),
  express3Scenario({
    name: 'query sets req.query if it is not set, without an application',
    clauses: ['F-9.3-30'],
    build:
      ({ framework }) =>
      (req, res) => {
        if (req.url === '/known') Object.assign(req, { query: 'known' });
        framework.query()(req as never, res as never, () => res.end(JSON.stringify(Object(req).query)));
      },
    requests: [
      get('/?a[b]=1&c=2').expect({ json: { a: { b: '1' }, c: '2' } }),
      get('/').expect({ json: {} }),
      get('/known').expect({ json: 'known' }),
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
    requests: [
      get('/', { Host: 'a.b.own.test' }).expect({ body: 'own a.b.own.test' }),
      get('/', { Host: 'own.test' }),
      get('/slow').expect({ status: 503, json: ['Response timeout', 'ETIMEDOUT'] }),
    ],
  }),
  express3Scenario({
    name: 'vhost calls a handler or a server for a host name, by a pattern or a regular expression',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      app.use(
        framework.vhost('*.a.test', ((_req: unknown, res: ServerResponse) => res.end('handler')) as never),
      );
      app.use(
        framework.vhost(
          /^b\..*$/,
          createServer((_req, res) => res.end('server')),
        ),
      );
      app.use((_req, res) => res.send('none'));
      return app;
    },
    requests: Object.entries({
      'x.a.test': 'handler',
      'X.y.A.test:80': 'handler',
      'a.test': 'none',
      'x.aatest': 'none',
      'b.test': 'server',
    }).map(([Host, body]) => get('/', { Host }).expect({ body })),
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
    requests: [
      post('/', '[1]', { 'Content-Type': 'application/json' }).expect({ json: { body: [1] } }),
      post('/', { a: 'more' }).expect({ status: 413 }),
    ],
  }),
  express3Scenario({
    name: 'limit closes the connection of a chunked body that is too long',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      app.use(framework.limit('5b'));
      app.use(framework.limit(0));
      app.use(framework.json());
      app.all('/', (req, res) => res.send([req.body]));
      app.use(onError);
      return app;
    },
    requests: [
      get('/').expect({ json: [{}] }),
      post('/', ['[1,', '2,3,4,5]'], { 'Content-Type': 'application/json' }).expect({
        status: undefined,
        outcome: 'closed',
      }),
    ],
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
      get('/').expect({ 'x-cache': 'MISS' }),
      post('/').expect({ 'x-cache': undefined }),
    ],
  }),
  express3Scenario({
    name: 'staticCache leaves requests for a range alone',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      app.use(framework.staticCache({ maxObjects: 1 }));
      app.get('/', (_req, res) => res.send('hello'));
      return app;
    },
    requests: [get('/', { Range: 'bytes=0-' }).expect({ status: 200, 'x-cache': undefined })],
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
