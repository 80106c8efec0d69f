import { expect } from 'chai';
import cookieParser from 'cookie-parser';
import framework from 'nozomi';
import request from 'supertest';

describe('authentication (§5)', () => {
  it('the framework has no function for authentication [F-5-01]', () => {
    for (const name of ['basicAuth', 'csrf', 'session', 'cookieParser', 'cookieSession']) {
      expect(framework).not.to.have.property(name);
    }
  });

  it('middleware of an application at {*splat} runs for all later routes, and for no earlier ones [F-5-02]', async () => {
    const app = framework();
    app.get('/open', (_req, res) => res.send('open'));
    app.all('{*splat}', (req, res, next) => {
      if (req.get('Authorization') === 'Bearer good') next();
      else res.sendStatus(401);
    });
    app.use((_req, res) => res.send('inside'));

    await request(app).get('/open').expect(200, 'open');
    for (const path of ['/', '/users', '/a/b/c', '//', '/%2e%2e/x']) {
      await request(app).get(path).expect(401, 'Unauthorized');
      await request(app).post(path).set('Authorization', 'Bearer good').expect(200, 'inside');
    }
  });
});

describe('signed cookies (§5)', () => {
  const signing = (secret: string | string[]) => {
    const app = framework().use(cookieParser(secret));
    app.get('/login', (_req, res) =>
      res.cookie('user', 'ada', { signed: true }).cookie('theme', 'dark').end(),
    );
    app.get('/', (req, res) => res.json({ signed: req.signedCookies, plain: req.cookies }));
    return app;
  };
  const login = async (app: framework.Application) => {
    const { headers } = await request(app).get('/login');
    return (headers['set-cookie'] as unknown as string[]).map((header) => header.split(';', 1)[0] as string);
  };

  it('have their values in req.signedCookies, and other cookies in req.cookies [F-5-03 F-5-04 F-5-05]', async () => {
    const app = signing('secret');
    const cookies = await login(app);

    const res = await request(app).get('/').set('Cookie', cookies.join('; '));

    expect(res.body).to.deep.equal({ signed: { user: 'ada' }, plain: { theme: 'dark' } });
  });

  it('are signed with the first of several secrets, and verified with any [F-5-03]', async () => {
    const [cookie] = await login(signing('old'));
    const app = signing(['new', 'old']);

    const res = await request(app)
      .get('/')
      .set('Cookie', cookie as string);

    expect(res.body.signed).to.deep.equal({ user: 'ada' });
    expect(await login(app)).to.deep.equal(await login(signing('new')));
  });

  it('can be read by the client, but a modified value is false [F-5-06]', async () => {
    const app = signing('secret');
    const [cookie = ''] = await login(app);

    expect(decodeURIComponent(cookie)).to.match(/^user=s:ada\./);
    for (const forged of [
      cookie.replace('ada', 'eve'),
      cookie.slice(0, -1),
      'user=s%3Aeve.',
      'user=s%3Aada',
    ]) {
      const res = await request(app).get('/').set('Cookie', forged);

      expect(res.body.signed).to.deep.equal({ user: false });
    }
  });

  it('res.cookie throws for a signed cookie without a secret [F-5-03]', async () => {
    const app = framework().set('env', 'production');
    app.get('/', (_req, res) => res.cookie('user', 'ada', { signed: true }).end());
    app.use(((err, _req, res, _next) => res.send(err.message)) as framework.ErrorRequestHandler);

    await request(app).get('/').expect('cookieParser("secret") required for signed cookies');
  });
});

describe('X-Forwarded-For, X-Forwarded-Proto, X-Forwarded-Host (§5)', () => {
  it('change req.ip, req.protocol and req.host only if the proxy is trusted [F-5-07]', async () => {
    const app = framework();
    app.get('/', (req, res) => res.json([req.ip === '1.1.1.1', req.protocol, req.host]));
    const ask = () =>
      request(app).get('/').set({
        Host: 'own.test',
        'X-Forwarded-For': '1.1.1.1',
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Host': 'public.test',
      });

    expect((await ask()).body).to.deep.equal([false, 'http', 'own.test']);
    app.set('trust proxy', 'loopback');
    expect((await ask()).body).to.deep.equal([true, 'https', 'public.test']);
  });
});
