import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import http2 from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import framework, { type Request, type Response } from 'nozomi';
import express3 from 'nozomi/3';
import logger from 'nozomi/logger';
import { heardDuring } from '../support/heard';
import { PATIENCE } from '../support/play';
import { until } from '../support/until';
import { BIG, createApp, TEST_REQUESTS } from './application';
import { askHttp1, askHttp2, open, plain, watch, withHttp1, withHttp2 } from './support';

const ENTRY_POINTS = [
  ['5.x', 'nozomi'],
  ['4.x', 'nozomi/4'],
  ['3.x', 'nozomi/3'],
] as const;

describe('HTTP/2, an application', () => {
  it('responds as over HTTP/1.1 through logger, compression, session, mounted applications and files', async () => {
    const app = createApp();
    await withHttp2(app, async (session) => {
      await withHttp1(app, async (port) => {
        for (const testRequest of TEST_REQUESTS) {
          const actual = plain(await askHttp2(session, testRequest));
          expect(actual, JSON.stringify(testRequest).slice(0, 200)).to.deep.equal(
            plain(await askHttp1(port, testRequest)),
          );
        }
      });
    });
  });

  for (const [name, entry] of ENTRY_POINTS) {
    it(`responds over TLS with ALPN and without, and the process exits after server.close() (${name})`, () => {
      const program = `
        const http2 = require('node:http2');
        const { CERTIFICATE: cert, KEY: key } = require('./parity/transports/certificate.ts');
        const app = require('${entry}')();
        app.get('/', (req, res) => res.send('over ' + req.httpVersion + ' ' + req.protocol));
        const server = http2.createSecureServer({ allowHTTP1: true, key, cert }, app).listen(0, '127.0.0.1', () => {
          const { port } = server.address();
          const client = http2.connect('https://127.0.0.1:' + port, { rejectUnauthorized: false });
          let body = '';
          client.request({ ':path': '/' }).setEncoding('utf8').on('data', (text) => { body += text; }).on('close', () => {
            client.close();
            require('node:https').get({ port, host: '127.0.0.1', rejectUnauthorized: false, agent: false }, (res) => {
              res.setEncoding('utf8').on('data', (text) => console.log(body + ', ' + text)).on('end', () => server.close());
            });
          });
        });`;

      const { stdout, stderr } = spawnSync(process.execPath, ['--require', 'tsx/cjs', '-e', program], {
        encoding: 'utf8',
      });

      expect(stdout + stderr).to.equal('over 2.0 https, over 1.1 https\n');
    });
  }

  for (const [name, entry] of ENTRY_POINTS) {
    it(`responds to a second request after a first one that fails or has no response (${name})`, () => {
      const program = `
        const http2 = require('node:http2');
        const express = require('${entry}');
        const FIRST = [
          { ':method': 'OPTIONS', ':path': '*' },
          { ':method': 'CONNECT', ':authority': 'other:80' },
          { ':path': '/%' },
          { ':path': '/status' },
          { ':path': '/throws' },
          { ':path': '/lost' },
          { ':method': 'POST', ':path': '/', expect: '100-continue' },
          { ':method': 'POST', ':path': '/', cancelled: true },
        ];
        console.error = () => undefined;
        (async () => {
          for (const { cancelled, ...first } of FIRST) {
            const app = express();
            app.get('/', (req, res) => res.send('alive'));
            app.get('/status', (req, res) => res.status(101).end());
            app.get('/throws', () => { throw new Error('thrown'); });
            app.get('/lost', (req) => req.socket.destroy(new Error('lost')));
            const server = http2.createServer(app).listen(0, '127.0.0.1');
            await new Promise((resolve) => server.on('listening', resolve));
            const client = http2.connect('http://127.0.0.1:' + server.address().port);
            const stream = client.request(first, { endStream: !cancelled }).resume().on('error', () => undefined);
            if (cancelled) client.ping(() => stream.close(8));
            await new Promise((resolve) => stream.on('close', resolve));
            let body = '';
            const next = client.request({ ':path': '/' }).setEncoding('utf8').on('data', (text) => { body += text; });
            await new Promise((resolve) => next.on('close', resolve));
            console.log(body);
            client.close();
            server.close();
          }
        })();`;

      const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });

      expect(stderr).to.equal('');
      expect(stdout).to.equal('alive\n'.repeat(8));
    });
  }

  it('does not load node:http2 if only require("nozomi") runs', () => {
    const program =
      "require('nozomi')(); console.log(process.moduleLoadList.filter((name) => /http2/.test(name)).length)";
    const { stdout } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    expect(stdout).to.equal('0\n');
  });

  it('passes requests and responses of node:http classes to handlers, with members added later', async () => {
    const app = framework();
    const inner = framework();
    inner.get('/', (req, res) => {
      const { late, inherited } = req as Request & { late: string; inherited: string };
      res.json([req instanceof IncomingMessage, res instanceof ServerResponse, late, inherited]);
    });
    app.use(inner);
    Object.assign(framework.request, { late: 'framework' });
    try {
      await withHttp2(app, async (session) => {
        Object.assign(app.request, { inherited: 'app' });
        const { body } = await askHttp2(session, { path: '/' });
        expect(JSON.parse(String(body))).to.deep.equal([true, true, 'framework', 'app']);
      });
    } finally {
      Reflect.deleteProperty(framework.request, 'late');
    }
  });

  it('has no pseudo-headers in req.headers, and the value of :authority as Host', async () => {
    const app = framework();
    app.get('/', (req, res) => void res.json([req.headers, req.rawHeaders, req.host, req.url, req.method]));
    await withHttp2(app, async (session) => {
      const headers = { ':authority': 'example.com:8080', 'x-a': '1' };
      const { body } = await askHttp2(session, { path: '/', headers });
      const host = 'example.com:8080';
      expect(JSON.parse(String(body))).to.deep.equal([
        { host, 'x-a': '1' },
        ['host', host, 'x-a', '1'],
        host,
        '/',
        'GET',
      ]);
    });
  });

  it('uses :authority rather than a different Host, for which strict host responds 400', async () => {
    const app = framework();
    app.get('/', (req, res) => void res.send(req.host));
    await withHttp2(app, async (session) => {
      const testRequest = { path: '/', headers: { ':authority': 'a.example', host: 'b.example' } };
      const lax = await askHttp2(session, testRequest);
      app.enable('strict host').set('env', 'test');
      const strict = await askHttp2(session, testRequest);
      const same = await askHttp2(session, {
        path: '/',
        headers: { ':authority': 'a.example', host: 'a.example' },
      });
      expect([String(lax.body), strict.status, same.status]).to.deep.equal(['a.example', 400, 200]);
    });
  });

  for (const status of [101, 150, 600, 700, 999]) {
    it(`responds 500 instead of ${status}, which HTTP/2 cannot send, and logs one line`, async () => {
      const app = framework();
      app.get('/', (_req, res) => void res.status(status).send('body'));
      const lines: unknown[][] = [];
      const { error } = console;
      console.error = (...args) => void lines.push(args);
      try {
        await withHttp2(app, async (session) => {
          const response = await askHttp2(session, { path: '/' });
          expect(response.status).to.equal(500);
          expect((await askHttp2(session, { path: '/' })).status).to.equal(500);
        });
      } finally {
        console.error = error;
      }
      const line = [`GET /: status ${status} cannot be sent over HTTP/2, sent 500`];
      expect(lines).to.deep.equal([line, line]);
    });
  }

  it('can read the connection-specific headers that it has set, but they are not sent', async () => {
    const app = framework();
    const forbidden = {
      Connection: 'close',
      'Keep-Alive': 'timeout=5',
      Upgrade: 'h2c',
      'Transfer-Encoding': 'chunked',
    };
    let read: unknown;
    app.get('/', (_req, res) => {
      res.set(forbidden);
      read = [res.get('Connection'), res.getHeader('upgrade')];
      res.statusMessage = 'Mine';
      res.end('body');
    });
    const warnings = await heardDuring('warning', () =>
      withHttp2(app, async (session) => {
        const { headers } = await askHttp2(session, { path: '/' });
        await wait(10);
        expect(Object.keys(headers)).to.deep.equal(['x-powered-by', 'date']);
        expect(read).to.deep.equal(['close', 'h2c']);
      }),
    );
    expect(warnings).to.deep.equal([]);
  });

  it('sends several values of a header joined if Node.js sends this header only once', async () => {
    const app = framework();
    app.get('/', (_req, res) => void res.set('ETag', ['"a"', '"b"'] as never).end());
    await withHttp2(app, async (session) => {
      expect((await askHttp2(session, { path: '/' })).headers.etag).to.equal('"a", "b"');
    });
  });

  it('sends 103 before the response, and trailers after the body', async () => {
    const app = framework();
    app.get('/', (_req, res) => {
      res.writeEarlyHints({ link: '</a.css>; rel=preload', 'x-hint': '1' });
      res.write('body');
      res.addTrailers({ 'X-Sum': 'a:b' });
      res.end();
    });
    await withHttp2(app, async (session) => {
      const stream = open(session, { path: '/' });
      const early = once(stream, 'headers');
      const trailers = once(stream, 'trailers');
      stream.resume();
      const [{ ':status': status, link, 'x-hint': hint }] = await early;
      expect([status, link, hint]).to.deep.equal([103, '</a.css>; rel=preload', '1']);
      expect((await trailers)[0]['x-sum']).to.equal('a:b');
    });
  });

  it('joins the values of repeated trailers, also of those that may have only one value', async () => {
    const app = framework();
    app.get('/', (_req, res) => {
      res.write('data');
      const pairs = ['Content-Type', 'ETag', 'Host', 'X-Sum'].flatMap((name) => [
        [name, '1'],
        [name, '2'],
      ]);
      res.addTrailers(pairs as Array<[string, string]>);
      res.end();
    });
    await withHttp2(app, async (session) => {
      const { body, trailers } = await askHttp2(session, { path: '/' });
      expect(String(body)).to.equal('data');
      expect({ ...trailers }).to.include({
        'content-type': '1, 2',
        etag: '1, 2',
        host: '1, 2',
        'x-sum': '1, 2',
      });
    });
  });

  it('reads the trailers of a request', async () => {
    const app = framework();
    app.post('/', (req, res) => {
      req.resume().on('end', () => res.json([req.trailers, req.rawTrailers, req.complete]));
    });
    await withHttp2(app, async (session) => {
      const stream = session.request({ ':method': 'POST', ':path': '/' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '42' }));
      stream.end('body');
      const body: Buffer[] = await stream.toArray();
      expect(JSON.parse(String(Buffer.concat(body)))).to.deep.equal([
        { 'x-sum': '42' },
        ['x-sum', '42'],
        true,
      ]);
    });
  });

  it('pauses a response while the client does not read, and continues at the event drain', async () => {
    const app = framework();
    const seen = { paused: 0, drained: 0, needed: false };
    app.get('/', async (_req, res) => {
      for (let i = 0; i < 64; i++) {
        if (res.write(Buffer.alloc(65_536, i))) continue;
        seen.paused += 1;
        seen.needed ||= res.writableNeedDrain;
        await once(res, 'drain');
        seen.drained += res.writableNeedDrain ? 0 : 1;
      }
      res.end();
    });
    await withHttp2(app, async (session) => {
      const stream = open(session, { path: '/' });
      await once(stream, 'response');
      await wait(50);
      expect(seen.paused).to.be.within(1, 5);
      const body: Buffer[] = await stream.toArray();
      expect(Buffer.concat(body).length).to.equal(64 * 65_536);
      expect(seen.needed).to.equal(true);
      expect(seen.drained).to.equal(seen.paused);
    });
  });

  it('pauses an upload while a handler does not read', async () => {
    const app = framework();
    let go = (): void => undefined;
    app.post('/', (req, res) => {
      let count = 0;
      req.once('data', (first) => {
        count = first.length;
        req.pause();
        go = () =>
          req
            .on('data', (chunk) => (count += chunk.length))
            .on('end', () => res.json(count))
            .resume();
      });
    });
    await withHttp2(app, async (session) => {
      const stream = open(session, { path: '/', method: 'POST', body: '' });
      stream.end(BIG);
      await wait(50);
      expect(stream.writableLength + stream.bufferSize).to.be.above(BIG.length / 2);
      go();
      expect(String(Buffer.concat(await stream.toArray()))).to.equal(String(BIG.length));
    });
  });

  it('receives the end of an empty body that a handler reads late', async () => {
    const app = framework();
    app.post('/', (req, res) => {
      setTimeout(() => req.resume().on('end', () => res.send('ended')), 30);
    });
    await withHttp2(app, async (session) => {
      const { body } = await askHttp2(session, { path: '/', method: 'POST', body: '' });
      expect(String(body)).to.equal('ended');
    });
  });

  it('logs the version 2.0, the bytes of the body, and whether the client aborted', async () => {
    const lines: string[] = [];
    const app = framework();
    app.use(
      logger('HTTP/:http-version :status :bytes-sent :aborted', {
        stream: { write: (line) => void lines.push(line) },
      }),
    );
    app.get('/', (_req, res) => void res.send('hello'));
    app.get('/cut', (_req, res) => void res.write('part'));
    await withHttp2(app, async (session) => {
      await askHttp2(session, { path: '/' });
      const stream = open(session, { path: '/cut' });
      await once(stream, 'data');
      stream.close(8);
      const end = Date.now() + PATIENCE;
      while (lines.length < 2 && Date.now() < end) await wait(5);
      expect(lines).to.deep.equal(['HTTP/2.0 200 5 false\n', 'HTTP/2.0 200 4 true\n']);
    });
  });

  it('creates one request and one response for a mounted application', async () => {
    const app = framework();
    const inner = framework();
    inner.get('/', (req, res) => void res.send(String((req as Request & { mark: string }).mark)));
    app.use((req, res, next) => {
      Object.assign(req, { mark: 'kept' });
      (inner as unknown as (req: Request, res: Response, next: () => void) => void)(req, res, next);
    });
    await withHttp2(app, async (session) => {
      expect(String((await askHttp2(session, { path: '/' })).body)).to.equal('kept');
    });
  });

  it('passes its request and response to an application of nozomi/3', async () => {
    const app = express3();
    app.use((req: Request, res: Response) =>
      res.send(`${req.httpVersion} ${req instanceof IncomingMessage}`),
    );
    await withHttp2(app, async (session) => {
      expect(String((await askHttp2(session, { path: '/' })).body)).to.equal('2.0 true');
    });
  });
});

