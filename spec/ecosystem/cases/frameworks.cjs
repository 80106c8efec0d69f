// Frameworks that use Express, and packages that define routes or handle rejected promises.
const decorate = (target, key, ...decorators) => {
  const descriptor = Object.getOwnPropertyDescriptor(target, key);
  for (const decorator of decorators) decorator(target, key, descriptor);
};
const reject = async () => {
  throw Object.assign(new Error('rejected'), { status: 418 });
};
const tell = (err, _req, res, _next) => res.status(err.status ?? 500).send(`told ${err.message}`);

module.exports = {
  '@nestjs/platform-express': {
    shows:
      'controllers, pipes, guards, filters, interceptors, middleware, static files, prefix, cors, raw body',
    uses: ['@nestjs/core', '@nestjs/common', 'reflect-metadata', 'rxjs'],
    async app({ files }) {
      require('reflect-metadata');
      const nest = require('@nestjs/common');
      const { NestFactory } = require('@nestjs/core');
      const { map } = require('rxjs');
      class Cats {
        find(query) {
          return [query];
        }
        one(id) {
          if (id === 13) throw new nest.NotFoundException('no cat');
          return { id };
        }
        add(body, req) {
          return { body, raw: String(req.rawBody) };
        }
        go() {}
        secret() {
          return 'never';
        }
        fail() {
          throw new Error('boom');
        }
        wild(path) {
          return path;
        }
      }
      const cats = Cats.prototype;
      decorate(cats, 'find', nest.Get(), nest.Header('X-Cats', 'all'));
      nest.Query()(cats, 'find', 0);
      decorate(cats, 'one', nest.Get(':id'));
      nest.Param('id', nest.ParseIntPipe)(cats, 'one', 0);
      decorate(cats, 'add', nest.Post(), nest.HttpCode(202));
      nest.Body()(cats, 'add', 0);
      nest.Req()(cats, 'add', 1);
      decorate(cats, 'go', nest.Get('go/away'), nest.Redirect('https://example.com', 302));
      decorate(cats, 'secret', nest.Get('secret/page'), nest.UseGuards({ canActivate: () => false }));
      decorate(cats, 'fail', nest.Get('fail/now'));
      decorate(
        cats,
        'wild',
        nest.Get('files/*path'),
        nest.UseInterceptors({
          intercept: (_context, next) => next.handle().pipe(map((data) => ({ data }))),
        }),
      );
      nest.Param('path')(cats, 'wild', 0);
      nest.Controller('cats')(Cats);
      class AppModule {
        configure(consumer) {
          consumer
            .apply((req, res, next) => {
              res.set('X-Middleware', req.originalUrl);
              next();
            })
            .forRoutes('cats');
        }
      }
      nest.Module({ controllers: [Cats] })(AppModule);
      const app = await NestFactory.create(AppModule, { logger: false, rawBody: true });
      app.setGlobalPrefix('v1');
      app.enableCors();
      app.useStaticAssets(files, { prefix: '/static/' });
      await app.init();
      return app.getHttpServer();
    },
    async play({ get, post, request }) {
      for (const path of [
        '?a=1',
        '/7',
        '/x',
        '/13',
        '/go/away',
        '/secret/page',
        '/fail/now',
        '/files/a/b',
        '/no/where',
      ])
        await get(`/v1/cats${path}`);
      await post('/v1/cats', { json: { name: 'Tom' } });
      await post('/v1/cats', { body: '{bad', headers: { 'Content-Type': 'application/json' } });
      await request('OPTIONS', '/v1/cats', {
        headers: { Origin: 'http://a.test', 'Access-Control-Request-Method': 'POST' },
      });
      await get('/static/plain.txt');
      await get('/nothing');
    },
    statuses: [200, 200, 400, 404, 302, 403, 500, 200, 404, 202, 400, 204, 200, 404],
    mask: [/\w+, \d\d \w+ \d{4} [\d:]+ GMT/g, /(?<=W\/"3-)\w+/g],
  },
  '@feathersjs/express': {
    shows: 'a REST service with its methods, errors and hooks',
    uses: ['@feathersjs/feathers'],
    async app() {
      const { feathers } = require('@feathersjs/feathers');
      const feathersExpress = require('@feathersjs/express');
      const app = feathersExpress.default(feathers());
      app.use(feathersExpress.json());
      app.configure(feathersExpress.rest());
      app.use('messages', {
        find: async ({ query }) => [query],
        get: async (id) => ({ id }),
        create: async (data) => data,
      });
      app.use(feathersExpress.notFound(), feathersExpress.errorHandler({ logger: false, html: false }));
      await app.setup();
      return require('node:http').createServer(app);
    },
    async play({ get, post, request }) {
      await get('/messages?a=1');
      await get('/messages/7');
      await post('/messages', { json: { text: 'hi' } });
      await request('DELETE', '/messages/7');
      await get('/none');
    },
    statuses: [200, 200, 201, 405, 404],
  },
  'routing-controllers': {
    shows: 'controllers with params, bodies and errors',
    uses: ['reflect-metadata', 'class-transformer', 'class-validator'],
    app() {
      require('reflect-metadata');
      const r = require('routing-controllers');
      class Users {
        one(id) {
          if (id === 13) throw new r.NotFoundError('no user');
          return { id };
        }
        add(body) {
          return body;
        }
      }
      decorate(Users.prototype, 'one', r.Get('/users/:id'));
      r.Param('id')(Users.prototype, 'one', 0);
      Reflect.defineMetadata('design:paramtypes', [Number], Users.prototype, 'one');
      decorate(Users.prototype, 'add', r.Post('/users'), r.HttpCode(201));
      Reflect.defineMetadata('design:paramtypes', [Object], Users.prototype, 'add');
      r.Body()(Users.prototype, 'add', 0);
      r.JsonController()(Users);
      return r.createExpressServer({ controllers: [Users], routePrefix: '/v1', development: false });
    },
    async play({ get, post }) {
      await get('/v1/users/7');
      await get('/v1/users/13');
      await post('/v1/users', { json: { name: 'ann' } });
      await get('/v1/none');
    },
    statuses: [200, 404, 201, 404],
  },
  'inversify-express-utils': {
    shows: 'controllers from a container',
    breaks: 'the package mounts a route at "*", which is not a path in Express 5',
    uses: ['inversify', 'reflect-metadata'],
    app() {
      require('reflect-metadata');
      const { Container } = require('inversify');
      const {
        InversifyExpressServer,
        controller,
        httpGet,
        httpPost,
        requestParam,
        requestBody,
      } = require('inversify-express-utils');
      class Foo {
        one(id) {
          return { id };
        }
        add(body) {
          return body;
        }
      }
      decorate(Foo.prototype, 'one', httpGet('/:id'));
      requestParam('id')(Foo.prototype, 'one', 0);
      decorate(Foo.prototype, 'add', httpPost('/'));
      requestBody()(Foo.prototype, 'add', 0);
      controller('/foo')(Foo);
      const express = require('express');
      return new InversifyExpressServer(new Container())
        .setConfig((app) => app.use(express.json()))
        .setErrorConfig((app) => app.use(tell))
        .build();
    },
    async play({ get, post }) {
      await get('/foo/7');
      await post('/foo', { json: { a: 1 } });
      await get('/none');
    },
    statuses: [],
  },
  '@tsoa/runtime': {
    shows: 'runs routes as its generator writes them: validate, call, respond',
    app() {
      const express = require('express');
      const { ExpressTemplateService } = require('@tsoa/runtime');
      const service = new ExpressTemplateService(
        {},
        { noImplicitAdditionalProperties: 'ignore', bodyCoercion: true },
      );
      const app = express();
      class Users {
        getHeaders() {
          return {};
        }
        getStatus() {}
        one(id) {
          return { id };
        }
      }
      app.get('/users/:id', async (request, response, next) => {
        try {
          const args = { id: { in: 'path', name: 'id', required: true, dataType: 'double' } };
          const validatedArgs = service.getValidatedArgs({ args, request, response });
          await service.apiHandler({
            methodName: 'one',
            controller: new Users(),
            response,
            next,
            validatedArgs,
            successStatus: 203,
          });
        } catch (err) {
          next(err);
        }
      });
      app.use((err, _req, res, _next) => res.status(err.status).json(err.fields));
      return app;
    },
    async play({ get }) {
      await get('/users/7');
      await get('/users/x');
    },
    statuses: [203, 400],
  },
  'awilix-express': {
    shows: 'a scope per request, classes as controllers',
    uses: ['awilix'],
    app() {
      const { createContainer, asClass, asValue } = require('awilix');
      const { scopePerRequest, makeInvoker, inject } = require('awilix-express');
      const container = createContainer();
      class Service {
        constructor({ user }) {
          this.user = user;
        }
        hello = (req, res) => res.json([this.user, req.params]);
      }
      container.register({ service: asClass(Service).scoped() });
      const app = require('express')();
      app.use(scopePerRequest(container), (req, _res, next) => {
        req.container.register({ user: asValue(req.query.user) });
        next();
      });
      app.get('/made/:id', makeInvoker(({ user }) => ({ hello: (_req, res) => res.send(user) }))('hello'));
      app.get(
        '/injected/:id',
        inject(({ service }) => service.hello),
      );
      return app;
    },
    async play({ get }) {
      await get('/made/1?user=ann');
      await get('/injected/1?user=bob');
    },
    statuses: [200, 200],
  },
  'json-server': {
    shows: 'a REST interface over an object, with filters, pages and custom routes',
    app() {
      const server = require('json-server');
      const app = server.create();
      app.use(server.defaults({ logger: false, static: __dirname }));
      app.use(server.bodyParser);
      app.use(
        '/api',
        server.router({
          posts: [
            { id: 1, title: 'a' },
            { id: 2, title: 'b' },
            { id: 3, title: 'c' },
          ],
        }),
      );
      return app;
    },
    async play({ get, post, request }) {
      for (const path of ['posts', 'posts/1', 'posts?title=b', 'posts?_page=1&_limit=2', 'posts/9'])
        await get(`/api/${path}`);
      await post('/api/posts', { json: { title: 'd' } });
      await request('PATCH', '/api/posts/1', { json: { title: 'z' } });
      await request('DELETE', '/api/posts/1');
    },
    statuses: [200, 200, 200, 200, 404, 201, 200, 200],
  },
  '@bull-board/express': {
    shows: 'serves its pages, files and interface below a path',
    uses: ['@bull-board/api'],
    app() {
      const { createBullBoard } = require('@bull-board/api');
      const { ExpressAdapter } = require('@bull-board/express');
      const serverAdapter = new ExpressAdapter();
      serverAdapter.setBasePath('/queues');
      createBullBoard({ queues: [], serverAdapter });
      return require('express')().use('/queues', serverAdapter.getRouter());
    },
    async play({ get }) {
      for (const path of [
        '',
        '/queue/a',
        '/api/queues',
        '/static/images/logo.svg',
        '/api/queues/none/clean/failed',
      ])
        await get(`/queues${path}`);
    },
    statuses: [200, 200, 200, 200, 404],
  },
  '@google-cloud/functions-framework': {
    shows: 'serves a function as its testing server does',
    app() {
      const framework = require('@google-cloud/functions-framework');
      framework.http('hello', (req, res) =>
        res.json([req.method, req.query, req.body ?? null, String(req.rawBody ?? '')]),
      );
      return require('@google-cloud/functions-framework/testing').getTestServer('hello');
    },
    async play({ get, post }) {
      await get('/any/path?a=1');
      await post('/', { json: { a: 1 } });
      await get('/favicon.ico');
    },
    statuses: [200, 200, 404],
  },
  'express-promise-router': {
    shows: 'handles promises of handlers that resolve to "next" or reject',
    app() {
      const router = require('express-promise-router')();
      router.use(() => Promise.resolve('next'));
      router.param('id', async (req, _res, _next, id) => {
        req.seen = id;
        return 'next';
      });
      router.get('/ok/:id', async (req, res) => {
        res.send(req.seen);
      });
      router.get('/bad', reject);
      router.get('/leave', async () => 'route');
      return require('express')()
        .use(router)
        .use('/leave', (_req, res) => res.send('left'))
        .use(tell);
    },
    async play({ get }) {
      for (const path of ['/ok/7', '/bad', '/leave']) await get(path);
    },
    statuses: [200, 418, 200],
  },
  'express-async-handler': {
    shows: 'passes rejections of promises to next',
    app() {
      const wrap = require('express-async-handler');
      return require('express')().get('/', wrap(reject)).use(tell);
    },
    async play({ get }) {
      await get('/');
    },
    statuses: [418],
  },
  'express-async-errors': {
    shows: 'patches express/lib/router/layer',
    breaks: 'Express 5 does not have that file, and needs no patch',
    app() {
      try {
        require('express-async-errors');
      } catch (err) {
        throw new Error(err.code);
      }
    },
    async play() {},
    statuses: [],
  },
};
