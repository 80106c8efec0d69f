/** Scenarios for error handlers, and for errors of body parsers and parameter callbacks. §7 */
import type { NextFunction, Request, Response } from 'express';
import { aborted, get, post } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'errors skip regular middleware and reach later error handlers',
    clauses: ['F-7-01', 'F-7-02', 'F-7-03', 'F-7-04'],
    build({ framework }) {
      const app = framework();
      app.use((_err: Error, _req: Request, res: Response, _next: NextFunction) => res.send('before'));
      app.get('/next', (_req, _res, next) => next(Object.assign(new Error('next'), { status: 400 })));
      app.get('/throw', () => {
        throw new TypeError('throw');
      });
      app.get('/reject', async () => {
        throw new RangeError('reject');
      });
      app.use((_req, res) => res.send('regular'));
      app.use((err: Error & { status?: number }, _req: Request, res: Response, next: NextFunction) => {
        res.append('X-Seen', `${err}`);
        next(err);
      });
      app.use((err: Error & { status?: number }, _req: Request, res: Response, _next: NextFunction) => {
        res.status(err.status ?? 500).json({ error: err.message });
      });
      return app;
    },
    requests: ['/next', '/throw', '/reject', '/none'].map((path) => get(path)),
  }),
  scenario({
    name: 'errors of body parsers have the type, the status and the body as read',
    clauses: ['F-7-14', 'F-7-15', 'F-7-16', 'F-7-17', 'F-7-18'],
    build({ framework }) {
      const app = framework();
      const verify = (_req: unknown, _res: unknown, buf: Buffer): void => {
        if (buf[0] === 0x5b) throw new Error('no arrays');
      };
      app.post('/json', framework.json({ verify }));
      app.post('/form', framework.urlencoded({ parameterLimit: 2, extended: true }));
      app.use((req, res) => void res.json({ body: req.body ?? null }));
      app.use((err: Record<string, unknown>, req: Request, res: Response, _next: NextFunction) => {
        const { type, status, expose, body, message } = err;
        res.status(status as number).json({ type, status, expose, body, message, left: req.body ?? null });
      });
      return app;
    },
    requests: [
      post('/json', '{"a":', { 'Content-Type': 'application/json' }),
      post('/json', '[1]', { 'Content-Type': 'application/json' }),
      post('/json', '{}', { 'Content-Type': 'application/json; charset=unheard' }),
      post('/json', '{}', { 'Content-Type': 'text/plain' }),
      post('/json'),
      post('/form', 'a=1&b=2&c=3', { 'Content-Type': 'application/x-www-form-urlencoded' }),
      post('/form', 'a[b][c][d][e][f][g]=1', { 'Content-Type': 'application/x-www-form-urlencoded' }),
    ],
  }),
  scenario({
    name: 'express.json passes request.aborted to error handlers when the client disconnects',
    clauses: ['F-7-16'],
    build({ framework, log }) {
      const app = framework();
      app.post('/', framework.json());
      app.use((err: Record<string, unknown>, _req: Request, _res: Response, _next: NextFunction) => {
        log.write(`${err.type} ${err.status} ${err.code} ${err.message}\n`);
      });
      return app;
    },
    requests: [aborted(post('/', { some: 'value' }), 100)],
  }),
  scenario({
    name: 'an app.param callback can fail with next(error), next(route) and a rejected promise',
    clauses: ['F-7-23'],
    build({ framework }) {
      const app = framework();
      app.param('how', async (_req, _res, next, how) => {
        if (how === 'next') return next(new Error('failed to load'));
        if (how === 'route') return next('route');
        if (how === 'reject') throw new Error('rejected');
        next();
      });
      app.get('/:how', (_req, res) => res.send('loaded'));
      app.get('/:other', (_req, res) => res.send('other route'));
      return app;
    },
    requests: ['/next', '/route', '/reject', '/fine'].map((path) => get(path)),
  }),
];
