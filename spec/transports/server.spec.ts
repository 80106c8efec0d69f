import { on, once } from 'node:events';
import { IncomingMessage } from 'node:http';
import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import https from 'node:https';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import tls from 'node:tls';
import { expect } from 'chai';
import framework from 'nozomi';
import { createServer, type Http2Options, listen, type Server } from 'nozomi/http2';
import { CERTIFICATE as cert, KEY as key } from '../../parity/transports/certificate';
import { PATIENCE } from '../support/play';
import { until } from '../support/until';
import { askHttp2, connectionsOf, listening, open } from './support';

const app = framework();
app.get(
  '/',
  (req, res) => void res.send(`${req.httpVersion} ${req.protocol} ${req instanceof IncomingMessage}`),
);
app.get('/slow', (_req, res) => void setTimeout(() => res.send('slow'), 200));
app.get('/never', () => undefined);
/** More than the kernel stores for a client that does not read. */
const SIZE = 16_000_000;
app.get('/big', (_req, res) => void res.send(Buffer.alloc(SIZE)));
app.post('/', (req, res) => void req.resume().on('end', () => res.send('read')));

/** Starts a server with `options` while `use` runs, and connects a session. */
async function served<T>(
  options: Http2Options,
  use: (session: ClientHttp2Session, server: Server, port: number) => Promise<T>,
): Promise<T> {
  const server = createServer(options, app);
  const port = await listening(server);
  const session = http2.connect(`${options.cleartext ? 'http' : 'https'}://127.0.0.1:${port}`, {
    rejectUnauthorized: false,
  });
  session.on('error', () => undefined);
  try {
    return await use(session, server, port);
  } finally {
    session.destroy();
    server.close();
  }
}

