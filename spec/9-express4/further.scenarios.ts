/** Scenarios for details of Express 4 that the applications in spec/express4.json do not cover. */
import { expect } from 'chai';
import type express4 from 'nozomi/4';
import { get, pipelined, post } from '../../parity/client/request';
import { express4Scenario } from '../../parity/scenario/scenario';

export default [
  express4Scenario({
    name: 'an error handler is not called without an error',
    clauses: ['E4-C16'],
    build({ framework }) {
      const app = framework();
      const onError: express4.ErrorRequestHandler = (err, _req, res, _next) => res.send(`failed: ${err}`);
      app.get('/route', onError).get('/route', (_req, res) => res.send('route'));
      app.get('/fails', (_req, _res, next) => next('text')).get('/fails', onError);
      app.use(onError);
      app.use((_req, res) => res.send('middleware'));
      return app;
    },
    requests: [get('/route'), get('/fails'), get('/')],
  }),
  express4Scenario({
    name: 'a route lists its methods, HEAD last',
    clauses: ['E4-C4'],
    build({ framework }) {
      const app = framework();
      const end: express4.RequestHandler = (_req, res) => res.end();
      const methodsOf = (route: object): unknown => (route as { _options(): string[] })._options();
      app.get('/', (_req, res) => {
        res.json([
          methodsOf(app.route('/a').get(end).put(end)),
          methodsOf(app.route('/b').head(end).get(end)),
          methodsOf(app.route('/c').post(end)),
        ]);
      });
      return app;
    },
    requests: [get('/')],
  }),
  express4Scenario({
    name: 'a new application sets each default once',
    clauses: ['E4-D1'],
    build({ framework }) {
      const calls: unknown[] = [];
      const { set } = framework.application;
      const counting = (app: unknown, args: unknown[]): unknown => {
        if (args.length > 1) calls.push(args[0]);
        return Reflect.apply(set, app, args);
      };
      Object.assign(framework.application, {
        set(this: unknown, ...args: unknown[]) {
          return counting(this, args);
        },
      });
      const app = framework();
      Object.assign(framework.application, { set });
      return app.get('/', (_req, res) => res.json(calls));
    },
    requests: [get('/')],
  }),
  express4Scenario({
    name: 'res.redirect accepts a status in text, and warns only of the order',
    clauses: ['E4-F9'],
    build({ framework }) {
      const app = framework();
      app.get('/', (_req, res) => res.redirect('/x', '301' as never));
      return app;
    },
    requests: [get('/').expect({ status: 301, location: '/x' })],
    expect: ({ deprecations }) =>
      expect(deprecations).to.deep.equal([
        'express: res.redirect(url, status): Use res.redirect(status, url) instead',
      ]),
  }),
  express4Scenario({
    name: 'a second call of res.links adds to the first',
    clauses: ['E4-F30'],
    build({ framework }) {
      const app = framework();
      app.get('/', (_req, res) => res.links({ next: '/2' }).links({ last: '/9', first: '/1' }).end());
      return app;
    },
    requests: [get('/')],
  }),
  express4Scenario({
    name: 'a library can replace the handler of a built-in layer',
    clauses: ['E4-A13'],
    build({ framework }) {
      const app = framework();
      const calls: string[] = [];
      app.get('/', (req, res) => res.json([calls.splice(0), req.query, typeof res.locals]));
      for (const layer of app._router?.stack.slice(0, 2) ?? []) {
        const { handle } = layer;
        layer.handle = (...args: unknown[]) => {
          calls.push(layer.name);
          return Reflect.apply(handle, undefined, args);
        };
      }
      return app;
    },
    requests: [get('/?a=1')],
  }),
  express4Scenario({
    name: 'an error of the query parser reaches the error handlers',
    clauses: ['E4-A13', 'E4-D1'],
    build({ framework }) {
      const app = framework();
      const parse = (text: string): unknown => {
        if (text) throw new Error(`cannot parse ${text}`);
        return { none: true };
      };
      app.set('query parser', parse);
      app.get('/', (req, res) => res.json(req.query));
      const onError: express4.ErrorRequestHandler = (err, req, res, _next) => {
        res.statusCode = 400;
        res.end(`${err.message}, ${typeof req.query}`);
      };
      app.use(onError);
      return app;
    },
    requests: [get('/'), get('/?a=1')],
  }),
  express4Scenario({
    name: 'layers before expressInit get the request and the response of Node.js',
    clauses: ['E4-A13', 'E4-A18'],
    build({ framework }) {
      const app = framework();
      app.use((req, res, next) => {
        const seen = [req.get, res.send, res.locals, res.getHeader('X-Powered-By')];
        req.headers['x-seen'] = seen.map((each) => typeof each).join(' ');
        next();
      });
      app.use((req, res) => {
        res.json([req.header('X-Seen'), req.query, typeof res.send, typeof res.get('X-Powered-By')]);
      });
      // Between `query` and `expressInit`.
      const stack = app._router?.stack ?? [];
      stack.splice(1, 0, ...stack.splice(2, 1));
      return app;
    },
    requests: [get('/?a=1'), pipelined(get('/?b=2'), get('/none'))],
  }),
  ...(['query', 'expressInit'] as const).map((name) =>
    express4Scenario({
      name: `a library can remove the layer ${name}`,
      clauses: ['E4-A13', 'E4-A18'],
      build({ framework }) {
        const app = framework();
        app.use((req, res) => {
          const seen = [typeof req.query, typeof req.get, typeof res.send, typeof res.locals];
          res.end([...seen, typeof res.getHeader('X-Powered-By')].join(' '));
        });
        const stack: ReadonlyArray<{ name: string }> = app._router?.stack ?? [];
        app._router?.stack.splice(stack.map((layer) => layer.name).indexOf(name), 1);
        return app;
      },
      requests: [get('/?a=1'), pipelined(get('/'), get('/'))],
    }),
  ),
  express4Scenario({
    name: 'body parsers call verify, and refuse anything but a function',
    clauses: ['E4-G12'],
    build({ framework }) {
      const app = framework();
      const verify = (_req: unknown, res: unknown, body: Buffer, encoding: string): void => {
        (res as express4.Response).set('X-Verified', `${body.length} ${encoding}`);
        if (body.includes('no')) throw Object.assign(new Error('refused'), { type: 'own' });
      };
      const refusals = (['json', 'raw', 'text', 'urlencoded'] as const).map((name) => {
        try {
          framework[name]({ verify: 'text' as never, extended: true });
          return 'accepted';
        } catch (err) {
          return String(err);
        }
      });
      app.get('/', (_req, res) => res.json(refusals));
      app.use(framework.json({ verify }), framework.text({ verify }));
      app.post('/', (req, res) => res.json([req.body]));
      const onError: express4.ErrorRequestHandler = (err, _req, res, _next) =>
        res.status(err.status).json([err.message, err.type, err.body]);
      return app.use(onError);
    },
    requests: [
      get('/'),
      post('/', { a: 1 }),
      post('/', { no: 1 }),
      post('/', 'text', { 'Content-Type': 'text/plain; charset=iso-8859-1' }),
      post('/', 'no', { 'Content-Type': 'text/plain' }),
    ],
  }),
  express4Scenario({
    name: 'body parsers read the types of the option type',
    clauses: ['E4-G10'],
    build({ framework }) {
      const app = framework();
      const types: Readonly<Record<string, unknown>> = {
        '/extension': 'txt',
        '/suffix': '+json',
        '/wildcard': 'text/*',
        '/list': ['application/x-a', 'json'],
        '/function': (req: express4.Request) => req.headers['content-type'] === 'no type',
        '/number': 5,
        '/none': '',
      };
      for (const [path, type] of Object.entries(types))
        app.use(path, framework.text({ type: type as never }));
      app.use((req, res) => res.json([req.body]));
      return app;
    },
    requests: ['/extension', '/suffix', '/wildcard', '/list', '/function', '/number', '/none'].flatMap(
      (path) =>
        ['text/plain', 'application/json', 'application/a+json', 'application/x-a; b=c', 'no type'].map(
          (type) => post(path, 'sent', { 'Content-Type': type }),
        ),
    ),
  }),
  express4Scenario({
    name: 'body parsers mark a request as read, and treat encodings as without inflate',
    clauses: ['E4-G3', 'E4-G9', 'E4-G17'],
    build({ framework }) {
      const app = framework();
      const parse = framework.text({ inflate: false });
      app.post('/read', (req, _res, next) => void req.on('end', next).resume());
      app.use(parse, framework.text({ type: () => true }));
      app.use((req, res) => res.json([(req as { _body?: boolean })._body, req.body]));
      const onError: express4.ErrorRequestHandler = (err, _req, res, _next) =>
        res.status(err.status).json([err.message, err.type, err.encoding]);
      return app.use(onError);
    },
    requests: ['/', '/read'].flatMap((path) =>
      ['identity', 'gzip', 'br', 'other'].map((encoding) =>
        post(path, 'sent', { 'Content-Type': 'text/plain', 'Content-Encoding': encoding }),
      ),
    ),
  }),
  express4Scenario({
    name: 'urlencoded refuses a parameterLimit that is not a positive number',
    clauses: ['E4-G7'],
    build({ framework }) {
      const app = framework();
      const limits = [1, 0, 0.5, -1, 2.7, Number.NaN, Infinity, null, '3', 'many'];
      for (const extended of [false, true])
        for (const limit of limits) {
          const path = `/${extended}/${limit}`;
          try {
            app.use(path, framework.urlencoded({ extended, parameterLimit: limit as never }));
          } catch (err) {
            app.use(path, (_req, res) => res.json(String(err)));
          }
        }
      app.use((req, res) => res.json(req.body));
      const onError: express4.ErrorRequestHandler = (err, _req, res, _next) =>
        res.status(err.status).json([err.message, err.type]);
      return app.use(onError);
    },
    requests: ['false', 'true'].flatMap((extended) =>
      ['1', '0', '0.5', '-1', '2.7', 'NaN', 'Infinity', 'null', '3', 'many'].flatMap((limit) =>
        ['a=1', 'a=1&b=2', 'a=1&b=2&c=3', 'a=1&b=2&c=3&d=4'].map((form) =>
          post(`/${extended}/${limit}`, form, { 'Content-Type': 'application/x-www-form-urlencoded' }),
        ),
      ),
    ),
  }),
  express4Scenario({
    name: 'req.fresh needs each validator of the request to match',
    clauses: ['E4-E12'],
    build({ framework }) {
      const app = framework();
      app.get('/both', (req, res) => {
        res.set({ ETag: '"one"', 'Last-Modified': 'Thu, 01 Jan 2015 00:00:00 GMT' });
        res.json([req.fresh, req.stale]);
      });
      app.get('/tag', (req, res) => res.set('ETag', 'W/"one"').json([req.fresh]));
      app.get('/date', (req, res) =>
        res.set('Last-Modified', 'Thu, 01 Jan 2015 00:00:00 GMT').json([req.fresh]),
      );
      app.get('/none', (req, res) => res.set('ETag', '').json([req.fresh]));
      return app;
    },
    requests: ['/both', '/tag', '/date', '/none'].flatMap((path) =>
      [undefined, '"one"', 'W/"one", "two"', '"two"', '*'].flatMap((tag) =>
        [undefined, 'Thu, 01 Jan 2015 00:00:00 GMT', 'Wed, 31 Dec 2014 00:00:00 GMT', 'soon'].map((date) =>
          get(path, {
            ...(tag === undefined ? {} : { 'If-None-Match': tag }),
            ...(date === undefined ? {} : { 'If-Modified-Since': date }),
          }),
        ),
      ),
    ),
  }),
  express4Scenario({
    name: 'res.sendFile takes paths as absolute that are so on POSIX or Windows',
    clauses: ['E4-F32'],
    build({ framework }) {
      const app = framework();
      const paths = [
        '/none',
        'C:/none',
        'C:\\none',
        'C:none',
        'C:',
        '\\\\none',
        '\\none',
        'none',
        'CD/none',
        '',
        'a:/',
      ];
      for (const [index, path] of paths.entries())
        app.get(`/${index}`, (_req, res) => {
          try {
            res.sendFile(path, (err) => res.json([path, (err as { code?: string }).code]));
          } catch (err) {
            res.json([path, String(err)]);
          }
        });
      return app;
    },
    requests: Array.from({ length: 11 }, (_none, index) => get(`/${index}`)),
  }),
];
