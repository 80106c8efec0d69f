import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';
import { close, portOf, serverOf, serving } from '../support/serve';

type Members = Record<string, unknown>;
type Patched = { shout(): string };

describe('app.request and app.response, the prototypes', () => {
  proves('F-4.1-01 F-2.6-01');
  it('each application has its own prototypes, which inherit from framework.request and framework.response', () => {
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

  proves('F-4.1-01');
  it('members added to framework.request and framework.response apply to all applications, also listening ones', async () => {
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

  proves('F-4.2-58');
  it('the event upgrade has a plain request of Node.js, to which any property can be assigned', async () => {
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
