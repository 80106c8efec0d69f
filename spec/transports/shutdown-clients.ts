/**
 * Servers of each transport, and clients that each do one thing while a server shuts down: use a connection in an
 * ordinary way, too slowly, or not at all.
 */
import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { connect, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import tls from 'node:tls';
import framework from 'nozomi';
import { createServer } from 'nozomi/http2';
import { CERTIFICATE as cert, KEY as key } from '../../parity/transports/certificate';
import { until } from '../support/until';

/** More than the kernel stores for a client that does not read. */
const SIZE = 16_000_000;

/** An application with responses that wait until `release` is called. */
export interface Served {
  app: ReturnType<typeof framework>;
  release(): void;
}

export function application(): Served {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const app = framework().set('env', 'test');
  app.get('/', (_req, res) => void res.send('done'));
  app.get('/held', (_req, res) => void released.then(() => res.send('done')));
  app.get('/events', (_req, res) => void res.type('text/event-stream').write('data: 1\n\n'));
  app.get('/big', (_req, res) => void res.send(Buffer.alloc(SIZE)));
  app.post('/upload', (req, res) => {
    let size = 0;
    req.on('error', () => undefined);
    req.on('data', (chunk) => {
      size += chunk.length;
    });
    req.on('end', () => res.send(`read ${size}`));
  });
  return { app, release };
}

interface ServerKind {
  create(app: Served['app']): Server;
  isSecure: boolean;
  speaks: readonly ('HTTP/1.1' | 'HTTP/2')[];
}

export const SERVERS: Readonly<Record<string, ServerKind>> = {
  'app.listen': { create: (app) => app.listen(0, '127.0.0.1'), isSecure: false, speaks: ['HTTP/1.1'] },
  'http.createServer': {
    create: (app) => http.createServer(app as RequestListener),
    isSecure: false,
    speaks: ['HTTP/1.1'],
  },
  'https.createServer': {
    create: (app) => https.createServer({ key, cert }, app as RequestListener),
    isSecure: true,
    speaks: ['HTTP/1.1'],
  },
  'nozomi/http2 with TLS': {
    create: (app) => createServer({ key, cert }, app),
    isSecure: true,
    speaks: ['HTTP/1.1', 'HTTP/2'],
  },
  'http2.createSecureServer': {
    create: (app) => http2.createSecureServer({ key, cert, allowHTTP1: true }, app as never),
    isSecure: true,
    speaks: ['HTTP/1.1', 'HTTP/2'],
  },
  'http2.createServer': {
    create: (app) => http2.createServer(app as never),
    isSecure: false,
    speaks: ['HTTP/2'],
  },
  'nozomi/http2 without TLS': {
    create: (app) => createServer({ cleartext: true }, app),
    isSecure: false,
    speaks: ['HTTP/2'],
  },
};

/** Starts a server that also accepts WebSockets, and does nothing with them. */
export async function startServer({ create }: ServerKind, app: Served['app']): Promise<Server> {
  const server = create(app);
  server.on('upgrade', (_req, socket: Duplex) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  if (!server.listening) {
    if (server.address() === null) server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  return server;
}

export interface Client {
  /** Called immediately before the shutdown begins. */
  begin?(): void;
  /** Goes on after the shutdown has begun. @returns When the client has its whole response. */
  proceed?(): Promise<void>;
  /** What is wrong with the responses that the client has received. */
  problem?(): string | undefined;
  /** Ends a client that ignores the end of its connection. */
  destroy(): void;
}

export interface Behaviour {
  speaks: 'HTTP/1.1' | 'HTTP/2' | 'anything';
  /** Only for servers with TLS. */
  needsTls?: boolean;
  /**
   * Whether the connection ends before the deadline. Otherwise the deadline ends it, or, with `undefined`, it depends on
   * the version of Node.js.
   */
  ends: boolean | undefined;
  connect(to: Target): Promise<Client>;
}

export interface Target {
  port: number;
  /** Undefined if the server runs in another process. */
  server: Server | undefined;
  isSecure: boolean;
  release(): void;
}

/** Whether a client with this behaviour can connect to a server. */
export function fits({ speaks, needsTls = false }: Behaviour, name: string): boolean {
  const kind = SERVERS[name] as ServerKind;
  return (speaks === 'anything' || kind.speaks.includes(speaks)) && (kind.isSecure || !needsTls);
}

/** A connection of an HTTP/1.1 client, with what it has received. */
class Http1Client implements Client {
  /** The begin of each chunk. */
  received = '';
  size = 0;
  readonly socket: Socket;
  private constructor(socket: Socket) {
    this.socket = socket;
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        this.received += data.subarray(0, 500);
        this.size += data.length;
      });
  }

  static async open(to: Target, text: string, ALPNProtocols = ['http/1.1']): Promise<Http1Client> {
    const client = new Http1Client(await dial(to, ALPNProtocols));
    client.socket.write(text);
    return client;
  }

  /** Waits until the client has received a text this often. */
  async untilReceived(text: string, times = 1): Promise<void> {
    await until(() => this.received.split(text).length > times || this.socket.destroyed);
    if (this.received.split(text).length <= times)
      throw new Error(`cut after "${this.received.slice(0, 200)}"`);
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** Opens a connection that stays half open when the server closes its side. */
async function dial({ port, isSecure }: Target, ALPNProtocols: string[]): Promise<Socket> {
  const address = { port, host: '127.0.0.1', allowHalfOpen: true };
  const socket = isSecure
    ? tls.connect({ ...address, rejectUnauthorized: false, ALPNProtocols })
    : connect(address);
  await once(socket, isSecure ? 'secureConnect' : 'connect');
  return socket;
}

/** Waits until the application has received a request. */
async function nextRequest({ server }: Target): Promise<void> {
  if (server) await once(server, 'request');
}

const HEAD = 'HTTP/1.1\r\nHost: spec.test\r\n';
const BODY = '\r\n\r\ndone';

function hasClose({ received }: Http1Client): string | undefined {
  return received.toLowerCase().includes('connection: close') ? undefined : 'no Connection: close';
}

/** A client that sends a text, and waits for a part of the response before the shutdown begins. */
function sends(text: string, first = ''): Behaviour {
  return {
    speaks: 'HTTP/1.1',
    ends: false,
    async connect(to) {
      const client = await Http1Client.open(to, text);
      if (first) await client.untilReceived(first);
      else await until(() => client.socket.bytesWritten >= text.length);
      return client;
    },
  };
}

/** An HTTP/2 session, and a stream on it unless `path` is undefined. */
async function session(
  to: Target,
  path?: string,
  isUpload = false,
  settings = {},
): Promise<{
  session: http2.ClientHttp2Session;
  stream: http2.ClientHttp2Stream | undefined;
  size: () => number;
  /** The code of the first GOAWAY that the client has received. */
  code: () => number | undefined;
  destroy(): void;
}> {
  const socket = await dial(to, ['h2']);
  const opened = http2.connect('http://spec.test', { createConnection: () => socket, settings });
  opened.on('error', () => undefined);
  let code: number | undefined;
  opened.on('goaway', (given) => {
    code ??= given;
  });
  await once(opened, 'remoteSettings');
  let size = 0;
  const headers = { ':path': path, ':method': isUpload ? 'POST' : 'GET' };
  const stream = path === undefined ? undefined : opened.request(headers, { endStream: !isUpload });
  stream?.on('error', () => undefined);
  stream?.on('data', (data) => {
    size += data.length;
  });
  return { session: opened, stream, size: () => size, code: () => code, destroy: () => opened.destroy() };
}

/** Waits until a stream has closed. @throws {Error} if the response is not complete. */
async function completed(stream: http2.ClientHttp2Stream | undefined): Promise<void> {
  if (!stream) return;
  let hasEnded = stream.readableEnded;
  stream.on('end', () => {
    hasEnded = true;
  });
  await until(() => stream.closed && (hasEnded || stream.destroyed));
  if (stream.aborted || stream.rstCode !== 0 || !hasEnded) throw new Error('the stream was cut');
}

/** The connection preface and an empty SETTINGS frame. RFC 9113 §3.4 */
const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);

export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'a silent TCP connection': {
    speaks: 'anything',
    // Since Node.js 26, such a connection is idle.
    ends: undefined,
    connect: (to) => Http1Client.open({ ...to, isSecure: false }, ''),
  },
  'half a TLS handshake': {
    speaks: 'anything',
    needsTls: true,
    ends: false,
    connect: (to) => Http1Client.open({ ...to, isSecure: false }, '\x16\x03\x01\x00\x40\x01\x00'),
  },
  'a TLS connection without a request': {
    speaks: 'HTTP/1.1',
    needsTls: true,
    ends: undefined,
    connect: (to) => Http1Client.open(to, ''),
  },
  'an idle keep-alive connection': { ...sends(`GET / ${HEAD}\r\n`, BODY), ends: true },
  'half a request': sends('GET / HTTP'),
  'a running request': {
    speaks: 'HTTP/1.1',
    ends: true,
    async connect(to) {
      const requested = nextRequest(to);
      const client = await Http1Client.open(to, `GET /held ${HEAD}\r\n`);
      await requested;
      return Object.assign(client, {
        problem: () => hasClose(client),
        async proceed() {
          to.release();
          await client.untilReceived(BODY);
        },
      });
    },
  },
  'a request sent just before the shutdown': {
    speaks: 'HTTP/1.1',
    ends: true,
    async connect(to) {
      const client = await Http1Client.open(to, '');
      return Object.assign(client, {
        begin: () => void client.socket.write(`GET / ${HEAD}\r\n`),
        problem: () => hasClose(client),
        proceed: () => client.untilReceived(BODY),
      });
    },
  },
  'a pipeline of requests': {
    speaks: 'HTTP/1.1',
    ends: true,
    async connect(to) {
      const client = await Http1Client.open(to, '');
      let requests = 0;
      to.server?.on('request', () => requests++);
      client.socket.write(`GET /held ${HEAD}\r\nGET /held ${HEAD}\r\n`);
      await until(() => requests >= 2);
      return Object.assign(client, {
        async proceed() {
          to.release();
          await client.untilReceived(BODY, 2);
        },
      });
    },
  },
  'a slow upload': {
    speaks: 'HTTP/1.1',
    ends: true,
    async connect(to) {
      const requested = nextRequest(to);
      const client = await Http1Client.open(to, `POST /upload ${HEAD}Content-Length: 10\r\n\r\n12345`);
      await requested;
      return Object.assign(client, {
        problem: () => hasClose(client),
        async proceed() {
          client.socket.write('67890');
          await client.untilReceived('read 10');
        },
      });
    },
  },
  'an upload that stalls': sends(
    `POST /upload ${HEAD}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n12345`,
    '100 Continue',
  ),
  'a slow reader': {
    speaks: 'HTTP/1.1',
    ends: true,
    async connect(to) {
      const client = await Http1Client.open(to, `GET /big ${HEAD}\r\n`);
      await client.untilReceived('200 OK');
      client.socket.pause();
      return Object.assign(client, {
        async proceed() {
          // Meanwhile, the server looks for idle connections.
          await wait(120);
          client.socket.resume();
          await until(() => client.size > SIZE || client.socket.destroyed);
          if (client.size < SIZE) throw new Error(`cut after ${client.size} bytes`);
        },
      });
    },
  },
  'a reader that stalls': {
    speaks: 'HTTP/1.1',
    ends: false,
    async connect(to) {
      const client = await Http1Client.open(to, `GET /big ${HEAD}\r\n`);
      // At once: a busy process would have received everything before it looks.
      client.socket.once('data', () => client.socket.pause());
      await client.untilReceived('200 OK');
      return client;
    },
  },
  'a stream of events': sends(`GET /events ${HEAD}\r\n`, 'data: 1'),
  'a WebSocket': sends(`GET / ${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, '101 Switching'),

  'an idle session': {
    speaks: 'HTTP/2',
    ends: true,
    async connect(to) {
      const opened = await session(to, '/');
      await completed(opened.stream);
      return opened;
    },
  },
  'an idle session whose client never closes its side': {
    speaks: 'HTTP/2',
    ends: false,
    async connect(to) {
      const client = await Http1Client.open(to, '', ['h2']);
      client.socket.write(PREFACE);
      // The server sends its SETTINGS first.
      await until(() => client.received.length > 0);
      return client;
    },
  },
  'a running request over HTTP/2': {
    speaks: 'HTTP/2',
    ends: true,
    async connect(to) {
      const requested = nextRequest(to);
      const opened = await session(to, '/held');
      await requested;
      return {
        destroy: opened.destroy,
        problem: () => (opened.code() === 0 ? undefined : `GOAWAY ${opened.code()}`),
        async proceed() {
          to.release();
          await completed(opened.stream);
        },
      };
    },
  },
  'a slow upload over HTTP/2': {
    speaks: 'HTTP/2',
    ends: true,
    async connect(to) {
      const requested = nextRequest(to);
      const { stream, size, destroy } = await session(to, '/upload', true);
      stream?.write('12345');
      await requested;
      return {
        destroy,
        problem: () => (size() === 'read 10'.length ? undefined : `${size()} bytes received`),
        async proceed() {
          stream?.end('67890');
          await completed(stream);
        },
      };
    },
  },
  'a slow reader over HTTP/2': {
    speaks: 'HTTP/2',
    ends: true,
    async connect(to) {
      const { stream, size, destroy } = await session(to, '/big');
      if (stream) await once(stream, 'response');
      stream?.pause();
      return {
        destroy,
        problem: () => (size() === SIZE ? undefined : `${size()} bytes received`),
        async proceed() {
          stream?.resume();
          await completed(stream);
        },
      };
    },
  },
  'a reader that stalls over HTTP/2': {
    speaks: 'HTTP/2',
    ends: false,
    async connect(to) {
      const opened = await session(to, '/big', false, { initialWindowSize: 0 });
      if (opened.stream) await once(opened.stream, 'response');
      return opened;
    },
  },
  'a stream of events over HTTP/2': {
    speaks: 'HTTP/2',
    ends: false,
    async connect(to) {
      const opened = await session(to, '/events');
      if (opened.stream) await once(opened.stream, 'data');
      return opened;
    },
  },
};
