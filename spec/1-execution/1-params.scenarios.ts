/** Scenarios for two routers on one path, and for the order of parameter callbacks. §1, rules 8 and 9 */
import type { ErrorRequestHandler, RequestHandler, RequestParamHandler } from 'express';
import { get } from '../../parity/client/request';
import { expectGets } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';
import { thenable } from '../support/thenable';

/** Adds `name=value` to the response header X-Params. */
const note: RequestParamHandler = (_req, res, next, value, name) => {
  res.append('X-Params', `${name}=${value}`);
  next();
};
const send =
  (text: string): RequestHandler =>
  (_req, res) =>
    void res.send(text);
const sendError: ErrorRequestHandler = (err, _req, res, _next) =>
  void res.status(err.status ?? 500).send(String(err));

export default [
  scenario({
    name: 'the second router on a path does not run after the first router has responded',
    clauses: ['F-1-41'],
    build({ framework }) {
      const app = framework();
      const [one, two] = [framework.Router(), framework.Router()];
      one.get('/a', (_req, res) => void res.send('one'));
      two.use((_req, res, next) => {
        res.set('X-Two', 'seen');
        next();
      });
      two.get('/b', (_req, res) => void res.send('two'));
      app.use('/x', one).use('/x', two);
      return app;
    },
    requests: [
      get('/x/a').expect({ 'x-two': undefined, body: 'one' }),
      get('/x/b').expect({ 'x-two': 'seen', body: 'two' }),
    ],
  }),
  scenario({
    name: 'app.param callbacks run in path order before the route, and child routers do not inherit them',
    clauses: ['F-1-46', 'F-1-53', 'F-1-54', 'F-4.2-53'],
    build({ framework }) {
      const app = framework();
      app.param(['id', 'page'], (_req, res, next, value, name) => {
        res.append('X-Param', `${name}=${value}`);
        next();
      });
      app.get('/:page/:id', (req, res) => void res.json(req.params));
      const child = framework.Router({ mergeParams: true });
      child.get('/:page', (req, res) => void res.json(req.params));
      app.use('/child/of/:other', child);
      return app;
    },
    requests: [
      get('/3/42').expect({ 'x-param': ['page=3', 'id=42'], json: { page: '3', id: '42' } }),
      get('/child/of/x/7').expect({ 'x-param': undefined, json: { other: 'x', page: '7' } }),
    ],
  }),
  scenario({
    name: 'param callbacks of a router or application run neither below it nor for its parent',
    clauses: ['F-1-43', 'F-1-44', 'F-1-45', 'F-1-46'],
    build({ framework }) {
      const [app, sub] = [framework(), framework()];
      const router = framework.Router({ mergeParams: true });
      app.param('id', note);
      sub.get('/:id', send('sub-application'));
      router.get('/', (req, res) => void res.json(req.params));
      app.use('/sub', sub);
      app.use('/:id/router', router);
      app.use(framework.Router().param('other', note));
      app.get('/parent/:other', send('parent'));
      return app;
    },
    requests: expectGets({
      '/sub/7': { 'x-params': undefined, body: 'sub-application' },
      '/7/router': { 'x-params': 'id=7', json: { id: '7' } },
      '/parent/7': { 'x-params': undefined, body: 'parent' },
    }),
  }),
  scenario({
    name: 'several callbacks of a parameter run in order before the handlers, and may change its value',
    clauses: ['F-1-47', 'F-1-48', 'F-1-49', 'F-2.6-30'],
    build({ framework }) {
      const app = framework();
      app.param('id', (_req, res, next) => {
        res.append('X-Params', 'first');
        setImmediate(next);
      });
      app.param('id', note);
      app.param('id', (req, _res, next, value) => {
        req.params.id = `user ${value}`;
        next(value === 'bad' ? new Error('refused') : undefined);
      });
      app.get('/with/:id', (_req, _res, next) => next());
      app.get('/with/:id', (req, res) => void res.send(req.params.id));
      app.get('/without/:other', send('without'));
      return app.use(sendError);
    },
    requests: expectGets({
      '/with/7': { 'x-params': ['first', 'id=7'], body: 'user 7' },
      '/without/7': { 'x-params': undefined, body: 'without' },
      '/with/bad': { status: 500, body: 'Error: refused' },
    }),
  }),
  scenario({
    name: 'after the error of a callback, it does not run for another value of its parameter',
    clauses: ['F-1-49'],
    build({ framework }) {
      const app = framework();
      app.param('id', (_req, res, next, value) => {
        res.append('X-Params', value);
        next(value === 'a' ? new Error('failed') : undefined);
      });
      app.get('/:id/b', (_req, _res, next) => next());
      // This layer matches with `id` = b. The callback has run for a only.
      app.use('/a/:id', ((_err, _req, res, _next) => res.send('reached')) as ErrorRequestHandler);
      return app.use(sendError);
    },
    requests: [get('/a/b').expect({ 'x-params': 'a', body: 'Error: failed' })],
  }),
  scenario({
    name: 'an error handler receives the error that a param callback passes on, throws or rejects with',
    clauses: ['F-7-23'],
    build({ framework }) {
      const app = framework();
      app.param('by', ((_req, _res, next, value) => {
        if (value === 'next') return next(new Error('next'));
        if (value === 'throw') throw new Error('throw');
        if (value === 'nothing') return Promise.reject();
        if (value === 'then') {
          return thenable(() => {
            throw new Error('then');
          });
        }
        if (value === 'foreign') return thenable((_resolve, reject) => reject(new Error('foreign')));
        return Promise.reject(new Error('reject'));
      }) as RequestParamHandler);
      app.get('/:by', send('reached'));
      return app.use(sendError);
    },
    requests: expectGets({
      '/next': 'Error: next',
      '/throw': 'Error: throw',
      '/reject': 'Error: reject',
      '/then': 'Error: then',
      '/foreign': 'Error: foreign',
      '/nothing': 'Error: Rejected promise',
    }),
  }),
  scenario({
    name: "next('route') in a param callback skips the route each time that it matches",
    clauses: ['F-1-22'],
    build({ framework }) {
      const app = framework();
      app.param('id', (_req, res, next) => {
        res.append('X-Params', 'called');
        next('route');
      });
      app.get('/:id', send('never'));
      app.get('/:id', send('never'));
      return app.get('/:other', send('other'));
    },
    requests: [get('/7').expect({ 'x-params': 'called', body: 'other' })],
  }),
  scenario({
    name: 'a parameter that cannot be decoded gives an error with status 400',
    clauses: ['F-2.6-27'],
    build: ({ framework }) => framework().get('/:id', send('never')).use(sendError),
    requests: [get('/%zz').expect({ status: 400, body: "URIError: Failed to decode param '%zz'" })],
  }),
];
