/** Members that newer versions of Node.js have added to requests, responses and servers, or removed. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import http, { IncomingMessage, ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import framework, { type Request as AppRequest, type Response as AppResponse } from 'nozomi';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
import { toFetch } from 'nozomi/fetch';
import { until } from '../support/until';
import { askHttp1, askHttp2, listening, open, type TestRequest, withHttp1, withHttp2 } from './support';

/** Members that @types/node for Node.js 20 omits. */
type NewRequest = AppRequest & { readonly signal: AbortSignal };
type NewResponse = AppResponse & {
  writeInformation(status: number, headers: object, callback?: () => void): void;
};

const MAJOR = Number.parseInt(process.versions.node, 10);

/** Sends one request over HTTP/1.1, HTTP/2 and fetch. @returns The three bodies, parsed as JSON. */
async function askAll(app: unknown, request: TestRequest): Promise<unknown[]> {
  const { path, method = 'GET', body = null } = request;
  const own = new Request(`http://a.test${path}`, { method, body });
  return [
    JSON.parse(String((await withHttp1(app, (port) => askHttp1(port, request))).body)),
    JSON.parse(String((await withHttp2(app, (session) => askHttp2(session, request))).body)),
    await (await toFetch(app as ReturnType<typeof framework>)(own)).json(),
  ];
}

/** Defines a test if this version of Node.js has what it is about. */
const itIf = (isThere: boolean, title: string, test: () => Promise<void>): void => {
  if (isThere) it(title, test);
};

for (const [name, create] of Object.entries({
  nozomi: framework,
  'nozomi/4': framework4,
  'nozomi/3': framework3,
})) {
  describe(`members of Node.js, with ${name}`, () => {
    /** Creates an application with one handler for all requests. */
    function handling(handle: (req: NewRequest, res: NewResponse) => void): unknown {
      // A cast, because the three versions have their own types of requests.
      return (create() as ReturnType<typeof framework>).use((req, res) =>
        handle(req as NewRequest, res as NewResponse),
      );
    }

    it('are the same on HTTP/1.1, HTTP/2 and fetch: headersDistinct without a prototype, and writeHeader', async () => {
      const app = handling((req, res) => {
        const { headersDistinct } = req;
        res.json([Object.getPrototypeOf(headersDistinct), typeof headersDistinct.host, 'writeHeader' in res]);
      });

      const expected = [null, 'object', 'writeHeader' in ServerResponse.prototype];
      expect(await askAll(app, { path: '/' })).to.deep.equal([expected, expected, expected]);
    });

    const hasSignal = 'signal' in IncomingMessage.prototype;

    itIf(hasSignal, 'req.signal is not aborted while a body is read, nor after the response', async () => {
      const signals: AbortSignal[] = [];
      const app = handling((req, res) => {
        signals.push(req.signal);
        req.resume().on('end', () => res.json(req.signal.aborted));
      });

      expect(await askAll(app, { method: 'POST', path: '/', body: 'body' })).to.deep.equal([
        false,
        false,
        false,
      ]);
      // Each connection has closed by now.
      await wait(0);
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false, false, false]);
    });

    itIf(hasSignal, 'req.signal is aborted if the client disconnects', async () => {
      const signals: AbortSignal[] = [];
      const app = handling((req, res) => {
        signals.push(req.signal);
        res.write('part');
      });

      await withHttp1(app, async (port) => {
        const client = http.get({ port, host: '127.0.0.1', agent: false }).on('error', () => {});
        await once(client, 'response');
        client.destroy();
        await until(() => signals[0]?.aborted === true);
      });
      await withHttp2(app, async (session) => {
        const stream = open(session, { path: '/' }).on('error', () => {});
        await once(stream, 'response');
        stream.close(constants.NGHTTP2_CANCEL);
        await until(() => signals[1]?.aborted === true);
      });
      const controller = new AbortController();
      const { signal } = controller;
      await toFetch(app as ReturnType<typeof framework>)(new Request('http://a.test/', { signal }));
      controller.abort();
      await until(() => signals[2]?.aborted === true);
    });

    itIf('writeInformation' in ServerResponse.prototype, 'res.writeInformation sends a 103', async () => {
      const app = handling((_req, res) =>
        res.writeInformation(103, { link: '</a.css>; rel=preload' }, () => void res.json('sent')),
      );
      const links: unknown[] = [];

      await withHttp1(app, async (port) => {
        const client = http.get({ port, host: '127.0.0.1', agent: false });
        client.on('information', ({ statusCode, headers }) => links.push([statusCode, headers.link]));
        const [response] = await once(client, 'response');
        await once(response.resume(), 'end');
      });
      await withHttp2(app, async (session) => {
        const stream = open(session, { path: '/' });
        stream.on('headers', (headers) => links.push([headers[':status'], headers.link]));
        await once(stream.resume(), 'end');
      });
      expect(links).to.deep.equal([
        [103, '</a.css>; rel=preload'],
        [103, '</a.css>; rel=preload'],
      ]);
      expect(await (await toFetch(app as ReturnType<typeof framework>)('/')).json()).to.equal('sent');
    });
  });
}

describe('servers of Node.js with an application', () => {
  const createApp = (): ReturnType<typeof framework> => {
    const app = framework().use(framework.json());
    return app.all('/', (req, res) => void res.json([req.method, req.body ?? null]));
  };

  it('close idle connections with closeIdleConnections', async () => {
    const server = createApp().listen(0, '127.0.0.1');
    const socket = connect(await listening(server), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a.test\r\n\r\n');
    await once(socket, 'data');
    const closed = once(socket.resume(), 'close');
    server.closeIdleConnections();
    await closed;
    server.close();
  });

  itIf(MAJOR >= 24, 'pass a request that shouldUpgradeCallback refuses to the application', async () => {
    const options: object = { shouldUpgradeCallback: () => false };
    const server = http.createServer(options, createApp()).listen(0, '127.0.0.1');
    server.on('upgrade', (_req, socket) => socket.destroy());
    const headers = { connection: 'upgrade', upgrade: 'websocket' };
    const { body } = await askHttp1(await listening(server), { path: '/', headers });
    expect(String(body)).to.equal('["GET",null]');
    server.close();
  });

  itIf(MAJOR >= 24, 'receive requests without and with a body with optimizeEmptyRequests', async () => {
    const options: object = { optimizeEmptyRequests: true };
    const server = http.createServer(options, createApp()).listen(0, '127.0.0.1');
    const port = await listening(server);
    const headers = { 'content-type': 'application/json' };
    const empty = await askHttp1(port, { path: '/' });
    const full = await askHttp1(port, { method: 'POST', path: '/', headers, body: '{"a":1}' });
    expect([String(empty.body), String(full.body)]).to.deep.equal(['["GET",null]', '["POST",{"a":1}]']);
    server.close();
  });

  itIf(MAJOR >= 22, 'respond with --permission, which allows to read files and to listen', async () => {
    const program = `
      const app = require('nozomi')();
      app.get('/', (req, res) => res.sendFile(require.resolve('nozomi/package.json')));
      const server = app.listen(0, '127.0.0.1', async () => {
        const response = await fetch('http://127.0.0.1:' + server.address().port);
        console.log(response.status, (await response.json()).name);
        process.exit();
      });`;
    const network = MAJOR >= 25 ? ['--allow-net'] : [];
    const args = ['--no-warnings', '--permission', '--allow-fs-read=*', ...network, '-e', program];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).to.equal('200 nozomi\n');
  });
});
