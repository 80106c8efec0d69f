import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';

import { seen } from '../support/seen';

describe('req.params (§2.6)', () => {
  it('is empty and has no prototype for a path without parameters [F-2.6-24]', async () => {
    expect(await seen('/', (req) => [req.params, Object.getPrototypeOf(req.params)])).to.deep.equal([
      {},
      null,
    ]);
  });
});

describe('req.query (§2.6)', () => {
  it('has a property for each parameter of the query [F-2.6-36]', async () => {
    const query = await seen('/', (req) => req.query, '/?q=tobi%20ferret&n=&list=1&list=2&bare');

    expect(query).to.deep.equal({ q: 'tobi ferret', n: '', list: ['1', '2'], bare: '' });
  });

  it('is empty without a query, or if query parser is false [F-2.6-37]', async () => {
    const app = framework();
    app.get('/', (req, res) => res.json(req.query));

    expect((await request(app).get('/')).body).to.deep.equal({});
    app.disable('query parser');
    expect((await request(app).get('/?a=1')).body).to.deep.equal({});
  });

  it('is parsed at each access, and cannot be assigned [F-2.6-38]', async () => {
    const [isNew, threw] = await seen(
      '/',
      (req) => {
        let threw = false;
        try {
          (req as { query: unknown }).query = { b: 2 };
        } catch (err) {
          threw = err instanceof TypeError;
        }
        const { query } = req;
        return [query !== req.query, threw];
      },
      '/?a=1',
    );

    expect([isNew, threw]).to.deep.equal([true, true]);
  });

  it('follows changes of req.url [F-2.6-38]', async () => {
    const app = framework();
    app.use((req, _res, next) => {
      req.url = '/?b=2';
      next();
    });
    app.get('/', (req, res) => res.json(req.query));

    expect((await request(app).get('/?a=1')).body).to.deep.equal({ b: '2' });
  });
});
