import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import nozomi, { type ErrorRequestHandler } from 'nozomi';
import nozomi4 from 'nozomi/4';
import { onUpgrade, type StandardSchema, upgrade, validate } from 'nozomi/extras';
import { serving } from '../support/serve';
import { until } from '../support/until';
import { knock, received } from '../transports/web-sockets';

/** Reasons that `next` of Express takes for no error. */
const REASONS = [undefined, null, 0, '', false, 'route', 'router'];

const schema = (check: (value: unknown) => unknown): StandardSchema =>
  ({ '~standard': { version: 1, vendor: 'spec', validate: check } }) as StandardSchema;

describe('a callback that fails', () => {
  for (const reason of REASONS) {
    it(`validate: a schema that rejects with ${String(reason) || "''"} runs no further handler`, async () => {
      const failing = schema(() => Promise.reject(reason));
      const throwing = schema(() => {
        throw reason;
      });
      const app = nozomi().set('env', 'test');
      for (const [path, query] of [
        ['/rejects', failing],
        ['/throws', throwing],
      ] as const)
        app.get(path, validate({ query }), (_req, res) => void res.send('valid'));
      app.use((_req, res) => void res.send('passed'));

      await serving(http.createServer(app), async (port) => {
        for (const path of ['/rejects', '/throws'])
          expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).to.equal(500);
      });
    });

    it(`onUpgrade: a handler that rejects with ${String(reason) || "''"} runs no further handler`, async () => {
      const app = nozomi().set('env', 'test');
      app.get(
        '/',
        onUpgrade(() => Promise.reject(reason)),
      );
      app.use((_req, res) => void res.send('passed'));
      await serving(upgrade(http.createServer(app), app), async (port) => {
        const req = http.get({ port, headers: { Connection: 'Upgrade', Upgrade: 'websocket' } });
        const [res] = (await once(req, 'response')) as [IncomingMessage];
        res.resume();
        expect(res.statusCode).to.equal(500);
      });
    });
  }

  for (const [name, create] of Object.entries({ nozomi, 'nozomi/4': nozomi4 as never as typeof nozomi }))
    it(`onUpgrade: an error of a wrapper of res.end goes to the error handlers of ${name}`, async () => {
      const app = create().set('env', 'test');
      const messages: string[] = [];
      app.use((_req, res, next) => {
        res.end = () => {
          throw new Error('wrapper');
        };
        next();
      });
      app.get(
        '/',
        onUpgrade((_req, socket) => void socket.resume().write('HTTP/1.1 101 Switching Protocols\r\n\r\n')),
      );
      app.use(((err, _req, _res, _next) => void messages.push(err.message)) satisfies ErrorRequestHandler);
      await serving(upgrade(http.createServer(app), app), async (port) => {
        const socket = knock(port, '/');
        await received(socket, '101');
        // mocha fails for an unhandled rejection.
        await until(() => messages.length === 1, 'the error handler was called');
        socket.resetAndDestroy();
      });
      expect(messages).to.deep.equal(['wrapper']);
    });

  it('onUpgrade: the response to a failure is closed if the client disconnects', async () => {
    const app = nozomi();
    let closed = 0;
    app.get(
      '/',
      onUpgrade(() => Promise.reject(new Error('no'))),
    );
    app.use(((_err, _req, res, _next) => void res.on('close', () => closed++)) satisfies ErrorRequestHandler);
    await serving(upgrade(http.createServer(app), app), async (port, server) => {
      const socket = knock(port, '/');
      await once(server, 'upgrade');
      socket.end();
      await until(() => closed === 1, 'the response was closed');
    });
  });

  it('validate: a response schema that rejects sends 500', async () => {
    const response = schema(() => Promise.reject(new Error('no')));
    const app = nozomi().set('env', 'test');
    app.get('/', validate({ response }), (_req, res) => void res.json({}));
    // mocha fails for an unhandled rejection.
    await serving(http.createServer(app), async (port) => {
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).to.equal(500);
    });
  });
});
