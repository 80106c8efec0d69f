import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';

import { seen } from '../support/seen';

describe('req.params (§2.6)', () => {
  it('contains the named parameters, decoded [F-2.6-23 F-2.6-27]', async () => {
    const params = await seen('/:user/:file', (req) => req.params, '/ad%C3%A4/a%2Fb%20c');

    expect(params).to.deep.equal({ user: 'adä', file: 'a/b c' });
  });

  it('is empty and has no prototype for a path without parameters [F-2.6-24]', async () => {
    expect(await seen('/', (req) => [req.params, Object.getPrototypeOf(req.params)])).to.deep.equal([
      {},
      null,
    ]);
  });

  it('contains the groups of a regular expression by number, or by name [F-2.6-25]', async () => {
    const app = framework();
    app.get(/^\/n\/(\d+)-(\w+)$/, (req, res) => res.json(req.params));
    app.get(/^\/k\/(?<year>\d+)$/, (req, res) => res.json(req.params));

    expect((await request(app).get('/n/12-ab')).body).to.deep.equal({ 0: '12', 1: 'ab' });
    expect((await request(app).get('/k/1999')).body).to.deep.equal({ year: '1999' });
  });

  it('contains the segments of a named wildcard; app.get throws for an unnamed one [F-2.6-26]', async () => {
    expect(() => framework().get('/file/*', () => undefined)).to.throw(TypeError, 'Missing parameter name');
    expect(await seen('/file/*path', (req) => req.params, '/file/a/b%20c')).to.deep.equal({
      path: ['a', 'b c'],
    });
  });

  it('changes by one route do not apply to the next route [F-2.6-28 F-2.6-29]', async () => {
    const app = framework();
    app.get(
      '/:n',
      (req, _res, next) => {
        req.params.n = 'changed';
        next();
      },
      (req, res, next) => {
        res.locals.sameRoute = req.params.n;
        next();
      },
    );
    app.get('/:n', (req, res) => res.json([res.locals.sameRoute, req.params.n]));

    expect((await request(app).get('/given')).body).to.deep.equal(['changed', 'given']);
  });

  it('later routes receive a value that a callback of app.param changed, but no name that it added [F-2.6-30 F-2.6-31 F-2.6-32]', async () => {
    const app = framework();
    app.param('n', (req, _res, next) => {
      req.params.n = 'changed';
      req.params.added = 'added';
      next();
    });
    app.get('/:n', (req, res, next) => {
      res.locals.first = { ...req.params };
      next();
    });
    app.get('/:n', (req, res) => res.json([res.locals.first, req.params]));

    expect((await request(app).get('/given')).body).to.deep.equal([
      { n: 'changed', added: 'added' },
      { n: 'changed' },
    ]);
  });

  it('the response is 400 if a parameter cannot be decoded [F-2.6-27]', async () => {
    const app = framework().set('env', 'test');
    app.get('/:n', (_req, res) => res.send('never'));

    const res = await request(app).get('/%E0%A4%A');

    expect(res.status).to.equal(400);
    expect(res.text).to.include('Failed to decode param &#39;%E0%A4%A&#39;');
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
