/** Compares the life of a connection that Nozomi reads with that of one which Node.js's parser reads. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Express, Request, Response } from 'express';
import nozomi from 'nozomi';
import express3 from 'nozomi/3';
import express4 from 'nozomi/4';
import { until } from '../support/until';

type Note = (what: unknown) => void;

/** One side of a comparison: a client with a server. */
interface Talk {
  readonly socket: Socket;
  readonly server: Server;
  readonly note: Note;
  /** What the client has received. */
  text(): string;
  /** Sends bytes, then waits until the client has received this many more responses, by default one. */
  ask(bytes: string, count?: number): Promise<void>;
  /** Waits until the server has ended the connection. */
  ended(): Promise<void>;
}

interface Case {
  set?(server: Server, note: Note): void;
  /** Default: sends the method and the body. */
  handle?(req: Request, res: Response, note: Note): void;
  talk(talk: Talk): Promise<unknown>;
}

const GET = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n';
const OTHER = 'GET /other HTTP/1.1\r\nHost: h\r\nAccept: */*\r\n\r\n';
const SILENT = 'GET /silent HTTP/1.1\r\nHost: h\r\n\r\n';
const post = (body: string): string =>
  `POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Node.js reads the first request of a connection, Nozomi the second. */
const twice = async ({ ask }: Talk): Promise<void> => {
  await ask(GET);
  await ask(OTHER);
};

const sendBody = (req: Request, res: Response): void => {
  let body = '';
  req.on('data', (chunk) => {
    body += chunk;
  });
  req.on('end', () => res.send(`${req.method} ${req.url} ${body}`));
};

const noteEvents = (req: Request, res: Response, note: Note): void => {
  for (const event of ['aborted', 'end', 'close', 'error'])
    req.on(event, (err) => note(`${req.url} req ${event} ${err?.code ?? ''}`));
  for (const event of ['finish', 'close', 'error', 'timeout'])
    res.on(event, () => note(`${req.url} res ${event}`));
  if (req.url !== '/silent') sendBody(req, res);
};

/** Sends something after which the connection ends. */
const endsAfter =
  (sent: string) =>
  async (talk: Talk): Promise<void> => {
    await twice(talk);
    await talk.ask(sent);
    await talk.ended();
  };

const CASES: Readonly<Record<string, Case>> = {
  'responds to each request in turn': {
    talk: async ({ ask }) => {
      for (const bytes of [GET, OTHER, post('abc'), GET, post(''), post('x'.repeat(5000)), OTHER])
        await ask(bytes);
    },
  },
  'reads what arrives in pieces': {
    talk: async (talk) => {
      await twice(talk);
      talk.socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\nab');
      await new Promise(setImmediate);
      talk.socket.write('cd');
      await new Promise(setImmediate);
      await talk.ask('ef');
      await talk.ask(GET);
      talk.socket.write('GET / HTTP/1.1\r\nHo');
      await new Promise(setImmediate);
      await talk.ask('st: h\r\n\r\n');
      await talk.ask(OTHER);
    },
  },
  'reads pipelined requests': {
    talk: async (talk) => {
      await twice(talk);
      await talk.ask(GET + OTHER + post('abc') + GET, 4);
      await talk.ask(OTHER);
    },
  },
  'reads chunks': {
    talk: async (talk) => {
      await twice(talk);
      await talk.ask('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n');
      await talk.ask(GET);
    },
  },
  'ends after Connection: close': {
    talk: endsAfter('GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'),
  },
  'ends after keepAliveTimeout': {
    set: (server) => Object.assign(server, { keepAliveTimeout: 50, keepAliveTimeoutBuffer: 1 }),
    talk: async (talk) => {
      await twice(talk);
      await talk.ended();
    },
  },
  'ends after server.timeout': {
    set(server, note) {
      server.timeout = 100;
      server.on('timeout', (socket) => {
        note('timeout');
        socket.destroy();
      });
    },
    handle: noteEvents,
    talk: async (talk) => {
      await twice(talk);
      talk.socket.write(SILENT);
      await talk.ended();
    },
  },
  'ends after server.timeout without a listener': {
    set(server) {
      server.timeout = 100;
    },
    handle: (req, res) => (req.url === '/silent' ? undefined : sendBody(req, res)),
    talk: async (talk) => {
      await twice(talk);
      talk.socket.write(SILENT);
      await talk.ended();
    },
  },
  'emits timeout on a response': {
    handle(req, res, note) {
      if (req.url !== '/silent') return sendBody(req, res);
      res.setTimeout(50, () => {
        note('timed out');
        res.end('late');
      });
    },
    talk: async (talk) => {
      await twice(talk);
      await talk.ask(SILENT);
    },
  },
  'responds 408 to a head that does not end': {
    set: (server) => Object.assign(server, { headersTimeout: 50, requestTimeout: 60 }),
    talk: endsAfter('GET / HTTP/1.1\r\nHo'),
  },
  'responds 408 to a body that does not end': {
    set: (server) => Object.assign(server, { headersTimeout: 50, requestTimeout: 60 }),
    handle: (req, res) => (req.url === '/' && req.method === 'POST' ? void req.resume() : sendBody(req, res)),
    talk: endsAfter('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab'),
  },
  'ends when idle connections are closed': {
    talk: async (talk) => {
      await twice(talk);
      talk.server.closeIdleConnections();
      await talk.ended();
    },
  },
  'stays when idle connections are closed during a response': {
    handle: (req, res) =>
      req.url === '/silent' ? void setTimeout(() => res.send('late'), 50) : sendBody(req, res),
    talk: async (talk) => {
      await twice(talk);
      talk.server.once('request', () => setImmediate(() => talk.server.closeIdleConnections()));
      await talk.ask(SILENT);
      await talk.ask(GET);
    },
  },
  'ends after the response when the server closes': {
    set: (server) => Object.assign(server, { keepAliveTimeout: 50 }),
    handle: (req, res) =>
      req.url === '/silent' ? void setTimeout(() => res.send('late'), 50) : sendBody(req, res),
    talk: async (talk) => {
      await twice(talk);
      talk.server.once('request', () => setImmediate(() => talk.server.close(() => talk.note('closed'))));
      await talk.ask(SILENT);
      await talk.ended();
    },
  },
  'respects maxRequestsPerSocket': {
    set(server, note) {
      Object.assign(server, { maxRequestsPerSocket: 3, keepAliveTimeout: 50 });
      server.on('dropRequest', () => note('drop'));
    },
    talk: async (talk) => {
      await twice(talk);
      await talk.ask(GET);
      await talk.ended();
    },
  },
  'ends with a client that has half-closed it': {
    handle: noteEvents,
    talk: async (talk) => {
      await twice(talk);
      talk.socket.end(GET);
      await talk.ended();
    },
  },
  'emits aborted and close for a client that disconnects': {
    handle: noteEvents,
    talk: async (talk) => {
      await twice(talk);
      const arrived = once(talk.server, 'request');
      talk.socket.write(SILENT);
      await arrived;
      talk.socket.resetAndDestroy();
    },
  },
  'emits aborted for an upload that the client does not end': {
    handle: noteEvents,
    talk: async (talk) => {
      await twice(talk);
      const arrived = once(talk.server, 'request');
      talk.socket.write('POST /silent HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab');
      await arrived;
      talk.socket.destroy();
    },
  },
  'emits clientError': {
    set: (server, note) =>
      server.on('clientError', (err: NodeJS.ErrnoException & { bytesParsed?: number }, socket) => {
        note([err.code, err.bytesParsed]);
        socket.end('HTTP/1.1 400 Own\r\n\r\n');
      }),
    talk: endsAfter('GET / HTTP/1.1\r\nHost : h\r\n\r\n'),
  },
  'responds 400 to what is no request': {
    talk: endsAfter('no request\r\n\r\n'),
  },
  'responds 431 to a long head': {
    talk: async (talk) => {
      await twice(talk);
      await talk.ask(`GET / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
      await talk.ended();
    },
  },
  'can be upgraded': {
    set: (server, note) =>
      server.on('upgrade', (req, socket, head) => {
        note([
          req.url,
          `${head}`,
          ...['data', 'end', 'drain', 'timeout'].map((name) => socket.listenerCount(name)),
        ]);
        socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
        socket.on('data', (chunk: Buffer) => void socket.end(`HTTP/1.1 ${chunk}`));
      }),
    talk: async (talk) => {
      await twice(talk);
      await talk.ask('GET /up HTTP/1.1\r\nHost: h\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nhead');
      await talk.ask('echo');
      await talk.ended();
    },
  },
  'responds to Expect: 100-continue': {
    talk: async (talk) => {
      await twice(talk);
      await talk.ask('POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n');
      await talk.ask('ab');
      await talk.ask(GET);
    },
  },
  'passes bytes to a listener of the socket': {
    handle(req, res, note) {
      if (req.socket.listenerCount('data') < 2)
        req.socket.on('data', (chunk) => note(`data ${chunk.length}`));
      sendBody(req, res);
    },
    talk: async (talk) => {
      await twice(talk);
      await talk.ask(OTHER);
    },
  },
  'waits for a slow reader': {
    handle(req, res, note) {
      if (req.url !== '/silent') return sendBody(req, res);
      note(res.write(Buffer.alloc(4_000_000, 'x')));
      res.on('drain', () => {
        note('drain');
        res.end('the end');
      });
    },
    talk: async (talk) => {
      await twice(talk);
      const arrived = once(talk.server, 'request');
      talk.socket.pause().write(SILENT);
      await arrived;
      talk.socket.resume();
      await until(() => talk.text().includes('the end'));
    },
  },
  'waits for a slow handler': {
    handle: (req, res) => void setTimeout(() => sendBody(req, res), 20),
    talk: async (talk) => {
      await twice(talk);
      await talk.ask(post('abc'));
      await talk.ask(post('x'.repeat(300_000)));
      await talk.ask(GET);
    },
  },
  'refuses requests after a listener has thrown an error': {
    set(server, note) {
      server.prependListener('request', (req) => {
        if (req.url !== '/silent') return;
        // The error is uncaught, as the listeners of mocha must not see.
        const listeners = process.listeners('uncaughtException');
        process.removeAllListeners('uncaughtException');
        process.once('uncaughtException', (err) => {
          note(err.message);
          for (const listener of listeners) process.on('uncaughtException', listener);
        });
        throw new Error('thrown');
      });
      server.on('clientError', (err: NodeJS.ErrnoException, socket) => {
        note(err.code);
        socket.destroy();
      });
    },
    talk: async (talk) => {
      await twice(talk);
      const arrived = once(talk.server, 'request').catch(() => undefined);
      talk.socket.write(SILENT);
      await Promise.race([arrived, new Promise((resolve) => setTimeout(resolve, 50))]);
      talk.socket.write(GET);
      await talk.ended();
    },
  },
};

