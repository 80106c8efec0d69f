/** Scenarios for cookieParser, cookieSession and session of Express 3. The secrets are constant. §9.3 */
import type { ServerResponse } from 'node:http';
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

/** Expires depends on the clock, so the header X-Expires only states whether the cookie expires in one hour. */
function hideExpiry(res: ServerResponse): void {
  const { setHeader } = res;
  res.setHeader = (name, value) => {
    const expires = /; Expires=([^;]+)/.exec(String(value))?.[1];
    if (!expires) return setHeader.call(res, name, value);
    const isHour = Math.abs(Date.parse(expires) - Date.now() - 3_600_000) < 60_000;
    return setHeader.call(res, 'X-Expires', String(isHour));
  };
  res.appendHeader = res.setHeader as typeof res.appendHeader;
}

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
      get('/').expect({ json: [{}, {}] }),
      get('/', { Cookie: 'a=1; b=j%3A%7B%22x%22%3A1%7D; c=%zz; a=2' }).expect({
        json: [{ a: '1', b: { x: 1 }, c: '%zz' }, {}],
      }),
      get('/signed', {
        Cookie: `good=${signed('v')}; bad=${signed('v', 'dog')}; plain=1; j=${signed('j:[1]')}`,
      }).expect({ json: [{ plain: '1' }, { good: 'v', bad: false, j: [1] }] }),
    ],
  }),
  express3Scenario({
    name: 'cookieSession keeps the session in a signed cookie',
    clauses: ['F-9.3-106', 'F-9.3-107', 'F-9.3-109', 'F-9.3-112'],
    build: ({ framework }) =>
      counting(framework, framework.cookieParser(), framework.cookieSession({ secret: SECRET })),
    requests: [
      get('/').expect({
        json: { count: 1 },
        'set-cookie': `connect.sess=${signed('j:{"count":1}')}; Path=/; HttpOnly`,
      }),
      get('/', session({ count: 1, user: 'é' })).expect({ json: { count: 2 } }),
      (seen) =>
        get('/', { Cookie: String(seen[1]?.header('Set-Cookie')).split(';')[0] as string }).expect({
          json: { count: 3 },
        }),
      get('/peek', session({ count: 1 })).expect({ json: { count: 1 }, 'set-cookie': undefined }),
      get('/peek', { Cookie: `connect.sess=${signed('j:{"count":7}', 'dog')}` }).expect({ json: {} }),
      get('/clear', session({ count: 1 })).expect({
        'set-cookie': 'connect.sess=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly',
      }),
      get('/cookie').expect({
        json: { count: 1, cookie: { originalMaxAge: null, expires: null, httpOnly: true, path: '/' } },
      }),
    ],
  }),
  express3Scenario({
    name: 'cookieSession uses the secret of cookieParser',
    clauses: ['F-9.3-107'],
    build: ({ framework }) => counting(framework, framework.cookieParser(SECRET), framework.cookieSession()),
    requests: [
      get('/'),
      get('/', session({ count: 1 })),
      get('/peek', session({ count: 1 })).expect({
        json: { count: 1 },
        'set-cookie': `connect.sess=${signed('j:{"count":1}')}; Path=/; HttpOnly`,
      }),
    ],
  }),
  express3Scenario({
    name: 'cookieSession fails without a secret',
    clauses: ['F-9.3-107'],
    build: ({ framework }) => counting(framework, framework.cookieParser(), framework.cookieSession()),
    requests: [get('/').expect({ status: 500, body: /`secret` option required for cookie sessions/ })],
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
    requests: [
      get('/in').expect({ 'set-cookie': /^own\.sess=.*; Domain=parity\.test; Path=\/in$/ }),
      get('/in/side', session({ count: 1 }, 'own.sess')).expect({ json: { count: 2 } }),
      get('/out').expect({ json: { count: 1 }, 'set-cookie': undefined }),
    ],
  }),
  express3Scenario({
    name: 'cookieSession sends maxAge as Expires',
    clauses: ['F-9.3-110'],
    build({ framework }) {
      const app = framework();
      app.use(framework.cookieParser());
      app.use((_req, res, next) => {
        hideExpiry(res);
        next();
      });
      app.use(framework.cookieSession({ secret: SECRET, cookie: { maxAge: 3_600_000 } }));
      app.get('/', (_req, res) => res.send('hello'));
      return app;
    },
    requests: [get('/').expect({ 'x-expires': 'true' })],
  }),
  express3Scenario({
    name: 'cookieSession sends the maxAge that a handler assigns to the cookie of the session',
    clauses: ['F-9.3-110'],
    build({ framework }) {
      const app = framework();
      app.use((_req, res, next) => {
        hideExpiry(res);
        next();
      });
      app.use(framework.cookieParser(SECRET));
      app.use(framework.cookieSession());
      app.get('/', (req, res) => {
        const { cookie } = Object(req).session;
        const before = cookie.maxAge;
        cookie.maxAge = 3_600_000;
        res.send([before]);
      });
      return app;
    },
    requests: [get('/').expect({ json: [null], 'x-expires': 'true' })],
  }),
  express3Scenario({
    name: 'cookieSession starts a new session if the cookie is not a session that its secret signed',
    clauses: ['F-9.3-107'],
    build: ({ framework }) =>
      counting(framework, framework.cookieParser(), framework.cookieSession({ secret: SECRET })),
    requests: ['{"count":7}', 'j:{broken'].map((value) =>
      get('/', { Cookie: `connect.sess=${signed(value)}` }).expect({ json: { count: 1 } }),
    ),
  }),
  express3Scenario({
    name: 'cookieSession keeps cookies of other middleware, and sends a secure cookie over TLS',
    clauses: ['F-9.3-107', 'F-9.3-111'],
    build({ framework }) {
      const app = framework();
      app.use((req, res, next) => {
        Object.assign(req.socket, { encrypted: true });
        res.setHeader('Set-Cookie', 'other=1');
        next();
      });
      app.use(framework.cookieParser());
      app.use(framework.cookieSession({ secret: SECRET, cookie: { secure: true } }));
      app.get('/', (req, res) => {
        Object(req).session.count = 1;
        res.send('hello');
      });
      return app;
    },
    requests: [
      get('/').expect({
        'set-cookie': ['other=1', `connect.sess=${signed('j:{"count":1}')}; Path=/; HttpOnly; Secure`],
      }),
    ],
  }),
  express3Scenario({
    name: 'cookieParser has the functions of cookie-parser, and session has constructors',
    clauses: ['F-9.3-105', 'F-9.3-116'],
    build({ framework }) {
      const { cookieParser, session } = framework;
      const cookie = `s:${sign('v', 'cat')}`;
      const app = framework();
      app.get('/', (_req, res) =>
        res.send([
          cookieParser.JSONCookie('j:[1]'),
          cookieParser.JSONCookies({ a: 'j:1' }),
          cookieParser.signedCookie(cookie, 'cat'),
          { ...cookieParser.signedCookies({ a: cookie }, 'cat') },
          new session.MemoryStore() instanceof session.Store,
          [typeof session.Session, Object(new session.Cookie()).path, Object(new session.Cookie()).httpOnly],
        ]),
      );
      return app;
    },
    requests: [get('/').expect({ json: [[1], { a: 1 }, 'v', { a: 'v' }, true, ['function', '/', true]] })],
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
      get('/trusted', { 'X-Forwarded-Proto': 'https' }).expect({ 'set-cookie': /Secure$/ }),
      get('/trusted', { 'X-Forwarded-Proto': 'HTTPS, http' }).expect({ 'set-cookie': /Secure$/ }),
      get('/trusted', { 'X-Forwarded-Proto': 'http, https' }).expect({ 'set-cookie': undefined }),
      get('/trusted').expect({ 'set-cookie': undefined }),
      get('/other', { 'X-Forwarded-Proto': 'https' }).expect({ 'set-cookie': undefined }),
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
      get('/').expect({ json: { count: 1 }, 'set-cookie': /^connect\.sid=s%3A/ }),
      get('/', { Cookie: `connect.sid=${signed('known-to-everybody')}` }).expect({ json: { count: 2 } }),
      get('/', { Cookie: `connect.sid=${signed('known-to-everybody', 'dog')}` }).expect({
        json: { count: 1 },
      }),
    ],
  }),
];
