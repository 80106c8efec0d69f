import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import framework, { type Request as AppRequest } from 'nozomi';
import { fromFetch, toFetch } from 'nozomi/fetch';
import { until } from '../support/until';
import { BIG, createApp, TEST_REQUESTS } from './application';
import { askHttp1, plain, type ReceivedResponse, type TestRequest, watch, withHttp1 } from './support';

async function ask(
  app: Parameters<typeof toFetch>[0],
  { path, method, headers, body }: TestRequest,
): Promise<ReceivedResponse> {
  const list = new Headers();
  for (const [name, value] of Object.entries(headers ?? {})) {
    for (const one of [value].flat()) list.append(name, String(one));
  }
  // The client over HTTP/1.1 sends Content-Length too.
  if (body !== undefined && !list.has('content-length'))
    list.set('content-length', String(Buffer.byteLength(body)));
  const init = { method: method ?? 'GET', headers: list, body: body ?? null };
  const response = await toFetch(app, { remoteAddress: '127.0.0.1' })(path, init);
  const cookies = response.headers.getSetCookie();
  return {
    status: response.status,
    headers: {
      ...Object.fromEntries(response.headers),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: Buffer.from(await response.arrayBuffer()),
    trailers: {},
  };
}

/** Removes trailers, which a Response of fetch cannot have, and the header Date, to compare with HTTP/1.1. */
function comparable(response: ReceivedResponse): unknown {
  const { date: _, ...headers } = response.headers;
  const { isDated: __, ...rest } = plain({ ...response, headers, trailers: {} }) as { isDated: boolean };
  return rest;
}

describe('toFetch', () => {
  it('responds as over HTTP/1.1 through logger, compression, session, mounted applications and files', async () => {
    const app = createApp();
    await withHttp1(app, async (port) => {
      for (const testRequest of TEST_REQUESTS) {
        const actual = comparable(await ask(app, testRequest));
        expect(actual, JSON.stringify(testRequest).slice(0, 200)).to.deep.equal(
          comparable(await askHttp1(port, testRequest)),
        );
      }
    });
  });

  it('accepts a path, a URL or a Request, and sets req.protocol, req.host and req.url', async () => {
    const app = framework();
    app.use((req, res) => void res.json([req.protocol, req.host, req.url, req.method, req.httpVersion]));
    const fetch = toFetch(app);
    const seen = [
      await fetch('/a?b#c'),
      await fetch(new URL('https://example.com:8443/a')),
      await fetch(
        new Request('http://example.com/', { method: 'DELETE', headers: { host: 'other.example' } }),
      ),
    ];
    expect(await Promise.all(seen.map((response) => response.json()))).to.deep.equal([
      ['http', 'localhost', '/a?b', 'GET', '1.1'],
      ['https', 'example.com:8443', '/a', 'GET', '1.1'],
      ['http', 'other.example', '/', 'DELETE', '1.1'],
    ]);
  });

  it('passes classes of node:http to handlers, and accepts any listener', async () => {
    const seen: boolean[] = [];
    const response = await toFetch((req, res) => {
      seen.push(req instanceof IncomingMessage, res instanceof ServerResponse);
      res.end('plain');
    })('/');
    expect([seen, await response.text()]).to.deep.equal([[true, true], 'plain']);
  });

  for (const [runtime, peer] of [
    ['Deno', { remoteAddr: { transport: 'tcp', hostname: '192.0.2.1', port: 1 } }],
    ['Bun', { requestIP: () => ({ address: '192.0.2.1', port: 1, family: 'IPv4' }) }],
  ] as const) {
    it(`sets req.ip to the client's address that ${runtime} passes`, async () => {
      const app = framework();
      app.get('/', (req, res) => void res.send(req.ip));
      const request = new Request('http://localhost/');
      expect(await (await toFetch(app)(request, peer)).text()).to.equal('192.0.2.1');
    });
  }

  it('trusts no proxy if the address of the client is unknown', async () => {
    const app = framework().set('trust proxy', 'loopback');
    app.get('/', (req, res) => void res.json([req.ip ?? null, req.protocol]));
    const headers = { 'x-forwarded-for': '192.0.2.9', 'x-forwarded-proto': 'https' };
    expect(await (await toFetch(app)('/', { headers })).json()).to.deep.equal([null, 'http']);
  });

  it('resolves when the headers are sent, and then streams the body', async () => {
    const app = framework();
    let go = (): void => undefined;
    app.get('/', (_req, res) => {
      res.write('first');
      go = () => res.end('last');
    });
    const { body } = await toFetch(app)('/');
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    expect(String(Buffer.from((await reader.read()).value as Uint8Array))).to.equal('first');
    go();
    expect(String(Buffer.from((await reader.read()).value as Uint8Array))).to.equal('last');
    expect((await reader.read()).done).to.equal(true);
  });

  it('resolves at res.flushHeaders(), before there is a body', async () => {
    const app = framework();
    let go = (): void => undefined;
    app.get('/', (_req, res) => {
      res.type('text/event-stream').flushHeaders();
      go = () => res.end('data: 1');
    });
    const response = await toFetch(app)('/');
    expect(response.headers.get('content-type')).to.include('text/event-stream');
    go();
    expect(await response.text()).to.equal('data: 1');
  });

  proves('CVE-2026-25224');
  it('pauses the response while the client does not read', async () => {
    const app = framework();
    let written = 0;
    app.get('/', async (_req, res) => {
      for (; written < 64; written++) if (!res.write(Buffer.alloc(65_536))) await once(res, 'drain');
      res.end();
    });
    const response = await toFetch(app)('/');
    await wait(30);
    expect(written).to.be.below(5);
    expect((await response.arrayBuffer()).byteLength).to.equal(64 * 65_536);
  });

  it('emits drain although writableNeedDrain is false, as it is in Bun', async () => {
    const app = framework();
    app.get('/', (_req, res) => {
      Object.defineProperty(res, 'writableNeedDrain', { value: false });
      const end = (): void => void res.end('end');
      if (res.write(Buffer.alloc(65_536))) end();
      else res.once('drain', end);
    });

    expect((await (await toFetch(app)('/')).arrayBuffer()).byteLength).to.equal(65_539);
  });

  it('streams the request, and pauses it while the application does not read', async () => {
    const app = framework();
    let go = (): void => undefined;
    app.post('/', (req, res) => {
      let count = 0;
      req.once('data', (first) => {
        count = first.length;
        req.pause();
        go = () =>
          void req
            .on('data', (chunk) => (count += chunk.length))
            .on('end', () => res.json(count))
            .resume();
      });
    });
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (pulled++ < 64) controller.enqueue(new Uint8Array(65_536));
        else controller.close();
      },
    });
    const response = toFetch(app)('/', { method: 'POST', body, duplex: 'half' } as RequestInit);
    await wait(30);
    expect(pulled).to.be.below(10);
    go();
    expect(await (await response).json()).to.equal(64 * 65_536);
  });

  it('copies the bytes that the application writes, so that it may reuse its buffer', async () => {
    const app = framework();
    app.get('/', (_req, res) => {
      const buffer = Buffer.from('first');
      res.write(buffer, () => {
        buffer.fill('x');
        res.end('last');
      });
    });
    expect(await (await toFetch(app)('/')).text()).to.equal('firstlast');
  });

  it('ends the request if the client aborts before or during the response, or cancels its body', async () => {
    const app = framework();
    let events: string[] = [];
    app.get('/never', (req, res) => {
      events = watch(req, res);
    });
    app.get('/part', (req, res) => {
      events = watch(req, res);
      res.write('part');
    });
    for (const [path, abort] of [
      ['/never', undefined],
      ['/part', 'signal'],
      ['/part', 'body'],
    ] as const) {
      const controller = new AbortController();
      const response = toFetch(app)(path, { signal: controller.signal });
      if (path === '/never') {
        setTimeout(() => controller.abort(), 5);
        expect(await response.catch((err) => err.name)).to.equal('AbortError');
      } else if (abort === 'signal') {
        const { body } = await response;
        controller.abort();
        const failed = await new Response(body).text().catch((err: Error) => err.name);
        expect(failed).to.equal('AbortError');
      } else await (await response).body?.cancel();
      await until(() => events.includes('res close'));
      expect(events).to.include.members(['req aborted', 'res close']).and.not.include('res finish');
    }
  });

  it('rejects if the signal of the request is already aborted', async () => {
    const app = framework();
    const signal = AbortSignal.abort();
    expect(await toFetch(app)('/', { signal }).catch((err) => err.name)).to.equal('AbortError');
  });

  it('rejects, or errors the body, if the application destroys the response', async () => {
    const app = framework();
    app.get('/', (_req, res) => void res.destroy());
    app.get(
      '/part',
      (_req, res) => void res.write('part', () => setTimeout(() => res.destroy(new Error('mine')), 5)),
    );
    expect(await toFetch(app)('/').catch((err) => err.message)).to.match(
      /destroyed the connection before the response was complete/,
    );
    const response = await toFetch(app)('/part');
    expect(await response.text().catch((err) => err.message)).to.equal('mine');
  });

  it('aborts the request if its body fails', async () => {
    const app = framework();
    let events: string[] = [];
    app.post('/', (req, res) => {
      events = watch(req, res);
      req.resume();
    });
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('lost')) });
    const response = toFetch(app)('/', { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(await response.catch((err) => err.message)).to.equal('lost');
    await until(() => events.includes('res close'));
    expect(events).to.include('req error ECONNRESET').and.not.include('req end');
  });

  it('cancels the body of a request that the application does not read', async () => {
    const app = framework();
    let isCancelled = false;
    app.post('/', (_req, res) => void res.status(413).send('too much'));
    const body = new ReadableStream({
      cancel: () => {
        isCancelled = true;
      },
    });
    const response = await toFetch(app)('/', { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect([response.status, await response.text()]).to.deep.equal([413, 'too much']);
    await until(() => isCancelled);
  });

  for (const status of [204, 205, 304]) {
    it(`sends ${status} without a body`, async () => {
      const app = framework();
      app.get('/', (_req, res) => {
        res.statusCode = status;
        res.end('body');
      });
      const response = await toFetch(app)('/');
      expect([response.status, response.body]).to.deep.equal([status, null]);
    });
  }

  it('emits the same events as over HTTP/1.1', async () => {
    const app = framework();
    let events: string[] = [];
    app.use((req, res) => {
      events = watch(req, res);
      req.resume();
      res.end('answered');
    });
    await (await toFetch(app)('/')).text();
    await until(() => events.length === 4);
    expect(events.sort()).to.deep.equal(['req close', 'req end', 'res close', 'res finish']);
  });
});

