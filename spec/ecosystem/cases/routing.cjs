// Packages that read routers, rewrite requests or select routes.
const echo = (req, res) =>
  res.json({
    method: req.method,
    url: req.url,
    base: req.baseUrl,
    original: req.originalUrl,
    params: req.params,
  });

/** @returns An application with routes in nested routers. */
function mapped() {
  const express = require('express');
  const app = express();
  const inner = express.Router({ mergeParams: true });
  const outer = express.Router();
  inner.route('/deep/:id').get(echo).put(echo);
  outer.get('/', echo).post(['/a', '/b'], echo).all('/all', echo).use('/inner/:in', inner);
  return app
    .use(express.json())
    .get('/', function home(req, res) {
      echo(req, res);
    })
    .use('/api', outer)
    .get(/^\/re(.*)$/, echo)
    .get('/files/*path', echo)
    .delete('/opt{/:x}', echo);
}

module.exports = {
  'express-list-endpoints': {
    shows: 'lists paths, methods and middleware of nested routers',
    app({ note }) {
      const app = mapped();
      note('endpoints', require('express-list-endpoints')(app));
      return app;
    },
    async play({ get }) {
      await get('/api/inner/1/deep/2');
    },
    statuses: [200],
  },
  'express-list-routes': {
    shows: 'lists the routes of nested routers',
    app({ note }) {
      const app = mapped();
      note('routes', require('express-list-routes')(app, { logger: false }));
      return app;
    },
    async play({ get }) {
      await get('/api');
    },
    statuses: [200],
  },
  router: {
    shows: 'mounts the router that Express itself uses, and is mounted by it',
    app() {
      const Router = require('router');
      const own = Router({ mergeParams: true });
      own.param('id', (req, _res, next, id) => {
        req.params.id = `param ${id}`;
        next();
      });
      own.get('/:id', echo);
      const express = require('express');
      const back = Router();
      back.use('/back', express.Router().get('/:z', echo));
      return express().use('/own/:x', own).use(back);
    },
    async play({ get }) {
      for (const path of ['/own/1/2', '/back/3', '/none']) await get(path);
    },
    statuses: [200, 200, 404],
  },
  connect: {
    shows: 'mounts a connect application, and is mounted in one',
    app() {
      const connect = require('connect');
      const inside = connect().use('/hello', (req, res) => res.end(`connect ${req.url} ${req.originalUrl}`));
      const app = require('express')().use('/c', inside).get('/:id', echo);
      return require('node:http').createServer(
        connect()
          .use('/app', app)
          .use((_req, res) => res.end('outside')),
      );
    },
    async play({ get }) {
      for (const path of ['/app/c/hello/x', '/app/7', '/app/none/here', '/other']) await get(path);
    },
    statuses: [200, 200, 200, 200],
  },
  vhost: {
    shows: 'chooses applications by host name',
    app() {
      const express = require('express');
      const vhost = require('vhost');
      const sub = express().get('/', (req, res) =>
        res.json([req.vhost.host, req.vhost[0] ?? null, req.app.mountpath, req.hostname]),
      );
      return express()
        .use(vhost('*.users.test', sub))
        .use(vhost('mail.test', sub))
        .get('/', (_req, res) => res.send('main'));
    },
    async play({ get }) {
      for (const host of ['ann.users.test', 'mail.test:80', 'other.test'])
        await get('/', { headers: { Host: host } });
    },
    statuses: [200, 200, 200],
  },
  'express-subdomain': {
    shows: 'chooses routers by subdomain',
    app() {
      const express = require('express');
      const subdomain = require('express-subdomain');
      const router = express.Router().get('/', (req, res) => res.json(req.subdomains));
      return express()
        .use(subdomain('v1.api', router))
        .use(subdomain('*.wild', router))
        .get('/', (_req, res) => res.send('main'));
    },
    async play({ get }) {
      for (const host of ['v1.api.example.com', 'x.wild.example.com', 'example.com'])
        await get('/', { headers: { Host: host } });
    },
    statuses: [200, 200, 200],
  },
  'express-urlrewrite': {
    shows: 'rewrites URLs before and in routes',
    app() {
      const rewrite = require('express-urlrewrite');
      return require('express')()
        .use(rewrite(/^\/i(\w+)/, '/items/$1'))
        .use(rewrite('/old/:a', '/items/:a?from=old'))
        .get('/js/*path', rewrite('/items/js'))
        .get('/items/:id', echo);
    },
    async play({ get }) {
      for (const path of ['/i123', '/old/7', '/js/a/b']) await get(path);
    },
    statuses: [200, 200, 200],
  },
  'connect-slashes': {
    shows: 'redirects to the URL with a slash',
    app() {
      return require('express')().use(require('connect-slashes')(true)).get('/page/', echo);
    },
    async play({ get }) {
      await get('/page?a=1');
      await get('/page/');
    },
    statuses: [301, 200],
  },
  'method-override': {
    shows: 'reads the method from a header, the query or a function',
    app() {
      const override = require('method-override');
      const express = require('express');
      const app = express().use(
        override('X-HTTP-Method-Override'),
        override('_method', { methods: ['POST', 'GET'] }),
        express.urlencoded(),
        override((req) => req.body?._method),
      );
      return app.delete('/:id', echo).put('/:id', echo).post('/:id', echo);
    },
    async play({ get, post }) {
      await post('/1', { headers: { 'X-HTTP-Method-Override': 'DELETE' } });
      await get('/1?_method=PUT');
      await post('/1', { form: { _method: 'DELETE' } });
      await post('/1');
    },
    statuses: [200, 200, 200, 200],
  },
  'express-version-route': {
    shows: 'chooses handlers by version',
    app() {
      const versions = require('express-version-route');
      const say = (text) => (_req, res) => res.send(text);
      const app = require('express')().use((req, _res, next) => {
        req.version = req.get('X-Version');
        next();
      });
      return app.get(
        '/',
        versions.route(
          new Map([
            ['1.0', say('one')],
            ['2.0', say('two')],
            ['default', say('default')],
          ]),
        ),
      );
    },
    async play({ get }) {
      await get('/');
      await get('/', { headers: { 'X-Version': '2.0' } });
    },
    statuses: [200, 200],
  },
  'express-paginate': {
    shows: 'reads the page number from the query, creates links to other pages',
    app() {
      const paginate = require('express-paginate');
      const app = require('express')().use(
        (req, _res, next) => {
          Object.defineProperty(req, 'query', { value: { ...req.query }, writable: true });
          next();
        },
        paginate.middleware(10, 50),
      );
      return app.get('/', (req, res) =>
        res.json([
          req.query,
          req.skip,
          req.offset,
          res.locals.paginate.href({ page: 3 }),
          paginate.getArrayPages(req)(3, 5, req.query.page),
        ]),
      );
    },
    async play({ get }) {
      await get('/?page=2&limit=20&a=b');
    },
    statuses: [200],
  },
};
