/** Scenarios for error handlers, and for errors of body parsers and parameter callbacks. §7 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { NextFunction, Request, Response } from 'express';
import { aborted, get, post } from '../../parity/client/request';
import { expectGets } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

/** Options of express.static, by the path where it is mounted. */
const STATIC: Readonly<Record<string, object>> = {
  deny: { dotfiles: 'deny' },
  'deny-and-fail': { dotfiles: 'deny', fallthrough: false },
  ignore: { dotfiles: 'ignore' },
  'ignore-and-fail': { dotfiles: 'ignore', fallthrough: false },
  plain: {},
  fail: { fallthrough: false },
};

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
    requests: expectGets({
      '/next': { status: 400, 'x-seen': 'Error: next', json: { error: 'next' } },
      '/throw': { status: 500, 'x-seen': 'TypeError: throw', json: { error: 'throw' } },
      '/reject': { status: 500, 'x-seen': 'RangeError: reject', json: { error: 'reject' } },
      '/none': { status: 200, 'x-seen': undefined, body: 'regular' },
    }),
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
      post('/json', '{"a":', { 'Content-Type': 'application/json' }).expect({
        status: 400,
        body: /^{"type":"entity.parse.failed","status":400,"expose":true,"body":"{\\"a\\":"/,
      }),
      post('/json', '[1]', { 'Content-Type': 'application/json' }).expect({
        status: 403,
        body: /^{"type":"entity.verify.failed","status":403,"expose":true,"body":.*"message":"no arrays"/,
      }),
      post('/json', '{}', { 'Content-Type': 'application/json; charset=unheard' }).expect({
        status: 415,
        body: /^{"type":"charset.unsupported"/,
      }),
      post('/json', '{}', { 'Content-Type': 'text/plain' }).expect({ json: { body: null } }),
      post('/json').expect({ json: { body: null } }),
      post('/form', 'a=1&b=2&c=3', { 'Content-Type': 'application/x-www-form-urlencoded' }).expect({
        status: 413,
        body: /^{"type":"parameters.too.many"/,
      }),
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
    expect: ({ log }) => expect(log).to.deep.equal(['request.aborted 400 ECONNABORTED request aborted\n']),
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
    requests: expectGets({
      '/next': { status: 500, body: /failed to load/ },
      '/route': 'other route',
      '/reject': { status: 500, body: /rejected/ },
      '/fine': 'loaded',
    }),
  }),
  scenario({
    name: 'an error handler does not receive errors of handlers registered after it',
    clauses: ['F-7-04'],
    build({ framework }) {
      const app = framework();
      app.use((_err: Error, _req: Request, res: Response, _next: NextFunction) => res.send('never'));
      app.get('/', () => {
        throw new Error('failed');
      });
      return app;
    },
    requests: [get('/').expect({ status: 500, body: /Error: failed/ })],
    env: { NODE_ENV: 'test' },
  }),
  scenario({
    name: 'express.static calls next() for what it does not serve, or next(error) if fallthrough is false',
    clauses: ['F-7-05', 'F-7-06', 'F-7-07', 'F-7-08'],
    build({ framework, folder }) {
      writeFileSync(join(folder, '.env'), 'secret');
      const app = framework();
      for (const [name, options] of Object.entries(STATIC)) {
        const root = framework.static(folder, options);
        app.use(`/${name}`, root, (_req, res) => void res.send(`passed at ${res.statusCode}`));
      }
      app.use((err: Error & { status: number }, _req: Request, res: Response, _next: NextFunction) => {
        const { code, syscall, expose } = err as unknown as Record<string, unknown>;
        res
          .status(err.status)
          .json([err.name, err.message.includes(folder), code ?? null, syscall ?? null, expose]);
      });
      return app;
    },
    requests: expectGets({
      '/deny/.env': 'passed at 200',
      '/deny-and-fail/.env': { status: 403, json: ['ForbiddenError', false, null, null, true] },
      '/ignore/.env': 'passed at 200',
      '/ignore-and-fail/.env': { status: 404, json: ['NotFoundError', false, null, null, true] },
      '/plain/none.txt': 'passed at 200',
      '/fail/none.txt': { status: 404, json: ['Error', true, 'ENOENT', 'stat', false] },
    }),
  }),
  scenario({
    name: 'the error page of express.static contains neither the file nor its folder in production',
    clauses: ['F-7-08'],
    build: ({ framework, files }) => framework().use(framework.static(files, { fallthrough: false })),
    requests: [get('/none.txt').expect({ status: 404, body: /<pre>Not Found<\/pre>/ })],
    env: { NODE_ENV: 'production' },
  }),
];
