// Serverless adapters, test clients and other frameworks, combined with an Express application.

function served() {
  const express = require('express');
  const app = express();
  app.use(express.json(), express.text());
  app.get('/hello/:name', (req, res) =>
    res
      .set('X-Query', JSON.stringify(req.query))
      .cookie('a', '1')
      .cookie('b', '2')
      .json([req.params, req.ip, req.protocol, req.hostname]),
  );
  app.post('/echo', (req, res) => res.status(201).send(req.body));
  app.get('/bytes', (_req, res) => res.type('application/octet-stream').send(Buffer.from([0, 255, 1])));
  app.get('/go', (_req, res) => res.redirect('/hello/x'));
  app.get('/stream', (_req, res) => {
    res.write('one');
    setImmediate(() => res.end('two'));
  });
  app.get('/file', (_req, res) =>
    res.sendFile('package.json', {
      root: __dirname.replace(/cases$/, ''),
      headers: { 'Last-Modified': 'x' },
      etag: false,
    }),
  );
  app.get('/fail', () => {
    throw new Error('boom');
  });
  return app;
}

const event = (method, path, { query = {}, headers = {}, body = null } = {}) => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: path,
  rawQueryString: String(new URLSearchParams(query)),
  headers: { host: 'api.test', ...headers },
  queryStringParameters: query,
  requestContext: {
    http: { method, path, sourceIp: '1.2.3.4', protocol: 'HTTP/1.1' },
    domainName: 'api.test',
    stage: '$default',
  },
  body,
  isBase64Encoded: false,
});
const EVENTS = [
  event('GET', '/hello/ann', { query: { a: 'b' } }),
  event('POST', '/echo', { headers: { 'content-type': 'application/json' }, body: '{"n":1}' }),
  event('GET', '/bytes'),
  event('GET', '/go'),
  event('GET', '/stream'),
  event('GET', '/fail'),
  event('GET', '/none'),
];
const timeless = ({ headers, multiValueHeaders, ...response }) => ({
  ...response,
  headers: without(headers),
  multi: without(multiValueHeaders),
});
const without = (headers = {}) =>
  Object.entries(headers).filter(([name]) => !/^(date|x-powered-by|content-length|etag)$/i.test(name));

const lambda = (name, adapt) => ({
  [name]: {
    shows: 'returns responses for gateway events: JSON, bytes, redirects, streams, errors',
    app() {},
    async play({ note }) {
      const handler = adapt(served());
      for (const one of EVENTS) note(one.rawPath, timeless(await handler(structuredClone(one), {})));
    },
    statuses: [],
  },
});

