import { expect } from 'chai';
import { sign } from 'cookie-signature';
import express3 from 'nozomi/3';
import request from 'supertest';
import { chain, type Link, show } from '../../support/chain';

type Session = Record<string, unknown> & { cookie: { maxAge: number | null; path: string } };
type WithSession = { session: Session | null; url: string };

const cookies = show((req) => [req.cookies, req.signedCookies, req.secret ?? null]);

/** A handler that counts the requests of a session. `/clear` ends the session. */
const count: Link<never> = (req: WithSession, res) => {
  if (req.url === '/clear') req.session = null;
  else (req.session as Session).n = ((req.session?.n as number) ?? 0) + 1;
  res.end(String(req.session?.n));
};
const peek: Link<never> = (req: WithSession, res) => res.end(String(req.session?.n));

function cookieOf(res: request.Response): string {
  return String(res.get('Set-Cookie')?.[0]).split(';')[0] as string;
}

describe('nozomi/3, express.cookieParser() (§9.3)', () => {
  it('sets req.cookies with JSON parsed, or to an empty object without a cookie [F-9.3-47 F-9.3-105]', async () => {
    await request(chain(express3.cookieParser(), cookies)).get('/').expect([{}, {}, null]);
    await request(chain(express3.cookieParser(), cookies))
      .get('/')
      .set('Cookie', 'a=1; b=j%3A%7B%22x%22%3A1%7D')
      .expect([{ a: '1', b: { x: 1 } }, {}, null]);
  });

  it('sets req.signedCookies to the values with a valid signature if it has a secret [F-9.3-48 F-9.3-105]', async () => {
    const [good, bad] = [`s:${sign('v', 'cat')}`, `s:${sign('v', 'dog')}`].map(encodeURIComponent);

    await request(chain(express3.cookieParser('cat'), cookies))
      .get('/')
      .set('Cookie', `good=${good}; bad=${bad}; plain=1`)
      .expect([{ plain: '1' }, { good: 'v', bad: false }, 'cat']);
  });

  it('has the functions of cookie-parser as properties [F-9.3-105]', () => {
    expect(express3.cookieParser.JSONCookie('j:[1]')).to.deep.equal([1]);
    expect(express3.cookieParser.JSONCookies({ a: 'j:1' })).to.deep.equal({ a: 1 });
    expect(express3.cookieParser.signedCookie(`s:${sign('v', 'cat')}`, 'cat')).to.equal('v');
    expect(express3.cookieParser.signedCookies({ a: `s:${sign('v', 'cat')}` }, 'cat')).to.deep.include({
      a: 'v',
    });
  });
});

