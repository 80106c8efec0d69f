/** Scenarios for the question which handlers are called, and in which order. §1 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, Server } from 'node:http';
import { createServer as createSecureServer, get as getSecurely, Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { del, get, head, options, post } from '../../parity/client/request';
import { expectGets } from '../../parity/scenario/routes';
import { type Framework, scenario } from '../../parity/scenario/scenario';
import { thenable } from '../support/thenable';

/** Creates middleware that adds `name` to the list `res.locals.trail`. */
function mark(name: string): RequestHandler {
  return (_req, res, next) => {
    res.locals.trail = [...(res.locals.trail ?? []), name];
    next();
  };
}

/** Responds with `res.locals.trail`, the URLs and the parameters, as JSON. */
function tell(req: Request, res: Response): void {
  const { url, baseUrl, originalUrl, params } = req;
  res.json({ trail: res.locals.trail ?? [], url, baseUrl, originalUrl, params });
}

/** What `tell` responds without a mount path and without parameters. */
const toldAt = (url: string, trail: string[] = []) => ({
  trail,
  url,
  baseUrl: '',
  originalUrl: url,
  params: {},
});

/** What middleware at /apple sees, and the handler after it. */
const insideOf = (url: string, originalUrl: string, path: string) => ({
  'x-inside': JSON.stringify([url, '/apple', originalUrl, path]),
  json: toldAt(originalUrl),
});

function withRouter(framework: Framework, shape: (router: ReturnType<Framework['Router']>) => void) {
  const app = framework();
  const router = framework.Router();
  shape(router);
  app.use('/r', router);
  app.use(mark('after'), tell);
  return app;
}

