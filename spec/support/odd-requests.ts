/** Requests that serverless adapters and test clients create, and an application for them. */
import type framework from 'nozomi';
import { json } from 'nozomi';
import type { App } from './light';

/** Adds a route that responds with properties of the request, and routes for a text, a redirect and an error. */
export function seeing(app: App): App {
  app.set('trust proxy', true).set('env', 'test').use(json());
  app.all('/users/:id', (req, res) => {
    const { method, path, query, params, protocol, host, ip, ips, xhr, body, originalUrl, baseUrl } = req;
    const negotiated = [req.accepts('html', 'json'), req.is('json'), req.get('X-One'), req.fresh];
    res.cookie('seen', 'yes').json({
      method,
      path,
      query,
      params,
      protocol,
      host,
      ip,
      ips,
      xhr,
      body,
      originalUrl,
      // Express 3 has no `req.baseUrl`; that of nozomi/3 is empty here.
      baseUrl: baseUrl || undefined,
      negotiated,
    });
  });
  app.get('/text', (_req, res) => res.type('txt').send('héllo'));
  app.get('/redirect', (_req, res) => res.redirect('/elsewhere'));
  app.get('/fails', () => {
    throw Object.assign(new Error('teapot'), { status: 418 });
  });
  // Only the message, because stack frames differ between the implementations.
  app.use(((err, _req, res, _next) =>
    res.status(err.status).json(err.message)) as framework.ErrorRequestHandler);
  return app;
}
export const ASKED: ReadonlyArray<
  [method: string, url: string, headers: Record<string, string>, body?: string]
> = [
  ['GET', '/users/7?a=1&a=2', { host: 'own.test:80', accept: 'application/json', 'x-one': '1' }],
  [
    'POST',
    '/users/7',
    { host: 'own.test', 'content-type': 'application/json', 'x-forwarded-for': '1.1.1.1, 2.2.2.2' },
    '{"a":1}',
  ],
  ['POST', '/users/7', { host: 'own.test', 'content-type': 'application/json' }, '{broken'],
  ['HEAD', '/text', { host: 'own.test' }],
  ['GET', '/text', { host: 'own.test', 'if-none-match': '*' }],
  ['GET', '/redirect', {}],
  ['GET', '/fails', {}],
  ['GET', '/nowhere', {}],
];
