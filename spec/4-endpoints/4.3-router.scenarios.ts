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
    requests: [get('/u/tj/files/a.txt'), get('/u/tj/files'), get('/u/tj/other')],
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
      return app;
    },
    requests: [get('/r/7'), get('/r/bad'), get('/array')],
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
    requests: [get('/7'), get('/x')],
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
    requests: ['/get', '/both', '/late'].flatMap((path) => [get(path), head(path)]),
  }),
];
