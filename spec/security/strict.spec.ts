/** `strict` of `nozomi/extras`: methods, versions and time limits. rfc.spec.ts has the requirements of the RFCs. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
import { methodNotAllowed, strict, strictServer } from 'nozomi/extras';
import { listen } from 'nozomi/http2';
import request from 'supertest';
import { receive } from '../support/connections';
import { heardDuring } from '../support/heard';
import { close, portOf, serving } from '../support/serve';

const FRAMEWORKS = { nozomi: framework, 'nozomi/4': framework4 as unknown as typeof framework };

/** Sends bytes and receives until the server closes the connection. @returns The status lines. */
async function statuses(server: Server, ...parts: readonly (string | Buffer)[]): Promise<string[]> {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return (await receive(portOf(server), bytes)).match(/^HTTP\/1\.1 .*(?=\r)/gm) ?? [];
}

for (const [name, make] of Object.entries(FRAMEWORKS))
  describe(`strict, ${name}`, () => {
    const build = () => {
      const app = strict(make()).set('env', 'test');
      const router = make.Router();
      router.get('/users/:id', (_req, res) => void res.send('user'));
      router.put('/users/:id', (_req, _res, next) => next());
      const sub = strict(make());
      sub.patch('/deep', (_req, res) => void res.send('deep'));
      app.use('/sub', sub);
      app.get('/sub/deep', (_req, res) => void res.send('get'));
      app.use((_req, res, next) => {
        res.set('X-Middleware', 'ran');
        next();
      });
      return app.use('/api', router).post('/api/users', (_req, res) => void res.send('created'));
    };

    it('sends 405 with the methods of the routes for the path, also of routers and mounted applications', async () => {
      for (const [method, path, allow] of [
        ['delete', '/api/users/7', 'GET, HEAD, PUT'],
        ['get', '/api/users', 'POST'],
        ['put', '/sub/deep', 'GET, HEAD, PATCH'],
      ] as const) {
        const { status, headers } = await request(build())[method](path);
        expect([status, headers.allow], path).to.deep.equal([405, allow]);
      }
    });

    it('sends 404 for a path without routes, or if a handler for the method has called next', async () => {
      for (const [method, path] of [
        ['get', '/other'],
        ['put', '/api/users/7'],
        ['delete', '/api/users/7/more'],
      ] as const)
        expect((await request(build())[method](path)).status, path).to.equal(404);
    });

    it('responds as before to methods that have routes', async () => {
      expect((await request(build()).get('/api/users/7')).text).to.equal('user');
      expect((await request(build()).patch('/sub/deep')).text).to.equal('deep');
      expect((await request(build()).options('/api/users/7')).status).to.equal(200);
    });

    it('refuses TRACE with 501, also where app.all handles it', async () => {
      const app = build().all('/any', (req, res) => void res.send(req.headers));
      expect((await request(app).trace('/any')).status).to.equal(501);
    });

    it('methodNotAllowed passes the error to the error handlers, before an own 404 handler', async () => {
      const app = build().use(methodNotAllowed());
      app.use(((err: Error & { headers: object }, _req: never, res: framework.Response, _next: never) => {
        res.status(422).json(err.headers);
      }) as never);
      const { status, body } = await request(app).delete('/api/users/7');
      expect([status, body]).to.deep.equal([422, { Allow: 'GET, HEAD, PUT' }]);
    });

    it('sends 431 if Node.js may have dropped headers', async () => {
      const app = strict(make()).set('env', 'test');
      app.get('/', (_req, res) => void res.send('hello'));
      for (const [limit, count, expected] of [
        [null, 997, 200],
        [null, 998, 431],
        [null, 1100, 431],
        [50, 47, 200],
        [50, 48, 431],
      ] as const)
        await serving(Object.assign(createServer(app), { maxHeadersCount: limit }), async (_port, server) => {
          const more = 'a: b\r\n'.repeat(count);
          const [status] = await statuses(
            server as Server,
            `GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${more}\r\n`,
          );
          expect(status, `${count} of ${limit}`).to.include(` ${expected} `);
        });
    });

    it('changes nothing that is switched off', async () => {
      const app = strict(make(), { methods: false, host: false, paths: false, bodyLimit: false });
      app.set('env', 'test').get('/', (_req, res) => void res.send('a'));
      expect((await request(app).delete('/')).status).to.equal(404);
      expect((await request(app).get('//')).status).to.not.equal(400);
      expect((await request(app).get('/').set('Host', 'u:p@a')).status).to.equal(200);
      expect(app.get('strict body limit')).to.equal(false);
    });
  });

