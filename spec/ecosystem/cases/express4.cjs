// Packages of the days of Express 4, used as their documentation shows. Their packages are in spec/ecosystem/express4.
const { spawnSync } = require('node:child_process');
const { once } = require('node:events');
const { writeFileSync } = require('node:fs');
const http = require('node:http');
const { join } = require('node:path');
const express = require('express');

let context;

/** Serves an application while `use` runs, which receives a function that sends requests. */
async function serve(app, use) {
  const { request, server } = await context.serve(app);
  return use((line, options) => request(...line.split(' '), options), server);
}

async function each(hit, ...lines) {
  for (const line of lines) await (Array.isArray(line) ? hit(...line) : hit(line));
}

/** @returns A NestJS application with guards, pipes, interceptors, filters, versions and uploads. */
async function createNestApplication() {
  require('reflect-metadata');
  const nest = require('@nestjs/common');
  const { NestFactory, Reflector } = require('@nestjs/core');
  const { FileInterceptor, FilesInterceptor } = require('@nestjs/platform-express');
  const { IsEmail, IsInt } = require('class-validator');
  const { Type } = require('class-transformer');
  const { map, of } = require('rxjs');

  class Cat {}
  IsEmail()(Cat.prototype, 'mail');
  IsInt()(Cat.prototype, 'age');
  Type(() => Number)(Cat.prototype, 'age');

  class Teapot extends Error {}
  class TeapotFilter {
    catch(error, host) {
      host.switchToHttp().getResponse().status(418).json({ filtered: error.message });
    }
  }
  nest.Catch(Teapot)(TeapotFilter);

  class RoleGuard {
    canActivate(context) {
      const role = new Reflector().get('role', context.getHandler());
      return context.switchToHttp().getRequest().get('x-role') === role;
    }
  }
  const wrap = { intercept: (_context, next) => next.handle().pipe(map((data) => ({ data }))) };

  /** Adds methods to a class, and calls their decorators as functions, because this file is JavaScript. */
  const define = (target, members) => {
    for (const [key, { run, on = [], of: parameters = [] }] of Object.entries(members)) {
      target.prototype[key] = run;
      const descriptor = Object.getOwnPropertyDescriptor(target.prototype, key);
      for (const decorator of on) decorator(target.prototype, key, descriptor);
      for (const [index, decorator] of parameters.entries()) decorator(target.prototype, key, index);
    }
  };
  const pipe = new nest.ValidationPipe({ expectedType: Cat, transform: true, whitelist: true });
  class Cats {}
  define(Cats, {
    findTwo: { on: [nest.Get(), nest.Version('2')], run: () => 'two' },
    find: { on: [nest.Get(), nest.Header('X-Cats', 'all')], of: [nest.Query()], run: (query) => [query] },
    go: { on: [nest.Get('go/away'), nest.Redirect('https://example.com', 302)], run: () => undefined },
    secret: {
      on: [nest.Get('admin/secret'), nest.SetMetadata('role', 'admin'), nest.UseGuards(RoleGuard)],
      run: () => 'secret',
    },
    fail: {
      on: [nest.Get('fails/now')],
      run: () => {
        throw new Error('boom');
      },
    },
    teapot: {
      on: [nest.Get('fails/teapot')],
      run: async () => {
        throw new Teapot('short');
      },
    },
    wild: {
      on: [nest.Get('files/*'), nest.UseInterceptors(wrap)],
      of: [nest.Param('0')],
      run: (path) => path,
    },
    raw: { on: [nest.Get('raw/response')], of: [nest.Res()], run: (res) => res.status(206).send('raw') },
    stream: { on: [nest.Get('raw/stream')], run: () => new nest.StreamableFile(Buffer.from('bytes')) },
    events: { on: [nest.Sse('raw/events')], run: () => of({ data: 'one' }, { data: { two: 2 }, id: '2' }) },
    page: { on: [nest.Get('raw/page'), nest.Render('nest')], run: () => ({ title: '<t>' }) },
    upload: {
      on: [nest.Post('file'), nest.UseInterceptors(FileInterceptor('file', { limits: { fileSize: 20 } }))],
      of: [nest.UploadedFile(), nest.Body()],
      run: ({ originalname, size }, body) => ({ originalname, size, body: { ...body } }),
    },
    uploadAll: {
      on: [nest.Post('files'), nest.UseInterceptors(FilesInterceptor('file', 2))],
      of: [nest.UploadedFiles()],
      run: (files) => files.map(({ originalname }) => originalname),
    },
    one: {
      on: [nest.Get(':id')],
      of: [nest.Param('id', nest.ParseIntPipe)],
      run: (id) => {
        if (id === 13) throw new nest.NotFoundException('no cat');
        return { id };
      },
    },
    add: {
      on: [nest.Post(), nest.HttpCode(202)],
      of: [nest.Body(pipe)],
      run: (cat) => [cat instanceof Cat, cat],
    },
    remove: { on: [nest.Delete(':id'), nest.HttpCode(204)], run: () => undefined },
  });
  nest.Controller({ path: 'cats', version: ['1', '2'] })(Cats);

  class AppModule {
    configure(consumer) {
      consumer
        .apply((req, res, next) => {
          res.set('X-Middleware', `${req.baseUrl} ${req.originalUrl}`);
          next();
        })
        .exclude({ path: 'v1/cats/go/(.*)', method: nest.RequestMethod.GET })
        .forRoutes('*');
    }
  }
  nest.Module({ controllers: [Cats] })(AppModule);

  writeFileSync(join(context.tmp, 'home.txt'), 'home');
  writeFileSync(join(context.tmp, 'nest.ejs'), '<h1><%= title %></h1>');
  const app = await NestFactory.create(AppModule, { logger: false, cors: true });
  app.enableVersioning({ type: nest.VersioningType.URI });
  app.useGlobalFilters(new TeapotFilter());
  app.setBaseViewsDir(context.tmp);
  app.setViewEngine('ejs');
  app.useStaticAssets(context.tmp, { prefix: '/static/' });
  return app.init();
}

