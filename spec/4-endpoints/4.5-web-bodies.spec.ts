import { openAsBlob, writeFileSync } from 'node:fs';
import http from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ErrorRequestHandler } from 'express-serve-static-core';
import framework from 'nozomi';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
import { fromFetch, toFetch } from 'nozomi/fetch';
import { receive } from '../support/connections';
import { filesOf } from '../support/files';
import { portOf, serverOf, serving } from '../support/serve';
import { until } from '../support/until';
import { askHttp1, askHttp2, plain, type TestRequest, withHttp2 } from '../transports/support';

type App = ReturnType<typeof framework>;
const TEXT = '0123456789';
const MB = 1024 * 1024;

/** @returns An application that sends the result of `body` for each request. */
function sending(body: () => unknown, create: () => App = framework): App {
  const app = create().set('env', 'test').enable('web bodies').disable('x-powered-by');
  return app.use((_req, res) => void res.send(body()));
}

async function shown(app: App, init: RequestInit = {}): Promise<[number, string, Record<string, string>]> {
  const response = await toFetch(app)('/', init);
  const text = await response.text();
  return [response.status, text, Object.fromEntries(response.headers)];
}

/** @returns A stream that never ends, and a record of how it was used. */
function endless(piece: Uint8Array): {
  stream: ReadableStream;
  used: { pulls: number; reason?: unknown; isCancelled: boolean };
} {
  const used = { pulls: 0, isCancelled: false };
  const stream = new ReadableStream({
    pull(controller) {
      used.pulls++;
      controller.enqueue(piece);
    },
    cancel() {
      used.isCancelled = true;
    },
  });
  return { stream, used };
}

