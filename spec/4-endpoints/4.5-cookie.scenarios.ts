/** Scenarios for res.cookie() and res.clearCookie(). §4.5 */
import cookieParser from 'cookie-parser';
import { get, onOneConnection } from '../../parity/client/request';
import { getEach, routeEach, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

/** Each value, as it is sent. */
const VALUES: ReadonlyArray<readonly [value: unknown, sent: string]> = [
  ['plain', 'plain'],
  ['', ''],
  ['a b', 'a%20b'],
  ['ü;=,"\\', '%C3%BC%3B%3D%2C%22%5C'],
  ['%20', '%2520'],
  [7, '7'],
  [0, '0'],
  [true, 'true'],
  [undefined, 'undefined'],
  [1n, '1'],
  [{ a: [1, 'ü'] }, 'j%3A%7B%22a%22%3A%5B1%2C%22%C3%BC%22%5D%7D'],
  [[1, 2], 'j%3A%5B1%2C2%5D'],
  [null, 'j%3Anull'],
  [new Date(0), 'j%3A%221970-01-01T00%3A00%3A00.000Z%22'],
  ['\u0000', '%00'],
  ['\r\nSet-Cookie: x=y', '%0D%0ASet-Cookie%3A%20x%3Dy'],
  ['a'.repeat(5000), 'a'.repeat(5000)],
  ['💚', '%F0%9F%92%9A'],
];
/** Each name, and whether it is valid. */
const NAMES: ReadonlyArray<readonly [name: string, isValid: boolean]> = [
  ['name', true],
  ['', false],
  ['a b', false],
  ['a;b', false],
  ['a=b', false],
  ['ü', false],
  ['__Host-x', true],
  ['$x', true],
  ['a\r\nb', false],
  ['a\u0000b', false],
  ['"q"', false],
  ['a,b', false],
  ['a/b', false],
];
const EXPIRED = 'Expires=Thu, 01 Jan 1970 00:00:00 GMT';
/** Options of res.clearCookie, with what is sent for them after `name=`. */
const CLEARED: ReadonlyArray<readonly [options: unknown, sent: string]> = [
  [undefined, `; Path=/; ${EXPIRED}`],
  [{}, `; Path=/; ${EXPIRED}`],
  [
    { path: '/admin', domain: 'example.com', httpOnly: true, secure: true },
    `; Domain=example.com; Path=/admin; ${EXPIRED}; HttpOnly; Secure`,
  ],
  [{ path: '' }, `; ${EXPIRED}`],
  [{ maxAge: 900000 }, `; Path=/; ${EXPIRED}`],
  [{ expires: new Date(2e12) }, `; Path=/; ${EXPIRED}`],
  [{ maxAge: 1, expires: new Date(2e12), sameSite: 'lax' }, `; Path=/; ${EXPIRED}; SameSite=Lax`],
  [{ signed: true }, `s%3A.%2BeZuF5tnR65UEI%2BC%2BK3os8Jddv0wr95sOVgixTAZYWk; Path=/; ${EXPIRED}`],
  [{ path: undefined }, `; Path=/; ${EXPIRED}`],
  [null, `; Path=/; ${EXPIRED}`],
];

export default [
  scenario({
    name: 'res.cookie encodes values of any type',
    clauses: ['F-4.5-09', 'F-4.5-10', 'F-4.5-101'],
    build: routes(routeEach(VALUES, (res, [value]) => res.cookie('name', value).send('x'))),
    requests: getEach(VALUES, ([, sent]) => ({ 'set-cookie': `name=${sent}; Path=/` })),
  }),
  scenario({
    name: 'res.cookie throws for an invalid cookie name',
    clauses: ['F-4.5-09'],
    build: routes(routeEach(NAMES, (res, [name]) => res.cookie(name, 'value').send('x'))),
    requests: getEach(NAMES, ([name, isValid]) =>
      isValid
        ? { status: 200, 'set-cookie': `${name}=value; Path=/` }
        : { status: 500, 'set-cookie': undefined, body: /TypeError: argument name is invalid/ },
    ),
  }),
  scenario({
    name: 'res.cookie adds a Set-Cookie header for each call',
    clauses: ['F-4.5-11', 'F-4.5-101'],
    build: routes({
      '/': (_req, res) => res.cookie('a', '1').cookie('b', '2').cookie('a', '3').clearCookie('c').end(),
    }),
    requests: [
      get('/').expect({
        'set-cookie': ['a=1; Path=/', 'b=2; Path=/', 'a=3; Path=/', `c=; Path=/; ${EXPIRED}`],
      }),
    ],
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
      get('/no-parser').expect({
        status: 500,
        'set-cookie': undefined,
        body: /cookieParser\(&quot;secret&quot;\) required for signed cookies/,
      }),
      get('/several').expect({ 'set-cookie': /^a=s%3A1\.vSjuFC/ }),
      get('/none').expect({ 'set-cookie': /^a=s%3A1\./ }),
      onOneConnection(get('/set'), (seen) => {
        const cookies = (seen.at(-1)?.response.headers ?? []).filter(
          ([name]) => name.toLowerCase() === 'set-cookie',
        );
        return get('/get', { Cookie: cookies.map(([, cookie]) => cookie.split(';')[0]).join('; ') }).expect({
          json: [{ text: 'ü', object: { a: 1 } }, { bare: 'b' }],
        });
      }),
      get('/get', { Cookie: 'text=s%3Aforged.0khabdJFOwEbXI90EKp%2B4E40qf0MzTJYO%2BmJ7RF0J8M' }).expect({
        json: [{ text: false }, {}],
      }),
    ],
  }),
  scenario({
    name: 'res.clearCookie sends an empty cookie that expired in 1970',
    clauses: ['F-4.5-13', 'F-4.5-14', 'F-4.5-15', 'F-4.5-102'],
    build({ framework }) {
      const app = framework();
      app.use(cookieParser('secret'));
      for (const [index, [options]] of CLEARED.entries()) {
        app.get(`/${index}`, (_req, res) => res.clearCookie('name', Object.freeze(options) as object).end());
      }
      return app;
    },
    requests: getEach(CLEARED, ([, sent]) => ({ 'set-cookie': `name=${sent}` })),
  }),
];
