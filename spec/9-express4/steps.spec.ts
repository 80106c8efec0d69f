/** Tests the steps of docs/express4.md for a move from Express 4 to Express 5. */
import { join } from 'node:path';
import { expect } from 'chai';
import framework from 'nozomi';
import express4 from 'nozomi/4';
import request from 'supertest';
import { muteDeprecations } from '../support/both';

const FILES = join(__dirname, '..', '..', 'fixtures', 'files');

/** @returns An application written for Express 4, on `nozomi/4`. */
function written(): express4.Express {
  const app = express4();
  app.set('env', 'test');
  app.use(express4.json());
  app.get('/users/:id?', (req, res) => res.send(200, { id: req.param('id') }));
  app.all('/body', (req, res) => res.json([req.body]));
  app.get('/status', (_req, res) => res.status('410' as never).end());
  app.get('/host', (req, res) => res.send(req.host));
  app.get('/fails', async () => {
    throw new Error('rejected');
  });
  app.put('/users', (_req, res) => res.end());
  app.get('/file', (_req, res) => res.sendFile('.folder/none.txt', { root: FILES }));
  app.use(((err: Error & { status?: number }, _req, res, _next) => {
    res.statusCode = err.status ?? 500;
    res.end(err.message);
  }) as express4.ErrorRequestHandler);
  return app;
}

describe('the steps of docs/express4.md', () => {
  muteDeprecations();

  it('step 1: an application of Express 4 runs unchanged on nozomi/4', async () => {
    const app = written();

    await request(app).get('/users/12').expect(200, { id: '12' });
    await request(app).get('/users').expect(200, {});
    await request(app).get('/body').expect(200, [{}]);
    await request(app).get('/status').expect(410);
  });

  it('step 3: routers and applications of nozomi mounted in nozomi/4 behave as in Express 5', async () => {
    const app = written();
    const router = framework.Router();
    router.get('/{:id}', async (req) => {
      throw new Error(`no ${req.params.id}`);
    });
    const inner = framework();
    inner.get('/*path', (req, res) => res.json([req.params.path, req.host, req.query]));
    const outer = express4();
    outer.use('/routed', router).use('/inner', inner).use(app);
    outer.use(((err: Error, _req, res, _next) => res.end(err.message)) as express4.ErrorRequestHandler);

    await request(outer).get('/routed/7').expect(200, 'no 7');
    await request(outer)
      .get('/inner/a/b?c[d]=1')
      .set('Host', 'example.com:80')
      .expect(200, [['a', 'b'], 'example.com:80', { c: { d: '1' } }]);
    await request(outer).get('/users/12').expect(200, { id: '12' });
  });

  it('step 3: an application of nozomi/4 mounted in nozomi behaves as in Express 4, and changes no other layer', async () => {
    const inner = written();
    inner.get('/query', (req, res) => res.json([req.query, req.param('a')]));
    const outer = framework();
    outer.set('env', 'test').use('/old', inner as never);
    outer.get('/new', (req, res) => res.json(['param' in req, req.query]));

    await request(outer)
      .get('/old/query?a=1')
      .expect(200, [{ a: '1' }, '1']);
    await request(outer).get('/old/users/12').expect(200, { id: '12' });
    await request(outer)
      .get('/new?a=1')
      .expect(200, [false, { a: '1' }]);
  });

  it('step 4: the setting promises passes a rejected promise to the error handlers', async () => {
    const app = written().set('promises', 5);
    app.param('name', async () => {
      throw new Error('of a parameter');
    });
    app.get('/named/:name', (_req, res) => res.end());

    await request(app).get('/fails').expect(500, 'rejected');
    const later = express4().set('promises', 5).set('env', 'test');
    later.param('name', async () => {
      throw new Error('of a parameter');
    });
    later.get('/:name', (_req, res) => res.end());
    const response = await request(later).get('/x');
    expect([response.status, /of a parameter/.test(response.text)]).to.deep.equal([500, true]);
  });

  it('step 4: the setting promises applies to mounted applications and routers', async () => {
    const child = express4();
    child.get('/', async () => {
      throw new Error('of a child');
    });
    const app = express4().set('promises', 5).set('env', 'test').use('/child', child);

    await request(app).get('/child').expect(500);
  });

  it('step 4: the settings body, status, host, options and dotfiles each enable one behaviour of Express 5', async () => {
    const app = written();
    for (const step of ['body', 'status', 'host', 'options', 'dotfiles']) app.set(step, 5);

    await request(app).get('/body').expect(200, [null]);
    await request(app)
      .get('/status')
      .expect(500, /Invalid status code/);
    await request(app).get('/host').set('Host', 'example.com:80').expect('example.com:80');
    await request(app)
      .options('/users')
      .expect('Allow', 'GET, HEAD, PUT')
      .expect('Content-Type', 'text/plain');
    await request(app).get('/file').expect(404);
  });

  it('step 4: other values of the settings have no effect', async () => {
    const app = written().set('body', true).set('host', 4);

    await request(app).get('/body').expect(200, [{}]);
    await request(app).get('/host').set('Host', 'example.com:80').expect('example.com');
  });

  it('step 5: an application rewritten for Express 5 runs on nozomi/4 and on nozomi', async () => {
    for (const create of [express4, framework] as Array<typeof framework>) {
      const app = create();
      app.use(create.urlencoded({ extended: true }));
      app.get('/users/:id', (req, res) => res.status(200).send({ id: req.params.id }));
      app.get(/^\/files\/(.*)$/, (req, res) => res.json(req.params[0]));

      await request(app).get('/users/12').expect(200, { id: '12' });
      await request(app).get('/files/a/b').expect(200, '"a/b"');
    }
  });
});