const failed = (err, _req, res, _next) =>
  res.status(err.status || err.statusCode || 500).json({ message: err.message });

const cases = {
  'express-async-errors': async () => {
    require('express-async-errors');
    const app = express();
    app.param('id', async (_req, _res, next, id) => {
      if (id === 'bad') throw new Error('bad id');
      next();
    });
    app.get('/fails', async () => {
      throw new Error('rejected');
    });
    app.get('/users/:id', async (req, res) => res.json(req.params));
    app.use(async (req, _res, next) => {
      if (req.path === '/late') throw new Error('late');
      next();
    });
    app.use(failed);
    return serve(app, (hit) =>
      each(hit, 'GET /fails', 'GET /users/1', 'GET /users/bad', 'GET /late', 'GET /none'),
    );
  },
  'express-ws': async () => {
    const WebSocket = require('ws');
    const app = express();
    require('express-ws')(app);
    app.ws('/echo/:name', (socket, req) =>
      socket.on('message', (text) => socket.send(`${req.params.name}: ${text}`)),
    );
    app.get('/', (_req, res) => res.send('http'));
    return serve(app, async (hit, server) => {
      const socket = new WebSocket(`ws://127.0.0.1:${server.address().port}/echo/a`);
      await once(socket, 'open');
      socket.send('hello');
      const [text] = await once(socket, 'message');
      socket.close();
      context.note('message', String(text));
      await hit('GET /');
    });
  },
  'express-promise-router': async () => {
    const router = require('express-promise-router')();
    router.get('/ok', async (_req, res) => {
      res.send('ok');
    });
    router.get('/next', async () => 'next');
    router.get('/next', (_req, res) => res.send('went on'));
    router.get('/fails', async () => {
      throw new Error('rejected');
    });
    return serve(express().use(router).use(failed), (hit) => each(hit, 'GET /ok', 'GET /next', 'GET /fails'));
  },
  'connect-history-api-fallback': () => {
    writeFileSync(join(context.tmp, 'index.html'), '<p>page');
    const app = express().use(require('connect-history-api-fallback')()).use(express.static(context.tmp));
    return serve(app, (hit) =>
      each(
        hit,
        ['GET /some/route', { headers: { accept: 'text/html' } }],
        ['GET /x.js', { headers: { accept: '*/*' } }],
      ),
    );
  },
  csurf: () => {
    const app = express()
      .use(require('cookie-parser')())
      .use(express.urlencoded({ extended: false }))
      .use(require('csurf')({ cookie: true }));
    app.get('/form', (req, res) => res.send(req.csrfToken()));
    app.post('/form', (_req, res) => res.send('taken'));
    app.use(failed);
    return serve(app, async (hit) => {
      const { body: token } = await hit('GET /form');
      await hit('POST /form', { form: { _csrf: token } });
      await hit('POST /form', { form: { _csrf: 'no' } });
    });
  },
  'express-list-endpoints': () => {
    const list = require('express-list-endpoints');
    const inner = express
      .Router()
      .get('/:id(\\d+)', () => {})
      .post('/', () => {});
    const deep = express.Router().use(
      '/deep/:x',
      express.Router().all('/any', () => {}),
    );
    const app = express()
      .get(['/a', '/b'], () => {})
      .use('/inner', inner)
      .use('/v1/:kind', deep)
      .get(/^\/re/, () => {});
    app
      .route('/both')
      .get(function named() {})
      .put(() => {});
    context.note('endpoints', list(app));
  },
  'swagger-ui-express': () => {
    const ui = require('swagger-ui-express');
    const app = express().use(
      '/docs',
      ui.serve,
      ui.setup({ openapi: '3.0.0', info: { title: 'T', version: '1' }, paths: {} }),
    );
    return serve(app, (hit) =>
      each(hit, 'GET /docs', 'GET /docs/', 'GET /docs/swagger-ui-init.js', 'GET /docs/none.js'),
    );
  },
  'http-proxy-middleware': async () => {
    const target = http
      .createServer((req, res) => res.end(`${req.method} ${req.url}`))
      .listen(0, '127.0.0.1');
    await once(target, 'listening');
    const { createProxyMiddleware } = require('http-proxy-middleware');
    const proxy = createProxyMiddleware({
      target: `http://127.0.0.1:${target.address().port}`,
      pathRewrite: { '^/api': '/v1' },
      logLevel: 'silent',
    });
    try {
      return await serve(express().use('/api', proxy), (hit) =>
        each(hit, 'GET /api/users?a=1', 'POST /api/x', 'GET /other'),
      );
    } finally {
      target.close();
    }
  },
  multer: () => {
    const multer = require('multer');
    const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 20 } });
    const app = express().post('/', upload.single('file'), (req, res) =>
      res.json({ ...req.body, file: req.file?.originalname, size: req.file?.size }),
    );
    app.use(failed);
    const form = (text) => ({
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="f.txt"\r\n\r\n${text}\r\n--x--\r\n`,
    });
    return serve(app, (hit) => each(hit, ['POST /', form('text')], ['POST /', form('x'.repeat(30))]));
  },
  'express-session': () => {
    const app = express().use(
      require('express-session')({ secret: 's', resave: false, saveUninitialized: true }),
    );
    app.get('/', (req, res) => {
      req.session.n = (req.session.n || 0) + 1;
      res.json(req.session.n);
    });
    return serve(app, (hit) => each(hit, 'GET /', 'GET /', 'GET /'));
  },
  passport: () => {
    const { Passport } = require('passport');
    const { Strategy } = require('passport-local');
    const passport = new Passport();
    passport.use(new Strategy((name, password, done) => done(null, password === 'right' ? { name } : false)));
    passport.serializeUser((user, done) => done(null, user.name));
    passport.deserializeUser((name, done) => done(null, { name }));
    const app = express().use(
      require('express-session')({ secret: 's', resave: false, saveUninitialized: false }),
    );
    app.use(express.urlencoded({ extended: true }), passport.initialize(), passport.session());
    app.post('/login', passport.authenticate('local', { failureRedirect: '/login' }), (_req, res) =>
      res.redirect('/me'),
    );
    app.get('/me', (req, res) => (req.isAuthenticated() ? res.json(req.user) : res.sendStatus(401)));
    return serve(app, (hit) =>
      each(
        hit,
        'GET /me',
        ['POST /login', { form: { username: 'a', password: 'wrong' } }],
        ['POST /login', { form: { username: 'a', password: 'right' } }],
        'GET /me',
      ),
    );
  },
  'express-validator': () => {
    const { body, query, validationResult } = require('express-validator');
    const app = express()
      .use(express.json())
      .post('/', body('mail').isEmail(), query('n').toInt().default(1), (req, res) =>
        res.json([validationResult(req).array(), req.query]),
      );
    return serve(app, (hit) =>
      each(hit, ['POST /?n=3', { json: { mail: 'x' } }], ['POST /', { json: { mail: 'a@b.de' } }]),
    );
  },
  'express-rate-limit': () => {
    const app = express()
      .use(
        require('express-rate-limit').rateLimit({
          windowMs: 60_000,
          max: 2,
          standardHeaders: false,
          legacyHeaders: false,
        }),
      )
      .get('/', (_req, res) => res.send('ok'));
    return serve(app, (hit) => each(hit, 'GET /', 'GET /', 'GET /'));
  },
  'express-slow-down': () => {
    const app = express()
      .use(require('express-slow-down')({ windowMs: 60_000, delayAfter: 1, delayMs: 10 }))
      .get('/', (req, res) => res.json(req.slowDown.current));
    return serve(app, (hit) => each(hit, 'GET /', 'GET /'));
  },
  helmet: () =>
    serve(
      express()
        .use(require('helmet')())
        .get('/', (_req, res) => res.send('ok')),
      (hit) => each(hit, 'GET /'),
    ),
  cors: () => {
    const app = express()
      .use(require('cors')({ origin: 'http://a.example', credentials: true }))
      .put('/', (_req, res) => res.send('ok'));
    return serve(app, (hit) =>
      each(
        hit,
        ['OPTIONS /', { headers: { origin: 'http://a.example', 'access-control-request-method': 'PUT' } }],
        ['PUT /', { headers: { origin: 'http://b.example' } }],
      ),
    );
  },
  'cookie-session': () => {
    const app = express()
      .use(require('cookie-session')({ name: 'c', keys: ['k'] }))
      .get('/', (req, res) => {
        req.session.n = (req.session.n || 0) + 1;
        res.json(req.session.n);
      });
    return serve(app, (hit) => each(hit, 'GET /', 'GET /'));
  },
  compression: () => {
    const app = express()
      .use(require('compression')({ threshold: 10 }))
      .get('/', (_req, res) => res.send('x'.repeat(2000)))
      .get('/small', (_req, res) => res.send('x'));
    return serve(app, (hit) =>
      each(hit, ['GET /', { headers: { 'accept-encoding': 'gzip' } }], 'GET /small'),
    );
  },
  'method-override': () => {
    const app = express()
      .use(require('method-override')('_method'))
      .delete('/', (req, res) => res.send(`${req.method} ${req.originalMethod}`));
    return serve(app, (hit) => each(hit, 'POST /?_method=DELETE', 'POST /'));
  },
  'express-basic-auth': () => {
    const app = express()
      .use(require('express-basic-auth')({ users: { a: 'b' }, challenge: true }))
      .get('/', (req, res) => res.json(req.auth));
    return serve(app, (hit) =>
      each(hit, 'GET /', [
        'GET /',
        { headers: { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` } },
      ]),
    );
  },
  'express-handlebars': () => {
    writeFileSync(join(context.tmp, 'home.handlebars'), 'Hello {{name}} {{#each list}}{{this}} {{/each}}');
    const app = express()
      .engine('handlebars', require('express-handlebars').engine({ defaultLayout: false }))
      .set('views', context.tmp)
      .set('view engine', 'handlebars');
    app
      .get('/', (_req, res) => {
        res.locals.name = 'Ada';
        res.render('home', { list: [1, 2] });
      })
      .get('/none', (_req, res) => res.render('none'))
      .use(failed);
    return serve(app, (hit) => each(hit, 'GET /', 'GET /none'));
  },
  ejs: () => {
    writeFileSync(join(context.tmp, 'page.ejs'), '<%= settings.env %> <%= title %> <%- include("part") %>');
    writeFileSync(join(context.tmp, 'part.ejs'), '<b>part</b>');
    const app = express()
      .set('views', context.tmp)
      .set('view engine', 'ejs')
      .get('/', (_req, res) => res.render('page', { title: '<t>' }));
    return serve(app, (hit) => each(hit, 'GET /'));
  },
  'connect-flash': () => {
    const app = express().use(
      require('express-session')({ secret: 's', resave: false, saveUninitialized: true }),
      require('connect-flash')(),
    );
    app
      .get('/set', (req, res) => {
        req.flash('info', 'hello');
        res.redirect('/get');
      })
      .get('/get', (req, res) => res.json(req.flash()));
    return serve(app, (hit) => each(hit, 'GET /set', 'GET /get', 'GET /get'));
  },
  'express-fileupload': () => {
    const app = express()
      .use(require('express-fileupload')())
      .post('/', (req, res) =>
        res.json(Object.values(req.files ?? {}).map(({ name, size }) => [name, size])),
      );
    return serve(app, (hit) =>
      each(
        hit,
        [
          'POST /',
          {
            headers: { 'content-type': 'multipart/form-data; boundary=x' },
            body: '--x\r\nContent-Disposition: form-data; name="file"; filename="f.txt"\r\n\r\ntext\r\n--x--\r\n',
          },
        ],
        'POST /',
      ),
    );
  },
  'json-server': () => {
    const server = require('json-server');
    const app = server.create();
    app.use(
      server.defaults({ logger: false, static: context.tmp }),
      server.rewriter({ '/api/*': '/$1', '/article\\?id=:id': '/posts/:id' }),
    );
    app.use(
      server.router({
        posts: [
          { id: 1, title: 'a', by: 'x' },
          { id: 2, title: 'b', by: 'y' },
        ],
        profile: { name: 'n' },
      }),
    );
    return serve(app, (hit) =>
      each(
        hit,
        'GET /posts',
        'GET /posts?by=y',
        'GET /api/posts/1',
        'GET /article?id=2',
        ['POST /posts', { json: { title: 'c' } }],
        ['PATCH /posts/1', { json: { title: 'z' } }],
        'DELETE /posts/2',
        'GET /posts?_sort=title&_order=desc&_page=1&_limit=1',
        'GET /profile',
        'GET /db',
        'GET /none/1',
      ),
    );
  },
  errorhandler: () => {
    const app = express()
      .get('/', () => {
        throw Object.assign(new Error('boom'), { status: 418 });
      })
      .use(require('errorhandler')({ log: false }));
    return serve(app, (hit) =>
      each(
        hit,
        ['GET /', { headers: { accept: 'application/json' } }],
        ['GET /', { headers: { accept: 'text/plain' } }],
      ),
    );
  },
  'response-time': () =>
    serve(
      express()
        .use(require('response-time')())
        .get('/', (_req, res) => res.send('ok')),
      (hit) => each(hit, 'GET /'),
    ),
  vhost: () => {
    const app = express().use(
      require('vhost')(
        '*.example.com',
        express().get('/', (req, res) => res.json([req.vhost[0], req.hostname])),
      ),
    );
    return serve(app, (hit) =>
      each(
        hit,
        ['GET /', { headers: { host: 'a.example.com' } }],
        ['GET /', { headers: { host: 'example.org' } }],
      ),
    );
  },
  'express-mung': () => {
    const app = express()
      .use(require('express-mung').json((body) => ({ ...body, added: 1 })))
      .get('/', (_req, res) => res.json({ a: 1 }));
    return serve(app, (hit) => each(hit, 'GET /'));
  },
  'express-graphql': () => {
    const { buildSchema } = require('graphql');
    const { graphqlHTTP } = require('express-graphql');
    const app = express().use(
      '/graphql',
      graphqlHTTP({
        schema: buildSchema('type Query { hello(name: String): String }'),
        rootValue: { hello: ({ name }) => `Hello ${name}` },
      }),
    );
    return serve(app, (hit) =>
      each(
        hit,
        `GET /graphql?query=${encodeURIComponent('{hello(name:"a")}')}`,
        ['POST /graphql', { json: { query: '{hello(name:"b")}' } }],
        ['POST /graphql', { json: { query: '{none}' } }],
      ),
    );
  },
  'apollo-server-express': async () => {
    const { ApolloServer, AuthenticationError, UserInputError } = require('apollo-server-express');
    const names = ['a'];
    const server = new ApolloServer({
      typeDefs: `
        type Query { names: [String] me: String slow(name: String!): String }
        type Mutation { add(name: String!): Int }
      `,
      resolvers: {
        Query: {
          names: () => names,
          me: (_parent, _args, { user }) => {
            if (!user) throw new AuthenticationError('who?');
            return user;
          },
          slow: async (_parent, { name }) => name,
        },
        Mutation: {
          add: (_parent, { name }) => {
            if (!name) throw new UserInputError('no name', { name });
            return names.push(name);
          },
        },
      },
      context: ({ req, res }) => {
        res.set('X-Context', req.originalUrl);
        return { user: req.get('x-user') };
      },
      csrfPrevention: true,
      cache: 'bounded',
      debug: false,
      introspection: true,
      stopOnTerminationSignals: false,
    });
    await server.start();
    const app = express();
    server.applyMiddleware({ app, cors: { origin: 'http://a.example' }, bodyParserConfig: { limit: 500 } });
    app.use('/other/:tenant', server.getMiddleware({ path: '/', disableHealthCheck: true }));
    app.get('*', (_req, res) => res.status(404).send('none'));
    app.use(failed);
    const ask = (query, variables, headers) => ['POST /graphql', { json: { query, variables }, headers }];
    try {
      return await serve(app, (hit) =>
        each(
          hit,
          ask('{ names }'),
          ask('mutation ($name: String!) { add(name: $name) }', { name: 'b' }),
          ask('{ names me }'),
          ask('{ me }', {}, { 'x-user': 'ada' }),
          ask('mutation { add(name: "") }'),
          ask('{ none }'),
          ask('{ names', {}),
          ask('{ slow }'),
          ask('{ names }', { long: 'x'.repeat(500) }),
          [
            `GET /graphql?query=${encodeURIComponent('{names}')}`,
            { headers: { 'x-apollo-operation-name': 'a' } },
          ],
          [`GET /graphql?query=${encodeURIComponent('{names}')}`],
          [
            `GET /graphql?query=${encodeURIComponent('mutation{add(name:"c")}')}`,
            { headers: { 'apollo-require-preflight': '1' } },
          ],
          ['GET /graphql', { headers: { accept: 'text/html' } }],
          ['POST /graphql', { body: '{', headers: { 'content-type': 'application/json' } }],
          [
            'POST /graphql',
            { body: '{}', headers: { 'content-type': 'application/xml', 'apollo-require-preflight': '1' } },
          ],
          ['PUT /graphql', { json: { query: '{names}' } }],
          [
            'OPTIONS /graphql',
            { headers: { origin: 'http://a.example', 'access-control-request-method': 'POST' } },
          ],
          ['POST /other/t1', { json: { query: '{ names }' } }],
          'GET /.well-known/apollo/server-health',
          'GET /none',
        ),
      );
    } finally {
      await server.stop();
    }
  },
  '@nestjs/platform-express': async () => {
    const app = await createNestApplication();
    const part = (name, text, file) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file}"\r\nContent-Type: text/plain` : ''}\r\n\r\n${text}\r\n`;
    const upload = (...parts) => ({
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: `${parts.join('')}--x--\r\n`,
    });
    try {
      return await serve(app.getHttpAdapter().getInstance(), (hit) =>
        each(
          hit,
          'GET /v1/cats?tag=a&tag=b',
          'GET /v2/cats',
          'GET /v3/cats',
          'GET /cats',
          'GET /v1/cats/7',
          'GET /v1/cats/x',
          'GET /v1/cats/13',
          'HEAD /v1/cats/7',
          'OPTIONS /v1/cats/7',
          'DELETE /v1/cats/7',
          ['POST /v1/cats', { json: { mail: 'a@example.com', age: '3' } }],
          ['POST /v1/cats', { json: { mail: 'none', age: 'x', more: 1 } }],
          ['POST /v1/cats', { body: '{', headers: { 'content-type': 'application/json' } }],
          'GET /v1/cats/admin/secret',
          ['GET /v1/cats/admin/secret', { headers: { 'x-role': 'admin' } }],
          'GET /v1/cats/go/away',
          'GET /v1/cats/fails/now',
          'GET /v1/cats/fails/teapot',
          'GET /v1/cats/files/a/b',
          'GET /v1/cats/raw/response',
          'GET /v1/cats/raw/stream',
          'GET /v1/cats/raw/events',
          'GET /v1/cats/raw/page',
          ['POST /v1/cats/file', upload(part('name', 'Tom'), part('file', 'text', 'f.txt'))],
          ['POST /v1/cats/file', upload(part('file', 'x'.repeat(100), 'f.txt'))],
          ['POST /v1/cats/file', upload(part('other', 'text', 'f.txt'))],
          ['POST /v1/cats/files', upload(part('file', '1', 'a.txt'), part('file', '2', 'b.txt'))],
          'GET /static/home.txt',
          'GET /v1/none',
        ),
      );
    } finally {
      await app.close();
    }
  },
  hpp: () => {
    const app = express()
      .use(require('hpp')())
      .get('/', (req, res) => res.json([req.query, req.queryPolluted]));
    return serve(app, (hit) => each(hit, 'GET /?a=1&a=2&b[]=3'));
  },
};

