/** Compares the head of responses with the one that Node.js writes for Express (§4.5). */
import http, { type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { RequestHandler } from 'express';
import fc from 'fast-check';
import framework from 'nozomi';
import { playSteps } from '../../parity/client/exchange';
import { get, head, onOneConnection, post, raw, type Step } from '../../parity/client/request';
import { type Bytes, IMPLEMENTATIONS, play, playBoth, toBytes } from '../support/both';
import { close } from '../support/serve';

/** What a handler does with its response before it sends a body. */
type Act = (res: ServerResponse) => void;

/** The members of a response that decide what Node.js writes. @types/node does not declare all of them. */
type Internal = ServerResponse & { _header: string | null; _removedConnection: boolean };

// Without `Trailer`: with a known length, Node.js throws in the final handler of Express, and the process ends.
// biome-ignore format: a table
const name = fc.constantFrom(
  'X-A', 'Connection', 'connection', 'Keep-Alive', 'Date',
  'Expect', 'Content-Length', 'Content-Disposition', 'ETag', 'Set-Cookie', 'Upgrade', '7',
);
// biome-ignore format: a table
const value = fc.constantFrom<string | string[]>(
  'close', 'keep-alive', 'chunked', '4', 'attachment; filename="grün"', '100-continue', '',
  ['a', 'b'],
);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(name, value).map(
      ([field, text]) =>
        (res: ServerResponse) =>
          res.setHeader(field, text),
    ),
  },
  fc.constant((res: ServerResponse) => res.setHeader('X-A', 7)),
  fc.constant((res: ServerResponse) => res.setHeader('Transfer-Encoding', 'chunked')),
  name.map((field) => (res: ServerResponse) => res.removeHeader(field)),
  fc.constantFrom(200, 200, 201, 204, 304, 404).map((code) => (res: ServerResponse) => {
    res.statusCode = code;
  }),
  fc.constantFrom('OK', 'Fine', '').map((message) => (res: ServerResponse) => {
    res.statusMessage = message;
  }),
  fc
    .constantFrom('sendDate', 'shouldKeepAlive', 'useChunkedEncodingByDefault', '_defaultKeepAlive')
    .map((member) => (res: ServerResponse) => void Reflect.set(res, member, false)),
  fc
    .constantFrom(
      'strictContentLength',
      '_removedConnection',
      '_removedTE',
      '_removedContLen',
      'chunkedEncoding',
    )
    .map((member) => (res: ServerResponse) => void Reflect.set(res, member, true)),
);
const sent = fc.constantFrom<unknown>(
  'text',
  'grün 日本',
  '',
  'x'.repeat(2000),
  { a: 1 },
  Buffer.from('bytes'),
  null,
);
// biome-ignore format: a table
const step = fc.constantFrom<Step>(
  get('/'), get('/'), get('/'), head('/'), post('/', 'body'), get('/', { Connection: 'close' }),
  get('/', { Expect: '100-continue' }), raw('GET / HTTP/1.0\r\n\r\n'),
  raw('GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'),
);
const limits = fc.record({
  keepAliveTimeout: fc.constantFrom(900, 1500, 5000, 5000),
  maxRequestsPerSocket: fc.constantFrom(0, 0, 0, 7),
});

/** Milliseconds to wait for the end of a response that announces more bytes than it has. */
const SHORT = 1500;

describe('the head of a response', () => {
  const servers: Server[] = [];
  let handler: RequestHandler;

  before(() => {
    for (const create of Object.values(IMPLEMENTATIONS)) {
      const app = create();
      app.set('env', 'test');
      app.use((req, res, next) => handler(req, res, next));
      servers.push(app.listen(0, '127.0.0.1'));
    }
  });

  after(async () => {
    for (const server of servers) await close(server);
  });

  it('has the same bytes as in Express, whatever a handler has set', async () => {
    const requests = fc.array(fc.tuple(step, fc.array(act, { maxLength: 3 }), sent), {
      minLength: 1,
      maxLength: 6,
    });
    const property = fc.asyncProperty(requests, limits, async (cases, given) => {
      const all: Bytes[][] = [];
      for (const server of servers) {
        Object.assign(server, given);
        const left = [...cases];
        handler = (_req, res, next) => {
          const [, acts = [], body] = left.shift() ?? [];
          try {
            for (const each of acts) each(res);
          } catch (err) {
            return next(err);
          }
          res.send(body);
        };
        const { port } = server.address() as AddressInfo;
        // A connection for each request, because a response may end the connection.
        const steps = cases.map(([each]) => each);
        all.push((await playSteps(steps, { port, patience: SHORT })).map(toBytes));
      }

      expect(all[1]).to.deep.equal(all[0]);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('has the same date, limit and bytes in later responses of a connection', async () => {
    const steps = [onOneConnection(get('/'), get('/'), head('/'), get('/'))];
    const { reference, build } = await playBoth(
      (create) => {
        const app = create();
        app.get('/', (_req, res) => void res.send('text'));
        return app;
      },
      ...steps,
    );

    expect(build).to.deep.equal(reference);
  });

  it('is complete before Node.js sends a body, in this version of Node.js', async () => {
    const seen: unknown[] = [];
    const app = framework();
    app.get('/', (_req, res) => {
      const { socket } = res;
      const cork = socket?.cork.bind(socket);
      // Node.js corks the socket in `end`, before it writes a head of its own.
      Object.assign(Object(socket), {
        cork: () => {
          seen.push((res as unknown as Internal)._header?.split('\r\n')[0]);
          cork?.();
        },
      });
      res.send('text');
    });

    await play(app, [get('/')]);

    expect(seen).to.deep.equal(['HTTP/1.1 200 OK']);
  });

  for (const method of ['writeHead', '_storeHeader', '_implicitHeader']) {
    it(`is written by Node.js if an agent has replaced ${method}`, async () => {
      const app = framework();
      app.get('/', (_req, res) => void res.send('text'));
      const original = Reflect.get(ServerResponse.prototype, method);
      let calls = 0;
      Reflect.set(ServerResponse.prototype, method, function (this: unknown, ...args: unknown[]) {
        calls++;
        return Reflect.apply(original, this, args);
      });
      try {
        await play(app, [get('/')]);
      } finally {
        if (method === '_storeHeader') Reflect.deleteProperty(ServerResponse.prototype, method);
        else Reflect.set(ServerResponse.prototype, method, original);
      }

      expect(calls).to.equal(1);
    });
  }

  it('has the reason phrase that the application has given to the status 200', async () => {
    const { 200: phrase } = http.STATUS_CODES;
    http.STATUS_CODES[200] = 'Fine';
    try {
      const { reference, build } = await playBoth((create) => {
        const app = create();
        app.get('/', (_req, res) => void res.send('text'));
        return app;
      }, get('/'));

      expect(build).to.deep.equal(reference);
    } finally {
      http.STATUS_CODES[200] = phrase;
    }
  });
});
