/** Scenarios for res.format(), and for a 406 response after req.accepts(). §4.5 */
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { PlannedRequest } from '../../parity/client/messages';
import { get } from '../../parity/client/request';
import { routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

// biome-ignore format: a table
const ACCEPTS = [
  'text/html', 'text/plain', 'application/json', '*/*', 'text/*', 'image/png',
  'text/*;q=0.5, application/json',
  'text/html;q=0, */*', 'application/json;q=0.2, text/plain;q=0.9', 'nonsense', '', 'text/html;level=1',
];

/**
 * Sends a request without Accept, and one for each header of ACCEPTS.
 *
 * @param expected For each request, the body; or the status if it is an error.
 */
function asking(path: string, expected: ReadonlyArray<string | 406 | 500>): PlannedRequest[] {
  const [first, ...others] = expected.map((one) =>
    typeof one === 'number' ? { status: one } : { status: 200, body: one },
  );
  return [
    get(path).expect(first ?? {}),
    ...ACCEPTS.map((accept, index) => get(path, { Accept: accept }).expect(others[index] ?? {})),
  ];
}

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
    requests: asking('/', [
      'html',
      'html',
      406,
      'json',
      'html',
      'html',
      406,
      'json',
      'json',
      'json',
      406,
      'html',
      406,
    ]),
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
    requests: [
      ...asking('/', [
        'plain',
        '<p>html</p>',
        'plain',
        '{"message":"json"}',
        'plain',
        'plain',
        406,
        '{"message":"json"}',
        'plain',
        'plain',
        406,
        'plain',
        406,
      ]),
      get('/', { Accept: 'text/plain;q=0.2, text/html;q=0.8, */*;q=0.1' }).expect({
        'content-type': 'text/html; charset=utf-8',
        vary: 'Accept',
        body: '<p>html</p>',
      }),
      get('/', { Accept: 'image/png' }).expect({ status: 406, vary: 'Accept' }),
    ],
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
      '/no-function': (_req, res) => {
        try {
          res.format({ html: 'text' as never });
        } catch (err) {
          res.send((err as Error).name);
        }
      },
    }),
    requests: [
      ...asking('/', [
        'plain',
        'html',
        'plain',
        'json',
        'plain',
        'plain',
        406,
        'json',
        'plain',
        'plain',
        406,
        'plain',
        406,
      ]),
      ...asking('/parameters', [
        'html',
        'html',
        'plain',
        'json',
        'html',
        'html',
        406,
        'json',
        'plain',
        'plain',
        406,
        'html',
        406,
      ]),
      ...asking('/unknown', ['unknown', 406, 406, 406, 406, 406, 406, 406, 406, 406, 406, 'unknown', 406]),
      get('/', { Accept: 'application/json' }).expect({
        'content-type': 'application/json; charset=utf-8',
        vary: 'Accept',
      }),
      get('/parameters').expect({ 'content-type': 'text/html; charset=utf-8' }),
      get('/unknown').expect({ 'content-type': 'application/octet-stream' }),
      get('/no-function').expect({ body: 'TypeError' }),
    ],
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
      app.get('/types', (_req, res) =>
        res.format({ txt: () => undefined, 'text/html;q=1': () => undefined, 'no-such': () => undefined }),
      );
      app.get('/this', (_req, res) => {
        const handlers: Readonly<Record<string, RequestHandler>> = {
          html(req) {
            res.json([this === (handlers as unknown), req.res === res]);
          },
        };
        res.format(handlers);
      });
      const tell: ErrorRequestHandler = (err, _req, res, _next) => {
        res.status(err.status ?? 500).json([String(err), err.status ?? null, err.types ?? null]);
      };
      app.use(tell);
      return app;
    },
    requests: [
      ...asking('/first', [
        'text',
        'default',
        'text',
        'default',
        'text',
        'text',
        'default',
        'text',
        'text',
        'text',
        'default',
        'text',
        'default',
      ]),
      ...asking('/only', Array(13).fill('default')),
      get('/empty').expect({ json: ['NotAcceptableError: Not Acceptable', 406, []] }),
      ...asking('/handler', [
        'true, function',
        'true, function',
        500,
        '["html","json","default"]',
        'true, function',
        'true, function',
        500,
        '["html","json","default"]',
        '["html","json","default"]',
        '["html","json","default"]',
        500,
        'true, function',
        500,
      ]),
      get('/handler', { Accept: 'image/png' }).expect({ json: ['Error: passed on', null, null] }),
      get('/types', { Accept: 'image/png' }).expect({
        json: [
          'NotAcceptableError: Not Acceptable',
          406,
          ['text/plain', 'text/html', 'application/octet-stream'],
        ],
      }),
      get('/this').expect({ json: [true, true] }),
    ],
  }),
];