describe('HTTP/2, requests that end early', () => {
  /** The ways in which a client aborts a request. */
  const CUTS: Readonly<Record<string, (stream: http2.ClientHttp2Stream, socket: Socket) => void>> = {
    'RST_STREAM with CANCEL': (stream) => stream.destroy(new Error('enough')),
    'a lost session': (stream) => stream.session?.destroy(),
    'a lost socket': (_stream, socket) => socket.destroy(),
  };
  for (const [name, cut] of Object.entries(CUTS)) {
    it(`the request emits no end after ${name} during an upload, as over HTTP/1.1`, async () => {
      let events: string[] = [];
      let req: IncomingMessage | undefined;
      const app = framework();
      app.post('/', (given, res) => {
        req = given;
        events = watch(given, res);
        given.resume();
      });
      const expected = await withHttp1(app, async (port) => {
        const socket = connect(port, '127.0.0.1');
        socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\npart');
        await until(() => events.length === 0 && req !== undefined);
        socket.destroy();
        await until(() => events.includes('req close') && events.includes('res close'));
        return [...events];
      });
      req = undefined;
      await withHttp2(app, async (session, socket) => {
        const stream = open(session, { path: '/', method: 'POST', body: '' });
        stream.on('error', () => undefined).write('part');
        await until(() => req !== undefined);
        await wait(20);
        cut(stream, socket);
        await until(() => events.includes('req close') && events.includes('res close'));
        await wait(10);
        expect([...events].sort()).to.deep.equal(expected.sort());
        expect(expected).to.include('req error ECONNRESET').and.not.include('req end');
        expect([req?.complete, req?.aborted]).to.deep.equal([false, true]);
      });
    });
  }

  it('res.destroy() closes only the stream of the response', async () => {
    const app = framework();
    app.get('/', (_req, res) => {
      res.write('part');
      setTimeout(() => res.destroy(), 20);
    });
    app.get('/other', (_req, res) => void setTimeout(() => res.send('other'), 60));
    await withHttp2(app, async (session) => {
      const other = askHttp2(session, { path: '/other' });
      const stream = open(session, { path: '/' });
      stream.resume().on('error', () => undefined);
      await once(stream, 'close');
      expect(stream.rstCode).to.equal(http2.constants.NGHTTP2_CANCEL);
      expect(String((await other).body)).to.equal('other');
    });
  });

  for (const [name, end] of [
    ['is ended', (_req, res) => res.sendStatus(204)],
    [
      'is ended before the application destroys the request',
      (req, res) => res.sendStatus(204) && req.destroy(),
    ],
  ] satisfies [string, (req: Request, res: Response) => unknown][]) {
    it(`sends an empty response to an unfinished upload if the response ${name}`, async () => {
      const app = framework().post('/', (req, res) => void end(req, res));
      await withHttp2(app, async (session) => {
        const stream = open(session, { path: '/', method: 'POST', body: '' });
        stream.write('never ended');
        const statuses: unknown[] = [];
        stream.resume().once('response', (headers) => statuses.push(headers[':status']));
        await new Promise<void>((resolve) => stream.once('close', resolve));
        expect(statuses).to.deep.equal([204]);
      });
    });
  }

  it('req.socket.destroy(err) emits the error on the socket, which needs no listener', async () => {
    const failed = new Error('failed');
    const seen: unknown[] = [];
    const app = framework();
    app.get('/heard', (req) => {
      req.socket.on('error', (err) => seen.push(err)).on('close', () => seen.push('close'));
      req.socket.destroy(failed);
    });
    app.get('/', (req) => void req.socket.destroy(failed));
    await withHttp2(app, async (session) => {
      for (const path of ['/heard', '/']) {
        const stream = open(session, { path });
        await new Promise((resolve) => stream.on('error', resolve));
        expect(stream.rstCode).to.equal(http2.constants.NGHTTP2_INTERNAL_ERROR);
      }
    });
    expect(seen).to.deep.equal([failed, 'close']);
  });

  it('middleware can set req.socket.encrypted for one request only', async () => {
    const app = framework().set('trust proxy', true);
    app.get('/set', (req, _res, next) => {
      Reflect.set(req.socket, 'encrypted', true);
      next();
    });
    app.get('/*any', (req, res) => void res.send(req.protocol));
    await withHttp2(app, async (session) => {
      expect(String((await askHttp2(session, { path: '/set' })).body)).to.equal('https');
      expect(String((await askHttp2(session, { path: '/other' })).body)).to.equal('http');
    });
  });

  it('request and response emit the same events as over HTTP/1.1', async () => {
    let events: string[] = [];
    const app = framework();
    app.use((req, res) => {
      events = watch(req, res);
      if (req.method === 'POST' && req.url === '/read') req.resume().on('end', () => res.end('read'));
      else res.end('answered');
    });
    for (const testRequest of [
      { path: '/' },
      { path: '/', method: 'HEAD' },
      { path: '/read', method: 'POST', body: 'x' },
      { path: '/unread', method: 'POST', body: 'x' },
    ]) {
      const expected = await withHttp1(app, async (port) => {
        await askHttp1(port, testRequest);
        await until(() => events.includes('req close') && events.includes('res close'));
        return events;
      });
      await withHttp2(app, async (session) => {
        await askHttp2(session, testRequest);
        await until(() => events.includes('req close') && events.includes('res close'));
        expect([...events].sort(), JSON.stringify(testRequest)).to.deep.equal([...expected].sort());
      });
    }
  });

  it('a response to HEAD is sent at flushHeaders, and finishes at end', async () => {
    let events: string[] = [];
    let finish = (): void => undefined;
    const app = framework();
    app.get('/', (req, res) => {
      events = watch(req, res);
      res.set('X-A', '1').flushHeaders();
      finish = () => res.end();
    });
    await withHttp2(app, async (session) => {
      const { headers } = await askHttp2(session, { path: '/', method: 'HEAD' });
      expect(headers['x-a']).to.equal('1');
      await wait(20);
      expect(events).to.deep.equal([]);
      finish();
      await until(() => events.includes('res close'));
      expect(events).to.include('res finish').and.not.include('req aborted');
    });
  });

  it('res.setTimeout() applies to the stream of the response', async () => {
    const app = framework();
    const seen: string[] = [];
    app.get('/', (_req, res) => {
      res.setTimeout(30, () => {
        seen.push('timeout');
        res.status(503).send('late');
      });
    });
    app.get('/cut', (_req, res) => void res.setTimeout(30));
    await withHttp2(app, async (session) => {
      expect((await askHttp2(session, { path: '/' })).status).to.equal(503);
      const cut = open(session, { path: '/cut' }).on('error', () => undefined);
      await once(cut, 'close');
      expect(seen).to.deep.equal(['timeout']);
      expect(session.destroyed).to.equal(false);
    });
  });
});
