import { join } from 'node:path';
import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';
import { filesOf } from '../support/files';

describe('limits (§8)', () => {
  const KB_100 = 100 * 1024;
  const parsers = [
    ['json', 'application/json', (length: number) => JSON.stringify(['a'.repeat(length - 4)])],
    ['raw', 'application/octet-stream', (length: number) => 'a'.repeat(length)],
    ['text', 'text/plain', (length: number) => 'a'.repeat(length)],
    ['urlencoded', 'application/x-www-form-urlencoded', (length: number) => `a=${'a'.repeat(length - 2)}`],
  ] as const;

  for (const [name, type, bodyOf] of parsers) {
    it(`framework.${name}() accepts 102400 bytes by default, and responds 413 to one more byte [F-8-01]`, async () => {
      const app = framework().set('env', 'test').use(framework[name]());
      app.post('/', (_req, res) => res.send('taken'));

      await request(app).post('/').type(type).send(bodyOf(KB_100)).expect(200, 'taken');
      await request(app)
        .post('/')
        .type(type)
        .send(bodyOf(KB_100 + 1))
        .expect(413);
    });
  }

  it('framework.urlencoded() accepts 1000 parameters by default, and responds 413 to 1001 [F-8-02]', async () => {
    const app = framework().set('env', 'test').use(framework.urlencoded());
    app.post('/', (req, res) => res.json(Object.keys(req.body).length));
    const form = (count: number) => Array.from({ length: count }, (_none, index) => `p${index}=`).join('&');

    await request(app).post('/').send(form(1000)).expect(200, '1000');
    await request(app).post('/').send(form(1001)).expect(413);
  });

  it('req.subdomains skips two labels of the host by default [F-8-03]', async () => {
    const app = framework();
    app.get('/', (req, res) => res.json(req.subdomains));

    expect((await request(app).get('/').set('Host', 'b.a.example.com')).body).to.deep.equal(['a', 'b']);
  });

  it('static, sendFile and download send max-age=0 by default [F-8-04]', async () => {
    const root = filesOf({ 'a.txt': 'hello' });
    const app = framework();
    app.get('/send', (_req, res) => res.sendFile('a.txt', { root }));
    app.get('/download', (_req, res) => res.download(join(root, 'a.txt')));
    app.use(framework.static(root));

    for (const path of ['/send', '/download', '/a.txt']) {
      await request(app).get(path).expect('Cache-Control', 'public, max-age=0');
    }
  });

  it('res.status() and res.sendStatus() send codes from 200 to 999 unchanged [F-8-05 F-8-07]', async () => {
    const app = framework();
    app.get('/:code', (req, res) => res.status(Number(req.params.code)).end());
    app.get('/body/:code', (req, res) => res.sendStatus(Number(req.params.code)));

    for (const code of [200, 404, 599, 600, 999]) {
      await request(app).get(`/${code}`).expect(code);
      await request(app).get(`/body/${code}`).expect(code);
    }
  });

  for (const [id, code, message] of [
    ['F-8-06', 99, 'Invalid status code: 99. Status code must be greater than 99 and less than 1000.'],
    ['F-8-06', 0, 'Invalid status code: 0. Status code must be greater than 99 and less than 1000.'],
    ['F-8-07', 1000, 'Invalid status code: 1000. Status code must be greater than 99 and less than 1000.'],
    ['F-8-07', '200', 'Invalid status code: "200". Status code must be an integer.'],
  ] as const) {
    it(`res.status() and res.sendStatus() throw for the status ${JSON.stringify(code)} [${id}]`, async () => {
      const app = framework().set('env', 'test');
      app.get('/status', (_req, res) => res.status(code as number).end());
      app.get('/send', (_req, res) => res.sendStatus(code as number));
      app.use(((err, _req, res, _next) => res.json(err.message)) as framework.ErrorRequestHandler);

      for (const path of ['/status', '/send']) expect((await request(app).get(path)).body).to.equal(message);
    });
  }
});
