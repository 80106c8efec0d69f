/** Scenarios for the methods and properties of an application in Express 3. §9.3 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import type express3 from 'nozomi/3';
import { del, get, head, options, post, put } from '../../parity/client/request';
import { express3Scenario } from '../../parity/scenario/scenario';

/** Calls a function and returns the type of its result, or its error as text. */
function outcomeOf(act: () => unknown): unknown {
  try {
    return typeof act();
  } catch (error) {
    return String(error);
  }
}

const caught: express3.ErrorHandler = (err, _req, res, _next) => res.send(500, `caught ${err.message}`);

export default [
  express3Scenario({
    name: 'app.configure calls its function always, or only in the given environments',
    clauses: ['F-9.3-02', 'F-9.3-03', 'F-9.3-17'],
    build({ framework }) {
      const app = framework();
      const called: string[] = [];
      app.configure(() => called.push('always'));
      app.configure('all', () => called.push('all'));
      app.configure('development', () => called.push('development'));
      app.configure('production', 'development', () => called.push('both'));
      app.configure('production', () => called.push('production'));
      app.get('/', (_req, res) => res.send([app.get('env'), called]));
      return app;
    },
    requests: [get('/')],
  }),
  express3Scenario({
    name: 'app.configure uses NODE_ENV at the start of the process',
    clauses: ['F-9.3-02', 'F-9.3-17'],
    env: { NODE_ENV: 'production' },
    build({ framework }) {
      const app = framework();
      const called: string[] = [];
      app.configure('development', () => called.push('development'));
      app.configure('production', () => called.push('production'));
      app.get('/', (_req, res) => res.send([app.get('env'), called]));
      return app;
    },
    requests: [get('/')],
  }),
  express3Scenario({
    name: 'app.param callbacks run in order before the route, with the value and the name',
    clauses: ['F-9.3-04'],
    build({ framework }) {
      const app = framework();
      const trace: unknown[] = [];
      app.param('user', (_req, _res, next, value, name) => {
        trace.push(['first', value, name]);
        next();
      });
      app.param(
        ':user',
        (_req, _res, next, value) => {
          trace.push(['second', value]);
          next(value === 'nobody' ? new Error('no such user') : undefined);
        },
        (_req, _res, next, value) => {
          trace.push(['third', value]);
          next(value === 'other' ? 'route' : undefined);
        },
      );
      app.param(['a', 'b'], (_req, _res, next, value, name) => {
        trace.push([name, value]);
        next();
      });
      app.get('/u/:user', (_req, res) => res.send(trace.splice(0)));
      app.get('/u/other', (_req, res) => res.send({ other: trace.splice(0) }));
      app.get('/:a?/x/:b?', (_req, res) => res.send(trace.splice(0)));
      const told: express3.ErrorHandler = (_err, _req, res, _next) => res.send(500, trace.splice(0));
      app.use(told);
      return app;
    },
    requests: [get('/u/ann%20b'), get('/u/nobody'), get('/u/other'), get('/1/x/2'), get('/x'), get('/1/x')],
  }),
  express3Scenario({
    name: 'app.param with only a function creates callbacks from later app.param calls',
    clauses: ['F-9.3-05'],
    build({ framework }) {
      const app = framework();
      app.param((name, option) => {
        if (!(option instanceof RegExp)) return;
        return (req, _res, next, value) => {
          const captures = option.exec(String(value));
          if (!captures) return next('route');
          req.params[name as never] = captures as never;
          next();
        };
      });
      app.param('id', /^\d+$/);
      app.param('range', /^(\w+)\.\.(\w+)?$/);
      const refused = outcomeOf(() => app.param('name', 'no function'));
      app.get('/user/:id', (req, res) => res.send(`user ${req.params.id}`));
      app.get('/range/:range', (req, res) => res.send({ range: req.params.range }));
      app.get('/refused', (_req, res) => res.send(refused));
      return app;
    },
    requests: [get('/user/12'), get('/user/ann'), get('/range/1..a'), get('/range/1.a'), get('/refused')],
  }),
  express3Scenario({
    name: 'app.get accepts several callbacks and arrays of callbacks',
    clauses: ['F-9.3-06'],
    build({ framework }) {
      const app = framework();
      const note = (text: string) => (req: object, _res: unknown, next: () => void) => {
        Object.assign(req, { noted: [...((req as { noted?: string[] }).noted ?? []), text] });
        next();
      };
      const tell: express3.Handler = (req, res) => res.send((req as unknown as { noted: string[] }).noted);
      app.get('/', note('a'), [note('b'), [note('c')]], tell);
      app.post('/', (_req, res) => res.send('posted'));
      app.put('/', (_req, res) => res.send('put'));
      app.del('/', (_req, res) => res.send('deleted'));
      app.get(
        '/next',
        (_req, _res, next) => next('route'),
        (_req, res) => res.send('skipped'),
        (_req, res) => res.send('also skipped'),
      );
      app.get('/next', (_req, res) => res.send('the next route'));
      app.get(
        '/error',
        (_req, _res, next) => next(new Error('first')),
        (_req, res) => res.send('skipped'),
        caught,
      );
      app.get('/thrown', () => {
        throw new Error('thrown');
      });
      const refused = [
        outcomeOf(() => app.get('', (_req, res) => res.send(''))),
        outcomeOf(() => app.get('/x', {} as never)),
        outcomeOf(() => app.post('/x', 'text' as never)),
      ];
      app.get('/refused', (_req, res) => res.send(refused));
      return app;
    },
    requests: [
      get('/'),
      post('/', ''),
      put('/', ''),
      del('/'),
      head('/'),
      options('/'),
      options('/none'),
      get('/next'),
      get('/error'),
      get('/thrown'),
      get('/refused'),
      request('PATCH'),
    ],
  }),
  express3Scenario({
    name: 'app.all handles every method',
    clauses: ['F-9.3-07'],
    build({ framework }) {
      const app = framework();
      app.all('/x', (_req, res, next) => {
        res.set('X-All', 'yes');
        next();
      });
      app.get('/x', (req, res) => res.send(req.method));
      app.all('*', (req, res) => res.send(`all ${req.method} ${req.params[0]}`));
      return app;
    },
    requests: [get('/x'), post('/x', ''), del('/y/z'), head('/x'), options('/x'), request('REPORT')],
  }),
  express3Scenario({
    name: 'app.locals is a function that copies members and has the settings',
    clauses: ['F-9.3-08', 'F-9.3-09', 'F-9.3-10'],
    build({ framework }) {
      const app = framework();
      const before = Object.keys(app.locals);
      const returned = app.locals({ title: 'One', phone: 1 });
      app.locals.email = 'me@parity.test';
      app.locals({ title: 'Two', name: 'ignored', length: 7 });
      const { settings, ...rest } = app.locals;
      app.get('/', (_req, res) =>
        res.send({
          before,
          returned,
          type: typeof app.locals,
          isSettings: settings === app.settings,
          rest,
          title: app.locals.title,
          name: app.locals.name,
        }),
      );
      return app;
    },
    requests: [get('/')],
  }),
  express3Scenario({
    name: 'a route matches with the regexp that an application assigns to it',
    clauses: ['F-9.3-12'],
    build({ framework }) {
      const app = framework();
      app.get('/a', (_req, res) => res.send('matched'));
      for (const route of app.routes.get ?? []) route.regexp = /^\/b$/;
      return app;
    },
    requests: [get('/a'), get('/b')],
  }),
  express3Scenario({
    name: 'app.routes lists routes by method, each with path, callbacks, keys and regexp',
    clauses: ['F-9.3-11', 'F-9.3-12'],
    build({ framework }) {
      const app = framework();
      app.get('/u/:id/:op?', (_req, res) => res.send(''));
      app.get(/^\/re(\d+)$/i, (_req, res) => res.send(''));
      app.post('/files/*', (_req, res) => res.send(''));
      app.get(
        '/list/:a.:format?',
        (_req, _res, next) => next(),
        (_req, res) => res.send(''),
      );
      app.get('/', (_req, res) =>
        res.send(
          Object.entries(app.routes).map(([method, routes]) => [
            method,
            routes.map((route) => ({
              path: String(route.path),
              method: route.method,
              callbacks: route.callbacks.length,
              keys: route.keys,
              regexp: String(route.regexp),
              own: Object.keys(route).filter((name) => name !== 'params'),
            })),
          ]),
        ),
      );
      return app;
    },
    requests: [get('/')],
  }),
  express3Scenario({
    name: 'app.render uses registered engines and the locals of application and call',
    clauses: ['F-9.3-13', 'F-9.3-15', 'F-9.3-26', 'F-9.3-94', 'F-9.3-95'],
    build({ framework, files }) {
      const app = framework();
      app.set('views', join(files, '..', 'views'));
      app.engine('ejs', (path, values, done) => {
        const { settings: _settings, cache, _locals, ...rest } = values;
        done(null, JSON.stringify([path.split(/[\\/]/).pop(), cache, rest]));
      });
      app.engine('.txt', (_path, _values, done) => done(new Error('engine failed')));
      app.set('view engine', 'ejs');
      app.locals({ site: 'app', both: 'app' });
      app.get('/app', (_req, res, next) => {
        app.render('page', { both: 'call', extra: 1 }, (err, html) => (err ? next(err) : res.send(html)));
      });
      app.get('/plain', (_req, res, next) =>
        app.render('page.ejs', (err, html) => (err ? next(err) : res.send(html))),
      );
      app.get('/missing', (_req, res) => app.render('nowhere', (err) => res.send(500, err.message)));
      app.get('/res', (_req, res) => {
        res.locals({ both: 'res', user: 'ann' });
        res.locals.more = true;
        res.render('page', { extra: 2 });
      });
      app.get('/status', (_req, res) => res.status(201).render('page.ejs'));
      app.get('/back', (_req, res) =>
        res.render('page', (err, html) => res.send(err ? 500 : 200, html.length)),
      );
      app.get('/values', (_req, res) => res.render('page', { a: 1 }, (_err, html) => res.json(html)));
      app.get('/lost', (_req, res) => res.render('nowhere'));
      return app;
    },
    requests: [
      get('/app'),
      get('/plain'),
      get('/missing'),
      get('/res'),
      get('/status'),
      get('/back'),
      get('/values'),
      get('/lost'),
    ],
  }),
  express3Scenario({
    name: 'app.use restores no prototypes if an accessor replaces req.app',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      Object.defineProperty(app.request, 'app', { get: () => 'other', set: () => undefined });
      app.use(framework());
      app.use((_req, res) => res.send('after the mounted application'));
      return app;
    },
    requests: [get('/')],
  }),
  express3Scenario({
    name: 'app.request and app.response: a primitive value leaves the prototypes of Node.js',
    clauses: ['F-9.3-01'],
    build({ framework }) {
      const app = framework();
      const mounted = framework();
      const typesOf = (req: object, res: object) =>
        JSON.stringify([typeof Object(req).get, typeof Object(res).send]);
      mounted.use((req, res) => res.end(`mounted ${typesOf(req, res)}`));
      Object.assign(app, { request: 5 });
      app.use('/never', mounted);
      app.use((req, res) => res.end(typesOf(req, res)));
      return app;
    },
    requests: [get('/')],
  }),
  express3Scenario({
    name: 'app.listen returns the listening server',
    clauses: ['F-9.3-14'],
    build({ framework }) {
      const app = framework();
      app.get('/', (_req, res) => res.send('listening'));
      return new Promise((resolve) => {
        const server = app.listen(0, '127.0.0.1', () => resolve(server));
      });
    },
    requests: [get('/')],
  }),
  express3Scenario({
    name: 'an application can be the request listener of any server',
    clauses: ['F-9.3-14'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => res.send([req.host, req.path]));
      return createServer(app);
    },
    requests: [get('/'), get('/none')],
  }),
  express3Scenario({
    name: 'app.enable, app.disable and app.get write and read settings',
    clauses: ['F-9.3-16'],
    build({ framework }) {
      const app = framework();
      const before = [app.enabled('x'), app.disabled('x')];
      const chained = app.enable('x') === app && app.set('name', 'value') === app;
      const after = [app.enabled('x'), app.disabled('x'), app.get('x')];
      app.disable('x');
      app.get('/', (_req, res) =>
        res.send([
          before,
          after,
          chained,
          app.get('x'),
          app.get('name'),
          app.enabled('name'),
          app.get('none') ?? null,
        ]),
      );
      return app;
    },
    requests: [get('/')],
  }),
  express3Scenario({
    name: 'app.router runs at the first route, or where app.use registers it',
    clauses: ['F-9.3-06', 'F-9.3-07'],
    build({ framework }) {
      const app = framework();
      const named = framework();
      named.use(named.router);
      named.use((_req, res) => res.send('behind the router'));
      named.get('/route', (_req, res) => res.send('route'));
      app.use('/named', named);
      app.get('/first', (_req, res) => res.send('first'));
      app.use((_req, res) => res.send('middleware'));
      app.get('/second', (_req, res) => res.send('second, although defined behind'));
      return app;
    },
    requests: [get('/named/route'), get('/named/other'), get('/first'), get('/second'), get('/third')],
  }),
];

function request(method: string) {
  return { ...get('/x'), method };
}