describe('strict', () => {
  it('throws for an application that it cannot change, such as one of Express', () => {
    for (const app of [express(), framework3()])
      expect(() => strict(app as never)).to.throw(TypeError, 'strict: app must be an application of');
  });
});

describe('strict, server', () => {
  const app = strict(framework()).get('/', (_req, res) => void res.send('a'));
  app.set('env', 'test').post('/', (_req, res) => void res.send('b'));
  const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

  it('sends 501 for a method that Node.js does not know, also after other requests', () =>
    serving(app, async (_port, server) => {
      const foo = 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n';
      const refused = 'HTTP/1.1 501 Not Implemented';
      expect(await statuses(server as Server, foo)).to.deep.equal([refused]);
      expect(await statuses(server as Server, 'GETS / HTTP/1.1\r\n\r\n')).to.deep.equal([refused]);
      const last = (await statuses(server as Server, GET, foo)).at(-1);
      expect(last).to.be.oneOf([refused, 'HTTP/1.1 200 OK']);
    }));

  it('sends 400 for what is no request line, such as TLS', () =>
    serving(app, async (_port, server) => {
      for (const bytes of [
        Buffer.from([0x16, 3, 1, 2, 0, 1, 0]),
        '\0\0\0\r\n\r\n',
        'FOO\r\n\r\n',
        '{"a":1}\r\n\r\n',
      ])
        expect(await statuses(server as Server, bytes)).to.deep.equal(['HTTP/1.1 400 Bad Request']);
    }));

  it('sends 505 for HTTP/2.0 over HTTP/1.1 and still serves HTTP/2', async () => {
    await serving(app, async (_port, server) => {
      expect(await statuses(server as Server, GET.replace('1.1', '2.0'))).to.deep.equal([
        'HTTP/1.1 505 HTTP Version Not Supported',
      ]);
    });
    const server = listen(app, { port: 0, cleartext: true });
    await once(server, 'listening');
    const { connect: connect2 } = await import('node:http2');
    const session = connect2(`http://127.0.0.1:${portOf(server)}`);
    const [headers] = await once(session.request({ ':path': '/' }).end(), 'response');
    expect(headers[':status']).to.equal(200);
    const [refused] = await once(session.request({ ':path': '/', ':method': 'DELETE' }).end(), 'response');
    expect([refused[':status'], refused.allow]).to.deep.equal([405, 'GET, HEAD, POST']);
    session.destroy();
    await close(server);
  });

  it('sends 408 if headers or a body take longer than the limit', async function () {
    this.timeout(30_000);
    const limits = { headersTimeout: 300, requestTimeout: 600 };
    const slow = strict(framework(), limits);
    slow.set('env', 'test').use(framework.text(), (_req, res) => void res.send('a'));
    const body = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nab';
    for (const one of [slow, strictServer(createServer(slow), limits)])
      await serving(one, async (_port, server) => {
        for (const bytes of ['GET / HTTP/1.1\r\nHost: a\r\n', body])
          expect(await statuses(server as Server, bytes)).to.deep.equal(['HTTP/1.1 408 Request Timeout']);
      });
  });

  it('leaves a listener of the application for clientError alone', async () => {
    const server = strictServer(createServer(app));
    server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 418 own\r\n\r\n'));
    await serving(server, async (_port, own) => {
      expect(await statuses(own as Server, 'FOO / HTTP/1.1\r\n\r\n')).to.deep.equal(['HTTP/1.1 418 own']);
    });
  });

  it('survives bytes at random, and responds to the next client', async function () {
    this.timeout(60_000);
    await serving(app, async (port, server) => {
      const warnings = await heardDuring('warning', async () => {
        for (let length = 1; length < 120; length += 7) {
          const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 7919 + length * 104729) % 256));
          await statuses(server as Server, bytes, '\r\n\r\n');
        }
      });
      expect(warnings).to.deep.equal([]);
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).to.equal(200);
    });
  });

  it('app.listen calls its callback once, when it listens or fails', async () => {
    const calls: unknown[] = [];
    const server = app.listen(0, '127.0.0.1', (err?: Error) => void calls.push(err));
    await once(server, 'listening');
    const second = app.listen(portOf(server), '127.0.0.1', (err?: Error) => void calls.push(err));
    await new Promise((resolve) => second.on('error', resolve).on('close', resolve));
    expect(calls).to.have.property('length', 2);
    expect(calls[0]).to.equal(undefined);
    expect(calls[1]).to.have.property('code', 'EADDRINUSE');

    // As in Express 4, whose callback gets no error.
    const third = strict(framework4()).listen(portOf(server), '127.0.0.1', () => void calls.push('listens'));
    const [error] = await once(third, 'error');
    expect([error.code, calls.length]).to.deep.equal(['EADDRINUSE', 2]);
    await close(server);
  });
});
