/** Scenarios for res.format(), and for a 406 response after req.accepts(). §4.5 */
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Request } from '../../parity/client/messages';
import { get } from '../../parity/client/request';
import { routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

const ACCEPTS = [
  ...[
    'text/html',
    'text/plain',
    'application/json',
    '*/*',
    'text/*',
    'image/png',
    'text/*;q=0.5, application/json',
  ],
  ...['text/html;q=0, */*', 'application/json;q=0.2, text/plain;q=0.9', 'nonsense', '', 'text/html;level=1'],
];
const asking = (path: string): Request[] => [
  get(path),
  ...ACCEPTS.map((accept) => get(path, { Accept: accept })),
];

export default [
  scenario({
    name: 'an application can respond with 406 when req.accepts returns false',
    clauses: ['F-7-10'],
    build: routes({
      '/': (req, res) => {
        const type = req.accepts(['html', 'json']);
        if (type) res.type(type).send(type);
        else res.sendStatus(406);
      },
    }),
    requests: asking('/'),
  }),
  scenario({
    name: 'res.format negotiates between media types as keys',
    clauses: ['F-4.5-25', 'F-4.5-27', 'F-4.5-28', 'F-4.5-29', 'F-4.5-30', 'F-7-09'],
    build: routes({
      '/': (_req, res) => {
        res.format({
          'text/plain': () => res.send('plain'),
          'text/html': () => res.send('<p>html</p>'),
          'application/json': () => res.send({ message: 'json' }),
        });
      },
    }),
    requests: asking('/'),
  }),
  scenario({
    name: 'res.format negotiates between extensions as keys',
    clauses: ['F-4.5-26', 'F-4.5-28', 'F-4.5-29'],
    build: routes({
      '/': (_req, res) => {
        res.format({
          text: () => res.end('plain'),
          html: () => res.end('html'),
          json: () => res.end('json'),
          'no-such': () => res.end('unknown'),
        });
      },
      '/parameters': (_req, res) => {
        res.format({
          'text/html; charset=latin1 ; q=0.1': () => res.end('html'),
          'text/plain;q=0.5': () => res.end('plain'),
          ' application/json ': () => res.end('json'),
        });
      },
      '/unknown': (_req, res) => res.format({ 'no-such': () => res.end('unknown') }),
    }),
    requests: [...asking('/'), ...asking('/parameters'), ...asking('/unknown')],
  }),
  scenario({
    name: 'res.format calls default when the client accepts no other key',
    clauses: ['F-4.5-31', 'F-4.5-30', 'F-7-09'],
    build({ framework }) {
      const app = framework();
      app.get('/first', (_req, res) =>
        res.format({ default: () => res.send('default'), text: () => res.send('text') }),
      );
      app.get('/only', (_req, res) => res.format({ default: () => res.send('default') }));
      app.get('/empty', (_req, res) => res.format({}));
      const told: Record<string, RequestHandler> = {
        html: (req, res, next) => res.send(`${req === res.req}, ${typeof next}`),
        json(_req, res) {
          res.send(Object.keys(this as object));
        },
        default: (_req, _res, next) => next(new Error('passed on')),
      };
      app.get('/handler', (_req, res) => res.format(told));
      const tell: ErrorRequestHandler = (err, _req, res, _next) => {
        res.status(err.status ?? 500).json([String(err), err.status ?? null, err.types ?? null]);
      };
      app.use(tell);
      return app;
    },
    requests: [...asking('/first'), ...asking('/only'), get('/empty'), ...asking('/handler')],
  }),
];