describe('nozomi/3, express.cookieSession() (§9.3)', () => {
  const app = (options: object = {}) => chain(express3.cookieSession({ secret: 'cat', ...options }), count);

  it('stores the session in a signed cookie with the name connect.sess [F-9.3-106 F-9.3-107]', async () => {
    const first = await request(app()).get('/');
    const second = await request(app()).get('/').set('Cookie', cookieOf(first));

    expect([first.text, second.text]).to.deep.equal(['1', '2']);
    expect(first.get('Set-Cookie')).to.deep.equal([
      `connect.sess=${encodeURIComponent(`s:${sign('j:{"n":1}', 'cat')}`)}; Path=/; HttpOnly`,
    ]);
  });

  it('starts a new session if the cookie has another secret, or is not a session [F-9.3-107]', async () => {
    for (const value of [
      `s:${sign('j:{"n":7}', 'dog')}`,
      'j:{"n":7}',
      `s:${sign('{"n":7}', 'cat')}`,
      `s:${sign('j:{broken', 'cat')}`,
      `s:${sign('j:7', 'cat')}`,
      `s:${sign('j:null', 'cat')}`,
    ]) {
      const res = await request(app())
        .get('/')
        .set('Cookie', `connect.sess=${encodeURIComponent(value)}`);
      expect(res.text, value).to.equal('1');
    }
  });

  it('sets no cookie for an unchanged session [F-9.3-107]', async () => {
    const first = await request(app()).get('/');
    const again = await request(chain(express3.cookieSession({ secret: 'cat' }), peek))
      .get('/')
      .set('Cookie', cookieOf(first));

    expect([again.text, again.get('Set-Cookie')]).to.deep.equal(['1', undefined]);
  });

  it('uses the secret of cookieParser if it has none, and then sets the cookie in each response [F-9.3-107]', async () => {
    const shared = chain(express3.cookieParser('cat'), express3.cookieSession(), peek);
    const first = await request(app()).get('/');
    const again = await request(shared).get('/').set('Cookie', cookieOf(first));

    expect([again.text, cookieOf(again)]).to.deep.equal(['1', cookieOf(first)]);
  });

  it('uses its own secret rather than that of cookieParser [F-9.3-107]', async () => {
    const both = chain(express3.cookieParser('dog'), express3.cookieSession({ secret: 'cat' }), count);
    const first = await request(both).get('/');

    await request(both).get('/').set('Cookie', cookieOf(first)).expect('2');
  });

  it('calls next(err) without a secret [F-9.3-107]', async () => {
    const res = await request(chain(express3.cookieSession(), count)).get('/');

    expect([res.status, res.body.message]).to.deep.equal([
      500,
      '`secret` option required for cookie sessions',
    ]);
  });

  it('keeps cookies of other middleware [F-9.3-107]', async () => {
    const other: Link<never> = (_req, res, next) => {
      res.setHeader('Set-Cookie', 'other=1');
      next();
    };
    const res = await request(chain(express3.cookieSession({ secret: 'cat' }), other, count)).get('/');

    expect(res.get('Set-Cookie')?.map((cookie) => cookie.split('=')[0])).to.deep.equal([
      'other',
      'connect.sess',
    ]);
  });

  it('names the cookie after the option key [F-9.3-108]', async () => {
    const res = await request(app({ key: 'my.sess' })).get('/');

    expect(cookieOf(res)).to.match(/^my\.sess=/);
    await request(app({ key: 'my.sess' }))
      .get('/')
      .set('Cookie', cookieOf(res))
      .expect('2');
  });

  it('runs only for requests to the path of its cookie [F-9.3-109]', async () => {
    const below = app({ cookie: { path: '/in', httpOnly: false, domain: 'a.test', sameSite: 'lax' } });
    const [inside, outside] = [await request(below).get('/in/x'), await request(below).get('/out')];

    expect(inside.get('Set-Cookie')?.[0]).to.match(/; Domain=a\.test; Path=\/in; SameSite=Lax$/);
    expect([outside.text, outside.get('Set-Cookie')]).to.deep.equal(['1', undefined]);
  });

  it('sets req.session.cookie to the attributes of the cookie [F-9.3-109]', async () => {
    const res = await request(
      chain(
        express3.cookieSession({ secret: 'cat' }),
        show((req) => [req.session.cookie.maxAge, req.session]),
      ),
    ).get('/');

    expect(res.body).to.deep.equal([
      null,
      { cookie: { originalMaxAge: null, expires: null, httpOnly: true, path: '/' } },
    ]);
  });

  it('sets Expires from maxAge, which a handler may change [F-9.3-110]', async () => {
    const change: Link<never> = (req: WithSession, res) => {
      (req.session as Session).cookie.maxAge = 3_600_000;
      res.end();
    };
    const expiryOf = (res: request.Response): number =>
      Date.parse(/Expires=([^;]+)/.exec(String(res.get('Set-Cookie')))?.[1] ?? '') - Date.now();

    const fixed = await request(app({ cookie: { maxAge: 60_000 } })).get('/');
    const changed = await request(chain(express3.cookieSession({ secret: 'cat' }), change)).get('/');

    expect(expiryOf(fixed)).to.be.within(30_000, 61_000);
    expect(expiryOf(changed)).to.be.within(3_500_000, 3_601_000);
  });

  it('sends a secure cookie only over TLS, also behind a trusted proxy [F-9.3-111]', async () => {
    const send = async (options: object, proto?: string): Promise<boolean> => {
      const asked = request(app({ cookie: { secure: true }, ...options })).get('/');
      const res = await (proto ? asked.set('X-Forwarded-Proto', proto) : asked);
      return res.get('Set-Cookie') !== undefined;
    };

    expect(await send({ proxy: true }, 'https')).to.equal(true);
    expect(await send({ proxy: true }, 'HTTPS , http')).to.equal(true);
    expect(await send({ proxy: true }, 'http, https')).to.equal(false);
    expect(await send({ proxy: true })).to.equal(false);
    expect(await send({}, 'https')).to.equal(false);
  });

  it('sends a secure cookie over a TLS connection of its own server [F-9.3-111]', async () => {
    const tls: Link<never> = (req: { socket: { encrypted?: boolean } }, _res, next) => {
      req.socket.encrypted = true;
      next();
    };
    const res = await request(
      chain(tls, express3.cookieSession({ secret: 'cat', cookie: { secure: true } }), count),
    ).get('/');

    expect(res.get('Set-Cookie')?.[0]).to.match(/; HttpOnly; Secure$/);
  });

  it('clears the cookie if a handler sets req.session to null [F-9.3-112]', async () => {
    const res = await request(app()).get('/clear');

    expect(res.get('Set-Cookie')).to.deep.equal([
      'connect.sess=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly',
    ]);
  });
});

describe('nozomi/3, express.session() (§9.3)', () => {
  it('stores sessions on the server, with the defaults of Express 3 [F-9.3-116]', async () => {
    const app = chain(express3.session({ secret: 'cat' }), count);
    const first = await request(app).get('/');
    const second = await request(app).get('/').set('Cookie', cookieOf(first));

    expect(cookieOf(first)).to.match(/^connect\.sid=s%3A/);
    expect([first.text, second.text]).to.deep.equal(['1', '2']);
  });

  it('has the constructors MemoryStore, Store, Cookie and Session as properties [F-9.3-116]', () => {
    expect(new express3.session.MemoryStore()).to.be.an.instanceOf(express3.session.Store);
    expect(new express3.session.Cookie()).to.include({ path: '/', httpOnly: true });
    expect(express3.session.Session).to.be.a('function');
  });
});