const FRAMEWORKS = { nozomi, 'nozomi/4': express4, 'nozomi/3': express3 } as unknown as Record<
  string,
  () => Express
>;

/** @returns What the application and the client observe. */
async function observe(
  create: () => Express,
  isOwn: boolean,
  { set, handle = sendBody, talk }: Case,
): Promise<unknown[]> {
  const seen: unknown[] = [];
  const note: Note = (what) => void seen.push(what);
  const app = create().set('env', 'test').set('own connection', isOwn);
  app.use((req, res) => handle(req, res, note));
  // Only options of `createServer` set the interval in which Node.js looks for slow requests.
  const server = app.listen(0, '127.0.0.1');
  Object.assign(server, { connectionsCheckingInterval: 10 });
  set?.(server, note);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('latin1');
  let text = '';
  let hasEnded = false;
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('end', () => {
    hasEnded = true;
  });
  socket.on('error', () => {
    hasEnded = true;
  });
  const responses = (): number => text.split('HTTP/1.1 ').length - 1;
  await talk({
    socket,
    server,
    note,
    text: () => text,
    async ask(bytes, count = 1) {
      const expected = responses() + count;
      socket.write(bytes, 'latin1');
      await until(
        () =>
          (responses() >= expected && !text.endsWith('\r\n\r\n')) ||
          responses() >= expected + 1 ||
          hasEnded ||
          /100 Continue\r\n\r\n$|101 Switching Protocols\r\n\r\n$/.test(text),
        `${count} responses after ${text}`,
      );
    },
    ended: () => until(() => hasEnded || socket.destroyed),
  });
  socket.destroy();
  server.closeAllConnections();
  if (server.listening) await new Promise((resolve) => server.close(resolve));
  for (let n = 0; n < 3; n++) await new Promise(setImmediate);
  return [...seen, text.replace(/^Date: .*\r\n/gm, '')];
}

describe('a connection that Nozomi reads', () => {
  for (const [title, each] of Object.entries(CASES)) {
    it(`${title}, as with Node.js`, async () => {
      for (const create of Object.values(FRAMEWORKS)) {
        const [expected, seen] = await Promise.all([
          observe(create, false, each),
          observe(create, true, each),
        ]);

        expect(seen).to.deep.equal(expected);
        expect(seen.at(-1)).to.include('HTTP/1.1 200');
      }
    });
  }
});
