import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import express3 from 'nozomi/3';
import request from 'supertest';
import { post } from '../../../parity/client/request';
import { muteDeprecations } from '../../support/both';
import { chain, show } from '../../support/chain';
import { heardDuring } from '../../support/heard';
import { play } from '../../support/play';
import { uploadFolder } from '../../support/uploads';

const body = show((req) => [req.body, req._body ?? false]);
const FORM = 'application/x-www-form-urlencoded';

describe('nozomi/3, express.json() and express.urlencoded() (§9.3)', () => {
  muteDeprecations();

  it('json() sets req.body to an object or a list, for any JSON media type [F-9.3-31]', async () => {
    const app = chain(express3.json(), body);

    await request(app)
      .post('/')
      .send({ a: [1] })
      .expect([{ a: [1] }, true]);
    await request(app)
      .post('/')
      .type('application/vnd.api+json')
      .send('[1,2]')
      .expect([[1, 2], true]);
    const [inflated] = await play(
      app,
      post('/', gzipSync('{"a":1}'), { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }),
    );
    expect(inflated?.response.body?.toString()).to.equal('[{"a":1},true]');
  });

  it('json() accepts other values only if strict is false [F-9.3-31]', async () => {
    const app = express3();
    app.use(express3.json());
    app.use(((err, _req, res, _next) => res.send(err.status, String(err))) as express3.ErrorHandler);
    await request(app).post('/').type('json').send('5').expect(400, 'Error: invalid json');
    await request(chain(express3.json({ strict: false }), body))
      .post('/')
      .type('json')
      .send('5')
      .expect(200, [5, true]);
  });

  it('json() passes the option reviver to JSON.parse [F-9.3-31]', async () => {
    const app = chain(express3.json({ reviver: (_key, value) => (value === 1 ? 'one' : value) }), body);

    await request(app)
      .post('/')
      .send({ a: 1 })
      .expect([{ a: 'one' }, true]);
  });

  it('both respond 413 to a body longer than limit, 1 MB by default [F-9.3-31]', async () => {
    const long = JSON.stringify('x'.repeat(200 * 1024));

    await request(
      chain(
        express3.json({ strict: false }),
        show(() => 'read'),
      ),
    )
      .post('/')
      .type('json')
      .send(long)
      .expect(200);
    await request(chain(express3.json({ limit: '100kb' }), body))
      .post('/')
      .type('json')
      .send(long)
      .expect(413);
  });

  it('urlencoded() parses brackets to objects and lists, unless extended is false [F-9.3-32]', async () => {
    await request(chain(express3.urlencoded(), body))
      .post('/')
      .send('user[name]=tj&pets[]=tobi&pets[]=loki&a=1')
      .expect([{ user: { name: 'tj' }, pets: ['tobi', 'loki'], a: '1' }, true]);
    await request(chain(express3.urlencoded({ extended: false }), body))
      .post('/')
      .send('user[name]=tj')
      .expect([{ 'user[name]': 'tj' }, true]);
  });

  it('urlencoded() ignores names of Object.prototype [F-9.3-32]', async () => {
    const app = chain(
      express3.urlencoded(),
      show(({ body: { a } }) => [a.x ?? 'none', Object.keys(a), ({} as { x?: string }).x ?? 'none']),
    );

    await request(app)
      .post('/')
      .send('a[__proto__][x]=1&__proto__[x]=1&a[b]=2')
      .expect(200, ['none', ['b'], 'none']);
  });

  it('both set req.body to an empty object without a body, or for another Content-Type [F-9.3-33]', async () => {
    for (const parser of [express3.json(), express3.urlencoded(), express3.bodyParser()]) {
      const app = chain(parser, body);

      await request(app).get('/').expect([{}, false]);
      await request(app).post('/').type('text/plain').send('x').expect([{}, false]);
    }
  });

  it('both keep a req.body that another parser has set [F-9.3-31 F-9.3-32]', async () => {
    const app = chain(
      (req: { _body?: boolean; body?: unknown }, _res, next) => {
        req._body = true;
        req.body = 'read';
        next();
      },
      express3.json(),
      express3.urlencoded(),
      express3.multipart(),
      show((req) => [req.body, req.files ?? null]),
    );

    await request(app).post('/').send({ a: 1 }).expect(['read', null]);
  });

  for (const [name, type, text] of [
    ['json', 'application/json', '{"a":1}'],
    ['urlencoded', FORM, 'a=1'],
  ] as const) {
    it(`${name}() passes the body as text to verify, and warns that verify is deprecated [F-9.3-${name === 'json' ? 31 : 32}]`, async () => {
      const seen: unknown[] = [];
      const verify = (_req: IncomingMessage, _res: ServerResponse, given: string): void => {
        seen.push(given);
        if (seen.length > 1) throw new Error('once is enough');
      };
      let parse = express3.json();
      const [warning] = await heardDuring('deprecation', () => {
        parse = express3[name]({ verify });
      });
      const app = chain(parse, body);

      await request(app).post('/').type(type).send(text).expect(200);
      await request(app).post('/').type(type).send(text).expect(403);

      expect(seen).to.deep.equal([text, text]);
      expect(warning?.message).to.equal(`${name}.verify: use body-parser module for verify`);
    });
  }
});

describe('nozomi/3, express.bodyParser() (§9.3)', () => {
  muteDeprecations();

  const app = () =>
    chain(
      express3.bodyParser({ uploadDir: uploadFolder().uploadDir }),
      show((req) => [req.body, Object.keys(req.files ?? {})]),
    );

  it('parses JSON, forms and multipart bodies [F-9.3-101]', async () => {
    await request(app())
      .post('/')
      .send({ a: 1 })
      .expect([{ a: 1 }, []]);
    await request(app())
      .post('/')
      .send('a=1')
      .expect([{ a: '1' }, []]);
    await request(app())
      .post('/')
      .field('a', '1')
      .attach('f', Buffer.from('hello'), 'hello.txt')
      .expect([{ a: '1' }, ['f']]);
  });

  it('passes its options to each parser [F-9.3-101]', async () => {
    const small = chain(express3.bodyParser({ limit: 10 }), body);

    await request(small)
      .post('/')
      .send({ a: 'x'.repeat(10) })
      .expect(413);
    await request(small)
      .post('/')
      .send(`a=${'x'.repeat(10)}`)
      .expect(413);
    await request(small).post('/').field('a', 'x').expect(413);
  });

  it('passes the error of each parser to next [F-9.3-101]', async () => {
    await request(app()).post('/').type('json').send('{bad').expect(400);
    await request(app()).post('/').type(FORM).send('a=1&'.repeat(1001)).expect(413);
    await request(app()).post('/').type('multipart/form-data; boundary=b').send('--b').expect(400);
  });
});