module.exports = {
  ...lambda('serverless-http', (app) =>
    require('serverless-http')(app, { binary: ['application/octet-stream'] }),
  ),
  ...lambda('@codegenie/serverless-express', (app) => require('@codegenie/serverless-express')({ app })),
  ...lambda('@vendia/serverless-express', (app) => require('@vendia/serverless-express')({ app })),
  'light-my-request': {
    shows: 'injects requests into an application',
    app() {},
    async play({ note }) {
      const inject = require('light-my-request');
      const app = served();
      const requests = [
        '/hello/ann?a=b',
        '/bytes',
        '/go',
        '/stream',
        '/fail',
        '/none',
        { method: 'POST', url: '/echo', payload: { n: 1 } },
        { method: 'HEAD', url: '/stream' },
      ];
      for (const one of requests) {
        const { statusCode, headers, payload, cookies } = await inject(app, one);
        note(one.url ?? one, [statusCode, without(headers), payload, cookies]);
      }
    },
    statuses: [],
  },
  supertest: {
    shows: 'starts an application, checks responses, stores cookies in an agent',
    app() {},
    async play({ note }) {
      const request = require('supertest');
      const app = served();
      await request(app)
        .get('/hello/ann')
        .query({ a: 'b' })
        .expect(200)
        .expect('Content-Type', /json/)
        .expect('X-Query', '{"a":"b"}');
      await request(app).get('/go').redirects(1).expect(200);
      const agent = request.agent(app);
      await agent.get('/hello/bob');
      const res = await agent.post('/echo').send({ n: 1 });
      note('echo', [res.status, res.body, res.type, res.request.cookies ?? null]);
    },
    statuses: [],
  },
  'chai-http': {
    shows: 'adds requests to chai',
    uses: ['chai'],
    app() {},
    async play({ note }) {
      const chai = await import('chai');
      const { default: plugin, request } = await import('chai-http');
      const { expect } = chai.use(plugin);
      const res = await request.execute(served()).get('/hello/ann');
      expect(res).to.have.status(200);
      expect(res).to.be.json;
      expect(res).to.have.cookie('a', '1');
      note('answer', [res.status, res.body]);
    },
    statuses: [],
  },
  'node-mocks-http': {
    shows: 'calls an application and a handler with mock objects',
    app() {},
    async play({ note }) {
      const mocks = require('node-mocks-http');
      const { EventEmitter } = require('node:events');
      for (const url of ['/hello/ann?a=b', '/go']) {
        const req = mocks.createRequest({ method: 'GET', url });
        const res = mocks.createResponse({ req, eventEmitter: EventEmitter });
        const end = new Promise((resolve) => res.on('end', resolve));
        require('express')().use(served()).handle(req, res);
        await end;
        note(url, [res.statusCode, without(res.getHeaders()), res._getData()]);
      }
      const res = mocks.createResponse();
      require('express')
        .Router()
        .get('/:id', (req, response) => response.status(203).json(req.params))
        .handle(mocks.createRequest({ url: '/7' }), res, () => note('next', true));
      note('router', [res.statusCode, res._getJSONData()]);
    },
    statuses: [],
  },
  fastify: {
    shows: 'mounts an application with its express plugin',
    uses: ['@fastify/express'],
    async app() {
      const fastify = require('fastify')();
      await fastify.register(require('@fastify/express'));
      fastify.use('/in', served());
      fastify.express.disable('x-powered-by');
      fastify.get('/own', async (req) => ({ url: req.url, originalUrl: req.raw.originalUrl ?? null }));
      await fastify.ready();
      await fastify.listen({ port: 0, host: '127.0.0.1' });
      return fastify.server;
    },
    async play({ get }) {
      for (const path of ['/own', '/in/hello/ann', '/in/go', '/in/fail']) await get(path);
    },
    statuses: [200, 200, 302, 500],
  },
  koa: {
    shows: 'mounts an application with koa-connect, where every response starts with status 404',
    uses: ['koa-connect'],
    async app() {
      const loaded = require('koa');
      const Koa = loaded.default ?? loaded;
      const koa = new Koa();
      koa.silent = true;
      const app = served();
      koa.use(require('koa-connect')((req, res, next) => app(req, res, next)));
      koa.use((context) => {
        context.status = 200;
        context.body = 'koa';
      });
      return require('node:http').createServer(koa.callback());
    },
    async play({ get }) {
      for (const path of ['/hello/ann', '/bytes', '/own']) await get(path);
    },
    statuses: [404, 404, 200],
  },
  h3: {
    shows: 'mounts an application with fromNodeMiddleware',
    app() {
      const { createApp, eventHandler, fromNodeMiddleware, toNodeListener } = require('h3');
      const h3 = createApp();
      h3.use('/in', fromNodeMiddleware(served()));
      h3.use(eventHandler(() => 'h3'));
      return require('node:http').createServer(toNodeListener(h3));
    },
    async play({ get }) {
      for (const path of ['/in/hello/ann', '/in/go', '/in/none', '/own']) await get(path);
    },
    statuses: [200, 302, 200, 200],
  },
  '@react-router/express': {
    shows: 'serves a build: data, documents, bodies, streams',
    uses: ['react-router', 'react', 'react-dom'],
    app() {
      const { createRequestHandler } = require('@react-router/express');
      const route = {
        id: 'root',
        path: '',
        module: {
          default: () => null,
          loader: ({ request }) =>
            new Response(JSON.stringify([request.url, request.method]), { headers: { 'X-Loader': 'yes' } }),
        },
      };
      const resource = {
        id: 'api',
        parentId: 'root',
        path: 'api',
        module: {
          loader: ({ request }) =>
            Response.json([new URL(request.url).pathname, request.headers.get('x-a')], {
              headers: [
                ['Set-Cookie', 'a=1'],
                ['Set-Cookie', 'b=2'],
              ],
            }),
          action: async ({ request }) => new Response(`got ${await request.text()}`, { status: 202 }),
        },
      };
      const build = {
        routes: { root: route, api: resource },
        entry: {
          module: {
            default: () => new Response('<p>page</p>', { headers: { 'Content-Type': 'text/html' } }),
          },
        },
        assets: { routes: {}, entry: { imports: [], module: '' }, url: '', version: '1' },
        assetsBuildDirectory: '',
        publicPath: '/',
        basename: '/',
        future: {},
        ssr: true,
        isSpaMode: false,
        prerender: [],
        routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
        allowedActionOrigins: [],
      };
      return require('express')().all(
        '/*path',
        createRequestHandler({ build, mode: 'production', getLoadContext: undefined }),
      );
    },
    async play({ get, post }) {
      await get('/api?q=1', { headers: { 'X-A': 'a' } });
      await post('/api', { body: 'hello', headers: { 'Content-Type': 'text/plain' } });
    },
    statuses: [200, 202],
  },
};
