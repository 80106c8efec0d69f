/** Scenarios for app.request and app.response, the prototypes of requests and responses. §4.1 */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { get } from '../../parity/client/request';
import { expectGets } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

/** Adds the name of the running application, and whether the response has the member `extra`, to the header X-Seen. */
const note: RequestHandler = (_req, res, next) => {
  res.append('X-Seen', `${Object(res).named?.()} ${'extra' in res}`);
  next();
};

export default [
  scenario({
    name: 'members of app.request apply to this application and those mounted in it, but to no other',
    clauses: ['F-4.1-01'],
    build({ framework }) {
      const [app, sub, other] = [framework(), framework(), framework()];
      for (const one of [app, sub, other]) one.get('/own', (req, res) => void res.json('shout' in req));
      app.use('/sub', sub);
      Object.assign(app.request, { shout: () => 'app' });
      return (req, res) => (req.headers['x-other'] ? other : app)(req, res);
    },
    requests: [
      ...['/own', '/sub/own'].map((path) => get(path).expect({ json: true })),
      get('/own', { 'X-Other': 'yes' }).expect({ json: false }),
    ],
  }),
  scenario({
    name: 'members that a mounted application overrides apply until it calls next()',
    clauses: ['F-4.1-01', 'F-2.6-02'],
    build({ framework }) {
      const [app, sub] = [framework(), framework()];
      Object.assign(app.response, { named: () => 'app' });
      Object.assign(sub.response, { named: () => 'sub', extra: true });
      sub.use(note);
      return app.use(note, sub, note, (_req, res) => void res.end());
    },
    requests: [get('/').expect({ 'x-seen': ['app false', 'sub true', 'app false'] })],
  }),
  scenario({
    name: 'only req.app and res.app change for mounted applications without members of their own',
    clauses: ['F-2.6-02'],
    build({ framework }) {
      const [app, middle, inner] = [framework(), framework(), framework()];
      const seen: RequestHandler = (req, res, next) => {
        const isApp = [app, middle, inner].map((one) => Number(req.app === one && res.app === one));
        res.append('X-Seen', isApp.join(''));
        next();
      };
      inner.use(seen);
      middle.use(seen, inner, seen);
      return app.use(seen, middle, seen, (_req, res) => void res.end());
    },
    requests: [get('/').expect({ 'x-seen': ['100', '010', '001', '010', '100'] })],
  }),
  scenario({
    name: 'the prototypes of the parent are restored if a mounted application fails',
    clauses: ['F-2.6-02'],
    build({ framework }) {
      const [app, sub] = [framework(), framework()];
      sub.use(() => {
        throw new Error('inside');
      });
      const tell: ErrorRequestHandler = (err, req, res, _next) =>
        void res.json([err.message, req.app === app]);
      return app.use(sub, tell);
    },
    requests: [get('/').expect({ json: ['inside', true] })],
  }),
  scenario({
    name: 'prototypes that an application replaces or extends after a request apply to the next one',
    clauses: ['F-2.6-02', 'F-4.1-01', 'F-4.2-58'],
    build({ framework }) {
      const [app, sub] = [framework(), framework()];
      const made = (from: object, value: string) => Object.create(from, { made: { value } });
      Object.assign(app, { request: made(app.request, 'first'), response: Object.create(app.response) });
      sub.get('/sub', (_req, res) => void res.json('late' in res));
      app.use(sub);
      app.get('/', (req, res) => void res.json(Object(req).made));
      return app.get('/change', (_req, res) => {
        Object.assign(sub.response, { late: true });
        Object.assign(app, { request: made(app.request, 'second') });
        res.end();
      });
    },
    requests: [
      ...expectGets({ '/': { json: 'first' }, '/sub': { json: false }, '/change': {} }),
      ...expectGets({ '/': { json: 'second' }, '/sub': { json: true } }),
    ],
  }),
  scenario({
    name: 'mounted applications respond if the socket is a stand-in without methods, as serverless adapters use',
    clauses: ['F-4.1-01'],
    build({ framework }) {
      const [app, sub] = [framework(), framework()];
      sub.get('/', (req, res) => void res.json([req.app === sub, req.baseUrl]));
      app.use('/sub', sub);
      return framework().get('/', (_req, res) => {
        const written: string[] = [];
        const request = Object.assign(new IncomingMessage(Object({})), { method: 'GET', url: '/sub' });
        const response = new ServerResponse(request);
        const ignore = (): boolean => true;
        const write = (part: unknown, _encoding: unknown, done?: () => void): boolean => {
          written.push(String(part));
          done?.();
          return true;
        };
        const socket = { write, on: ignore, removeListener: ignore, cork: ignore, uncork: ignore };
        response.assignSocket(Object({ ...socket, writable: true, _writableState: {} }));
        response.on('finish', () => void res.send(written.join('').split('\r\n\r\n')[1]));
        app(Object(request), Object(response));
      });
    },
    requests: [get('/').expect({ body: '[true,"/sub"]' })],
  }),
];
