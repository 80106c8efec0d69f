/** Scenarios for cookieParser, cookieSession and session of Express 3. The secrets are constant. §9.3 */
import { sign } from 'cookie-signature';
import { get } from '../../parity/client/request';
import { type Express3, express3Scenario } from '../../parity/scenario/scenario';

type Session = Record<string, unknown> & { count?: number };
type WithSession = { session: Session | null };

const SECRET = 'keyboard cat';
const signed = (value: string, secret = SECRET): string => encodeURIComponent(`s:${sign(value, secret)}`);
const session = (value: object, name = 'connect.sess') => ({
  Cookie: `${name}=${signed(`j:${JSON.stringify(value)}`)}`,
});

/** Creates an application that counts visits in the session, except of `/clear`, which ends it, and of `/peek`. */
function counting(framework: Express3, ...before: Array<ReturnType<Express3['json']>>) {
  const app = framework();
  for (const middleware of before) app.use(middleware);
  app.get('*', (req, res) => {
    const visit = req as unknown as WithSession;
    if (req.path === '/clear') visit.session = null;
    else if (req.path !== '/peek' && visit.session) visit.session.count = (visit.session.count ?? 0) + 1;
    res.send({
      count: visit.session?.count,
      cookie: req.path === '/cookie' ? visit.session?.cookie : undefined,
    });
  });
  return app;
}

export default [
  express3Scenario({
    name: 'cookieParser fills req.cookies and req.signedCookies',
    clauses: ['F-9.3-105', 'F-9.3-47', 'F-9.3-48'],
    build({ framework }) {
      const app = framework();
      app.use('/signed', framework.cookieParser(SECRET));
      app.use(framework.cookieParser());
      app.get('*', (req, res) => res.send([req.cookies, req.signedCookies]));
      return app;
    },
    requests: [
      get('/'),
      get('/', { Cookie: 'a=1; b=j%3A%7B%22x%22%3A1%7D; c=%zz; a=2' }),
      get('/signed', {
        Cookie: `good=${signed('v')}; bad=${signed('v', 'dog')}; plain=1; j=${signed('j:[1]')}`,
      }),
    ],
  }),
  express3Scenario({
    name: 'cookieSession keeps the session in a signed cookie',
    clauses: ['F-9.3-106', 'F-9.3-107', 'F-9.3-109', 'F-9.3-112'],
    build: ({ framework }) =>
      counting(framework, framework.cookieParser(), framework.cookieSession({ secret: SECRET })),
    requests: [
      get('/'),
      get('/', session({ count: 1, user: 'é' })),
      (seen) => get('/', { Cookie: String(seen[1]?.header('Set-Cookie')).split(';')[0] as string }),
      get('/peek', session({ count: 1 })),
      get('/peek', { Cookie: `connect.sess=${signed('j:{"count":7}', 'dog')}` }),
      get('/clear', session({ count: 1 })),
      get('/cookie'),
    ],
  }),
  express3Scenario({
    name: 'cookieSession uses the secret of cookieParser',
    clauses: ['F-9.3-107'],
    build: ({ framework }) => counting(framework, framework.cookieParser(SECRET), framework.cookieSession()),
    requests: [get('/'), get('/', session({ count: 1 })), get('/peek', session({ count: 1 }))],
  }),
  express3Scenario({
    name: 'cookieSession fails without a secret',
    clauses: ['F-9.3-107'],
    build: ({ framework }) => counting(framework, framework.cookieParser(), framework.cookieSession()),
    requests: [get('/')],
  }),
  express3Scenario({
    name: 'cookieSession accepts a key and cookie settings',
    clauses: ['F-9.3-108', 'F-9.3-109'],
    build: ({ framework }) =>
      counting(
        framework,
        framework.cookieParser(),
        framework.cookieSession({
          key: 'own.sess',
          secret: SECRET,
          cookie: { path: '/in', httpOnly: false, domain: 'parity.test' },
        }),
      ),
    requests: [get('/in'), get('/in/side', session({ count: 1 }, 'own.sess')), get('/out')],
  }),
  express3Scenario({
    name: 'cookieSession sends maxAge as Expires',
    clauses: ['F-9.3-110'],
    build({ framework }) {
      const app = framework();
      app.use(framework.cookieParser());
      app.use((_req, res, next) => {
        // Expires depends on the clock, so the header X-Expires only states whether the cookie expires in one hour.
        const { setHeader } = res;
        res.setHeader = (name, value) => {
          const expires = /; Expires=([^;]+)/.exec(String(value))?.[1];
          if (!expires) return setHeader.call(res, name, value);
          const isHour = Math.abs(Date.parse(expires) - Date.now() - 3_600_000) < 60_000;
          return setHeader.call(res, 'X-Expires', String(isHour));
        };
        res.appendHeader = res.setHeader as typeof res.appendHeader;
        next();
      });
      app.use(framework.cookieSession({ secret: SECRET, cookie: { maxAge: 3_600_000 } }));
      app.get('/', (_req, res) => res.send('hello'));
      return app;
    },
    requests: [get('/')],
  }),
  express3Scenario({
    name: 'cookieSession sends a secure cookie only over TLS, also as reported by a trusted proxy',
    clauses: ['F-9.3-111'],
    build({ framework }) {
      const app = framework();
      const cookie = { secure: true };
      app.use(framework.cookieParser());
      app.use('/trusted', framework.cookieSession({ secret: SECRET, proxy: true, cookie }));
      app.use('/other', framework.cookieSession({ secret: SECRET, cookie }));
      app.get('*', (_req, res) => res.send('hello'));
      return app;
    },
    requests: [
      get('/trusted', { 'X-Forwarded-Proto': 'https' }),
      get('/trusted', { 'X-Forwarded-Proto': 'HTTPS, http' }),
      get('/trusted', { 'X-Forwarded-Proto': 'http, https' }),
      get('/trusted'),
      get('/other', { 'X-Forwarded-Proto': 'https' }),
    ],
  }),
  express3Scenario({
    name: 'session stores sessions on the server',
    clauses: ['F-9.3-116'],
    build: ({ framework }) =>
      counting(
        framework,
        framework.cookieParser(),
        framework.session({ secret: SECRET, genid: () => 'known-to-everybody' }),
      ),
    requests: [
      get('/'),
      get('/', { Cookie: `connect.sid=${signed('known-to-everybody')}` }),
      get('/', { Cookie: `connect.sid=${signed('known-to-everybody', 'dog')}` }),
    ],
  }),
];
