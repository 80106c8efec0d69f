import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import https from 'node:https';
import { createRequire } from 'node:module';
import { connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Duplex, Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import session from 'express-session';
import framework from 'nozomi';
import framework4 from 'nozomi/4';
import { onUpgrade, upgrade } from 'nozomi/extras';
import { graceful } from 'nozomi/graceful';
import { createServer as createHttp2Server } from 'nozomi/http2';
import { freePort, untilListening } from '../../parity/harness/processes';
import { CERTIFICATE as cert, KEY as key } from '../../parity/transports/certificate';
import { heldBeyond, heldNow } from '../security/held';
import { heardDuring } from '../support/heard';
import { portOf, serverOf, serving } from '../support/serve';
import { until } from '../support/until';
import { askHttp1 } from './support';
import { frame, knock, received, UPGRADE, untilClosed } from './web-sockets';

type App = ReturnType<typeof framework>;

interface WebSocket {
  on(event: 'message', listener: (data: Buffer) => void): void;
  send(data: string | Buffer): void;
}
interface WebSocketServer {
  handleUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer, callback: (ws: WebSocket) => void): void;
}
// Without the types of ws, which has none of its own.
const ws: { WebSocketServer: new (options: object) => WebSocketServer } = createRequire(__filename)('ws');
const wss = new ws.WebSocketServer({ noServer: true });

/** Accepts with the package ws: sends `name`, and then each message with `!`. */
const echo = (name: (req: IncomingMessage) => string) =>
  onUpgrade((req, socket, head) =>
    wss.handleUpgrade(req, socket, head, (client) => {
      client.send(name(req));
      client.on('message', (data) => client.send(`${data}!`));
    }),
  );

/** An application with a session, authentication, a nested router and an error handler. */
function application(create: () => App = framework): App {
  const app = create().set('env', 'test').disable('x-powered-by');
  app.use(session({ secret: 'a', resave: false, saveUninitialized: false }));
  app.get('/login', (req, res) => {
    Object.assign(req.session, { user: 'Ada' });
    res.sendStatus(204);
  });
  const rooms = framework.Router({ mergeParams: true });
  rooms.use((req, res, next) => ('user' in req.session ? next() : void res.status(401).send('who?')));
  rooms.get(
    '/:room',
    echo((req) => {
      const { params, originalUrl, session } = req as never as Record<string, Record<string, string>>;
      return `${params?.house} ${params?.room} ${originalUrl} ${session?.user}`;
    }),
  );
  rooms.get('/:room', (_req, res) => void res.send('not a WebSocket'));
  app.use('/:house/rooms', rooms);
  app.get('/throws', () => {
    throw Object.assign(new Error('no'), { status: 503, stack: 'Error: no' });
  });
  return app;
}

/** @returns The header lines with the cookie of a session. */
async function logIn(port: number, path = '/login'): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return `Cookie: ${response.headers.getSetCookie()[0]?.split(';')[0]}\r\n`;
}

const withUpgrade = (app: App): Server => upgrade(http.createServer(app), app);

