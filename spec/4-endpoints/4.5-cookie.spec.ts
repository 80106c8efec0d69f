import { expect } from 'chai';
import cookieParser from 'cookie-parser';
import type { Response } from 'express';
import framework from 'nozomi';
import request from 'supertest';

/** @returns The Set-Cookie headers of a response. The application has cookie-parser with a secret. */
async function cookiesOf(act: (res: Response) => unknown): Promise<string[]> {
  const app = framework();
  app.use(cookieParser('secret'));
  app.get('/', (_req, res) => {
    act(res);
    res.end();
  });
  const res = await request(app).get('/');
  if (res.status !== 200) throw new Error(res.text);
  return [res.headers['set-cookie'] ?? []].flat();
}

describe('res.cookie() (§4.5)', () => {
  it('sets a cookie with an encoded value [F-4.5-09]', async () => {
    expect(await cookiesOf((res) => res.cookie('name', 'a b;ü'))).to.deep.equal([
      'name=a%20b%3B%C3%BC; Path=/',
    ]);
  });

  it('sends an object as JSON, which cookie-parser reads [F-4.5-10]', async () => {
    const app = framework();
    app.use(cookieParser());
    app.get('/set', (_req, res) => res.cookie('cart', { items: [1, 2] }).end());
    app.get('/get', (req, res) => res.json(req.cookies));

    const set = await request(app).get('/set');
    const got = await request(app).get('/get').set('Cookie', pairsOf(set));

    expect(set.headers['set-cookie']).to.deep.equal(['cart=j%3A%7B%22items%22%3A%5B1%2C2%5D%7D; Path=/']);
    expect(got.body).to.deep.equal({ cart: { items: [1, 2] } });
  });

  it('sends other values as strings [F-4.5-09]', async () => {
    const cookies = await cookiesOf((res) => res.cookie('a', 7).cookie('b', undefined).cookie('c', null));

    expect(cookies).to.deep.equal(['a=7; Path=/', 'b=undefined; Path=/', 'c=j%3Anull; Path=/']);
  });

  it('keeps the cookies that were set before [F-4.5-11 F-4.5-101]', async () => {
    const cookies = await cookiesOf((res) => res.cookie('a', '1').cookie('b', '2').cookie('a', '3'));

    expect(cookies).to.deep.equal(['a=1; Path=/', 'b=2; Path=/', 'a=3; Path=/']);
  });

  it('signs the value if signed is true, which cookie-parser verifies [F-4.5-12]', async () => {
    const app = framework();
    app.use(cookieParser('secret'));
    app.get('/set', (_req, res) => res.cookie('user', 'ada', { signed: true }).end());
    app.get('/get', (req, res) => res.json([req.signedCookies, req.cookies]));

    const set = await request(app).get('/set');
    const got = await request(app).get('/get').set('Cookie', pairsOf(set));
    const forged = await request(app)
      .get('/get')
      .set('Cookie', pairsOf(set)[0]?.replace('ada', 'eve') ?? '');

    expect(got.body).to.deep.equal([{ user: 'ada' }, {}]);
    expect(forged.body).to.deep.equal([{ user: false }, {}]);
  });

  it('throws for a signed cookie without a secret [F-4.5-12]', async () => {
    const app = framework();
    app.set('env', 'test').get('/', (_req, res) => res.cookie('a', '1', { signed: true }).end());

    const res = await request(app).get('/');

    expect(res.status).to.equal(500);
    expect(res.text).to.include('cookieParser(&quot;secret&quot;) required for signed cookies');
    expect(res.headers).not.to.have.property('set-cookie');
  });
});

describe('res.clearCookie() (§4.5)', () => {
  it('sets an empty cookie that has expired [F-4.5-13]', async () => {
    expect(await cookiesOf((res) => res.clearCookie('name'))).to.deep.equal([
      'name=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    ]);
  });

  it('sends the given options [F-4.5-14]', async () => {
    const options = { path: '/admin', domain: 'a.test', httpOnly: true };

    expect(await cookiesOf((res) => res.clearCookie('name', options))).to.deep.equal([
      'name=; Domain=a.test; Path=/admin; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly',
    ]);
  });

  it('ignores expires and maxAge, and does not change the options [F-4.5-15]', async () => {
    const options = Object.freeze({ maxAge: 9_000_000, expires: new Date(4e12) });

    expect(await cookiesOf((res) => res.clearCookie('name', options))).to.deep.equal([
      'name=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    ]);
  });
});

function pairsOf(res: request.Response): string[] {
  return [res.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0] as string);
}
