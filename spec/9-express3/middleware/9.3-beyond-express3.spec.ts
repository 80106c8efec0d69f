/** Behaviour of the middleware of nozomi/3 that Express 3 does not have, or that no recording can contain. */
import { createServer, type RequestListener } from 'node:http';
import { expect } from 'chai';
import { sign } from 'cookie-signature';
import fc from 'fast-check';
import express3 from 'nozomi/3';
import request from 'supertest';
import { muteDeprecations } from '../../support/both';
import { chain, type Link, show } from '../../support/chain';
import { filesOf } from '../../support/files';
import { heardDuring } from '../../support/heard';

const whoever = show((req) => [req.user, req.remoteUser]);

describe('nozomi/3, express.basicAuth()', () => {
  proves('F-9.3-97');
  it('accepts only the given credentials, for any others that a client sends', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    const user = text.filter((name) => !name.includes(':'));
    // Only credentials without line breaks, because the package basic-auth does not parse others.
    const credentials = fc
      .tuple(user, text)
      .filter(([name, pass]) => !/[\n\r\u2028\u2029]/.test(name + pass));
    const same = [
      ['tj', 'a:b'],
      ['é', '💧'],
    ] as [string, string][];
    await fc.assert(
      fc.asyncProperty(credentials, credentials, async (known, tried) => {
        const isSame = known.join(':') === tried.join(':');
        const server = createServer(chain(express3.basicAuth(...known), whoever));
        const header = `Basic ${Buffer.from(tried.join(':')).toString('base64')}`;

        const res = await request(server).get('/').set('Authorization', header);

        expect(res.status).to.equal(isSame ? 200 : 401);
      }),
      { numRuns: 40, examples: same.map((one) => [one, one]) },
    );
  });

  proves('F-9.3-98');
  it('awaits the promise that a given function returns', async () => {
    const app = chain(
      express3.basicAuth(async (user) => {
        if (user === 'lost') throw new Error('no connection');
        return user === 'odd' ? Promise.reject() : user === 'tj';
      }),
      whoever,
    );
    const ask = (user: string) => request(app).get('/').auth(user, '');

    await ask('tj').expect(200, ['tj', 'tj']);
    await ask('eve').expect(401);
    for (const [user, message] of Object.entries({ lost: 'no connection', odd: 'undefined' })) {
      const { status, body } = await ask(user);
      expect([status, body.message]).to.deep.equal([500, message]);
    }
  });
});

describe('nozomi/3, sessions and tokens without cookieParser, which Express 3 requires', () => {
  const count: Link<never> = (req: { session: { n?: number } }, res) => {
    req.session.n = (req.session.n ?? 0) + 1;
    res.end(String(req.session.n));
  };
  const cookie = (value: string) => `connect.sess=${encodeURIComponent(value)}`;

  proves('F-9.3-107');
  it('express.cookieSession() reads the cookie of the request, and ignores what is no signed object', async () => {
    const app = chain(express3.cookieSession({ secret: 'cat' }), count);

    await request(app)
      .get('/')
      .set('Cookie', cookie(`s:${sign('j:{"n":1}', 'cat')}`))
      .expect('2');
    for (const value of ['j:{"n":7}', ...['j:7', 'j:null'].map((text) => `s:${sign(text, 'cat')}`)])
      await request(app).get('/').set('Cookie', cookie(value)).expect('1');
  });

  proves('F-9.3-107');
  it('express.cookieSession() uses its own secret rather than that of cookieParser', async () => {
    const app = chain(express3.cookieParser('dog'), express3.cookieSession({ secret: 'cat' }), count);

    await request(app)
      .get('/')
      .set('Cookie', cookie(`s:${sign('j:{"n":1}', 'cat')}`))
      .expect('2');
  });

  proves('F-9.3-109');
  it('express.cookieSession() sends the attribute SameSite', async () => {
    const options = {
      secret: 'cat',
      cookie: { domain: 'a.test', httpOnly: false, sameSite: 'lax' as const },
    };
    const res = await request(chain(express3.cookieSession(options), count)).get('/');

    expect(res.get('Set-Cookie')?.[0]).to.match(/; Domain=a\.test; Path=\/; SameSite=Lax$/);
  });

  proves('F-9.3-117');
  it('express.csrf() with the option cookie calls next(err)', async () => {
    const { body } = await request(chain(express3.csrf({ cookie: true }))).get('/');

    expect(body.message).to.equal('misconfigured csrf');
  });
});

describe('nozomi/3, files and pages of current packages', () => {
  muteDeprecations();

  const files = () => filesOf({ 'a.txt': 'hello', '.hidden': 'h', 'folder/c.txt': 'c' });
  const page = async (app: RequestListener) => (await request(app).get('/').set('Accept', 'text/html')).text;

  proves('F-9.3-119 F-9.3-121');
  it('express.directory() lists folders first, and sends the page of serve-index', async () => {
    const [plain, icons] = [{ filter: false as const }, { icons: true }].map((options) =>
      chain(express3.directory(files(), options)),
    ) as [RequestListener, RequestListener];

    await request(plain).get('/').set('Accept', 'application/json').expect(['folder', 'a.txt']);
    expect(await page(plain))
      .to.include('<a href="/a.txt"')
      .and.include('<a href="/folder"');
    expect(await page(plain)).not.to.include('icon-directory');
    expect(await page(icons)).to.include('icon-directory');
  });

  proves('F-9.3-125');
  it('express.static() warns of the option hidden, also if it is false', async () => {
    let app = chain();
    const [warning] = await heardDuring('deprecation', () => {
      app = chain(express3.static(files(), { hidden: false }));
    });

    await request(app).get('/.hidden').expect(404);
    expect(warning?.message).to.equal("hidden: use dotfiles: 'ignore' instead");
  });

  proves('F-9.3-01');
  it('express.favicon() sends a file, bytes, or its default icon', async () => {
    const file = `${filesOf({ 'favicon.ico': 'icon' })}/favicon.ico`;

    for (const icon of [file, Buffer.from('icon'), undefined]) {
      const res = await request(chain(express3.favicon(icon, { maxAge: 1000 }))).get('/favicon.ico');
      expect([res.type, res.get('Cache-Control')]).to.deep.equal(['image/x-icon', 'public, max-age=1']);
      expect(res.body.length).to.equal(icon ? 4 : 70);
    }
    await request(chain(express3.favicon())).get('/').expect(404);
  });

  proves('F-9.3-01');
  it('express.errorHandler() sends a page with its title', async () => {
    const { title } = express3.errorHandler;
    express3.errorHandler.title = 'Kitchen';
    const handle = express3.errorHandler({ log: false });
    const app = createServer((req, res) => handle(new Error('teapot'), req, res, () => {}));

    expect(await page(app as never)).to.include('<h1>Kitchen</h1>');
    express3.errorHandler.title = title;
  });

  proves('F-9.3-01');
  it('express.responseTime() sends the duration in X-Response-Time', async () => {
    const res = await request(chain(express3.responseTime(), whoever)).get('/');

    expect(res.get('X-Response-Time')).to.match(/^\d+\.\d{3}ms$/);
  });

  proves('F-9.3-30');
  it('express.query() ignores names of Object.prototype at any depth', async () => {
    const app = chain(
      express3.query(),
      show((req) => req.query),
    );

    await request(app).get('/?a[__proto__][x]=1&a[toString]=1&__proto__[x]=1').expect({});
  });
});