/** The statuses of the responses of Express 4. */
const STATUSES = {
  'express-async-errors': [500, 200, 500, 500, 404],
  'express-ws': [200],
  'express-promise-router': [200, 200, 500],
  'connect-history-api-fallback': [200, 404],
  csurf: [200, 200, 403],
  'express-list-endpoints': [],
  'swagger-ui-express': [301, 200, 200, 200],
  'http-proxy-middleware': [200, 200, 404],
  multer: [200, 500],
  'express-session': [200, 200, 200],
  passport: [401, 302, 302, 200],
  'express-validator': [200, 200],
  'express-rate-limit': [200, 200, 429],
  'express-slow-down': [200, 200],
  helmet: [200],
  cors: [204, 200],
  'cookie-session': [200, 200],
  compression: [200, 200],
  'method-override': [200, 404],
  'express-basic-auth': [401, 200],
  'express-handlebars': [200, 500],
  ejs: [200],
  'connect-flash': [302, 200, 200],
  'express-fileupload': [200, 200],
  'json-server': [200, 200, 200, 200, 201, 200, 200, 200, 200, 200, 404],
  errorhandler: [418, 418],
  'response-time': [200],
  vhost: [200, 404],
  'express-mung': [200],
  'express-graphql': [200, 200, 400],
  'apollo-server-express': [
    200, 200, 200, 200, 200, 400, 400, 400, 413, 200, 400, 405, 200, 400, 400, 405, 204, 200, 200, 404,
  ],
  '@nestjs/platform-express': [
    200, 200, 404, 404, 200, 400, 404, 200, 204, 204, 202, 400, 400, 403, 200, 302, 500, 418, 200, 206, 200,
    200, 200, 201, 413, 400, 201, 200, 404,
  ],
  hpp: [200],
};

