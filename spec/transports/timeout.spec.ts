import { EventEmitter, once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import compression from 'compression';
import type { ErrorRequestHandler, RequestHandler } from 'express-serve-static-core';
import session from 'express-session';
import framework from 'nozomi';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
import { signal, timeout } from 'nozomi/extras';
import { toFetch } from 'nozomi/fetch';
import { graceful } from 'nozomi/graceful';
import { heldBeyond, heldNow } from '../security/held';
import { portOf, serverOf, serving } from '../support/serve';
import { until } from '../support/until';
import { askHttp1, askHttp2, open, withHttp2 } from './support';

type App = ReturnType<typeof framework>;
type Limited = IncomingMessage & { timedout: boolean; clearTimeout(): void; signal: AbortSignal };

/** Milliseconds of the time limits that pass in these specs. */
const SHORT = 20;
const hang: RequestHandler = () => undefined;
const show: ErrorRequestHandler = ({ status, code, message, timeout }, _req, res, _next) =>
  void res.status(status ?? 500).send(JSON.stringify({ code, message, timeout }));

function application(create: () => App = framework): App {
  return create().set('env', 'test').disable('x-powered-by');
}

/** Sends a request over each transport. @returns The statuses and bodies. */
async function overEach(app: App, path: string): Promise<Array<[number, string]>> {
  const request = { path };
  const responses = [
    await serving(app, (port) => askHttp1(port, request)),
    await withHttp2(app, (client) => askHttp2(client, request)),
  ].map(({ status, body }): [number, string] => [status, body.toString()]);
  const response = await toFetch(app)(path);
  return [...responses, [response.status, await response.text()]];
}

describe('timeout()', () => {
  for (const [name, create] of Object.entries({
    nozomi: framework,
    'nozomi/4': framework4,
    'nozomi/3': framework3,
  }))
    it(`${name}: passes a 503 error to the error handlers, for an application, a router or a route`, async () => {
      const whole = application(create as never)
        .use(timeout(SHORT) as never)
        .use(hang)
        .use(show);
      const route = application(create as never);
      route.get('/', timeout(SHORT) as never, hang);
      route.use(show);
      const nested = application(create as never).use('/', route);
      for (const app of [whole, route, nested]) {
        const expected = [
          503,
          JSON.stringify({ code: 'ETIMEDOUT', message: 'Response timeout', timeout: SHORT }),
        ];
        expect(await overEach(app, '/')).to.deep.equal([expected, expected, expected]);
      }
    });

  it('passes the same error as connect-timeout', async () => {
    const errors = [timeout, require('connect-timeout')].map(async (create) => {
      let seen: object = {};
      const app = application().use(create(`${SHORT}ms`), hang);
      const keep: ErrorRequestHandler = (err, req, res, _next) => {
        const { timedout } = req;
        seen = { ...err, name: err.name, message: err.message, timedout };
        res.end();
      };
      await toFetch(app.use(keep))('/');
      return seen;
    });
    const [ours, theirs] = await Promise.all(errors);
    expect(ours).to.deep.equal(theirs);
  });

  it('without an error handler, sends the page of the final handler', async () => {
    const app = application().use(timeout(SHORT), hang);
    for (const [status, body] of await overEach(app, '/')) {
      expect(status).to.equal(503);
      expect(body).to.include('<pre>ServiceUnavailableError: Response timeout');
    }
  });

  it('does nothing to a response that begins in time, and holds no timer after it', async () => {
    const before = await heldNow();
    const app = application().use(timeout('1h'));
    app.get('/', (_req, res) => void res.send('in time'));
    app.get('/begun', (_req, res) => void setTimeout(() => res.end('end'), 4 * SHORT));
    const begun = application().use(timeout(SHORT), (_req, res) => {
      res.write('begun, ');
      setTimeout(() => res.end('end'), 4 * SHORT);
    });
    for (const response of await overEach(app, '/')) expect(response).to.deep.equal([200, 'in time']);
    for (const response of await overEach(begun, '/')) expect(response).to.deep.equal([200, 'begun, end']);
    expect(await heldBeyond(before)).to.deep.equal({});
  });

  it('req.clearTimeout removes the limit, and respond: false leaves the response to a listener for timeout', async () => {
    const cleared = application().use(timeout(SHORT), (req, res) => {
      (req as never as Limited).clearTimeout();
      setTimeout(() => res.send('cleared'), 4 * SHORT);
    });
    const heard = application().use(timeout(SHORT, { respond: false }), (req, res) => {
      req.on(
        'timeout',
        (delay) => void res.status(504).send(`${delay} ${(req as never as Limited).timedout}`),
      );
    });
    expect((await overEach(cleared, '/'))[0]).to.deep.equal([200, 'cleared']);
    expect(await overEach(heard, '/')).to.deep.equal(Array(3).fill([504, `${SHORT} true`]));
  });

  it('applies the shortest of several limits once', async () => {
    for (const [outer, inner] of [
      ['1h', SHORT],
      [SHORT, '1h'],
      [SHORT, SHORT],
    ] as const) {
      const errors: unknown[] = [];
      const app = application().use(timeout(outer), timeout(inner), hang);
      const count: ErrorRequestHandler = (err, _req, res, _next) => {
        errors.push(err);
        setTimeout(() => res.status(503).send('late'), 3 * SHORT);
      };
      const responses = await overEach(app.use(count), '/');
      expect(responses.map(([status]) => status)).to.deep.equal([503, 503, 503]);
      expect(errors.length).to.be.within(3, outer === inner ? 6 : 3);
    }
  });

  it('responds to a request whose body never ends', async () => {
    const app = application().use(timeout(SHORT), framework.json(), hang).use(show);
    await serving(app, async (port) => {
      const socket = connect(port, '127.0.0.1');
      const type = 'Content-Type: application/json\r\n';
      socket.write(`POST / HTTP/1.1\r\nHost: h\r\n${type}Content-Length: 10\r\n\r\n{`);
      const [head] = await once(socket, 'data');
      expect(`${head}`).to.match(/^HTTP\/1\.1 503 /);
      socket.destroy();
    });
  });

  it('throws for an invalid time', () => {
    for (const time of ['soon', '', '30 days', -1, Number.NaN, {}])
      expect(() => timeout(time as never), `${time}`).to.throw(TypeError);
  });

  describe('late writes of the handler', () => {
    type Late = (
      req: Limited,
      res: ServerResponse & App['response'],
      next: (err?: unknown) => void,
    ) => unknown;
    const late: Record<string, Late> = {
      'res.send': (_req, res) => res.send('late'),
      'res.status().json': (_req, res) => res.status(201).json({ late: true }),
      'res.write and res.end': (_req, res) => {
        res.write('late');
        res.end('late');
      },
      'res.writeHead': (_req, res) => res.writeHead(200, 'Late', { 'X-Late': '1' }).end('late'),
      'res.setHeader and others': (_req, res) => {
        res.setHeader('X-Late', '1');
        res.appendHeader('X-Late', '2');
        res.removeHeader('Content-Type');
        res.flushHeaders();
        res.statusCode = 299;
        res.statusMessage = 'Late';
      },
      'res.cookie and res.redirect': (_req, res) => res.cookie('late', '1').redirect('/late'),
      'res.sendFile': (_req, res) => res.sendFile(__filename),
      'res.render': (_req, res) => res.render('none'),
      'a stream': (_req, res) => Readable.from(['late', 'later']).pipe(res),
      'a method of Node.js': (_req, res) => http.ServerResponse.prototype.end.call(res, 'late', 'utf8'),
      'res.destroy': (_req, res) => res.destroy(),
      'req.socket.destroy': (req) => req.socket.destroy(),
      'next()': (_req, _res, next) => next(),
      'next(err)': (_req, _res, next) => next(new Error('late')),
      'an exception': () => {
        throw new Error('late');
      },
    };
    const PREPARED = 'while the error page is prepared';
    const ends: Record<string, ErrorRequestHandler | undefined> = {
      'after the error page': show,
      [PREPARED]: async (err, _req, res, _next) => {
        await pause(6 * SHORT);
        res.status(err.status).json({ code: err.code, message: err.message, timeout: err.timeout });
      },
      'after the page of the final handler': undefined,
    };
    const around: Record<string, RequestHandler[]> = {
      'with no other middleware': [],
      'with a session and compression around': [
        session({ secret: 'a', resave: false, saveUninitialized: true }),
        compression({ threshold: 0 }),
      ],
    };

    for (const [when, onError] of Object.entries(ends))
      for (const [what, middleware] of Object.entries(around))
        it(`do no harm ${when}, ${what}`, async () => {
          const app = application();
          const client = new EventEmitter();
          const done: string[] = [];
          for (const [i, [name, write]] of Object.entries(late).entries()) {
            app.get(`/${i}`, timeout(SHORT), ...middleware, async (req, res, next) => {
              await once(req, 'timeout');
              if (when !== PREPARED) await once(client, name);
              done.push(name);
              await write(req as never, res as never, next);
            });
          }
          app.get('/next', (_req, res) => void res.send('next'));
          if (onError) app.use(onError);
          const server = await serverOf(http.createServer(app));
          const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
          try {
            for (const [i, name] of Object.keys(late).entries()) {
              const port = portOf(server);
              const seen = await ask(agent, port, `/${i}`);
              expect(seen.status, name).to.equal(503);
              expect(seen.headers, name).to.not.have.any.keys('x-late', 'location');
              expect(seen.body, name).to.match(
                onError ? /^{"code":"ETIMEDOUT"/ : /<pre>ServiceUnavailableError: Response timeout/,
              );
              // On the same connection, while the handler writes.
              const following = ask(agent, port, '/next');
              client.emit(name);
              await until(() => done.includes(name), `the handler of ${name} has written`);
              expect((await following).body, name).to.equal('next');
              expect((await ask(agent, port, '/next')).body, name).to.equal('next');
            }
          } finally {
            agent.destroy();
            server.close();
          }
        });

    it('are dropped over HTTP/2 and fetch, too', async () => {
      for (const onError of [show, ends[PREPARED] as ErrorRequestHandler]) {
        const app = application();
        let written = 0;
        for (const [i, write] of Object.values(late).entries())
          app.get(`/${i}`, timeout(SHORT), async (req, res, next) => {
            await once(req, 'timeout');
            written++;
            await write(req as never, res as never, next);
          });
        app.use(onError);
        const names = Object.keys(late);
        const responses = await Promise.all(names.map((_name, i) => overEach(app, `/${i}`)));
        for (const [i, name] of names.entries())
          for (const [status, body] of responses[i] ?? [])
            expect([status, body.slice(0, 19)], name).to.deep.equal([503, '{"code":"ETIMEDOUT"']);
        await until(() => written === 3 * Object.keys(late).length, 'all handlers have written');
      }
    });

    it('fail as for a client that has disconnected', async () => {
      const seen: unknown[] = [];
      const app = application().use(timeout(SHORT), async (req, res) => {
        await once(req, 'timeout');
        seen.push(
          res.write('late', (err) => seen.push((err as NodeJS.ErrnoException)?.code)),
          res.writableEnded,
        );
        res.end(() => seen.push('ended'));
      });
      await toFetch(app.use(show))('/');
      await until(() => seen.length === 4, 'the callbacks were called');
      expect(seen).to.deep.equal([false, true, 'ERR_STREAM_DESTROYED', 'ended']);
    });
  });
});

describe('req.signal', () => {
  const created: Record<string, RequestHandler> = { 'signal()': signal(), 'timeout()': timeout('1h') };

  for (const [name, middleware] of Object.entries(created)) {
    it(`${name}: is not aborted by a complete response, also after a body was read`, async () => {
      const signals: AbortSignal[] = [];
      const app = application().use(middleware, framework.text(), (req, res) => {
        signals.push((req as never as Limited).signal);
        res.send('done');
      });
      const closed: Array<Promise<unknown>> = [];
      const watched: http.RequestListener = (req, res) => {
        closed.push(once(res, 'close'));
        app(req as never, res as never);
      };
      const post = { method: 'POST', path: '/', body: 'a', headers: { 'content-type': 'text/plain' } };
      await serving(http.createServer(watched), async (port) => {
        await askHttp1(port, { path: '/' });
        await askHttp1(port, post);
        await Promise.all(closed);
      });
      await withHttp2(app, async (client) => {
        await askHttp2(client, { path: '/' });
        await askHttp2(client, post);
      });
      await (await toFetch(app)('/', { method: 'POST', body: 'a' })).text();
      await pause(SHORT);
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false, false, false, false, false]);
    });

    it(`${name}: is aborted when the client disconnects, over each transport, before and after it is read`, async () => {
      for (const method of ['GET', 'POST']) {
        const requests: Limited[] = [];
        const signals: AbortSignal[] = [];
        const app = application().use(middleware, framework.text(), (req) => {
          requests.push(req as never);
          if (requests.length % 2 === 1) signals.push((req as never as Limited).signal);
        });
        const body = method === 'POST' ? 'a' : undefined;
        const headers = { 'content-type': 'text/plain' };
        const pairs = [1, 2];
        const isReached = (count: number) => until(() => requests.length === count, 'the handler has run');
        const isAborted = (count: number) =>
          until(() => requests.slice(0, count).every((req) => req.signal.aborted), 'the signal is aborted');

        await serving(app, async (port) => {
          for (const count of pairs) {
            const req = http.request({ port, host: '127.0.0.1', method, headers, agent: false });
            req.on('error', () => undefined).end(body);
            await isReached(count);
            req.destroy();
            if (count === 1) await isAborted(count);
          }
          await isAborted(2);
        });
        await withHttp2(app, async (client) => {
          for (const count of pairs) {
            const stream = open(client, { method, path: '/', headers, ...(body && { body }) });
            stream.on('error', () => undefined);
            if (body) stream.end(body);
            await isReached(2 + count);
            stream.close(8);
            await isAborted(2 + count);
          }
        });
        for (const count of pairs) {
          const controller = new AbortController();
          const response = toFetch(app)('/', {
            method,
            headers,
            signal: controller.signal,
            ...(body && { body }),
          });
          await isReached(4 + count);
          controller.abort();
          await response.catch(() => undefined);
          await isAborted(4 + count);
        }
        expect(signals.map(({ reason }) => reason.name)).to.deep.equal([
          'AbortError',
          'AbortError',
          'AbortError',
        ]);
      }
    });
  }

  it('is aborted at the time limit, with its error, and the handler cannot respond because of it', async () => {
    const reasons: unknown[] = [];
    const errors: unknown[] = [];
    const app = application();
    app.get('/', timeout(SHORT), async (req, res) => {
      const { signal } = req as never as Limited;
      signal.addEventListener('abort', () => {
        reasons.push(signal.reason);
        res.status(200).send('from the listener');
      });
      await pause(60_000, undefined, { signal });
    });
    const onError: ErrorRequestHandler = (err, _req, res, _next) => {
      errors.push(err);
      res.status(err.status ?? 500).send(err.name);
    };
    app.use(onError);
    expect(await overEach(app, '/')).to.deep.equal(Array(3).fill([503, 'ServiceUnavailableError']));
    expect(reasons).to.deep.equal(errors);
  });

  it('is aborted at the deadline of a graceful shutdown', async () => {
    let given: AbortSignal | undefined;
    const app = application().use(signal(), (req) => {
      given = (req as never as Limited).signal;
    });
    const server = await serverOf(http.createServer(app));
    const close = graceful(server, { deadline: 100 });
    http.get({ port: portOf(server), host: '127.0.0.1', agent: false }).on('error', () => undefined);
    await until(() => given !== undefined, 'the handler has run');
    expect(given?.aborted).to.equal(false);
    await close();
    await until(() => given?.aborted === true, 'the signal is aborted');
  });
});

async function ask(
  agent: http.Agent,
  port: number,
  path: string,
): Promise<{ status: number | undefined; headers: http.IncomingHttpHeaders; body: string }> {
  const req = http.get({ port, path, host: '127.0.0.1', agent });
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of res) body += chunk;
  return { status: res.statusCode, headers: res.headers, body };
}
