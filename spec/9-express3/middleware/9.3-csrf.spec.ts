import { expect } from 'chai';
import express3 from 'nozomi/3';
import request from 'supertest';
import { chain, type Link } from '../../support/chain';

type WithToken = { csrfToken(): string };

const token: Link<never> = (req: WithToken, res) => res.end(req.csrfToken());
const form = () =>
  chain(
    express3.cookieSession({ secret: 'cat' }),
    express3.urlencoded(),
    express3.query(),
    express3.csrf(),
    token,
  );

function cookieOf(res: request.Response): string {
  return (res.get('Set-Cookie') ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
}

/** Requests a page. @returns The csrf token in it, and the cookie of the session. */
async function visit(app: Parameters<typeof request>[0]) {
  const res = await request(app).get('/');
  return { token: res.text, cookie: cookieOf(res) };
}

describe('nozomi/3, express.csrf() (§9.3)', () => {
  it('accepts a token in the body [F-9.3-113]', async () => {
    const app = form();
    const { token, cookie } = await visit(app);

    await request(app).post('/').set('Cookie', cookie).send(`_csrf=${token}`).expect(200);
    await request(app).post('/').set('Cookie', cookie).send(`_csrf=${token}x`).expect(403);
  });

  it('accepts a token in the query [F-9.3-114]', async () => {
    const app = form();
    const { token, cookie } = await visit(app);

    await request(app).post(`/?_csrf=${token}`).set('Cookie', cookie).expect(200);
    await request(app).post('/?_csrf=x').set('Cookie', cookie).expect(403);
  });

  it('accepts a token in X-CSRF-Token and similar headers [F-9.3-115]', async () => {
    const app = form();
    const { token, cookie } = await visit(app);

    for (const name of ['X-CSRF-Token', 'X-XSRF-Token', 'CSRF-Token', 'XSRF-Token']) {
      await request(app).post('/').set('Cookie', cookie).set(name, token).expect(200);
      await request(app).post('/').set('Cookie', cookie).set(name, 'x').expect(403);
    }
  });

  it('responds 403 to a request without a token, or with the token of another session [F-9.3-113]', async () => {
    const app = form();
    const [one, other] = [await visit(app), await visit(app)];

    const res = await request(app).post('/').set('Cookie', one.cookie);
    expect([res.status, res.body]).to.deep.equal([
      403,
      { name: 'ForbiddenError', message: 'invalid csrf token', code: 'EBADCSRFTOKEN' },
    ]);
    await request(app).post('/').set('Cookie', one.cookie).set('X-CSRF-Token', other.token).expect(403);
    await request(app).post('/').set('X-CSRF-Token', one.token).expect(403);
  });

  it('accepts GET, HEAD and OPTIONS without a token, or the methods of ignoreMethods [F-9.3-113]', async () => {
    const named = chain(
      express3.cookieSession({ secret: 'cat' }),
      express3.csrf({ ignoreMethods: ['post'] }),
      token,
    );

    for (const method of ['get', 'head', 'options'] as const) await request(form())[method]('/').expect(200);
    await request(named).post('/').expect(200);
    await request(named).get('/').expect(403);
  });

  it('accepts a token that the option value, a function, returns [F-9.3-113]', async () => {
    const app = chain(
      express3.cookieSession({ secret: 'cat' }),
      express3.csrf({ value: (req) => req.headers['x-own'] }),
      token,
    );
    const { token: made, cookie } = await visit(app);

    await request(app).post('/').set('Cookie', cookie).set('X-Own', made).expect(200);
  });

  it('creates one token per request, with another secret for a new session [F-9.3-113]', async () => {
    const app = chain(
      express3.cookieSession({ secret: 'cat' }),
      express3.csrf(),
      (req: WithToken & { session: object }, res: { end(text: string): void }) => {
        const tokens = [req.csrfToken(), req.csrfToken()];
        req.session = {};
        res.end(JSON.stringify([...tokens, req.csrfToken()]));
      },
    );
    const [first, second, third] = JSON.parse((await request(app).get('/')).text);

    expect(second).to.equal(first);
    expect(third).not.to.equal(first);
  });

  it('supports sessions stored on the server [F-9.3-116]', async () => {
    const app = chain(express3.session({ secret: 'cat' }), express3.csrf(), token);
    const { token: made, cookie } = await visit(app);

    await request(app).post('/').set('Cookie', cookie).set('X-CSRF-Token', made).expect(200);
    await request(app).post('/').set('Cookie', cookie).set('X-CSRF-Token', 'x').expect(403);
  });

  it('calls next(err) without a session [F-9.3-117]', async () => {
    const res = await request(chain(express3.csrf(), token)).get('/');

    expect([res.status, res.body.message]).to.deep.equal([500, 'misconfigured csrf']);
  });

  for (const signed of [false, true]) {
    it(`stores the secret in a ${signed ? 'signed ' : ''}cookie if the option cookie is set [F-9.3-117]`, async () => {
      const app = chain(
        express3.cookieParser('cat'),
        express3.csrf({ cookie: { signed, key: 'own' } }),
        token,
      );
      const { token: made, cookie } = await visit(app);

      expect(cookie).to.match(signed ? /^own=s%3A/ : /^own=[\w-]+$/);
      await request(app).post('/').set('Cookie', cookie).set('X-CSRF-Token', made).expect(200);
      await request(app).post('/').set('Cookie', 'own=other').set('X-CSRF-Token', made).expect(403);
    });
  }

  it('calls next(err) for the option cookie without cookieParser, and for a signed cookie without a secret [F-9.3-117]', async () => {
    const plain = await request(chain(express3.csrf({ cookie: true }), token)).get('/');
    const unsigned = await request(
      chain(express3.cookieParser(), express3.csrf({ cookie: { signed: true } }), token),
    ).get('/');

    expect([plain.body.message, unsigned.body.message]).to.deep.equal([
      'misconfigured csrf',
      'cookieParser("secret") required for signed cookies',
    ]);
  });

  it('throws if ignoreMethods is not a list [F-9.3-113]', () => {
    expect(() => express3.csrf({ ignoreMethods: 'GET' as never })).to.throw(
      TypeError,
      'option ignoreMethods must be an array',
    );
  });
});
