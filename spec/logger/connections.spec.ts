import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { expect } from 'chai';
import compression from 'compression';
import express from 'express';
import logger from 'nozomi/logger';
import onFinished from 'on-finished';
import onHeaders from 'on-headers';
import request from 'supertest';
import { receive } from '../support/connections';
import { serving } from '../support/serve';
import { type Both, both } from './support/both';
import { Log } from './support/log';
import { morgan } from './support/reference';
import { ask, get, open } from './support/serve';

const FORMAT = ':method :url :status :res[content-length] :res[x-set] :response-time :remote-addr';

/** Waits for `count` lines of both loggers, and checks that they are equal. @returns The lines. */
async function equalLines({ ours, theirs }: Both, count: number): Promise<string[]> {
  const lines = (await ours.until(count)).map(withoutTime);
  expect(lines).to.deep.equal((await theirs.until(count)).map(withoutTime));
  expect(lines).to.have.length(count);
  return lines;
}

/** Masks times: two loggers on one response measure different ones. */
function withoutTime(line: string): string {
  return line.replace(/ \d+\.\d{3}/g, ' <ms>');
}

proves('L-1-03 L-4-18');
describe('the logger, for each outcome of a connection', () => {
  proves('L-2.4-20');
  it('writes the same lines as morgan for a client that disconnects before, during and after the response', async () => {
    const arrivals = new EventEmitter();
    const pair = both(FORMAT, (req, res) => {
      if (req.url === '/within') res.write('some');
      if (req.url === '/after') res.end(Buffer.alloc(8_000_000));
      arrivals.emit(req.url as string);
    });

    await serving(pair.listener, async (at) => {
      for (const url of ['/before', '/within', '/after']) {
        const socket = await open(at);
        const lines = pair.ours.lines.length;
        const seen = url === '/before' ? once(arrivals, url) : once(socket, 'data');
        socket.write(get(url));
        await seen;
        socket.resetAndDestroy();
        await pair.ours.until(lines + 1);
      }
    });

    expect(await equalLines(pair, 3)).to.deep.equal([
      'GET /before - - - - 127.0.0.1\n',
      'GET /within 200 - - <ms> 127.0.0.1\n',
      'GET /after 200 - - <ms> 127.0.0.1\n',
    ]);
  });

  for (const implementation of [logger, morgan])
    it(`writes a line when the connection closes, if the application has removed the listeners (${implementation === morgan ? 'morgan' : 'nozomi'})`, async () => {
      const log = new Log();
      const write = implementation(':url :status', { stream: log });
      const listener: RequestListener = (req, res) =>
        write(req as never, res as never, () => void res.removeAllListeners().end('a'));

      await serving(listener, async (at) => {
        const socket = await open(at);
        socket.write(get('/'));
        await once(socket, 'data');
        socket.end();
        expect(await log.until(1)).to.deep.equal(['/ 200\n']);
      });
    });

  proves('L-2.4-20');
  it('writes the same lines as morgan for bytes that are not HTTP, after a request and before its response', async () => {
    const lines: unknown[] = [];
    for (const make of [logger, morgan]) {
      const log = new Log();
      const write = make(':method :url :status', { stream: log });
      const bytes = await serving(
        (req, res) => write(req, res, () => setImmediate(() => res.end('late'))),
        (at) => receive(at, `${get('/')}a=1\r\n\r\n`),
      );
      await log.until(1);
      lines.push([bytes, log.lines]);
    }

    expect(lines[0]).to.deep.equal(lines[1]);
    expect(lines[0]).to.deep.equal(['HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n', ['GET / -\n']]);
  });

  it('writes the same lines as morgan for a client that disconnects while pipelined responses wait for an earlier one', async () => {
    const arrivals = new EventEmitter();
    const pair = both(FORMAT, (req) => void arrivals.emit(req.url as string));

    await serving(pair.listener, async (at) => {
      const socket = await open(at);
      const seen = once(arrivals, '/second');
      socket.write(get('/first') + get('/second'));
      await seen;
      socket.destroy();
      await pair.ours.until(1);
    });

    expect(await equalLines(pair, 1)).to.deep.equal(['GET /first - - - - 127.0.0.1\n']);
  });

  it('writes the same lines as morgan for an upgraded connection on which the application writes the response itself', async () => {
    const pair = both(FORMAT, (_req, res) => res.writeHead(426, { Connection: 'close' }).end());
    const server = createServer().on('upgrade', (req: IncomingMessage, socket) => {
      const res = new ServerResponse(req);
      pair.listener(req, res as never);
      res.assignSocket(socket as never);
      res.on('finish', () => socket.end());
    });

    await serving(server, (at) => receive(at, get('/up', { Connection: 'Upgrade', Upgrade: 'spec' })));

    expect(await equalLines(pair, 1)).to.deep.equal(['GET /up 426 - - <ms> 127.0.0.1\n']);
  });

  for (const [what, prepare] of [
    ['has ended', (_req, res) => void res.end('early')],
    ['has lost its connection', (req) => void req.socket.destroy()],
  ] as const satisfies [string, RequestListener][]) {
    it(`writes the same lines as morgan for a response that ${what} when the logger is called`, async () => {
      const pair = both(FORMAT, () => {});
      let inTime: number | undefined;

      await serving(
        (req, res) => {
          prepare(req, res);
          pair.listener(req, res);
          inTime = pair.ours.lines.length;
        },
        async (at) => {
          await receive(at, get('/late', { Connection: 'close' }));
          await pair.ours.until(1);
        },
      );

      expect(inTime).to.equal(0);
      await equalLines(pair, 1);
    });
  }

  it('writes its line in the order of the listeners of on-finished', async () => {
    const log = new Log();
    const middleware = logger('line', { stream: log });

    await ask((req, res) => {
      onFinished(res, () => log.write('before'));
      middleware(req, res, () => {
        onFinished(res, () => log.write('after'));
        res.end();
      });
    });

    expect(await log.until(3)).to.deep.equal(['before', 'line\n', 'after']);
  });

  proves('L-2.4-04');
  it('writes its line in the async context of the request', async () => {
    const storage = new AsyncLocalStorage<string>();
    const pair = both(
      () => storage.getStore() ?? 'lost',
      (_req, res) => storage.run('inner', () => res.end()),
    );

    await ask((req, res) => storage.run('outer', () => pair.listener(req, res)));

    expect(await equalLines(pair, 1)).to.deep.equal(['outer\n']);
  });

  proves('L-2.4-16');
  it('measures the response time in the order of the listeners of on-headers', async () => {
    const order: string[] = [];
    const log = new Log();
    const middleware = logger(':response-time :status', { stream: log });
    const seen = (name: string, res: ServerResponse) =>
      order.push(`${name} ${'_startAt' in res && res._startAt !== undefined}`);

    await ask((req, res) => {
      onHeaders(res, () => seen('before', res));
      middleware(req, res, () => {
        onHeaders(res, () => {
          seen('after', res);
          res.statusCode = 202;
        });
        res.end();
      });
    });

    expect(order).to.deep.equal(['after false', 'before true']);
    expect((await log.until(1))[0]).to.match(/^\d+\.\d{3} 202\n$/);
  });

  proves('L-2.4-16');
  it('writes the time of the first writeHead() if a second one throws', async () => {
    const codes: unknown[] = [];
    const pair = both(':response-time[6] :status', (_req, res) => {
      res.writeHead(200);
      for (const args of [[201], [202, { 'X-Late': '1' }]] as [number, object?][]) {
        try {
          res.writeHead(...(args as [number]));
        } catch (error) {
          codes.push((error as NodeJS.ErrnoException).code);
        }
      }
      res.end();
    });

    await ask(pair.listener);

    expect(codes).to.deep.equal(['ERR_HTTP_HEADERS_SENT', 'ERR_HTTP_HEADERS_SENT']);
    await pair.ours.until(1);
    expect(pair.ours.lines).to.deep.equal(pair.theirs.lines);
  });

  proves('L-2.4-14');
  it('lets writeHead() throw as with morgan for a status that is not an integer', async () => {
    const refusal = async (create: typeof logger) => {
      const middleware = create('x', { stream: new Log() });
      let thrown = '';
      await ask((req, res) =>
        middleware(req, res, () => {
          try {
            res.writeHead('abc' as never);
          } catch (error) {
            thrown = String(error);
          }
          res.statusCode = 200;
          res.end();
        }),
      );
      return thrown;
    };

    expect(await refusal(logger))
      .to.contain('Invalid status code: abc')
      .and.to.equal(await refusal(morgan as never));
  });

  proves('L-2.4-14');
  it('writes the headers that were sent if compression follows the logger', async () => {
    const app = express();
    const pair = both(':res[content-encoding] :res[content-length] :status', () => {});
    app.use((req, res, next) => {
      pair.listener(req, res);
      next();
    });
    app.use(compression({ threshold: 0 }));
    app.get('/', (_req, res) => void res.send('hello '.repeat(1000)));

    await request(app).get('/').set('Accept-Encoding', 'gzip');

    expect(await equalLines(pair, 1)).to.deep.equal(['gzip - 200\n']);
  });

  it('throws the error of a format function after the response, where morgan throws it', async () => {
    const errors: string[] = [];
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => errors.push(error.message));
    try {
      const middleware = logger(':no-such-token', { stream: new Log() });
      const response = await ask((req, res) => middleware(req, res, () => res.end('hello')));
      expect(response).to.contain('hello');
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of listeners) process.on('uncaughtException', listener);
    }

    expect(errors).to.deep.equal(['tokens.no-such-token is not a function']);
  });
});