describe('nozomi/http2, createServer()', () => {
  it('serves HTTP/2 by ALPN, and HTTP/1.1 to clients without ALPN', async () => {
    await served({ key, cert }, async (session, _server, port) => {
      expect(String((await askHttp2(session, { path: '/' })).body)).to.equal('2.0 https true');
      const req = https.get({ port, host: '127.0.0.1', rejectUnauthorized: false, agent: false });
      const [res] = await once(req, 'response');
      expect(String(Buffer.concat(await res.toArray()))).to.equal('1.1 https true');
    });
  });

  it('serves without TLS only if the option cleartext is set', async () => {
    expect(() => createServer({}, app)).to.throw(TypeError, 'pass key and cert, or cleartext: true');
    await served({ cleartext: true }, async (session) => {
      expect(String((await askHttp2(session, { path: '/' })).body)).to.equal('2.0 http true');
    });
  });

  it('returns the server from listen(), so that calls can be chained', async () => {
    const server = listen(app, { port: 0, host: '127.0.0.1', cleartext: true });
    await once(server, 'listening');
    await new Promise((resolve) => server.close(resolve));
  });

  it('accepts any listener, and passes requests and responses of node:http classes', async () => {
    const server = createServer({ cleartext: true }, (req, res) =>
      res.end(String(req instanceof IncomingMessage)),
    );
    const session = http2.connect(`http://127.0.0.1:${await listening(server)}`);
    expect(String((await askHttp2(session, { path: '/' })).body)).to.equal('true');
    session.destroy();
    server.close();
  });

  it('passes requests without the prototypes of the application to other listeners', async () => {
    await served({ cleartext: true }, async (session, server) => {
      const seen: unknown[] = [];
      server.prependListener('request', (req) =>
        seen.push(Object.getPrototypeOf(req) === IncomingMessage.prototype),
      );
      expect((await askHttp2(session, { path: '/' })).status).to.equal(200);
      expect(seen).to.deep.equal([true]);
    });
  });

  it('responds to Expect: 100-continue before the application, and with 417 to other expectations', async () => {
    await served({ cleartext: true }, async (session) => {
      const stream = open(session, {
        path: '/',
        method: 'POST',
        headers: { expect: '100-continue' },
        body: '',
      });
      await once(stream, 'continue');
      stream.end('body');
      expect((await once(stream, 'response'))[0][':status']).to.equal(200);
      const refused = await askHttp2(session, { path: '/', headers: { expect: 'a miracle' } });
      expect(refused.status).to.equal(417);
    });
  });

  it('allows 100 concurrent streams by default', async () => {
    for (const [options, expected] of [
      [{}, 100],
      [{ settings: { maxConcurrentStreams: 7, enablePush: false } }, 7],
    ] as const) {
      await served({ cleartext: true, ...options }, async (session) => {
        const [settings] = await once(session, 'remoteSettings');
        expect(settings.maxConcurrentStreams).to.equal(expected);
      });
    }
  });

  it('closes a session without traffic after the timeout', async () => {
    await served({ cleartext: true, sessionTimeout: 50 }, async (session) => {
      await askHttp2(session, { path: '/' });
      await once(session, 'close');
    });
  });

  for (const [name, options] of [
    ['with TLS', { key, cert }],
    ['without TLS', { cleartext: true }],
  ] as const) {
    it(`ends the connection of a client that never closes its side after the timeout (${name})`, async () => {
      const server = createServer({ ...options, sessionTimeout: 100 }, app);
      const address = { port: await listening(server), host: '127.0.0.1', allowHalfOpen: true };
      const client =
        'key' in options
          ? tls.connect({ ...address, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
          : connect(address);
      client.on('error', () => undefined).resume();
      client.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0');
      await once(server, 'session');

      await untilEmpty(server);
      client.destroy();
      server.close();
    });

    it(`cuts a download that the client stops reading after the timeout (${name})`, async () => {
      for (const initialWindowSize of [0, 2 ** 31 - 1]) {
        const server = createServer({ ...options, sessionTimeout: 100 }, app);
        const address = { port: await listening(server), host: '127.0.0.1' };
        const socket =
          'key' in options
            ? tls.connect({ ...address, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
            : connect(address);
        const session = sessionOver(socket, initialWindowSize);
        const [stream] = await Promise.all([once(server, 'stream'), download(session)]);
        // A large window: the client stops reading from the socket. Otherwise, the window keeps the server from sending.
        if (initialWindowSize > 0) socket.pause();

        await untilCut(server, socket, stream[0]);
      }
    });
  }

  for (const [what, method, path] of [
    ['another request is incomplete', 'POST', '/'],
    ['another response begins later', 'GET', '/slow'],
  ] as const)
    it(`cuts a download that the client does not receive although ${what}`, async () => {
      for (const initialWindowSize of [0, 2 ** 31 - 1]) {
        const server = createServer({ cleartext: true, sessionTimeout: 50, requestTimeout: 300 }, app);
        const socket = connect({ port: await listening(server), host: '127.0.0.1' });
        const session = sessionOver(socket, initialWindowSize);
        const streams = on(server, 'stream');
        // First: a session that stores much for the client takes no further requests. Both at once: on a busy machine, the
        // timeout may pass between two requests.
        session.request({ ':method': method, ':path': path }).on('error', () => undefined);
        download(session);
        await streams.next();
        const [stream] = (await streams.next()).value;
        if (initialWindowSize > 0) socket.pause();

        await untilCut(server, socket, stream);
      }
    });

  it('completes a response that the application sends after the timeout', async () => {
    await served({ cleartext: true, sessionTimeout: 20 }, async (session) => {
      const { status, body } = await askHttp2(session, { path: '/slow' });
      expect([status, String(body)]).to.deep.equal([200, 'slow']);
    });
  });

  it('completes a download that takes longer than the timeout', async () => {
    await served({ cleartext: true, sessionTimeout: 800 }, async (session) => {
      const stream = open(session, { path: '/big' });
      let size = 0;
      stream.on('data', async (chunk) => {
        size += chunk.length;
        if (size % (SIZE / 20) > chunk.length) return;
        stream.pause();
        await wait(100);
        stream.resume();
      });
      await once(stream, 'end');
      expect(size).to.equal(SIZE);
    });
  });

  it('does not reset a complete request whose body the application does not read', async () => {
    const app = framework().post('/', (_req, res) => void setTimeout(() => res.send('late'), 200));
    const server = createServer({ cleartext: true, requestTimeout: 50 }, app);
    const session = http2.connect(`http://127.0.0.1:${await listening(server)}`);
    try {
      const { status, body } = await askHttp2(session, { path: '/', method: 'POST', body: 'sent' });
      expect([status, String(body)]).to.deep.equal([200, 'late']);
    } finally {
      session.destroy();
      server.close();
    }
  });

  it('resets a request that is not complete in time', async () => {
    await served({ cleartext: true, requestTimeout: 50 }, async (session) => {
      const stream = open(session, { path: '/', method: 'POST', body: '' });
      stream.on('error', () => undefined).write('part');
      await once(stream, 'close');
      expect(stream.rstCode).to.equal(http2.constants.NGHTTP2_CANCEL);
      expect((await askHttp2(session, { path: '/' })).status).to.equal(200);
    });
  });
});

/** Waits until a server has no connection. */
function sessionOver(socket: Socket, initialWindowSize: number): ClientHttp2Session {
  const session = http2.connect('http://spec.test', {
    createConnection: () => socket,
    settings: { initialWindowSize },
  });
  for (const each of [session, socket]) each.on('error', () => undefined);
  return session;
}

/** Starts a download that the server cuts: the client may see a reset of the connection. */
function download(session: ClientHttp2Session): ClientHttp2Stream {
  return open(session, { path: '/big' }).on('error', () => undefined);
}

async function untilCut(server: Server, socket: Socket, stream: { destroyed: boolean }): Promise<void> {
  await untilEmpty(server);
  await until(() => stream.destroyed);
  socket.destroy();
  server.close();
}

async function untilEmpty(server: Server): Promise<void> {
  const end = performance.now() + PATIENCE;
  while ((await connectionsOf(server)) > 0) {
    if (performance.now() > end) throw new Error(`a connection is open after ${PATIENCE} ms`);
    await wait(10);
  }
}
