// Runs packages for Express 4, and sends the results to the parent process, scripts/ecosystem4.ts.
//
//   node play.cjs express|nozomi <path of dist>
const Module = require('node:module');
const http = require('node:http');
const path = require('node:path');
const { once } = require('node:events');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');

const [, , implementation, dist] = process.argv;
const tmp = mkdtempSync(path.join(tmpdir(), 'ecosystem4-'));
process.on('exit', () => rmSync(tmp, { recursive: true, force: true }));
process.on('deprecation', () => {});
process.on('unhandledRejection', (reason) => console.error('unhandled', reason));

// `require('express')` loads this package, as after `npm install express@npm:nozomi@4`.
if (implementation === 'nozomi') {
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function resolveFilename(request, ...rest) {
    if (request === 'express') return path.join(dist, 'express4/index.js');
    const [, file] = /^express\/(lib\/.*)$/.exec(request) ?? [];
    return Reflect.apply(resolve, this, [file ? path.join(dist, 'express4', file) : request, ...rest]);
  };
}
const express = require('express');

/** Serves an application while `use` runs. `use` receives a function that sends requests and keeps cookies. */
async function serve(app, use) {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cookies = new Map();
  const hit = (line, { headers = {}, body, json, form } = {}) =>
    new Promise((done, fail) => {
      const [method, target] = line.split(' ');
      const content = json ? JSON.stringify(json) : form ? new URLSearchParams(form).toString() : body;
      const type = json ? 'application/json' : form ? 'application/x-www-form-urlencoded' : undefined;
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const all = {
        connection: 'close',
        ...(type && { 'content-type': type }),
        ...(cookie && { cookie }),
        ...headers,
      };
      const req = http.request(
        { port: server.address().port, host: '127.0.0.1', method, path: target, headers: all, agent: false },
        (res) => {
          const chunks = [];
          res.on('data', (chunk) => chunks.push(chunk));
          res.on('end', () => {
            for (const each of res.headers['set-cookie'] ?? []) {
              const [, name, value] = /^([^=]+)=([^;]*)/.exec(each);
              cookies.set(name, value);
            }
            const {
              'set-cookie': set,
              date,
              'x-response-time': time,
              etag,
              'last-modified': modified,
              ...headers
            } = res.headers;
            if (headers['x-powered-by'] === 'Nozomi') headers['x-powered-by'] = 'Express';
            for (const name of ['location', 'link'])
              if (headers[name])
                headers[name] = headers[name].replaceAll(`:${server.address().port}/`, ':<port>/');
            if (set) headers['set-cookie'] = set.map((each) => each.split('=')[0]);
            const text = Buffer.concat(chunks)
              .toString()
              .replace(/<pre>[^<]*(<br>.*?)<\/pre>/s, '<pre>stack</pre>');
            done({ status: res.statusCode, headers, body: text.replaceAll(tmp, '<tmp>').slice(0, 4000) });
          });
        },
      );
      req.on('error', fail);
      req.setTimeout(3000, () => req.destroy(new Error('no response')));
      req.end(content);
    });
  try {
    return await use(hit, server);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const each = (hit, ...lines) =>
  lines.reduce(
    async (all, line) => [...(await all), await (Array.isArray(line) ? hit(...line) : hit(line))],
    Promise.resolve([]),
  );

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

  writeFileSync(path.join(tmp, 'home.txt'), 'home');
  writeFileSync(path.join(tmp, 'nest.ejs'), '<h1><%= title %></h1>');
  const app = await NestFactory.create(AppModule, { logger: false, cors: true });
  app.enableVersioning({ type: nest.VersioningType.URI });
  app.useGlobalFilters(new TeapotFilter());
  app.setBaseViewsDir(tmp);
  app.setViewEngine('ejs');
  app.useStaticAssets(tmp, { prefix: '/static/' });
  return app.init();
}

const quiet = (app) => app.set('env', 'test');
const create = () => quiet(express());
const failed = (err, _req, res, _next) =>
  res.status(err.status || err.statusCode || 500).json({ message: err.message });

const cases = {
  'express-async-errors': async () => {
    require('express-async-errors');
    const app = create();
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
    const app = create();
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
      return [String(text), await hit('GET /')];
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
    return serve(create().use(router).use(failed), (hit) => each(hit, 'GET /ok', 'GET /next', 'GET /fails'));
  },
  'connect-history-api-fallback': () => {
    writeFileSync(path.join(tmp, 'index.html'), '<p>page');
    const app = create().use(require('connect-history-api-fallback')()).use(express.static(tmp));
    return serve(app, (hit) =>
      each(
        hit,
        ['GET /some/route', { headers: { accept: 'text/html' } }],
        ['GET /x.js', { headers: { accept: '*/*' } }],
      ),
    );
  },
  csurf: () => {
    const app = create()
      .use(require('cookie-parser')())
      .use(express.urlencoded({ extended: false }))
      .use(require('csurf')({ cookie: true }));
    app.get('/form', (req, res) => res.send(req.csrfToken()));
    app.post('/form', (_req, res) => res.send('taken'));
    app.use(failed);
    return serve(app, async (hit) => {
      const { body: token, status } = await hit('GET /form');
      return [
        status,
        await hit('POST /form', { form: { _csrf: token } }),
        await hit('POST /form', { form: { _csrf: 'no' } }),
      ];
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
    const app = create()
      .get(['/a', '/b'], () => {})
      .use('/inner', inner)
      .use('/v1/:kind', deep)
      .get(/^\/re/, () => {});
    app
      .route('/both')
      .get(function named() {})
      .put(() => {});
    return list(app);
  },
  'swagger-ui-express': () => {
    const ui = require('swagger-ui-express');
    const app = create().use(
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
      return await serve(create().use('/api', proxy), (hit) =>
        each(hit, 'GET /api/users?a=1', 'POST /api/x', 'GET /other'),
      );
    } finally {
      target.close();
    }
  },
  multer: () => {
    const multer = require('multer');
    const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 20 } });
    const app = create().post('/', upload.single('file'), (req, res) =>
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
    const app = create().use(
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
    const app = create().use(
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
    const app = create()
      .use(express.json())
      .post('/', body('mail').isEmail(), query('n').toInt().default(1), (req, res) =>
        res.json([validationResult(req).array(), req.query]),
      );
    return serve(app, (hit) =>
      each(hit, ['POST /?n=3', { json: { mail: 'x' } }], ['POST /', { json: { mail: 'a@b.de' } }]),
    );
  },
  'express-rate-limit': () => {
    const app = create()
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
    const app = create()
      .use(require('express-slow-down')({ windowMs: 60_000, delayAfter: 1, delayMs: 10 }))
      .get('/', (req, res) => res.json(req.slowDown.current));
    return serve(app, (hit) => each(hit, 'GET /', 'GET /'));
  },
  helmet: () =>
    serve(
      create()
        .use(require('helmet')())
        .get('/', (_req, res) => res.send('ok')),
      (hit) => each(hit, 'GET /'),
    ),
  cors: () => {
    const app = create()
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
    const app = create()
      .use(require('cookie-session')({ name: 'c', keys: ['k'] }))
      .get('/', (req, res) => {
        req.session.n = (req.session.n || 0) + 1;
        res.json(req.session.n);
      });
    return serve(app, (hit) => each(hit, 'GET /', 'GET /'));
  },
  compression: () => {
    const app = create()
      .use(require('compression')({ threshold: 10 }))
      .get('/', (_req, res) => res.send('x'.repeat(2000)))
      .get('/small', (_req, res) => res.send('x'));
    return serve(app, async (hit) =>
      (await each(hit, ['GET /', { headers: { 'accept-encoding': 'gzip' } }], 'GET /small')).map(
        ({ status, headers }) => [status, headers],
      ),
    );
  },
  'method-override': () => {
    const app = create()
      .use(require('method-override')('_method'))
      .delete('/', (req, res) => res.send(`${req.method} ${req.originalMethod}`));
    return serve(app, (hit) => each(hit, 'POST /?_method=DELETE', 'POST /'));
  },
  'express-basic-auth': () => {
    const app = create()
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
    writeFileSync(path.join(tmp, 'home.handlebars'), 'Hello {{name}} {{#each list}}{{this}} {{/each}}');
    const app = create()
      .engine('handlebars', require('express-handlebars').engine({ defaultLayout: false }))
      .set('views', tmp)
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
    writeFileSync(path.join(tmp, 'page.ejs'), '<%= settings.env %> <%= title %> <%- include("part") %>');
    writeFileSync(path.join(tmp, 'part.ejs'), '<b>part</b>');
    const app = create()
      .set('views', tmp)
      .set('view engine', 'ejs')
      .get('/', (_req, res) => res.render('page', { title: '<t>' }));
    return serve(app, (hit) => each(hit, 'GET /'));
  },
  'connect-flash': () => {
    const app = create().use(
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
    const app = create()
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
    const app = quiet(server.create());
    app.use(
      server.defaults({ logger: false, static: tmp }),
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
    const app = create()
      .get('/', () => {
        throw Object.assign(new Error('boom'), { status: 418 });
      })
      .use(require('errorhandler')({ log: false }));
    return serve(app, async (hit) =>
      (
        await each(
          hit,
          ['GET /', { headers: { accept: 'application/json' } }],
          ['GET /', { headers: { accept: 'text/plain' } }],
        )
      ).map(({ status, headers }) => [status, headers['content-type']]),
    );
  },
  'response-time': () =>
    serve(
      create()
        .use(require('response-time')())
        .get('/', (_req, res) => res.send('ok')),
      async (hit) => (await hit('GET /')).body,
    ),
  vhost: () => {
    const app = create().use(
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
    const app = create()
      .use(require('express-mung').json((body) => ({ ...body, added: 1 })))
      .get('/', (_req, res) => res.json({ a: 1 }));
    return serve(app, (hit) => each(hit, 'GET /'));
  },
  'express-graphql': () => {
    const { buildSchema } = require('graphql');
    const { graphqlHTTP } = require('express-graphql');
    const app = create().use(
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
    const app = create();
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
    const app = create()
      .use(require('hpp')())
      .get('/', (req, res) => res.json([req.query, req.queryPolluted]));
    return serve(app, (hit) => each(hit, 'GET /?a=1&a=2&b[]=3'));
  },
};

async function play() {
  const results = {};
  for (const [name, run] of Object.entries(cases)) {
    try {
      results[name] = JSON.parse(JSON.stringify(await run()) ?? 'null');
    } catch (error) {
      results[name] = `threw ${error.stack}`;
    }
  }
  return results;
}

play().then((results) =>
  process.send
    ? process.send(results, () => process.exit())
    : process.stdout.write(JSON.stringify(results), () => process.exit()),
);