describe('fromFetch', () => {
  const handler = async (request: Request): Promise<Response | undefined> => {
    const { pathname, search } = new URL(request.url);
    if (pathname.endsWith('/echo')) {
      return Response.json({ text: await request.text(), type: request.headers.get('content-type') });
    }
    if (pathname.endsWith('/fields')) {
      const headers = new Headers({ 'x-path': pathname + search, 'content-type': 'text/plain' });
      headers.append('set-cookie', 'b=2');
      headers.append('set-cookie', 'c=3');
      return new Response('fields', { status: 201, statusText: 'Made', headers });
    }
    if (pathname.endsWith('/large')) return new Response(BIG);
    if (pathname.endsWith('/none')) return new Response(null, { status: 204 });
    if (pathname.endsWith('/throws')) throw Object.assign(new Error('thrown'), { status: 418 });
    if (pathname.endsWith('/trailer')) {
      return new Response('text', { headers: { trailer: 'X-End', 'content-length': '4' } });
    }
    if (pathname.endsWith('/network')) return Response.error();
    return undefined;
  };

  function createMounted(): ReturnType<typeof framework> {
    const app = framework().set('env', 'test');
    app.use((_req, res, next) => {
      res.cookie('a', '1');
      next();
    });
    app.use('/kept', fromFetch(handler));
    app.use('/stripped', fromFetch(handler, { stripMountPath: true }));
    app.use('/parsed', framework.text(), fromFetch(handler));
    app.use((_req, res) => void res.send('left to the next middleware'));
    app.use((err: Error & { status?: number }, _req: AppRequest, res: ServerResponse, _next: unknown) => {
      res.statusCode = err.status ?? 500;
      res.end(err.message);
    });
    return app;
  }

  it('passes the request to the handler, and sends its status, headers, cookies and body', async () => {
    await withHttp1(createMounted(), async (port) => {
      const { status, headers, body } = await askHttp1(port, { path: '/kept/fields?q' });
      expect([status, headers['x-path'], headers['set-cookie'], String(body)]).to.deep.equal([
        201,
        '/kept/fields?q',
        ['a=1; Path=/', 'b=2', 'c=3'],
        'fields',
      ]);
      const posted = await askHttp1(port, {
        path: '/kept/echo',
        method: 'POST',
        body: 'text',
        headers: { 'content-type': 'text/plain' },
      });
      expect(JSON.parse(String(posted.body))).to.deep.equal({ text: 'text', type: 'text/plain' });
      expect((await askHttp1(port, { path: '/kept/large' })).body.equals(BIG)).to.equal(true);
      expect((await askHttp1(port, { path: '/kept/large', method: 'HEAD' })).body.length).to.equal(0);
      expect((await askHttp1(port, { path: '/kept/none' })).status).to.equal(204);
    });
  });

  it('does not send Trailer beside Content-Length, for which Node.js throws', async () => {
    await withHttp1(createMounted(), async (port) => {
      const { status, headers, body } = await askHttp1(port, { path: '/kept/trailer' });
      expect([status, headers.trailer, String(body)]).to.deep.equal([200, undefined, 'text']);
    });
  });

  it('strips the mount path if stripMountPath is set', async () => {
    const response = await toFetch(createMounted())('/stripped/fields');
    expect(response.headers.get('x-path')).to.equal('/fields');
  });

  it('calls next() if the handler returns no Response', async () => {
    expect(await (await toFetch(createMounted())('/kept/other')).text()).to.equal(
      'left to the next middleware',
    );
  });

  it('calls next(err) for an error of the handler, a network error and a used body', async () => {
    const fetch = toFetch(createMounted());
    const thrown = await fetch('/kept/throws');
    expect([thrown.status, await thrown.text()]).to.deep.equal([418, 'thrown']);
    expect(await (await fetch('/kept/network')).text()).to.match(/network error/);
    const read = await fetch('/parsed/echo', { method: 'POST', body: 'text' });
    expect(await read.text()).to.match(/mount fromFetch before body parsers/);
  });

  it('aborts the signal of the request, and cancels the body, when the client aborts', async () => {
    let signal: AbortSignal | undefined;
    let isCancelled = false;
    const app = framework();
    app.use(
      fromFetch((request) => {
        ({ signal } = request);
        return new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new Uint8Array(5)),
            cancel: () => {
              isCancelled = true;
            },
          }),
        );
      }),
    );
    const { body } = await toFetch(app)('/');
    await body?.cancel();
    await until(() => isCancelled && Boolean(signal?.aborted));
  });

  it('with toFetch, gives the responses of the application itself', async () => {
    const app = createApp();
    const outer = framework();
    outer.disable('x-powered-by').use(fromFetch(toFetch(app, { remoteAddress: '127.0.0.1' })));
    // Only requests without a body: fetch turns an empty body into no body, which changes the headers.
    for (const testRequest of TEST_REQUESTS.filter(
      ({ body, path }) => body === undefined && path !== '/pairs',
    )) {
      const direct = comparable(await ask(app, testRequest));
      expect(comparable(await ask(outer, testRequest)), testRequest.path).to.deep.equal(direct);
    }
  });
});
