/** §2.8 and §4.5: cookies. */
import type { CookieOptions } from 'express';
import { get } from '../../request';
import { scenario } from '../../scenario';

const OPTIONS: CookieOptions[] = [
  {},
  { domain: 'parity.test', path: '/admin' },
  { encode: (value) => value.toUpperCase() },
  { expires: new Date('2030-01-02T03:04:05Z'), httpOnly: true, secure: true },
  { expires: 0 as unknown as Date },
  { maxAge: 90_000 },
  { maxAge: 0 },
  { partitioned: true, priority: 'high' },
  { sameSite: true },
  { sameSite: false },
  { sameSite: 'none' },
];

export default [
  scenario({
    name: 'each option becomes its attribute',
    clauses: [
      'F-2.8-01',
      'F-2.8-02',
      'F-2.8-03',
      'F-2.8-04',
      'F-2.8-06',
      'F-2.8-07',
      'F-2.8-08',
      'F-2.8-09',
      'F-2.8-10',
      'F-2.8-11',
      'F-2.8-12',
      'F-2.8-13',
      'F-2.8-14',
      'F-2.8-16',
      'F-2.8-17',
      'F-2.8-18',
    ],
    build({ framework }) {
      const app = framework();
      app.get('/:index', (req, res) => {
        res.cookie('name', 'a b;ä', OPTIONS[Number(req.params.index)] ?? {}).end();
      });
      return app;
    },
    requests: OPTIONS.map((_options, index) => get(`/${index}`)),
  }),
  scenario({
    name: 'objects, several cookies, clearing, and refusals',
    clauses: ['F-2.8-15', 'F-4.5-09', 'F-4.5-10', 'F-4.5-11', 'F-4.5-13', 'F-4.5-14', 'F-4.5-15'],
    build({ framework }) {
      const app = framework();
      app.get(
        '/object',
        (_req, res) =>
          void res
            .cookie('cart', { items: [1, 2] })
            .cookie('n', 5)
            .end(),
      );
      app.get(
        '/clear',
        (_req, res) => void res.clearCookie('name', { path: '/admin', maxAge: 9, expires: new Date() }).end(),
      );
      app.get('/no-secret', (_req, res) => void res.cookie('name', 'x', { signed: true }).end());
      app.get('/bad-name', (_req, res) => void res.cookie('na me', 'x').end());
      app.get(
        '/bad-priority',
        (_req, res) => void res.cookie('name', 'x', { priority: 'top' as 'high' }).end(),
      );
      return app;
    },
    requests: ['/object', '/clear', '/no-secret', '/bad-name', '/bad-priority'].map((path) => get(path)),
  }),
];
