/** Scenarios for the middleware csrf of Express 3. Secret and salts are constant, so the tokens are, too. §9.3 */
import { createHash } from 'node:crypto';
import { sign } from 'cookie-signature';
import type express3 from 'nozomi/3';
import { get, head, options, post } from '../../parity/client/request';
import { type Express3, express3Scenario } from '../../parity/scenario/scenario';
import { outcomeOf } from '../support/outcome';

const onError: express3.ErrorHandler = (err, _req, res, _next) =>
  res.send(err.status ?? 500, [err.message, err.code]);

type WithToken = { csrfToken(): string; session?: { csrfSecret?: string } };

const SECRET = 'of-one-client-alone-0000';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

function tokenWith(salt: string, secret = SECRET): string {
  const hash = createHash('sha1').update(`${salt}-${secret}`).digest('base64url');
  return `${salt}-${hash}`;
}

/** Creates an application that responds whether the token has the right form, and equals that of a second call. */
function protectedBy(framework: Express3, ...before: Array<ReturnType<Express3['json']>>) {
  const app = framework();
  for (const middleware of before) app.use(middleware);
  app.all('/', (req, res) => {
    const token = (req as unknown as WithToken).csrfToken();
    res.send([/^[\w-]{8}-[\w-]{27}$/.test(token), (req as unknown as WithToken).csrfToken() === token]);
  });
  app.use(onError);
  return app;
}

/** Sets a constant secret in the session, if there is a session. */
const known = (req: unknown, _res: unknown, next: () => void): void => {
  const { session } = req as WithToken;
  if (session) session.csrfSecret = SECRET;
  next();
};

const HEADERS = ['X-CSRF-Token', 'CSRF-Token', 'X-XSRF-Token', 'XSRF-Token'];
const ACCEPTED = { status: 200, json: [true, true] };
const REFUSED = { status: 403, json: ['invalid csrf token', 'EBADCSRFTOKEN'] };

const TRIES = [
  get('/').expect(ACCEPTED),
  head('/').expect({ status: 200 }),
  post('/').expect(REFUSED),
  post('/', `_csrf=${tokenWith('saltsalt')}`, FORM).expect(ACCEPTED),
  post('/', '_csrf=saltsalt-forged', FORM).expect(REFUSED),
  post(`/?_csrf=${tokenWith('saltsalt')}`).expect(ACCEPTED),
  post('/?_csrf=forged').expect(REFUSED),
  ...HEADERS.flatMap((name) => [
    post('/', undefined, { [name]: tokenWith('other-00') }).expect(REFUSED), // a salt has no hyphen
    post('/', undefined, { [name]: 'forged' }).expect(REFUSED),
  ]),
];

