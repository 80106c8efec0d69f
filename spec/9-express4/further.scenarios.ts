/** Scenarios for details of Express 4 that the applications in spec/express4.json do not cover. */
import { expect } from 'chai';
import type express4 from 'nozomi/4';
import { get } from '../../parity/client/request';
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
];