/** Values that differ in each run: times, entity tags of files, ids of sessions, tokens. */
const MASK = [
  /\w+, \d\d[- ]\w+[- ]\d{4} [\d:]+ GMT/g,
  /W\/"[^"]+"/g,
  /(?<=(connect\.sid|session\.sig|_csrf)=)[^;]+/g,
  /^\d+\.\d+ms$/g,
  /^[\w-]{36}$/g,
];

for (const [name, play] of Object.entries(cases)) {
  module.exports[`${name} for Express 4`] = {
    shows: 'used as its documentation shows',
    mask: MASK,
    async app(given) {
      context = given;
      await play();
    },
    play() {},
    statuses4: STATUSES[name],
  };
}

/** The tests that an application publishes: their files, by name of the package. */
const SUITES = {
  apimocker: ['test/*.js'],
  drakov: ['test/api/*-test.js', 'test/unit/*-test.js'],
};

for (const [name, files] of Object.entries(SUITES)) {
  module.exports[`${name} with its tests`] = {
    shows: 'passes the tests that the package contains',
    uses: ['mocha'],
    seconds: 600,
    app: ({ note }) => note('tests', testsOf(name, files)),
    play() {},
    statuses4: [],
  };
}

/** Runs the tests of a package. @returns Their titles. @throws Error if one fails. */
function testsOf(name, files) {
  const modules = join(__dirname, '..', 'node_modules');
  const mocha = join(modules, 'mocha', 'bin', '_mocha');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [mocha, '--exit', '--timeout', '60000', '--reporter', 'json', ...files],
    { cwd: join(modules, name), encoding: 'utf8' },
  );
  const start = stdout.indexOf('{\n  "stats"');
  if (start < 0) throw new Error(`mocha ran no test: ${stdout}${stderr}`);
  const { failures, passes, pending } = JSON.parse(stdout.slice(start));
  for (const { fullTitle, err } of failures) throw new Error(`${fullTitle}: ${err.message}`);
  return { passed: passes.map(({ fullTitle }) => fullTitle), pending: pending.length };
}
