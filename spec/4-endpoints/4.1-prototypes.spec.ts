import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';
import { close, portOf, serverOf, serving } from '../support/serve';

type Members = Record<string, unknown>;
type Patched = { shout(): string };

describe('app.request and app.response, the prototypes (§4.1)', () => {
  it('each application has its own prototypes, which inherit from framework.request and framework.response [F-4.1-01 F-2.6-01]', () => {
    const app = framework();

    expect(app.request).not.to.equal(framework().request);
    expect(Object.getPrototypeOf(app.request)).to.equal(framework.request);
    expect(Object.getPrototypeOf(app.response)).to.equal(framework.response);
    expect(Object.getPrototypeOf(framework.request)).to.equal(IncomingMessage.prototype);
    expect(framework.response).to.be.instanceOf(ServerResponse);
    expect(framework.response.constructor).to.equal(ServerResponse);
    expect(Object.getOwnPropertyDescriptor(app.request, 'app')).to.deep.equal({
      configurable: true,
      enumerable: true,
      writable: true,
      value: app,
    });
  });

  it('members added to framework.request and framework.response apply to all applications, also listening ones [F-4.1-01]', async () => {
    const app = framework();
    app.get('/', (req, res) => {
      res.json([req, res].map((one) => ('shout' in one ? (one as unknown as Patched).shout() : null)));
    });
    await serving(app, async (_port, server) => {
      await request(server).get('/').expect([null, null]);
      try {
        Object.assign(framework.request, { shout: () => 'request' });
        Object.assign(framework.response, { shout: () => 'response' });
        await request(server).get('/').expect(['request', 'response']);
      } finally {
        for (const one of [framework.request, framework.response]) Reflect.deleteProperty(one, 'shout');
      }
    });
  });

  it('members added to app.request and app.response apply only to this application and its sub-applications [F-4.1-01]', async () => {
    const [app, sub, other] = [framework(), framework(), framework()];
    for (const one of [app, sub, other]) one.get('/own', (req, res) => res.json('shout' in req));
    app.use('/sub', sub);
    Object.assign(app.request, { shout: () => 'app' });

    expect((await request(app).get('/own')).body).to.equal(true);
    expect((await request(app).get('/sub/own')).body).to.equal(true);
    expect((await request(other).get('/own')).body).to.equal(false);
  });

  it('members that a sub-application overrides apply only until it calls next() [F-4.1-01 F-2.6-02]', async () => {
    const [app, sub] = [framework(), framework()];
    const seen: unknown[] = [];
    Object.assign(app.response, { name: () => 'app' });
    Object.assign(sub.response, { name: () => 'sub', extra: true });
    const note: framework.RequestHandler = (_req, res, next) => {
      seen.push([(res as unknown as { name(): string }).name(), 'extra' in res]);
      next();
    };
    sub.use(note);
    app.use(note, sub, note);

    await request(app).get('/');

    expect(seen).to.deep.equal([
      ['app', false],
      ['sub', true],
      ['app', false],
    ]);
  });

  it('without members of a sub-application, only req.app and res.app change while it runs [F-2.6-02]', async () => {
    const [app, middle, inner] = [framework(), framework(), framework()];
    const seen: unknown[] = [];
    const note: framework.RequestHandler = (req, res, next) => {
      seen.push([app, middle, inner].map((one) => Number(req.app === one && res.app === one)).join(''));
      next();
    };
    inner.use(note);
    middle.use(note, inner, note);
    app.use(note, middle, note);

    await request(app).get('/');

    expect(seen).to.deep.equal(['100', '010', '001', '010', '100']);
  });

  it('members that a sub-application gets between two requests apply to the second request [F-2.6-02]', async () => {
    const [app, sub] = [framework(), framework()];
    sub.get('/', (_req, res) => res.json('late' in res));
    app.use(sub);
    const before = await request(app).get('/');
    Object.assign(sub.response, { late: true });
    const after = await request(app).get('/');

    expect([before.body, after.body]).to.deep.equal([false, true]);
  });

  it('the prototypes of the parent are restored if a sub-application fails [F-2.6-02]', async () => {
    const [app, sub] = [framework(), framework()];
    sub.use(() => {
      throw new Error('inside');
    });
    app.use(sub);
    app.use(((err, req, res, _next) =>
      res.json([err.message, req.app === app])) as framework.ErrorRequestHandler);

    expect((await request(app).get('/')).body).to.deep.equal(['inside', true]);
  });

  it('prototypes that a listening application replaces apply to the next request [F-4.1-01]', async () => {
    const app = framework();
    app.get('/', (req, res) => res.json((req as unknown as { made?: string }).made ?? null));
    await serving(app, async (_port, server) => {
      const before = await request(server).get('/');
      Object.assign(app, { request: Object.create(app.request, { made: { value: 'replaced' } }) });
      const after = await request(server).get('/');

      expect([before.body, after.body]).to.deep.equal([null, 'replaced']);
    });
  });

  it('prototypes that an application replaces before it listens apply to its requests [F-4.2-58]', async () => {
    const app = framework();
    app.get('/', (req, res) => res.json((req as unknown as { made?: string }).made ?? null));
    Object.assign(app, {
      request: Object.create(app.request, { made: { value: 'replaced' } }),
      response: Object.create(app.response),
    });
    await serving(app, async (_port, server) => {
      expect((await request(server).get('/')).body).to.equal('replaced');
    });
  });

  it('the event upgrade has a plain request of Node.js, to which any property can be assigned [F-4.2-58]', async () => {
    const server = await serverOf(framework());
    const socket = connect(portOf(server), '127.0.0.1');
    socket.write('GET /?a=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    const [req, upgraded] = (await once(server, 'upgrade')) as [IncomingMessage & Members, Socket];
    req.query = { own: true };
    req.ip = 'own';
    upgraded.destroy();
    socket.destroy();
    await close(server);

    expect(Object.getPrototypeOf(req)).to.equal(IncomingMessage.prototype);
    expect([req.query, req.ip]).to.deep.equal([{ own: true }, 'own']);
  });
});