describe('upgrade()', () => {
  for (const [name, create] of Object.entries({
    nozomi: framework,
    'nozomi/4': framework4 as never as () => App,
  }))
    it(`passes a WebSocket through session, authentication, parameters and routers of ${name}`, async () => {
      const app = application(create);
      await serving(withUpgrade(app), async (port) => {
        const socket = knock(port, '/red/rooms/7?a=1', await logIn(port));
        const text = await received(socket, 'Ada');
        expect(text).to.match(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
        expect(text).to.include('red 7 /red/rooms/7?a=1 Ada');
        socket.write(frame('hello'));
        await received(socket, 'hello!');
        socket.destroy();
      });
    });

  it('accepts frames that the client sends together with the request, and before a slow handler accepts', async () => {
    const app = framework();
    let open = (): void => undefined;
    app.use((_req, _res, next) => {
      open = next;
    });
    app.get(
      '/',
      echo(() => 'open'),
    );
    await serving(withUpgrade(app), async (port, server) => {
      const socket = knock(port, '/', '', frame('first'));
      await once(server, 'upgrade');
      const long = 'x'.repeat(50_000);
      for (let i = 0; i < 8; i++) socket.write(frame(`${i}${long}`));
      open();
      const text = await received(socket, `7${long}!`);
      expect(text.match(/first!|\dx{50000}!/g)?.map((each) => each[0])).to.deep.equal([...'f01234567']);
      socket.destroy();
    });
  });

  it('refuses with the ordinary response, and closes the connection', async () => {
    const app = application();
    await serving(withUpgrade(app), async (port) => {
      const cookie = await logIn(port);
      for (const [path, headers, status] of [
        ['/red/rooms/7', '', 401],
        ['/nowhere', '', 404],
        ['/throws', '', 503],
        ['/red/rooms/7', cookie.replace('connect.sid=', 'connect.sid=x'), 401],
      ] as const) {
        const refused = await untilClosed(knock(port, path, headers));
        const { headers: ordinary, text } = await plain(port, path, headers);
        expect(refused, path).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
        expect(refused.split('\r\n\r\n')[1]).to.equal(text);
        const { date, ...expected } = ordinary;
        for (const [field, value] of Object.entries(expected))
          expect(refused.toLowerCase()).to.include(`\r\n${field}: ${value}`.toLowerCase());
      }
      const ordinary = await plain(port, '/red/rooms/7', cookie);
      expect(ordinary.text).to.equal('not a WebSocket');
    });
  });

  it('sends a long refusal completely, although it fills the buffers of the connection', async () => {
    const app = framework().use((_req, res) => void res.status(403).send(Buffer.alloc(8_000_000, 'a')));
    await serving(withUpgrade(app), async (port) => {
      const text = await untilClosed(knock(port, '/'));
      expect(text.split('\r\n\r\n')[1]).to.have.length(8_000_000);
    });
  });

  it('ends the response for middleware when it is accepted: sessions are saved, the logger writes 101', async () => {
    const store = new session.MemoryStore();
    const lines: string[] = [];
    const app = framework();
    app.use(
      framework.logger(':method :url :status', { stream: { write: (line) => void lines.push(line.trim()) } }),
    );
    app.use(session({ secret: 'a', resave: false, saveUninitialized: false, store }));
    app.use((req, _res, next) => next(void Object.assign(req.session, { seen: true })));
    app.get(
      '/',
      echo(() => 'open'),
    );
    await serving(withUpgrade(app), async (port) => {
      const socket = knock(port, '/');
      await received(socket, 'open');
      await until(() => Object.keys(Reflect.get(store, 'sessions')).length === 1, 'the session was saved');
      await until(() => lines.length === 1, 'the line was written');
      expect(lines).to.deep.equal(['GET / 101']);
      socket.destroy();
    });
  });

  it('sends the error page if the handler fails before it has sent anything, and else closes the connection', async () => {
    const app = framework().set('env', 'test');
    app.get(
      '/before',
      onUpgrade(() => Promise.reject(new Error('before'))),
    );
    app.get(
      '/after',
      onUpgrade((_req, socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
        throw new Error('after');
      }),
    );
    await serving(withUpgrade(app), async (port) => {
      expect(await untilClosed(knock(port, '/before'))).to.match(/^HTTP\/1\.1 500 .*before/s);
      expect(await untilClosed(knock(port, '/after'))).to.not.include('500');
    });
  });

  it('refuses a request without Host', async () => {
    await serving(withUpgrade(application()), async (port) => {
      const bare = connect(port, '127.0.0.1');
      bare.write(`GET /throws HTTP/1.1\r\n${UPGRADE.replace('Host: h\r\n', '')}\r\n`);
      expect(await untilClosed(bare)).to.match(/^HTTP\/1\.1 400 /);
    });
  });

  it('leaves requests for other protocols, and with other methods, ordinary: with body and further requests', async () => {
    const app = framework();
    app.use(framework.text());
    app.use((req, res) => void res.send(`${req.method} ${req.get('Upgrade')} ${JSON.stringify(req.body)};`));
    await serving(withUpgrade(app), async (port) => {
      const post = (upgrade: string, close: string): string =>
        `POST / HTTP/1.1\r\nHost: h\r\nConnection: ${close}, Upgrade\r\nUpgrade: ${upgrade}\r\n` +
        'Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nab';
      const socket = connect(port, '127.0.0.1');
      for (const protocol of ['h2c', 'websocket', 'h2c, foo']) {
        socket.write(post(protocol, 'keep-alive'));
        await received(socket, `\r\n\r\nPOST ${protocol} "ab";`);
      }
      socket.write(post('TLS/1.0', 'close'));
      expect(await untilClosed(socket)).to.match(/POST TLS\/1\.0 "ab";$/);
    });
  });

  it('leaves requests of HTTP/1.0 ordinary (RFC 9110 §7.8)', async () => {
    await serving(withUpgrade(application()), async (port) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET /red/rooms/7 HTTP/1.0\r\n${UPGRADE}${await logIn(port)}\r\n`);
      const text = await untilClosed(socket).finally(() => socket.destroy());
      expect(text).to.match(/\r\n\r\nnot a WebSocket$/);
    });
  });

  it('keeps no listeners of ordinary requests with Upgrade on their connection', async () => {
    const app = framework().use((_req, res) => void res.send('ordinary;'));
    const warnings = await heardDuring('warning', () =>
      serving(withUpgrade(app), async (port) => {
        const socket = connect(port, '127.0.0.1');
        for (let i = 0; i < 20; i++) {
          socket.write('GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
          await received(socket, 'ordinary;');
        }
        socket.destroy();
      }),
    );
    expect(warnings).to.deep.equal([]);
  });

  it('waits for the responses to earlier requests on the connection', async () => {
    const app = framework();
    const waiting: Array<() => void> = [];
    app.get('/slow', (_req, res) => void waiting.push(() => res.send('slow')));
    app.get(
      '/',
      echo(() => 'open'),
    );
    await serving(withUpgrade(app), async (port, server) => {
      const socket = connect(port, '127.0.0.1');
      const slow = 'GET /slow HTTP/1.1\r\nHost: h\r\n\r\n';
      socket.write(`${slow}${slow}GET / HTTP/1.1\r\n${UPGRADE}\r\n`);
      await once(server, 'upgrade');
      for (const send of waiting) send();
      const text = await received(socket, 'open');
      expect(text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 101']);
      socket.destroy();

      // And if the client disconnects meanwhile.
      const gone = connect(port, '127.0.0.1');
      gone.write(`${slow}GET / HTTP/1.1\r\n${UPGRADE}\r\n`);
      const [, connection] = await once(server, 'upgrade');
      gone.resetAndDestroy();
      await until(() => connection.destroyed, 'the server has closed the connection');
    });
  });

  for (const [how, leave] of Object.entries({
    resets: (socket: Socket) => socket.resetAndDestroy(),
    'half-closes': (socket: Socket) => socket.end(),
  }))
    it(`closes the response if the client ${how} the connection during authentication, and calls no handler`, async () => {
      const before = await heldNow();
      const app = framework();
      let next: (() => void) | undefined;
      let calls = 0;
      const events: string[] = [];
      app.use((req, res, go) => {
        req.on('close', () => events.push('req close'));
        res.on('close', () => events.push('res close'));
        next = go;
      });
      app.get(
        '/',
        onUpgrade(() => void calls++),
      );
      await serving(withUpgrade(app), async (port, server) => {
        const socket = knock(port, '/');
        await once(server, 'upgrade');
        leave(socket);
        await until(() => events.length === 2, 'both are closed');
        next?.();
        if (!socket.closed) await once(socket, 'close');
      });
      expect(calls).to.equal(0);
      expect(await heldBeyond(before)).to.deep.equal({});
    });

  it('closes the response if the client disconnects after it has sent 200 kB, or sends more than 512 kB', async () => {
    for (const [size, leaves] of [
      [200_000, true],
      [2_000_000, false],
    ] as const) {
      const app = framework();
      let closed = 0;
      app.use((req, res) => {
        for (const message of [req, res]) message.on('close', () => closed++);
      });
      await serving(withUpgrade(app), async (port, server) => {
        const socket = knock(port, '/', '', Buffer.alloc(size));
        const [, connection] = await once(server, 'upgrade');
        await until(() => connection.bytesRead > 200_000, 'the server has read');
        if (leaves) socket.resetAndDestroy();
        await until(() => closed === 2, 'both are closed');
        expect(connection.destroyed).to.equal(true);
      });
    }
  });

  for (const [what, earlier] of Object.entries({
    'an upgrade request': '',
    'an upgrade request after another request': 'GET /first HTTP/1.1\r\nHost: h\r\n\r\n',
  }))
    it(`server.timeout: closes the connection of ${what} to which no handler responds`, async () => {
      const app = framework();
      let first = 0;
      app.get('/first', (_req, res) => void res.send(String(++first)));
      app.get('/never', () => undefined);
      const server = Object.assign(withUpgrade(app), { timeout: 200 });
      await serving(server, async (port) => {
        const socket = connect(port, '127.0.0.1');
        socket.write(`${earlier}GET /never HTTP/1.1\r\n${UPGRADE}\r\n`);
        const text = await untilClosed(socket);
        expect(text.startsWith('HTTP/1.1 200')).to.equal(first === 1);
      });
    });

  it('server.timeout: closes the connection if the client does not read the response to an earlier request', async () => {
    const app = framework();
    app.get('/big', (_req, res) => void res.send(Buffer.alloc(20_000_000)));
    const server = Object.assign(withUpgrade(app), { timeout: 200 });
    await serving(server, async (port) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.pause();
      socket.write(`GET /big HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\n${UPGRADE}\r\n`);
      const [, connection] = await once(server, 'upgrade');
      await once(connection, 'close');
      socket.destroy();
    });
  });

  it('continues the response to an earlier request when the client reads, and notices if it disconnects', async () => {
    const app = framework();
    let closed = 0;
    app.get('/stream', (_req, res) => void Readable.from(Array(100).fill('x'.repeat(100_000))).pipe(res));
    app.get('/hold', (_req, res) => void res.on('close', () => closed++));
    app.get('/', (_req, res) => void res.send('refused'));
    app.post('/', framework.text({ limit: '5mb' }), (req, res) => void res.send(`${req.body.length} bytes`));
    const earlier = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
    await serving(withUpgrade(app), async (port, server) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`${earlier('/stream')}GET / HTTP/1.1\r\n${UPGRADE}\r\n`);
      const text = await untilClosed(socket);
      expect(text).to.have.length.above(10_000_000);
      expect(text).to.match(/refused$/);

      const gone = connect(port, '127.0.0.1');
      gone.write(`${earlier('/hold')}GET / HTTP/1.1\r\n${UPGRADE}\r\n`);
      const [, connection] = await once(server, 'upgrade');
      gone.resetAndDestroy();
      await until(() => closed === 1 && connection.destroyed, 'the response was closed');

      const post = connect(port, '127.0.0.1');
      post.write(
        `${earlier('/stream')}POST / HTTP/1.1\r\nHost: h\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n` +
          'Content-Type: text/plain\r\nContent-Length: 2000000\r\n\r\n',
      );
      post.write(Buffer.alloc(2_000_000, 'a'));
      expect(await untilClosed(post)).to.match(/2000000 bytes$/);
    });
  });

  it('without server.timeout, a handler may accept after keepAliveTimeout', async () => {
    const app = framework();
    app.get('/first', (_req, res) => void res.send('first'));
    app.get(
      '/',
      (_req, _res, next) => void setTimeout(next, 1500),
      echo(() => 'open'),
    );
    const server = Object.assign(withUpgrade(app), { keepAliveTimeout: 1 });
    await serving(server, async (port) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(`GET /first HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\n${UPGRADE}\r\n`);
      await received(socket, 'open');
      socket.destroy();
    });
  });

  it('accepts nothing if middleware has responded and calls next', async () => {
    let calls = 0;
    const app = framework();
    app.use((_req, res, next) => next(void res.status(403).send('no')));
    app.use(onUpgrade(() => void calls++));
    await serving(withUpgrade(app), async (port) => {
      expect(await untilClosed(knock(port, '/'))).to.match(/^HTTP\/1\.1 403 /);
      expect(calls).to.equal(0);
    });
  });

  it('shuts down gracefully: completes authentication, and cuts open WebSockets at the deadline', async () => {
    const app = framework();
    let next: (() => void) | undefined;
    app.get('/slow', (_req, _res, go) => {
      next = go;
    });
    app.use(echo(() => 'open'));
    const server = await serverOf(withUpgrade(app));
    const close = graceful(server, { deadline: 500 });
    const open = knock(portOf(server), '/');
    await received(open, 'open');
    const slow = knock(portOf(server), '/slow');
    await once(server, 'upgrade');
    const end = close();
    await until(() => !server.listening, 'the server has stopped listening');
    next?.();
    await received(slow, 'open');
    open.write(frame('still'));
    await received(open, 'still!');
    await Promise.all([end, untilClosed(open), untilClosed(slow)]);
  });

  for (const [name, create] of Object.entries({
    'app.listen': (app: App) => upgrade(app.listen(0, '127.0.0.1'), app),
    'https.createServer': (app: App) => upgrade(https.createServer({ key, cert }, app), app),
    'createServer of nozomi/http2, for HTTP/1.1 clients': (app: App) =>
      upgrade(createHttp2Server({ key, cert }, app), app),
  }))
    it(`works with ${name}: accepts, refuses, and leaves other requests ordinary`, async () => {
      const app = framework().disable('x-powered-by');
      app.get(
        '/',
        echo(() => 'open'),
      );
      app.post('/', framework.text(), (req, res) => void res.send(`ordinary ${req.body}`));
      const server: Server = create(app);
      if (!server.listening) await serverOf(server);
      const port = portOf(server);
      const open = async (text: string): Promise<Socket> => {
        const socket =
          name === 'app.listen'
            ? connect(port, '127.0.0.1')
            : connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
        socket.write(text);
        return socket;
      };
      const accepted = await open(`GET / HTTP/1.1\r\n${UPGRADE}\r\n`);
      await received(accepted, 'open');
      accepted.write(frame('hello'));
      await received(accepted, 'hello!');
      accepted.destroy();
      expect(await untilClosed(await open(`GET /a HTTP/1.1\r\n${UPGRADE}\r\n`))).to.match(/^HTTP\/1\.1 404 /);
      const headers = 'Host: h\r\nConnection: close, upgrade\r\nUpgrade: h2c\r\nContent-Type: text/plain\r\n';
      const ordinary = await open(`POST / HTTP/1.1\r\n${headers}Content-Length: 2\r\n\r\nab`);
      expect(await untilClosed(ordinary)).to.match(/\r\n\r\nordinary ab$/);
      server.close();
    });

  it('the example of docs/websockets.md accepts after a login, and refuses before it', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [join(__dirname, '../../examples/websocket/server.js')], {
      env: { ...process.env, PORT: `${port}` },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    try {
      await untilListening(port);
      expect(await untilClosed(knock(port, '/rooms/7'))).to.match(/^HTTP\/1\.1 401 .*Log in first$/s);
      const cookie = await logIn(port, '/login/Ada');
      const socket = knock(port, '/rooms/7', cookie);
      expect(await received(socket, 'Ada is in 7')).to.match(/^HTTP\/1\.1 101 /);
      expect((await plain(port, '/rooms/7', cookie)).text).to.equal('Only for WebSockets');
      const closed = once(child, 'exit');
      child.kill('SIGTERM');
      socket.on('data', () => socket.end());
      expect(await closed).to.deep.equal([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  describe('over HTTP/2 (extended CONNECT)', () => {
    const settings = { enableConnectProtocol: true };
    const servers: Record<string, (app: App) => Server> = {
      'http2.createServer': (app) => http2.createServer({ settings }, app as never),
      'createServer of nozomi/http2': (app) =>
        createHttp2Server({ settings, cleartext: true, requestTimeout: 50 }, app),
    };
    for (const [name, create] of Object.entries(servers)) {
      it(`${name}: accepts a WebSocket of the package ws`, async () => {
        await overHttp2(upgraded(create, application()), async (client, port) => {
          const login = client.request({ ':path': '/login' });
          const [{ 'set-cookie': cookies = [] }] = (await once(login, 'response')) as [
            http.IncomingHttpHeaders,
          ];
          const stream = open(client, '/red/rooms/7', { cookie: cookies[0]?.split(';')[0] });
          const [head] = await once(stream, 'response');
          expect(head)
            .to.include({ ':status': 200 })
            .and.not.have.any.keys('sec-websocket-accept', 'upgrade');
          await received(stream, 'red 7 /red/rooms/7 Ada');
          // Longer than `requestTimeout`.
          await new Promise((resolve) => setTimeout(resolve, 200));
          stream.write(frame('hello'));
          await received(stream, 'hello!');
          stream.end(Buffer.from([0x88, 0x80, 0, 0, 0, 0]));
          await untilClosed(stream);
          expect(port).to.be.above(0);
        });
      });

      it(`${name}: refuses with the ordinary response`, async () => {
        await overHttp2(upgraded(create, application()), async (client) => {
          for (const [path, status, body] of [
            ['/red/rooms/7', 401, /who\?/],
            ['/nowhere', 404, /Cannot GET/],
            ['/throws', 503, /Error: no/],
          ] as const) {
            const stream = open(client, path);
            const [head] = await once(stream, 'response');
            expect(head[':status']).to.equal(status);
            expect(await untilClosed(stream)).to.match(body);
          }
          const other = client.request({ ':method': 'CONNECT', ':authority': 'h:1' }, { endStream: false });
          expect((await once(other, 'response'))[0][':status']).to.equal(405);
          other.close();
        });
      });

      it(`${name}: closes the response if the client cancels during authentication`, async () => {
        const app = framework();
        const events: string[] = [];
        app.use((_req, res) => void res.on('close', () => events.push('close')));
        const server = upgraded(create, app);
        await overHttp2(server, async (client) => {
          const stream = open(client, '/').on('error', () => undefined);
          await once(server, 'connect');
          stream.close(http2.constants.NGHTTP2_CANCEL);
          await until(() => events.length === 1, 'the response is closed');
        });
      });
    }

    function upgraded(create: (app: App) => Server, app: App): Server {
      return upgrade(create(app), app);
    }

    function open(client: ClientHttp2Session, path: string, headers = {}): ClientHttp2Stream {
      const given = {
        ':method': 'CONNECT',
        ':protocol': 'websocket',
        ':path': path,
        'sec-websocket-version': '13',
      };
      return client.request({ ...given, ...headers }, { endStream: false });
    }

    async function overHttp2(
      server: Server,
      use: (client: ClientHttp2Session, port: number) => Promise<void>,
    ): Promise<void> {
      const port = portOf(await serverOf(server));
      const client = http2.connect(`http://127.0.0.1:${port}`);
      try {
        await once(client, 'remoteSettings');
        await use(client, port);
      } finally {
        client.destroy();
        server.close();
      }
    }
  });
});

async function plain(
  port: number,
  path: string,
  headers: string,
): Promise<{ headers: http.IncomingHttpHeaders; text: string }> {
  const [name, value] = headers.trim().split(': ', 2);
  const { body, ...response } = await askHttp1(port, {
    path,
    headers: name && value ? { [name]: value } : {},
  });
  return { headers: response.headers, text: `${body}` };
}
