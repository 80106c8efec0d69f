/** Scenarios for the question which handlers are called, and in which order. §1 */
import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import { createServer as createSecureServer, get as getSecurely, Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { del, get, head, options, post } from '../../parity/client/request';
import { type Framework, scenario } from '../../parity/scenario/scenario';

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
      get('/'),
      get('/%3Cscript%3E?x=<b>'),
      head('/'),
      post('/', { a: 1 }),
      options('/'),
      del('/a/b'),
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
          ...{ port, path: '/protocol', ciphers: 'PSK', pskCallback: () => ({ psk, identity: 'parity' }) },
          checkServerIdentity: () => undefined,
        };
        const [response] = await once(getSecurely(options), 'response');
        secure.close();
        res.send(await text(response));
      });
      app.get('/kind', (_req, res) => res.json([Server, SecureServer].map((kind) => app instanceof kind)));
      return createServer(app);
    },
    requests: [get('/protocol'), get('/over-https'), get('/kind')],
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
    requests: [get('/'), post('/')],
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
    requests: [get('/own'), get('/before'), get('/good')],
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
    requests: [get('/api'), get('/api/x?y'), get('/apiary'), get('/v1/api')],
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
    requests: [get('/late'), get('/other')],
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
    requests: ['/next', '/throw', '/reject', '/use', '/undefined', '/none'].map((path) => get(path)),
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
    requests: ['/escaped', '/status', '/bad-status', '/already', '/string', '/started'].map((path) =>
      get(path),
    ),
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
    requests: [get('/'), head('/'), post('/', 'unread body'), get('/exposed')],
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
      main.use(app);
      return main;
    },
    requests: [get('/r/route'), get('/r/router'), get('/out'), get('/r/none')],
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
      return app;
    },
    requests: [head('/plain'), get('/plain?x=y'), head('/before'), head('/after'), options('/before')],
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
    requests: [
      '/apple',
      '/apple/',
      '/apple/images/news',
      '/apple?x=1',
      '/APPLE/a',
      '/apples',
      '/applejack/x',
      '//apple',
      '/%61pple',
    ].map((path) => get(path)),
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
    requests: ['/api/users/7/items/9', '/v2/users/a%20b/second', '/api', '/v3/', '/api/none'].map((path) =>
      get(path),
    ),
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
    requests: ['/a/b', '/same/7', '/pages/2/3', '/router/9', '/other'].map((path) => get(path)),
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
    requests: [options('/a'), options('/b'), options('/r/x'), options('/none')],
  }),
];