describe('the setting web bodies', () => {
  const bodies: Record<string, () => object> = {
    Blob: () => new Blob([TEXT], { type: 'text/csv' }),
    ReadableStream: () => new Blob([TEXT]).stream(),
    Response: () => new Response(TEXT, { status: 201, headers: { 'X-A': '1' } }),
  };

  for (const [name, body] of Object.entries(bodies)) {
    it(`off: sends a ${name} as {}, like Express`, async () => {
      for (const create of [framework, framework4, framework3] as Array<() => App>) {
        const app = create().use((_req, res) => void res.send(body()));
        expect((await shown(app)).slice(0, 2)).to.deep.equal([200, '{}']);
      }
    });

    it(`sends a ${name} over HTTP/1.1, HTTP/2 and fetch, in each version of the interface`, async () => {
      for (const create of [framework, framework4, framework3] as Array<() => App>) {
        const app = sending(body, create);
        const [status, text] = await shown(app);
        expect([status, text]).to.deep.equal([name === 'Response' ? 201 : 200, TEXT]);

        const request: TestRequest = { path: '/' };
        const seen = await serving(app, async (port) => plain(await askHttp1(port, request)));
        const overHttp2 = await withHttp2(app, async (session) => plain(await askHttp2(session, request)));
        expect(overHttp2).to.deep.equal(seen);
      }
    });

    it(`sends no body of a ${name} for HEAD and 304, and cancels its stream`, async () => {
      const { stream, used } = endless(Buffer.from(TEXT));
      const given = { Blob: body, ReadableStream: () => stream, Response: () => new Response(stream) }[name];
      expect((await shown(sending(given as () => object), { method: 'HEAD' }))[1]).to.equal('');
      expect(used.isCancelled).to.equal(name !== 'Blob');

      const app = framework().enable('web bodies');
      app.use((_req, res) => void res.set('ETag', '"a"').send(body()));
      const [status, text] = await shown(app, { headers: { 'If-None-Match': '"a"' } });
      expect([status, text]).to.deep.equal([304, '']);
    });
  }

  it('sends other objects as JSON', async () => {
    for (const value of [{ a: 1 }, [1], new Date(0), { stream: 1, size: 2 }, new URLSearchParams('a=1')])
      expect((await shown(sending(() => value)))[1]).to.equal(JSON.stringify(value));
    const cases = [undefined, null, true, 'text'].map((value) => shown(sending(() => value)));
    expect((await Promise.all(cases)).map(([, text]) => text)).to.deep.equal(['', '', 'true', 'text']);
  });

  it('sets type and length of a Blob, and keeps a type that the handler has set', async () => {
    const [, , headers] = await shown(sending(() => new Blob([TEXT], { type: 'text/csv' })));
    expect(headers).to.include({
      'content-type': 'text/csv',
      'content-length': '10',
      'accept-ranges': 'bytes',
    });
    const [, , untyped] = await shown(sending(() => new Blob([TEXT])));
    expect(untyped['content-type']).to.equal('application/octet-stream');

    const app = framework().enable('web bodies');
    app.use((_req, res) => void res.type('png').send(new Blob([TEXT], { type: 'text/csv' })));
    expect((await shown(app))[2]['content-type']).to.equal('image/png');
  });

  it('sends the range of a Blob that the client asks for', async () => {
    const app = sending(() => new Blob([TEXT]));
    const ranges: Record<string, [number, string, string | undefined]> = {
      'bytes=2-4': [206, '234', 'bytes 2-4/10'],
      'bytes=-3': [206, '789', 'bytes 7-9/10'],
      'bytes=8-99': [206, '89', 'bytes 8-9/10'],
      'bytes=0-1,2-3': [206, '0123', 'bytes 0-3/10'],
      'bytes=0-1,5-6': [200, TEXT, undefined],
      'items=0-1': [200, TEXT, undefined],
      'bytes=b': [200, TEXT, undefined],
    };
    for (const [Range, [status, text, contentRange]] of Object.entries(ranges)) {
      const seen = await shown(app, { headers: { Range } });
      expect([seen[0], seen[1], seen[2]['content-range']], Range).to.deep.equal([status, text, contentRange]);
      expect(seen[2]['content-length'], Range).to.equal(`${text.length}`);
    }
    const [status, , headers] = await shown(app, { headers: { Range: 'bytes=10-' } });
    expect([status, headers['content-range']]).to.deep.equal([416, 'bytes */10']);
    expect((await shown(app, { method: 'HEAD', headers: { Range: 'bytes=0-1' } }))[0]).to.equal(200);
  });

  it('sends the whole Blob if If-Range names another version', async () => {
    const app = framework().enable('web bodies');
    app.use((_req, res) => void res.set('ETag', '"new"').send(new Blob([TEXT])));
    const statuses = ['"new"', '"old"', 'W/"new"'].map(async (validator) => {
      const [status] = await shown(app, { headers: { Range: 'bytes=0-1', 'If-Range': validator } });
      return status;
    });
    expect(await Promise.all(statuses)).to.deep.equal([206, 200, 200]);
  });

  it('sends an error for a file that changed after openAsBlob', async () => {
    const file = join(filesOf({ 'a.txt': TEXT }), 'a.txt');
    const blob = await openAsBlob(file, { type: 'text/plain' });
    expect((await shown(sending(() => blob)))[1]).to.equal(TEXT);
    writeFileSync(file, 'x'.repeat(20));
    const [status, , headers] = await shown(sending(() => blob));
    expect([status, headers['content-type']]).to.deep.equal([500, 'text/html; charset=utf-8']);
  });

  it('sends status, headers and cookies of a Response', async () => {
    const headers = new Headers({ 'Content-Type': 'text/csv' });
    headers.append('Set-Cookie', 'a=1');
    headers.append('Set-Cookie', 'b=2');
    const response = await toFetch(
      sending(() => new Response(TEXT, { status: 404, statusText: 'Gone Fishing', headers })),
    )('/');
    expect([response.status, response.statusText, await response.text()]).to.deep.equal([
      404,
      'Gone Fishing',
      TEXT,
    ]);
    expect(response.headers.getSetCookie()).to.deep.equal(['a=1', 'b=2']);
    expect(response.headers.get('content-type')).to.equal('text/csv');
    for (const empty of [new Response(null, { status: 204 }), new Response(null)])
      expect((await shown(sending(() => empty))).slice(0, 2)).to.deep.equal([empty.status, '']);
  });

  it('forwards a response of fetch without the headers of its connection and its compression', async () => {
    const origin = framework().use((_req, res) => {
      res.set('Content-Encoding', 'gzip').send(gzipSync(TEXT));
    });
    await serving(origin, async (port) => {
      const app = framework().enable('web bodies').set('env', 'test');
      app.use(async (_req, res) => void res.send(await fetch(`http://127.0.0.1:${port}/`)));
      await serving(app, async (front) => {
        const { headers, body } = await askHttp1(front, { path: '/' });
        expect(body.toString()).to.equal(TEXT);
        expect(headers).to.not.have.any.keys('content-encoding', 'content-length');
      });
    });
  });

  it('passes a body that cannot be sent to the error handlers', async () => {
    const locked = new Blob([TEXT]).stream();
    locked.getReader();
    const used = new Response(TEXT);
    await used.text();
    const failing = new ReadableStream({ pull: () => Promise.reject(new Error('early')) });
    const wrong = new ReadableStream({ pull: (controller) => controller.enqueue(42) });
    for (const body of [locked, used, Response.error(), failing, wrong]) {
      const app = sending(() => body);
      const onError: ErrorRequestHandler = (err, _req, res, _next) =>
        void res.status(502).json({ type: typeof err.message });
      app.use(onError);
      const [status, text, headers] = await shown(app);
      expect([status, text]).to.deep.equal([502, '{"type":"string"}']);
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
    }
  });

  it('cuts the connection if the stream fails after its first part', async () => {
    const body = (): ReadableStream => {
      let count = 0;
      return new ReadableStream({
        pull(controller) {
          if (count++ > 3) controller.error(new Error('late'));
          else controller.enqueue(Buffer.alloc(10));
        },
      });
    };
    await serving(sending(body), async (port) => {
      const outcome = await askHttp1(port, { path: '/' }).then(
        () => 'complete',
        (err) => err.code,
      );
      expect(outcome).to.equal('ECONNRESET');
    });
  });

  it('never sends a body of another length than Content-Length, which would change the next response', async () => {
    const app = framework().enable('web bodies').set('env', 'test').disable('x-powered-by');
    const bodies = { short: 'ab', long: 'abcdef', none: null };
    for (const [path, body] of Object.entries(bodies)) {
      const response = (): Response => new Response(body, { headers: { 'Content-Length': '4' } });
      app.get(`/send/${path}`, (_req, res) => void res.send(response()));
      app.use(`/fetch/${path}`, fromFetch(response));
    }
    app.get('/next', (_req, res) => void res.send('next'));
    const onError: ErrorRequestHandler = (err, _req, res, next) =>
      void (res.headersSent ? next(err) : res.status(500).send(err.message));
    app.use(onError);
    await serving(app, async (port) => {
      const last = 'GET /next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
      const seen = (path: string): Promise<string> =>
        receive(port, `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n${last}`);
      for (const path of ['/send/short', '/fetch/short', '/fetch/long'])
        expect(await seen(path), path).to.not.include('next');
      expect(await seen('/send/long')).to.match(/^HTTP\/1\.1 500 .*longer than its Content-Length.*next$/s);
      for (const path of ['/send/none', '/fetch/none'])
        expect(await seen(path), path).to.match(/^HTTP\/1\.1 200 .*Content-Length: 0\r\n.*next$/s);
    });
  });

  it('reads a stream no faster than the client does, and cancels it if the client disconnects', async () => {
    for (const wrap of [
      (stream: ReadableStream) => stream,
      (stream: ReadableStream) => new Response(stream),
    ]) {
      const { stream, used } = endless(Buffer.alloc(MB));
      const server = await serverOf(http.createServer(sending(() => wrap(stream))));
      const socket = connect(portOf(server), '127.0.0.1');
      socket.pause();
      socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
      await until(() => used.pulls > 1, 'the stream was read');
      let before = -1;
      while (before !== used.pulls) {
        before = used.pulls;
        for (let turn = 0; turn < 50; turn++) await nextTurn();
      }
      // The buffers of the operating system for a connection hold less.
      expect(used.pulls).to.be.lessThan(50);
      expect(used.isCancelled).to.equal(false);
      socket.destroy();
      await until(() => used.isCancelled, 'the stream was cancelled');
      server.close();
    }
  });

  it('cancels a stream that waits, and one that is sent after the client disconnected', async () => {
    let isCancelled = 0;
    const silent = (): ReadableStream =>
      new ReadableStream({ pull: () => new Promise(() => undefined), cancel: () => void isCancelled++ });
    const app = framework().enable('web bodies');
    let isSent = false;
    app.get('/now', (_req, res) => {
      res.send(silent());
      isSent = true;
    });
    app.get('/later', (_req, res) => void res.once('close', () => res.send(silent())));
    app.get('/later', (_req, _res) => {
      isSent = true;
    });
    const server = await serverOf(http.createServer(app));
    for (const path of ['/now', '/later']) {
      isSent = false;
      const socket = connect(portOf(server), '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`);
      if (path === '/now') await until(() => isSent, 'the handler has run');
      else await new Promise((resolve) => server.once('request', resolve));
      socket.destroy();
      await until(() => isCancelled === (path === '/now' ? 1 : 2), `the stream of ${path} was cancelled`);
    }
    server.close();
  });
});
