/** Scenarios for res.cookie() and res.clearCookie(). §4.5 */
import cookieParser from 'cookie-parser';
import { get, onOneConnection } from '../../parity/client/request';
import { getEach, gets, routeEach, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

const VALUES = [
  ...[
    'plain',
    '',
    'a b',
    'ü;=,"\\',
    '%20',
    7,
    0,
    true,
    undefined,
    1n,
    { a: [1, 'ü'] },
    [1, 2],
    null,
    new Date(0),
  ],
  ...['\u0000', '\r\nSet-Cookie: x=y', 'a'.repeat(5000), '💚'],
];
const NAMES = [
  'name',
  '',
  'a b',
  'a;b',
  'a=b',
  'ü',
  '__Host-x',
  '$x',
  'a\r\nb',
  'a\u0000b',
  '"q"',
  'a,b',
  'a/b',
];

export default [
  scenario({
    name: 'res.cookie encodes values of any type',
    clauses: ['F-4.5-09', 'F-4.5-10', 'F-4.5-101'],
    build: routes(routeEach(VALUES, (res, value) => res.cookie('name', value).send('x'))),
    requests: getEach(VALUES),
  }),
  scenario({
    name: 'res.cookie throws for an invalid cookie name',
    clauses: ['F-4.5-09'],
    build: routes(routeEach(NAMES, (res, name) => res.cookie(name, 'value').send('x'))),
    requests: getEach(NAMES),
  }),
  scenario({
    name: 'res.cookie adds a Set-Cookie header for each call',
    clauses: ['F-4.5-11', 'F-4.5-101'],
    build: routes({
      '/': (_req, res) => res.cookie('a', '1').cookie('b', '2').cookie('a', '3').clearCookie('c').end(),
    }),
    requests: gets('/'),
  }),
  scenario({
    name: 'cookie-parser reads the signed cookies that res.cookie sets',
    clauses: ['F-4.5-12', 'F-2.8-15'],
    build({ framework }) {
      const app = framework();
      app.get('/no-parser', (_req, res) => res.cookie('a', '1', { signed: true }).end());
      app.use(cookieParser('secret'));
      app.get('/set', (_req, res) => {
        res
          .cookie('text', 'ü', { signed: true })
          .cookie('object', { a: 1 }, { signed: true })
          .cookie('bare', 'b');
        res.end();
      });
      app.get('/get', (req, res) => res.json([req.signedCookies, req.cookies]));
      const several = framework();
      several.use(cookieParser(['young', 'old']));
      several.get('/', (_req, res) => res.cookie('a', '1', { signed: true }).end());
      app.use('/several', several);
      const none = framework();
      none.use(cookieParser());
      none.get('/', (_req, res) => res.cookie('a', '1', { signed: true }).end());
      app.use('/none', none);
      return app;
    },
    requests: [
      ...gets('/no-parser', '/several', '/none'),
      onOneConnection(get('/set'), (seen) => {
        const cookies = (seen.at(-1)?.response.headers ?? []).filter(
          ([name]) => name.toLowerCase() === 'set-cookie',
        );
        return get('/get', { Cookie: cookies.map(([, cookie]) => cookie.split(';')[0]).join('; ') });
      }),
    ],
  }),
  scenario({
    name: 'res.clearCookie sends an empty cookie that expired in 1970',
    clauses: ['F-4.5-13', 'F-4.5-14', 'F-4.5-15', 'F-4.5-102'],
    build({ framework }) {
      const app = framework();
      app.use(cookieParser('secret'));
      const some = [
        ...[
          undefined,
          {},
          { path: '/admin', domain: 'example.com', httpOnly: true, secure: true },
          { path: '' },
        ],
        ...[
          { maxAge: 900000 },
          { expires: new Date(2e12) },
          { maxAge: 1, expires: new Date(2e12), sameSite: 'lax' },
        ],
        ...[{ signed: true }, { path: undefined }, null],
      ];
      for (const [index, options] of some.entries()) {
        app.get(`/${index}`, (_req, res) => res.clearCookie('name', options as never).end());
      }
      return app;
    },
    requests: getEach(Array(10).fill(0)),
  }),
];