export default [
  express3Scenario({
    name: 'csrf reads the token from the body, the query and the headers',
    clauses: ['F-9.3-113', 'F-9.3-114', 'F-9.3-115', 'F-9.3-117'],
    build: ({ framework }) =>
      protectedBy(
        framework,
        framework.cookieParser(),
        framework.cookieSession({ secret: 'keyboard cat' }),
        known as never,
        framework.urlencoded(),
        framework.csrf(),
      ),
    requests: TRIES,
  }),
  express3Scenario({
    name: 'csrf accepts the token in each of four headers',
    clauses: ['F-9.3-115'],
    build: ({ framework }) =>
      protectedBy(
        framework,
        framework.cookieParser(),
        framework.cookieSession({ secret: 'keyboard cat' }),
        known as never,
        framework.csrf(),
      ),
    requests: HEADERS.map((name) => post('/', undefined, { [name]: tokenWith('othersal') }).expect(ACCEPTED)),
  }),
  express3Scenario({
    name: 'csrf ties tokens to a session that the server stores',
    clauses: ['F-9.3-116'],
    build: ({ framework }) =>
      protectedBy(
        framework,
        framework.cookieParser(),
        framework.session({ secret: 'keyboard cat', genid: () => 'known-to-everybody' }),
        known as never,
        framework.urlencoded(),
        framework.csrf(),
      ),
    requests: TRIES.slice(2, 5),
  }),
  express3Scenario({
    name: 'csrf stores the secret in a cookie if the option cookie is set',
    clauses: ['F-9.3-117'],
    build: ({ framework }) =>
      protectedBy(
        framework,
        framework.cookieParser(),
        framework.csrf({ cookie: { key: 'own', httpOnly: true } }),
      ),
    requests: [
      get('/', { Cookie: `own=${SECRET}` }).expect(ACCEPTED),
      post('/', undefined, { Cookie: `own=${SECRET}`, 'X-CSRF-Token': tokenWith('saltsalt') }).expect(
        ACCEPTED,
      ),
      post('/', undefined, { Cookie: 'own=other', 'X-CSRF-Token': tokenWith('saltsalt') }).expect(REFUSED),
    ],
  }),
  express3Scenario({
    name: 'csrf fails without a session',
    clauses: ['F-9.3-117'],
    build: ({ framework }) => protectedBy(framework, framework.csrf()),
    requests: [get('/').expect({ status: 500, json: ['misconfigured csrf', null] })],
  }),
  express3Scenario({
    name: 'csrf fails for a signed cookie if cookieParser has no secret',
    clauses: ['F-9.3-117'],
    build({ framework }) {
      const app = framework();
      app.use(framework.cookieParser());
      app.use('/signed', framework.csrf({ cookie: { signed: true } }));
      app.use(onError);
      return app;
    },
    requests: [
      get('/signed').expect({
        status: 500,
        json: ['cookieParser("secret") required for signed cookies', null],
      }),
    ],
  }),
  express3Scenario({
    name: 'csrf sets a cookie with the secret, signed if the option cookie says so',
    clauses: ['F-9.3-117'],
    build({ framework }) {
      const app = framework();
      app.use((_req, res, next) => {
        // The secret is random, so the header X-Secret only states its form.
        res.setHeader = res.appendHeader = ((_name: string, value: string) =>
          Object.getPrototypeOf(res).setHeader.call(
            res,
            'X-Secret',
            String(value).replace(/=(s%3A)?[^;]+/, ' $1'),
          )) as never;
        next();
      });
      app.use(framework.cookieParser('cat'));
      app.use('/plain', framework.csrf({ cookie: { key: 'own' } }));
      app.use('/signed', framework.csrf({ cookie: { key: 'own', signed: true } }));
      app.use((req, res) => res.end(typeof (req as unknown as WithToken).csrfToken()));
      return app;
    },
    requests: [
      get('/plain').expect({ 'x-secret': /^own ;/ }),
      get('/signed').expect({ 'x-secret': /^own s%3A;/ }),
    ],
  }),
  express3Scenario({
    name: 'csrf accepts a secret from a signed cookie, but no token of another secret',
    clauses: ['F-9.3-113', 'F-9.3-117'],
    build: ({ framework }) =>
      protectedBy(framework, framework.cookieParser('cat'), framework.csrf({ cookie: { signed: true } })),
    requests: [
      ...[tokenWith('saltsalt'), tokenWith('saltsalt', 'of-another-client-000000')].map((token, index) =>
        post('/', undefined, {
          Cookie: `_csrf=${encodeURIComponent(`s:${sign(SECRET, 'cat')}`)}`,
          'X-CSRF-Token': token,
        }).expect(index === 0 ? ACCEPTED : REFUSED),
      ),
    ],
  }),
  express3Scenario({
    name: 'csrf accepts the methods of ignoreMethods, and the token that the option value returns',
    clauses: ['F-9.3-113'],
    build({ framework }) {
      const app = framework();
      app.use(framework.cookieParser());
      app.use(framework.cookieSession({ secret: 'keyboard cat' }));
      app.use(known as never);
      app.use('/ignored', framework.csrf({ ignoreMethods: ['post'] }));
      app.use('/own', framework.csrf({ value: (req) => req.headers['x-own'] }));
      app.use('/list', framework.csrf());
      const wrong = outcomeOf(() => framework.csrf({ ignoreMethods: 'GET' as never }));
      app.all('*', (_req, res) => res.send(wrong));
      app.use(onError);
      return app;
    },
    requests: [
      post('/ignored').expect({ status: 200, body: 'TypeError: option ignoreMethods must be an array' }),
      get('/ignored').expect(REFUSED),
      post('/own', undefined, { 'X-Own': tokenWith('saltsalt') }).expect({ status: 200 }),
      post('/own', undefined, { 'X-CSRF-Token': tokenWith('saltsalt') }).expect(REFUSED),
      options('/list').expect({ status: 200 }),
    ],
  }),
  express3Scenario({
    name: 'csrf creates another secret, and with it another token, for a new session',
    clauses: ['F-9.3-113'],
    build({ framework }) {
      const app = framework();
      app.use(framework.cookieParser());
      app.use(framework.cookieSession({ secret: 'keyboard cat' }));
      app.use(framework.csrf());
      app.use((req, res) => {
        const visit = req as unknown as WithToken;
        const first = visit.csrfToken();
        visit.session = {};
        const isSame = visit.csrfToken() === first;
        // Without a session, the response has no cookie with the random secret.
        visit.session = null as never;
        res.end(String(isSame));
      });
      return app;
    },
    requests: [get('/').expect({ body: 'false' })],
  }),
];
