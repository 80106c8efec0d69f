import { expect } from 'chai';
import express, { type ErrorRequestHandler, type RequestHandler, type RequestParamHandler } from 'express';
import framework from 'nozomi';
import request from 'supertest';
import { muteDeprecations } from '../support/both';
import { thenable } from '../support/thenable';

/** A parameter callback that adds `name=value` to the response header X-Params. */
const note: RequestParamHandler = (_req, res, next, value, name) => {
  res.append('X-Params', `${name}=${value}`);
  next();
};
const send: RequestHandler = (_req, res) => void res.send(String(res.get('X-Params')));
const pass: RequestHandler = (_req, _res, next) => next();

describe('app.param() and router.param(), rule 9 (§1)', () => {
  muteDeprecations();

  it('callbacks of an application do not run for mounted routers and sub-applications [F-1-43 F-1-44 F-1-46]', async () => {
    const [app, sub] = [framework(), framework()];
    const router = framework.Router({ mergeParams: true });
    app.param('id', note);
    sub.get('/:id', send);
    router.get(
      '/',
      (req, res) => void res.send(`${res.get('X-Params')} ${(req.params as { id: string }).id}`),
    );
    app.use('/sub', sub);
    app.use('/:id/router', router);

    expect((await request(app).get('/sub/7')).text).to.equal('undefined');
    expect((await request(app).get('/7/router')).text).to.equal('id=7 7');
  });

  it('a callback that calls next twice throws where Express throws [F-1-47]', () => {
    for (const path of ['/:id/:x', '/:x/:id', '/:id']) {
      const [ours, theirs] = [framework as unknown as typeof express, express].map((make) => {
        const seen: unknown[] = [];
        const router = make.Router();
        router.param('id', (_req, _res, next) => {
          next();
          next();
        });
        router.get(path, () => void seen.push('handler'));
        try {
          router({ method: 'GET', url: path } as never, {} as never, (err: unknown) => void seen.push(err));
        } catch (err) {
          seen.push(String(err));
        }
        return seen;
      });

      expect(ours, path).to.deep.equal(theirs);
    }
  });

  it('callbacks of a router do not run for routes of its parent [F-1-45]', async () => {
    const app = framework();
    app.use(framework.Router().param('id', note));
    app.get('/:id', send);

    expect((await request(app).get('/7')).text).to.equal('undefined');
  });

  it('callbacks run only for routes with the parameter, before their handlers [F-1-47 F-1-48 F-2.6-30]', async () => {
    const app = framework();
    app.param('id', note);
    app.param('id', (req, _res, next, value) => {
      req.params.id = `user ${value}`;
      next();
    });
    app.get('/with/:id', (req, res) => void res.send(`${res.get('X-Params')} ${req.params.id}`));
    app.get('/without/:other', send);

    expect((await request(app).get('/with/7')).text).to.equal('id=7 user 7');
    expect((await request(app).get('/without/7')).text).to.equal('undefined');
  });

  it('a callback runs once per request for each value of its parameter [F-1-49 F-1-50]', async () => {
    const app = framework();
    app.param('id', note);
    app.get('/:id/b', pass);
    app.get('/:id/:x', pass);
    app.get('/a/:id', send);

    expect((await request(app).get('/a/b')).text).to.equal('id=a,id=b');
  });

  it('later routes receive a value that a callback changed, and the error that a callback passed [F-1-49]', async () => {
    const app = framework();
    app.param('id', (req, _res, next, value) => {
      req.params.id = 'changed';
      next(value === 'bad' ? new Error('refused') : undefined);
    });
    app.get('/:id', pass);
    app.get('/:id', (req, res) => void res.send(req.params.id));
    app.use(
      (err: Error, _req: unknown, res: framework.Response, _next: unknown) => void res.send(err.message),
    );

    expect((await request(app).get('/good')).text).to.equal('changed');
    expect((await request(app).get('/bad')).text).to.equal('refused');
  });

  it('callbacks for a list of names run in the order of the path, then the route runs [F-1-51 F-1-52 F-1-53 F-1-54 F-4.2-52]', async () => {
    const app = framework();
    app.param(['id', 'page'], note);
    app.get('/:page/:id', send);

    expect((await request(app).get('/3/42')).text).to.equal('page=3,id=42');
  });

  it('several callbacks for one parameter run in order, including asynchronous ones [F-1-47]', async () => {
    const app = framework();
    app.param('id', (_req, res, next) => {
      res.append('X-Params', 'first');
      setImmediate(next);
    });
    app.param('id', note);
    app.get('/:id', send);

    expect((await request(app).get('/7')).text).to.equal('first,id=7');
  });

  it('after the error of a callback, Express and this package do not run it for another value of the parameter', async () => {
    const responses = [express, framework as unknown as typeof express].map(async (make) => {
      const app = make().set('env', 'test');
      const ran: string[] = [];
      app.param('id', (_req, _res, next, value) => {
        ran.push(value);
        next(value === 'a' ? new Error('failed') : undefined);
      });
      app.get('/:id/b', pass);
      // This layer matches with `id` = b. The callback has run for a only.
      app.use('/a/:id', ((_err, _req, res, _next) => res.send('reached')) as ErrorRequestHandler);
      app.use(((err, _req, res, _next) => res.json([err.message, ran])) as ErrorRequestHandler);
      return (await request(app).get('/a/b')).body;
    });

    const [wanted, came] = await Promise.all(responses);
    expect(came)
      .to.deep.equal(wanted)
      .and.to.deep.equal(['failed', ['a']]);
  });

  it('an error handler receives the error that a callback passes to next(err), throws or rejects with [F-7-23]', async () => {
    const app = framework();
    app.param('by', ((_req, _res, next, value) => {
      if (value === 'next') return next(new Error('next'));
      if (value === 'throw') throw new Error('throw');
      if (value === 'nothing') return Promise.reject();
      if (value === 'then')
        return thenable(() => {
          throw new Error('then');
        });
      if (value === 'foreign') return thenable((_resolve, reject) => reject(new Error('foreign')));
      return Promise.reject(new Error('reject'));
    }) as RequestParamHandler);
    app.get('/:by', send);
    app.use(
      (err: Error, _req: unknown, res: framework.Response, _next: unknown) => void res.send(err.message),
    );

    for (const by of ['next', 'throw', 'reject', 'then', 'foreign']) {
      expect((await request(app).get(`/${by}`)).text).to.equal(by);
    }
    expect((await request(app).get('/nothing')).text).to.equal('Rejected promise');
  });

  it('next("route") in a callback skips the route, each time that it matches [F-1-22]', async () => {
    const app = framework();
    let calls = 0;
    app.param('id', (_req, _res, next) => {
      calls++;
      next('route');
    });
    app.get('/:id', () => expect.fail('reached'));
    app.get('/:id', () => expect.fail('reached'));
    app.get('/:other', (_req, res) => void res.send(String(calls)));

    expect((await request(app).get('/7')).text).to.equal('1');
  });

  it('a parameter that cannot be decoded gives an error with status 400 [F-2.6-27]', async () => {
    const app = framework();
    app.get('/:id', send);
    app.use((err: Error & { status: number }, _req: unknown, res: framework.Response, _next: unknown) => {
      res.status(err.status).send(err.message);
    });

    const res = await request(app).get('/%zz');

    expect([res.status, res.text]).to.deep.equal([400, "Failed to decode param '%zz'"]);
  });
});
