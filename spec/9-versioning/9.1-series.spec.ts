import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';

describe('the interface of Express 5 (§9.1)', () => {
  it('has no req.files, even for a form with files [F-9.1-02]', async () => {
    const app = framework().use(framework.json(), framework.urlencoded());
    app.post('/', (req, res) => res.json(['files' in req, typeof req.body]));

    const res = await request(app).post('/').attach('file', Buffer.from('hello'), 'a.txt');

    expect(res.body).to.deep.equal([false, 'undefined']);
  });

  it('sets req.hostname to the first of several X-Forwarded-Host values [F-9.1-03]', async () => {
    const app = framework().enable('trust proxy');
    app.get('/', (req, res) => res.send(req.hostname));

    await request(app).get('/').set('X-Forwarded-Host', 'first.test:1, second.test').expect('first.test');
  });

  it('has no member of Express 3 or 4 that Express 5 removed [F-9.1-02]', () => {
    const app = framework();

    for (const name of ['del', 'lazyrouter', '_router', 'configure']) expect(app).not.to.have.property(name);
    for (const name of ['param', 'acceptsCharset', 'accepted'])
      expect(app.request).not.to.have.property(name);
  });
});
