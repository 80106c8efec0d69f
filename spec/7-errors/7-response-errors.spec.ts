import { expect } from 'chai';
import type { ErrorRequestHandler } from 'express';
import framework from 'nozomi';
import request from 'supertest';

function silent() {
  return framework().set('env', 'test');
}

describe('an error of a handler (§7)', () => {
  const FAILING = {
    'next(err) [F-7-01]': (next: (err: Error) => void) => next(new Error('failed')),
    'a thrown error [F-7-02]': () => {
      throw new Error('failed');
    },
    'a rejected promise [F-7-03]': async () => {
      throw new Error('failed');
    },
  };
  for (const [title, fail] of Object.entries(FAILING)) {
    it(`skips middleware up to the next error handler: ${title}`, async () => {
      const app = silent();
      const passed: string[] = [];
      app.get('/', (_req, _res, next) => fail(next));
      app.use((_req, _res, next) => {
        passed.push('middleware');
        next();
      });
      const tell: ErrorRequestHandler = (err, _req, res, _next) =>
        res.status(503).send(`told: ${err.message}`);
      app.use(tell);

      const res = await request(app).get('/');

      expect([res.status, res.text, passed]).to.deep.equal([503, 'told: failed', []]);
    });
  }

  it('does not reach an error handler registered before the failing handler [F-7-04]', async () => {
    const app = silent();
    const tell: ErrorRequestHandler = (_err, _req, res, _next) => res.send('never');
    app.use(tell);
    app.get('/', () => {
      throw new Error('failed');
    });

    const res = await request(app).get('/');

    expect(res.status).to.equal(500);
  });
});

describe('the final handler (§7)', () => {
  it('sends a 404 page with the escaped method and path if no handler responds [F-7-01]', async () => {
    const res = await request(silent()).post('/<script>?query');

    expect(res.status).to.equal(404);
    expect(res.headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect(res.text).to.include('<pre>Cannot POST /%3Cscript%3E</pre>');
  });

  it('sends the escaped stack outside of production [F-7-02]', async () => {
    const app = silent();
    app.get('/', () => {
      throw new Error('<b> & more');
    });

    const res = await request(app).get('/');

    expect(res.status).to.equal(500);
    expect(res.text).to.include('<pre>Error: &lt;b&gt; &amp; more<br> &nbsp; &nbsp;at ');
  });

  it('sends only the status text in production, without the message [F-7-02]', async () => {
    const app = framework().set('env', 'production');
    app.get('/', () => {
      throw Object.assign(new Error('secret'), { status: 418 });
    });
    const { error } = console;
    const logged: unknown[] = [];
    console.error = (...args: unknown[]) => void logged.push(...args);

    const res = await request(app).get('/');
    await new Promise((resolve) => setImmediate(resolve));
    console.error = error;

    expect(res.text).to.include('<pre>I&#39;m a Teapot</pre>').and.not.include('secret');
    expect(logged.map(String)).to.deep.equal(['Error: secret']);
  });

  const STATUSES: ReadonlyArray<[given: Readonly<Record<string, unknown>>, status: number]> = [
    [{ status: 404 }, 404],
    [{ statusCode: 410 }, 410],
    [{ status: 200, statusCode: 503 }, 503],
    [{ status: 600 }, 500],
    [{ status: '404' }, 500],
  ];
  for (const [given, status] of STATUSES) {
    it(`sends ${status} for an error with ${JSON.stringify(given)} [F-7-02]`, async () => {
      const app = silent();
      app.get('/', (_req, _res, next) => next(Object.assign(new Error('failed'), given)));

      const res = await request(app).get('/');

      expect(res.status).to.equal(status);
    });
  }

  it('sends the headers of the error, and removes headers of the former body [F-7-02]', async () => {
    const app = silent();
    app.get('/', (_req, res, next) => {
      res.set({ 'Content-Language': 'de', 'Content-Encoding': 'gzip', 'X-Kept': 'yes' });
      next(Object.assign(new Error('failed'), { status: 401, headers: { 'WWW-Authenticate': 'Basic' } }));
    });

    const res = await request(app).get('/');

    expect(res.headers).to.include({ 'www-authenticate': 'Basic', 'x-kept': 'yes' });
    expect(res.headers).not.to.have.any.keys('content-language', 'content-encoding');
  });

  it('closes the connection if the headers were already sent [F-7-02]', async () => {
    const app = silent();
    app.get('/', (_req, res, next) => {
      res.write('begun');
      next(new Error('too late'));
    });

    const failure = await request(app)
      .get('/')
      .then(
        () => undefined,
        (err: Error & { code?: string }) => err.code,
      );

    expect(failure).to.be.oneOf(['ECONNRESET', 'ABORTED']);
  });
});
