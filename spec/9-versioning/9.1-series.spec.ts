import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';

describe('§9.1 the 5.x series', () => {
  it('has no req.files, even for a form with files [F-9.1-02]', async () => {
    const app = framework().use(framework.json(), framework.urlencoded());
    app.post('/', (req, res) => res.json(['files' in req, typeof req.body]));

    const res = await request(app).post('/').attach('file', Buffer.from('hello'), 'a.txt');

    expect(res.body).to.deep.equal([false, 'undefined']);
  });

  it('uses the first of several X-Forwarded-Host values for req.hostname [F-9.1-03]', async () => {
    const app = framework().enable('trust proxy');
    app.get('/', (req, res) => res.send(req.hostname));

    await request(app).get('/').set('X-Forwarded-Host', 'first.test:1, second.test').expect('first.test');
  });

  it('has no removed member of 4.x and 3.x [F-9.1-02]', () => {
    const app = framework();

    for (const name of ['del', 'lazyrouter', '_router', 'configure']) expect(app).not.to.have.property(name);
    for (const name of ['param', 'acceptsCharset', 'accepted'])
      expect(app.request).not.to.have.property(name);
  });
});
