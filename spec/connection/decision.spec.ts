/** Which connections Nozomi reads, and which it leaves to the parser of Node.js. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import http, { IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Express } from 'express';
import framework from 'nozomi';
import { until } from '../support/until';

const GET = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n';

const app = (): Express =>
  (framework() as unknown as Express)
    .set('env', 'test')
    .enable('own connection')
    .get('/', (_req, res) => void res.send('ok'));

/** Sends three requests on one connection. @returns Whether Node.js's parser read only the first one. */
async function isRead(server: Server): Promise<boolean> {
  if (!server.listening) server.listen(0, '127.0.0.1');
  if (!server.listening) await once(server, 'listening');
  let calls = 0;
  // After the listeners, and after Nozomi has seen the connection.
  server.on('connection', (socket: Socket & { parser?: { execute: unknown } }) =>
    process.nextTick(() => {
      const { parser } = socket;
      const execute = parser?.execute as (...args: unknown[]) => unknown;
      // Node.js's parser reads a connection itself, without this call, unless something listens for its data.
      socket.on('data', () => undefined);
      Object.assign(parser as object, {
        execute(this: unknown, ...args: unknown[]) {
          calls++;
          return Reflect.apply(execute, this, args);
        },
      });
      socket.once('close', () => Reflect.deleteProperty(parser as object, 'execute'));
    }),
  );
  const { port } = server.address() as { port: number };
  const client = connect(port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  client.on('data', (chunk) => {
    text += chunk;
  });
  for (let n = 1; n <= 3; n++) {
    client.write(GET);
    await until(() => text.split('\r\n\r\nok').length > n);
  }
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect([1, 3]).to.include(calls);
  return calls === 1;
}

/** A server that has already served a request: from then on, it creates requests for the application. */
async function used(server: Server): Promise<Server> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  await (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).text();
  return server;
}

describe('the setting own connection', () => {
  it('lets Nozomi read the connections of app.listen', async () => {
    expect(await isRead(app().listen(0, '127.0.0.1'))).to.equal(true);
  });

  it('lets Nozomi read the connections of http.createServer(app), after its first request', async () => {
    expect(await isRead(await used(http.createServer(app())))).to.equal(true);
  });

  it('is off by default', async () => {
    const plain = framework().set('env', 'test') as unknown as Express;

    expect(await isRead(plain.get('/', (_req, res) => void res.send('ok')).listen(0, '127.0.0.1'))).to.equal(
      false,
    );
  });

  it('must be a boolean', () => {
    expect(() => app().set('own connection', 'yes')).to.throw(
      TypeError,
      'unknown value for own connection: yes',
    );
  });

  const OTHERS: Readonly<Record<string, () => Server | Promise<Server>>> = {
    'a function calls the application': () => {
      const listener = app();
      return http.createServer((req, res) => listener(req, res));
    },
    'the server has the option maxHeaderSize': () =>
      used(http.createServer({ maxHeaderSize: 20_000 }, app())),
    'the server has the option insecureHTTPParser': () =>
      used(http.createServer({ insecureHTTPParser: true }, app())),
    'the server has the option joinDuplicateHeaders': () =>
      used(http.createServer({ joinDuplicateHeaders: true }, app())),
    'the server has the property maxHeadersCount': async () =>
      Object.assign(await used(http.createServer(app())), { maxHeadersCount: 50 }),
    'another listener reads the connection': async () =>
      (await used(http.createServer(app()))).on('connection', (socket) => socket.on('data', () => undefined)),
    'the application overrides a member that Node.js uses': () => {
      const one = app();
      Object.assign(one.request, { _addHeaderLines: IncomingMessage.prototype._addHeaderLines });
      return one.listen(0, '127.0.0.1');
    },
    'code has replaced the parser': async () =>
      (await used(http.createServer(app()))).on('connection', (socket) => {
        const { parser } = socket as Socket & { parser?: { execute: (...args: unknown[]) => unknown } };
        if (!parser) return;
        const { execute } = parser;
        parser.execute = function (...args) {
          return execute.apply(this, args);
        };
        socket.once('close', () => Reflect.deleteProperty(parser, 'execute'));
      }),
  };
  for (const [reason, create] of Object.entries(OTHERS)) {
    it(`leaves a connection to Node.js if ${reason}`, async () => {
      expect(await isRead(await create())).to.equal(false);
    });
  }

  for (const [NOZOMI_CONNECTION, setting, expected] of [
    ['own', undefined, true],
    ['own', false, false],
    ['own', true, true],
    ['node', undefined, false],
    ['node', true, false],
    ['other', undefined, false],
    ['other', true, true],
  ] as const) {
    it(`NOZOMI_CONNECTION=${NOZOMI_CONNECTION} and the setting ${setting}: ${expected ? 'Nozomi' : 'Node.js'} reads`, async () => {
      const code = `
        const app = require('nozomi')();
        if (${setting} !== undefined) app.set('own connection', ${setting});
        const server = app.listen(0, () => require('net').connect(server.address().port).on('error', () => {}));
        server.on('connection', (socket) => process.nextTick(() => {
          console.log(socket.listeners('data')[0].name);
          process.exit();
        }));`;
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', code], {
        cwd: join(__dirname, '..', '..'),
        env: { ...process.env, NOZOMI_CONNECTION },
      });

      expect(stdout.trim() !== 'bound socketOnData').to.equal(expected);
    });
  }
});
