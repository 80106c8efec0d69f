/** Scenarios for router.use(), router.param() and router.get(). §4.3 */
import type { RequestParamHandler } from 'express';
import { get, head } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'router.use accepts parameters in the mount path',
    clauses: ['F-4.3-10', 'F-4.3-11', 'F-4.3-12'],
    build({ framework }) {
      const app = framework();
      const router = framework.Router();
      router.use('/:user/files', (req, res, next) => {
        res.set('X-Seen', JSON.stringify([req.params, req.url, req.baseUrl]));
        next();
      });
      router.get('/:user/files/:name', (req, res) => void res.json(req.params));
      app.use('/u', router);
      return app;
    },
    requests: [
      get('/u/tj/files/a.txt').expect({
        'x-seen': '[{"user":"tj"},"/a.txt","/u/tj/files"]',
        json: { user: 'tj', name: 'a.txt' },
      }),
      get('/u/tj/files').expect({ status: 404, 'x-seen': '[{"user":"tj"},"/","/u/tj/files"]' }),
      get('/u/tj/other').expect({ status: 404, 'x-seen': undefined }),
    ],
  }),
  scenario({
    name: 'router.param accepts one name and a function, and no array of names',
    clauses: ['F-4.3-04', 'F-4.3-05'],
    build({ framework }) {
      const app = framework();
      const router = framework.Router();
      router.param('id', (_req, res, next, value, name) => {
        res.append('X-Param', `${name}=${value}`);
        next(value === 'bad' ? new Error('no such thing') : undefined);
      });
      router.get('/:id', (req, res) => void res.json(req.params));
      app.use('/r', router);
      app.get('/array', (_req, res) => {
        try {
          framework.Router().param(['a', 'b'] as never, () => {});
          res.send('taken');
        } catch (error) {
          res.send(String(error));
        }
      });
      const changing = framework.Router().param('id', (req, _res, next, value, name) => {
        req.params[name] = `<${value}>`;
        next();
      });
      changing.get('/:id', (req, res) => void res.json(req.params));
      app.use('/changed', changing);
      app.get('/refused', (_req, res) => {
        const router = framework.Router();
        const param = router.param.bind(router) as unknown as (...args: unknown[]) => unknown;
        const attempts: unknown[][] = [[], ['', () => undefined], ['a'], ['a', /x/]];
        const seen = attempts.map((args) => {
          try {
            return typeof param(...args);
          } catch (error) {
            return String(error);
          }
        });
        res.json(seen);
      });
      return app;
    },
    requests: [
      get('/r/7').expect({ 'x-param': 'id=7', json: { id: '7' } }),
      get('/r/bad').expect({ status: 500, 'x-param': 'id=bad', body: /no such thing/ }),
      get('/array').expect({ body: 'TypeError: argument name must be a string' }),
      get('/changed/7').expect({ json: { id: '<7>' } }),
      get('/refused').expect({
        json: [
          'TypeError: argument name is required',
          'TypeError: argument name is required',
          'TypeError: argument fn is required',
          'TypeError: argument fn must be a function',
        ],
      }),
    ],
  }),
  scenario({
    name: 'router.param with only a function creates callbacks from later options',
    clauses: ['F-4.3-06', 'F-4.3-07', 'F-4.3-08'],
    build({ framework }) {
      const app = framework();
      try {
        const router = framework.Router();
        // The types of Express do not declare router.param() with a function alone.
        const param = router.param.bind(router) as unknown as (...args: unknown[]) => void;
        param(
          (name: string, option: RegExp): RequestParamHandler =>
            (_req, res, next, value) => {
              res.append('X-Checked', name);
              next(option.test(value) ? undefined : 'route');
            },
        );
        param('id', /^\d+$/);
        router.get('/:id', (_req, res) => res.send('a number'));
        router.get('/:other', (_req, res) => res.send('no number'));
        app.use(router);
      } catch {
        app.use((_req, res) => void res.status(501).send('refused at registration'));
      }
      return app;
    },
    requests: [
      get('/7').expect({ 'x-checked': 'id', body: 'a number' }),
      get('/x').expect({ 'x-checked': 'id', body: 'no number' }),
    ],
  }),
  scenario({
    name: 'router.get handles HEAD requests unless a HEAD route is registered first',
    clauses: ['F-4.3-03'],
    build({ framework }) {
      const app = framework();
      const router = framework.Router();
      router.get('/get', (req, res) => void res.set('X-By', `get ${req.method}`).send('body'));
      router.head('/both', (_req, res) => void res.set('X-By', 'head').end());
      router.get('/both', (_req, res) => void res.set('X-By', 'get').send('body'));
      router.get('/late', (_req, res) => void res.set('X-By', 'get').send('body'));
      router.head('/late', (_req, res) => void res.set('X-By', 'head').end());
      app.use(router);
      return app;
    },
    requests: [
      get('/get').expect({ 'x-by': 'get GET', body: 'body' }),
      head('/get').expect({ 'x-by': 'get HEAD', 'content-length': '4', body: '' }),
      get('/both').expect({ 'x-by': 'get' }),
      head('/both').expect({ 'x-by': 'head' }),
      get('/late').expect({ 'x-by': 'get' }),
      head('/late').expect({ 'x-by': 'get' }),
    ],
  }),
];
