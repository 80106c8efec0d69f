/** Scenarios for the middleware csrf of Express 3. Secret and salts are constant, so the tokens are, too. §9.3 */
import { createHash } from 'node:crypto';
import type express3 from 'nozomi/3';
import { get, head, post } from '../../parity/client/request';
import { type Express3, express3Scenario } from '../../parity/scenario/scenario';

const onError: express3.ErrorHandler = (err, _req, res, _next) =>
  res.send(err.status ?? 500, [err.message, err.code]);

type WithToken = { csrfToken(): string; session?: { csrfSecret?: string } };

const SECRET = 'of-one-client-alone-0000';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

function tokenWith(salt: string): string {
  const hash = createHash('sha1').update(`${salt}-${SECRET}`).digest('base64url');
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

const TRIES = [
  get('/'),
  head('/'),
  post('/'),
  post('/', `_csrf=${tokenWith('saltsalt')}`, FORM),
  post('/', '_csrf=saltsalt-forged', FORM),
  post(`/?_csrf=${tokenWith('saltsalt')}`),
  post('/?_csrf=forged'),
  ...['X-CSRF-Token', 'CSRF-Token', 'X-XSRF-Token', 'XSRF-Token'].flatMap((name) => [
    post('/', undefined, { [name]: tokenWith('other-00') }),
    post('/', undefined, { [name]: 'forged' }),
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
      get('/', { Cookie: `own=${SECRET}` }),
      post('/', undefined, { Cookie: `own=${SECRET}`, 'X-CSRF-Token': tokenWith('saltsalt') }),
      post('/', undefined, { Cookie: 'own=other', 'X-CSRF-Token': tokenWith('saltsalt') }),
    ],
  }),
  express3Scenario({
    name: 'csrf fails without a session',
    clauses: ['F-9.3-117'],
    build: ({ framework }) => protectedBy(framework, framework.csrf()),
    requests: [get('/')],
  }),
];