export default [
  scenario({
    name: 'an application without routes responds to every request with 404',
    clauses: ['F-1-01', 'F-1-02', 'F-1-13'],
    build: ({ framework }) => framework(),
    requests: [
      get('/').expect({ status: 404 }),
      get('/%3Cscript%3E?x=<b>').expect({ status: 404 }),
      head('/').expect({ status: 404 }),
      post('/', { a: 1 }).expect({ status: 404 }),
      options('/').expect({ status: 404 }),
      del('/a/b').expect({ status: 404 }),
    ],
  }),
  scenario({
    name: 'one application serves HTTP and HTTPS at the same time and is no server itself',
    clauses: ['F-1-03', 'F-1-04'],
    async build({ framework }) {
      const app = framework();
      app.get('/protocol', (req, res) => res.send(req.protocol));
      // A shared key (PSK) makes TLS possible without a certificate.
      const psk = Buffer.from('0123456789abcdef');
      const secure = createSecureServer({ pskCallback: () => psk, ciphers: 'PSK' }, app).listen(0);
      await once(secure, 'listening');
      app.get('/over-https', async (_req, res) => {
        const { port } = secure.address() as AddressInfo;
        const options = {
          port,
          path: '/protocol',
          ciphers: 'PSK',
          pskCallback: () => ({ psk, identity: 'parity' }),
          checkServerIdentity: () => undefined,
        };
        const [response] = await once(getSecurely(options), 'response');
        secure.close();
        res.send(await text(response));
      });
      app.get('/kind', (_req, res) => res.json([Server, SecureServer].map((kind) => app instanceof kind)));
      return createServer(app);
    },
    requests: expectGets({ '/protocol': 'http', '/over-https': 'https', '/kind': { json: [false, false] } }),
  }),
  scenario({
    name: 'callbacks run in registration order until one of them responds',
    clauses: ['F-1-05', 'F-1-06', 'F-1-14', 'F-1-15', 'F-1-16', 'F-1-20'],
    build({ framework }) {
      const app = framework();
      app.use(mark('use'));
      app.get('/', mark('first'), mark('second'));
      app.use('/', mark('use again'));
      app.get('/', tell);
      app.get('/', (_req, res) => res.send('never'));
      return app;
    },
    requests: [
      get('/').expect({ json: toldAt('/', ['use', 'first', 'second', 'use again']) }),
      post('/').expect({ status: 404 }),
    ],
  }),
  scenario({
    name: 'an error handler in a route receives only errors of the handlers before it',
    clauses: ['F-1-17', 'F-1-19', 'F-1-21', 'F-1-25'],
    build({ framework }) {
      const app = framework();
      const fail: RequestHandler = (req) => {
        throw new Error(`thrown by ${req.path}`);
      };
      const take = (err: Error, _req: Request, res: Response, _next: NextFunction) =>
        res.status(500).send(`taken: ${err.message}`);
      app.get('/own', fail, mark('skipped'), take, (_req: Request, res: Response) => res.send('never'));
      app.get('/before', take, fail);
      app.get('/own', (_req, res) => res.send('never'));
      app.get('/good', mark('first'), take, tell);
      app.use((err: Error, _req: Request, res: Response, _next: NextFunction) =>
        res.status(500).send(`left to the application: ${err.message}`),
      );
      return app;
    },
    requests: expectGets({
      '/own': { status: 500, body: 'taken: thrown by /own' },
      '/before': { status: 500, body: 'left to the application: thrown by /before' },
      '/good': { json: toldAt('/good', ['first']) },
    }),
  }),
  scenario({
    name: 'app.use matches only whole path segments with a regular expression',
    clauses: ['F-1-34', 'F-1-36', 'F-4.2-28'],
    build({ framework }) {
      const app = framework();
      app.use(/^\/api/, mark('api'), (req, res) => void res.json([req.baseUrl, req.url, res.locals.trail]));
      app.use((_req, res) => void res.send('not mounted'));
      return app;
    },
    requests: expectGets({
      '/api': { json: ['/api', '/', ['api']] },
      '/api/x?y': { json: ['/api', '/x?y', ['api']] },
      '/apiary': 'not mounted',
      '/v1/api': 'not mounted',
    }),
  }),
  scenario({
    name: 'the router does not call the next callback when a handler returns a fulfilled promise',
    clauses: ['F-1-15', 'F-1-20', 'F-1-26'],
    build({ framework }) {
      const app = framework();
      app.get('/late', async (_req, res) => {
        setTimeout(() => res.send('the first, later'), 20);
      });
      app.use(async (_req, _res, next) => next());
      app.use((_req, res) => void res.send('the second'));
      return app;
    },
    requests: expectGets({ '/late': 'the first, later', '/other': 'the second' }),
  }),
  scenario({
    name: 'an error skips regular callbacks and reaches callbacks with four parameters',
    clauses: ['F-1-17', 'F-1-18', 'F-1-19', 'F-1-21', 'F-1-25', 'F-1-26', 'F-1-27', 'F-1-28'],
    build({ framework }) {
      const app = framework();
      app.use((_err: Error, _req: Request, res: Response, _next: NextFunction) => res.send('too early'));
      app.get('/next', (_req, _res, next) => next(new Error('passed on')));
      app.get('/throw', () => {
        throw new Error('thrown');
      });
      app.get('/reject', async () => Promise.reject(new Error('rejected')));
      app.use('/use', async () => Promise.reject(new Error('rejected in use')));
      app.get('/undefined', async () => Promise.reject());
      app.use((_req, res) => void res.status(404).send('regular'));
      app.use((err: Error, _req: Request, _res: Response, _next: NextFunction) => {
        throw new Error(`again ${err.message}`);
      });
      app.use((err: Error, _req: Request, res: Response, _next: NextFunction) => {
        res.status(500).send(err.message);
      });
      return app;
    },
    requests: expectGets({
      '/next': { status: 500, body: 'again passed on' },
      '/throw': { status: 500, body: 'again thrown' },
      '/reject': { status: 500, body: 'again rejected' },
      '/use': { status: 500, body: 'again rejected in use' },
      '/undefined': { status: 500, body: 'again Rejected promise' },
      '/none': { status: 404, body: 'regular' },
    }),
  }),
  scenario({
    name: 'the final handler sends the error with its status and headers',
    clauses: ['F-1-25', 'F-1-26'],
    build({ framework }) {
      const app = framework();
      app.get('/escaped', () => {
        throw new Error('<b>  broken</b>');
      });
      app.get('/status', () => {
        throw Object.assign(new Error('teapot'), {
          status: 418,
          headers: { 'X-Kind': 'china', 'Retry-After': '1' },
        });
      });
      app.get('/bad-status', () => {
        throw Object.assign(new Error('odd'), { status: 200 });
      });
      app.get('/already', (_req, res) => {
        res.status(503).set({ 'Content-Encoding': 'x', 'X-Stays': 'no' });
        throw new Error('late');
      });
      app.get('/string', (_req, _res, next) => next('a string'));
      app.get('/started', (_req, res) => {
        res.write('started');
        throw new Error('in the middle');
      });
      return app;
    },
    requests: expectGets({
      '/escaped': { status: 500, body: /<pre>Error: &lt;b&gt; &nbsp;broken&lt;\/b&gt;<br> &nbsp; &nbsp;at / },
      '/status': { status: 418, 'x-kind': 'china', 'retry-after': '1' },
      '/bad-status': { status: 500 },
      '/already': { status: 503, 'x-stays': 'no', 'content-encoding': undefined },
      '/string': { status: 500, body: /<pre>a string<\/pre>/ },
      '/started': { status: 200, body: 'started', outcome: 'closed' },
    }),
  }),
  scenario({
    name: 'the final handler sends only the status message in production',
    clauses: ['F-1-25'],
    env: { NODE_ENV: 'production' },
    build({ framework }) {
      const app = framework();
      app.get('/', () => {
        throw new Error('secret');
      });
      app.get('/exposed', () => {
        throw Object.assign(new Error('secret'), { status: 409, expose: true });
      });
      return app;
    },
    requests: [
      get('/').expect({ status: 500, body: /<pre>Internal Server Error<\/pre>/ }),
      head('/').expect({ status: 500, body: '' }),
      post('/', 'unread body').expect({ status: 404 }),
      get('/exposed').expect({ status: 409, body: /<pre>Conflict<\/pre>/ }),
    ],
  }),
  scenario({
    name: "next('route') leaves the route, next('router') leaves the router",
    clauses: ['F-1-08', 'F-1-22', 'F-1-23', 'F-1-24'],
    build({ framework }) {
      const app = withRouter(framework, (router) => {
        router.get('/route', mark('a'), (_req, _res, next) => next('route'), mark('skipped'));
        router.get('/route', mark('b'), tell);
        router.get('/router', mark('a'), (_req, _res, next) => next('router'));
        router.get('/router', mark('skipped'), tell);
      });
      const main = framework();
      main.get('/out', (_req, _res, next) => next('router'));
      main.get('/out', tell);
      const sub = framework();
      sub.use(mark('sub'), (_req, _res, next) => next('router'), mark('skipped'));
      main.use('/sub', sub, mark('parent'), tell);
      main.use(app);
      return main;
    },
    requests: [
      get('/r/route').expect({
        json: { ...toldAt('/route', ['a', 'b']), baseUrl: '/r', originalUrl: '/r/route' },
      }),
      get('/r/router').expect({ json: toldAt('/r/router', ['a', 'after']) }),
      get('/out').expect({ status: 404 }),
      get('/r/none').expect({ json: toldAt('/r/none', ['after']) }),
      get('/sub').expect({
        json: { ...toldAt('/', ['sub', 'parent']), baseUrl: '/sub', originalUrl: '/sub' },
      }),
    ],
  }),
  scenario({
    name: 'a GET route handles HEAD requests unless a HEAD route is registered first',
    clauses: ['F-1-29', 'F-1-30', 'F-1-31', 'F-1-32'],
    build({ framework }) {
      const app = framework();
      app.get('/plain', (_req, res) => res.send('plain'));
      app.head('/before', (_req, res) => void res.set('X-By', 'head').end());
      app.get('/before', (_req, res) => res.set('X-By', 'get').send('before'));
      app.get('/after', (_req, res) => res.set('X-By', 'get').send('after'));
      app.head('/after', (_req, res) => void res.set('X-By', 'head').end());
      app
        .route('/same')
        .get((_req, res) => void res.set('X-By', 'get').end())
        .head((_req, res) => void res.set('X-By', 'head').end());
      return app;
    },
    requests: [
      head('/plain').expect({ status: 200, 'content-length': '5', body: '' }),
      get('/plain?x=y').expect({ body: 'plain' }),
      head('/before').expect({ 'x-by': 'head' }),
      head('/after').expect({ 'x-by': 'get' }),
      options('/before').expect({ allow: 'GET, HEAD' }),
      head('/same').expect({ 'x-by': 'head' }),
    ],
  }),
  scenario({
    name: 'app.use matches whole segments of the mount path and removes them from req.url',
    clauses: ['F-1-33', 'F-1-34', 'F-1-35', 'F-1-36', 'F-1-37', 'F-1-38', 'F-1-39'],
    build({ framework }) {
      const app = framework();
      app.use('/apple', (req, res, next) => {
        res.set('X-Inside', JSON.stringify([req.url, req.baseUrl, req.originalUrl, req.path]));
        next();
      });
      app.use(tell);
      return app;
    },
    requests: expectGets({
      '/apple': insideOf('/', '/apple', '/'),
      '/apple/': insideOf('/', '/apple/', '/'),
      '/apple/images/news': insideOf('/images/news', '/apple/images/news', '/images/news'),
      '/apple?x=1': insideOf('/?x=1', '/apple?x=1', '/'),
      '/APPLE/a': { 'x-inside': '["/a","/APPLE","/APPLE/a","/a"]', json: toldAt('/APPLE/a') },
      '/apples': { 'x-inside': undefined, json: toldAt('/apples') },
      '/applejack/x': { 'x-inside': undefined, json: toldAt('/applejack/x') },
      '//apple': { 'x-inside': undefined, json: toldAt('//apple') },
      '/%61pple': { 'x-inside': undefined, json: toldAt('/%61pple') },
      '/x/apple': { 'x-inside': undefined, json: toldAt('/x/apple') },
    }),
  }),
  scenario({
    name: 'nested applications and routers each have their own req.baseUrl',
    clauses: ['F-1-07', 'F-1-08', 'F-1-38', 'F-1-40', 'F-1-42'],
    build({ framework }) {
      const [app, sub, router] = [framework(), framework(), framework.Router({ mergeParams: true })];
      const second = framework.Router();
      router.use(mark('router'));
      router.get('/items/:item', tell);
      second.get('/second', mark('second'), tell);
      sub.use('/users/:user', router, second);
      sub.get('/', mark('sub'), tell);
      app.use(['/api', '/v:version'], sub);
      app.use(mark('app'), tell);
      return app;
    },
    requests: expectGets({
      '/api/users/7/items/9': {
        json: {
          trail: ['router'],
          url: '/items/9',
          baseUrl: '/api/users/7',
          originalUrl: '/api/users/7/items/9',
          params: { user: '7', item: '9' },
        },
      },
      '/v2/users/a%20b/second': {
        json: {
          ...toldAt('/second', ['router', 'second']),
          baseUrl: '/v2/users/a%20b',
          originalUrl: '/v2/users/a%20b/second',
        },
      },
      '/api': { json: { ...toldAt('/', ['sub']), baseUrl: '/api', originalUrl: '/api' } },
      '/v3/': { json: { ...toldAt('/', ['sub']), baseUrl: '/v3', originalUrl: '/v3/' } },
      '/api/none': { json: toldAt('/api/none', ['app']) },
    }),
  }),
  scenario({
    name: 'app.param callbacks run once per value, and only for the router that registers them',
    clauses: [
      'F-1-43',
      'F-1-44',
      'F-1-45',
      'F-1-47',
      'F-1-48',
      'F-1-49',
      'F-1-50',
      'F-1-51',
      'F-1-52',
      'F-4.2-52',
    ],
    build({ framework }) {
      const app = framework();
      const router = framework.Router();
      const seen: string[] = [];
      const callback = (
        _req: Request,
        _res: Response,
        next: NextFunction,
        value: string,
        name: string,
      ): void => {
        seen.push(`${name}=${value}`);
        next();
      };
      app.param(['id', 'page'], callback);
      app.get('/:id/b', (_req, _res, next) => next());
      app.get('/a/:id', (_req, _res, next) => next());
      app.get('/same/:id', (_req, _res, next) => next());
      app.get('/same/:id', (_req, _res, next) => next());
      app.get('/pages/:page/:id', (_req, _res, next) => next());
      router.get('/:id', (_req, _res, next) => next());
      app.use('/router', router);
      app.use((_req, res) => {
        res.json(seen.splice(0));
      });
      return app;
    },
    requests: expectGets({
      '/a/b': { json: ['id=a', 'id=b'] },
      '/same/7': { json: ['id=7'] },
      '/pages/2/3': { json: ['page=2', 'id=3'] },
      '/router/9': { json: [] },
      '/other': { json: [] },
    }),
  }),
  scenario({
    name: 'the router responds to OPTIONS with the methods of all routes on the path',
    clauses: ['F-1-05'],
    build({ framework }) {
      const app = withRouter(framework, (router) => {
        router.put('/x', tell);
        router.delete('/x', tell);
      });
      const main = framework();
      main.get('/a', tell).post('/a', tell).all('/b', tell);
      main.use(app);
      return main;
    },
    requests: [
      options('/a').expect({ status: 200, allow: undefined, json: toldAt('/a', ['after']) }),
      options('/b').expect({ json: toldAt('/b') }),
      options('/r/x').expect({ allow: 'DELETE, PUT', body: 'DELETE, PUT' }),
      options('/none').expect({ json: toldAt('/none', ['after']) }),
    ],
  }),
  scenario({
    name: 'callbacks with three or five parameters do not receive an error, and are no error handlers',
    clauses: ['F-1-17', 'F-1-18', 'F-1-19'],
    build({ framework }) {
      const app = framework();
      const never = (name: string) => (_err: Error, _req: Request, res: Response, _next: NextFunction) =>
        res.send(`never ${name}`);
      const five = ((...[, , res]: [unknown, unknown, Response, unknown, unknown]) =>
        res.send('never five')) as unknown as RequestHandler;
      Object.defineProperty(five, 'length', { value: 5 });
      app.use(never('before'), five);
      app.get('/', mark('one'), (_req, _res, next) => next(new Error('broken')));
      app.use(mark('skipped'), five);
      app.use((_req: Request, res: Response, _next: NextFunction) => void res.send('never three'));
      app.use((err: Error, _req: Request, res: Response, next: NextFunction) => {
        mark('handler')(_req, res, () => next(err));
      });
      app.use((err: Error, _req: Request, res: Response, _next: NextFunction) => {
        res.json([res.locals.trail, String(err)]);
      });
      return app;
    },
    requests: [get('/').expect({ json: [['one', 'handler'], 'Error: broken'] })],
  }),
  ...(['get', 'use'] as const).map((method) =>
    scenario({
      name: `app.${method} handles promises of other libraries, errors of their then, and a thrown undefined`,
      clauses: ['F-1-25', 'F-1-26', 'F-1-27'],
      // The warning appears once in a process.
      alone: true,
      build({ framework }) {
        const app = framework();
        const handlers: Readonly<Record<string, () => unknown>> = {
          foreign: () => thenable((_resolve, reject) => reject('foreign')),
          throwing: () =>
            thenable(() => {
              throw new Error('then');
            }),
          undefined: () => {
            throw undefined;
          },
        };
        for (const [name, handler] of Object.entries(handlers)) {
          app[method](`/${name}`, handler as RequestHandler, mark('after'), tell);
        }
        app.use((err: Error, _req: Request, res: Response, _next: NextFunction) => {
          res.status(500).send(String(err));
        });
        return app;
      },
      requests: expectGets({
        '/foreign': { status: 500, body: 'foreign' },
        '/throwing': { status: 500, body: 'Error: then' },
        '/undefined': { status: 200, body: /"trail":\["after"\]/ },
      }),
      expect: ({ deprecations }) =>
        expect(deprecations).to.deep.equal([
          'router: handlers that are Promise-like are deprecated, use a native Promise instead',
        ]),
    }),
  ),
  scenario({
    name: 'an application routes by method and path, and a middleware of the first router runs for the second',
    clauses: ['F-1-05', 'F-1-08', 'F-1-09', 'F-1-10', 'F-1-11', 'F-1-12', 'F-1-40', 'F-1-42'],
    build({ framework, folder }) {
      const app = framework();
      app.get('/a', (_req, res) => void res.send('get a'));
      app.post('/a', (_req, res) => void res.send('post a'));
      app.get('/b', (_req, res) => void res.send('get b'));
      const [one, two] = [framework.Router(), framework.Router()];
      one.use(mark('one'));
      two.get('/b', tell);
      app.use('/x', one).use('/x', two);
      app.set('views', folder).engine('txt', (path, options, done) => {
        done(null, `${basename(path)} for ${(options as { name?: string }).name}`);
      });
      writeFileSync(join(folder, 'any.txt'), '');
      app.get('/view', (req, res) => void res.status(201).render('any.txt', { name: req.path }));
      const { json, raw, text, urlencoded, static: serve, Router } = framework;
      app.get('/built-in', (_req, res) => {
        res.json([json, raw, text, urlencoded, serve, Router].map((made) => typeof made));
      });
      return app;
    },
    requests: [
      get('/a').expect({ body: 'get a' }),
      post('/a').expect({ body: 'post a' }),
      get('/b').expect({ body: 'get b' }),
      post('/b').expect({ status: 404 }),
      get('/x/b').expect({ body: /"trail":\["one"\]/ }),
      get('/view').expect({ status: 201, body: 'any.txt for /view' }),
      get('/built-in').expect({ json: Array(6).fill('function') }),
    ],
  }),
  scenario({
    name: '10,000 synchronous middlewares, or handlers of one route, do not overflow the stack',
    clauses: ['F-1-20'],
    build({ framework }) {
      const app = framework();
      let calls = 0;
      const count: RequestHandler = (_req, _res, next) => {
        calls++;
        next();
      };
      for (let i = 0; i < 10_000; i++) app.use(count);
      app.get('/', Array<RequestHandler>(10_000).fill(count));
      app.get('/', (_req, res) => void res.send(`${calls}`));
      return app;
    },
    requests: [get('/').expect({ body: '20000' })],
  }),
];
