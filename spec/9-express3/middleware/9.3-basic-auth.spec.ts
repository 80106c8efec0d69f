import { createServer } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import express3 from 'nozomi/3';
import request from 'supertest';
import { chain, show } from '../../support/chain';

const whoever = show((req) => [req.user, req.remoteUser]);

describe('nozomi/3, express.basicAuth() (§9.3)', () => {
  it('accepts only clients with the given credentials [F-9.3-97]', async () => {
    const app = chain(express3.basicAuth('tj', 'secret'), whoever);

    await request(app).get('/').auth('tj', 'secret').expect(200);
    for (const [user, pass] of [
      ['tj', 'Secret'],
      ['tj', ''],
      ['', 'secret'],
      ['tjx', 'secret'],
    ])
      await request(app)
        .get('/')
        .auth(user as string, pass as string)
        .expect(401);
  });

  it('responds 401 with the realm to a client without credentials [F-9.3-97]', async () => {
    const res = await request(chain(express3.basicAuth('tj', 'secret'), whoever)).get('/');
    const own = await request(chain(express3.basicAuth('tj', 'secret', 'Cellar'), whoever)).get('/');

    expect([res.status, res.text]).to.deep.equal([401, 'Unauthorized']);
    expect(res.get('WWW-Authenticate')).to.equal('Basic realm="Authorization Required"');
    expect(own.get('WWW-Authenticate')).to.equal('Basic realm="Cellar"');
  });

  it('throws for a name without a password [F-9.3-97]', () => {
    expect(() => express3.basicAuth('tj', undefined as unknown as string)).to.throw(
      'password argument required',
    );
  });

  it('accepts only the given credentials, for any others that a client sends [F-9.3-97]', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    const user = text.filter((name) => !name.includes(':'));
    // Only credentials without line breaks, because the package basic-auth does not parse others.
    const isLine = ([name, pass]: [string, string]): boolean => !/[\n\r\u2028\u2029]/.test(name + pass);
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(user, text).filter(isLine),
        fc.tuple(user, text).filter(isLine),
        async (known, tried) => {
          const isSame = known.join(':') === tried.join(':');
          const server = createServer(chain(express3.basicAuth(...known), whoever));
          const header = `Basic ${Buffer.from(tried.join(':')).toString('base64')}`;

          const res = await request(server).get('/').set('Authorization', header);

          expect(res.status).to.equal(isSame ? 200 : 401);
        },
      ),
      {
        numRuns: 40,
        examples: [
          [
            ['tj', 'a:b'],
            ['tj', 'a:b'],
          ],
          [
            ['é', '💧'],
            ['é', '💧'],
          ],
        ],
      },
    );
  });

  it('responds 400 to a malformed Authorization header [F-9.3-97]', async () => {
    const app = chain(express3.basicAuth('tj', 'secret'), whoever);

    for (const header of ['Basic', 'Bearer abc', 'Basic !!', 'Basic bm9jb2xvbg==', 'Basic dGo6c2VjcmV0 x']) {
      const res = await request(app).get('/').set('Authorization', header);
      expect([res.status, res.body.message], header).to.deep.equal([400, 'Bad Request']);
    }
  });

  it('calls a given function, and accepts the client for a truthy result [F-9.3-98]', async () => {
    const app = chain(
      express3.basicAuth((user, pass) => user === 'tj' && pass === 'secret', 'Cellar'),
      whoever,
    );

    await request(app).get('/').auth('tj', 'secret').expect(200, ['tj', 'tj']);
    const res = await request(app).get('/').auth('tj', 'wrong');
    expect([res.status, res.get('WWW-Authenticate')]).to.deep.equal([401, 'Basic realm="Cellar"']);
  });

  it('awaits the promise that a given function returns [F-9.3-98]', async () => {
    const app = chain(
      express3.basicAuth(async (user) => {
        if (user === 'lost') throw new Error('no connection');
        return user === 'odd' ? Promise.reject() : user === 'tj';
      }),
      whoever,
    );

    await request(app).get('/').auth('tj', '').expect(200, ['tj', 'tj']);
    await request(app).get('/').auth('eve', '').expect(401);
    const [lost, odd] = [
      await request(app).get('/').auth('lost', ''),
      await request(app).get('/').auth('odd', ''),
    ];
    expect([lost.status, lost.body.message]).to.deep.equal([500, 'no connection']);
    expect([odd.status, odd.body.message]).to.deep.equal([500, 'undefined']);
  });

  it('passes a callback to a function with three parameters, and sets req.user to its result [F-9.3-99 F-9.3-100]', async () => {
    const app = chain(
      express3.basicAuth((user, _pass, done) => {
        if (user === 'lost') done(new Error('no connection'), { name: user });
        else done(null, user === 'tj' && { name: 'T. J.' });
      }),
      whoever,
    );

    await request(app)
      .get('/')
      .auth('tj', 'x')
      .expect(200, [{ name: 'T. J.' }, { name: 'T. J.' }]);
    await request(app).get('/').auth('eve', 'x').expect(401);
    await request(app).get('/').auth('lost', 'x').expect(401);
  });

  it('does not check a request with an existing req.user [F-9.3-100]', async () => {
    const app = chain(
      (req: { user?: string }, _res, next) => {
        req.user = 'known';
        next();
      },
      express3.basicAuth('tj', 'secret'),
      whoever,
    );

    await request(app).get('/').expect(200, ['known', null]);
  });
});
