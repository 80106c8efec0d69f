/** Applications as handlers of other frameworks and hosts, and other frameworks as middleware, through nozomi/fetch. */
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { expect } from 'chai';
import { Hono } from 'hono';
import { type APIGatewayProxyResult, streamHandle, handle as toLambda } from 'hono/aws-lambda';
import { handle as toNetlify } from 'hono/netlify';
import { handle as toVercel } from 'hono/vercel';
import framework from 'nozomi';
import { fromFetch, toFetch } from 'nozomi/fetch';
import { createRequestHandler, type ServerBuild } from 'react-router';
import { askHttp1, type TestRequest, withHttp1 } from './support';

const JSON_TYPE = { 'content-type': 'application/json' };

function createApp(): ReturnType<typeof framework> {
  const app = framework().set('env', 'test');
  app.use(framework.json());
  app.get('/app/users/:id', (req, res) => {
    res.cookie('a', '1').cookie('b', '2').json({ id: req.params.id, query: req.query });
  });
  app.post('/app/echo', (req, res) => void res.status(201).json(req.body));
  return app;
}

/** Checks the responses of the application, which another framework serves. */
async function expectApp(ask: (request: Request) => Promise<Response> | Response): Promise<void> {
  const got = await ask(new Request('http://a.test/app/users/7?q=1'));
  expect([got.status, await got.json(), got.headers.getSetCookie()]).to.deep.equal([
    200,
    { id: '7', query: { q: '1' } },
    ['a=1; Path=/', 'b=2; Path=/'],
  ]);
  const posted = await ask(
    new Request('http://a.test/app/echo', { method: 'POST', headers: JSON_TYPE, body: '{"n":[1]}' }),
  );
  expect([posted.status, await posted.json()]).to.deep.equal([201, { n: [1] }]);
  const missing = await ask(new Request('http://a.test/app/none'));
  expect([missing.status, await missing.text()]).to.satisfy(
    ([status, text]: [number, string]) => status === 404 && text.includes('Cannot GET /app/none'),
  );
}

/** @returns The handler of a Remix or React Router application with one resource route. */
function createReactRouter(route: object): (request: Request) => Promise<Response> {
  const build = {
    entry: { module: { default: () => new Response('a page') } },
    routes: {
      root: { id: 'root', path: '', module: { default: () => null } },
      resource: { id: 'resource', parentId: 'root', path: 'app/*', module: route },
    },
    assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '1' },
    assetsBuildDirectory: '',
    basename: '/',
    future: {},
    isSpaMode: false,
    prerender: [],
    publicPath: '/',
    routeDiscovery: { mode: 'initial' },
    ssr: true,
  };
  return createRequestHandler(build as unknown as ServerBuild, 'test');
}

describe('toFetch in other frameworks', () => {
  it('works as a route handler of Next.js', async () => {
    const handler = toFetch(createApp());
    const route = { GET: handler, POST: handler };

    await expectApp((request) =>
      route[request.method as 'GET' | 'POST'](request, { params: Promise.resolve({ path: ['app'] }) }),
    );
  });

  it('works as a loader and an action of React Router and Remix', async () => {
    const handler = toFetch(createApp());
    const respond = ({ request }: { request: Request }): Promise<Response> => handler(request);

    await expectApp(createReactRouter({ loader: respond, action: respond }));
  });

  it('responds to the fetch event of a service worker', async () => {
    const handler = toFetch(createApp());
    const worker = new EventTarget();
    worker.addEventListener('fetch', (event) => {
      const { request, respondWith } = event as FetchEvent;
      respondWith(handler(request));
    });

    await expectApp((request) => {
      const event = new FetchEvent(request);
      worker.dispatchEvent(event);
      return event.response as Promise<Response>;
    });
  });

  it('works as the member fetch of a module, which is called with an environment and a context', async () => {
    const module = { fetch: toFetch(createApp()) };

    await expectApp((request) => Reflect.apply(module.fetch, module, [request, {}, { waitUntil() {} }]));
  });

  it('works as a handler of Hono', async () => {
    const handler = toFetch(createApp());
    const hono = new Hono().all('/app/*', (context) => handler(context.req.raw));

    await expectApp((request) => hono.fetch(request));
  });
});

describe('toFetch on hosts for functions', () => {
  /** The adapters only use the member `fetch` of an application of Hono. */
  const hosted = (app: ReturnType<typeof framework>): Hono => ({ fetch: toFetch(app) }) as unknown as Hono;

  /** @returns The event of a function URL of AWS Lambda, and of API Gateway with payload format 2.0. */
  async function eventOf(request: Request): Promise<object> {
    const { pathname, search, host } = new URL(request.url);
    return {
      version: '2.0',
      rawPath: pathname,
      rawQueryString: search.slice(1),
      headers: { host, ...Object.fromEntries(request.headers) },
      requestContext: { domainName: host, http: { method: request.method, path: pathname } },
      body: request.body && Buffer.from(await request.arrayBuffer()).toString('base64'),
      isBase64Encoded: true,
    };
  }

  it('responds to events of AWS Lambda', async () => {
    const handler = toLambda(hosted(createApp())) as (event: object) => Promise<APIGatewayProxyResult>;

    await expectApp(async (request) => {
      const {
        statusCode,
        headers,
        cookies = [],
        body,
        isBase64Encoded,
      } = await handler(await eventOf(request));
      const list = new Headers(headers as Record<string, string>);
      for (const cookie of cookies) list.append('set-cookie', cookie);
      const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
      return new Response(bytes, { status: statusCode, headers: list });
    });
  });

  it('streams responses from AWS Lambda', async () => {
    const app = createApp();
    let sendRest = (): void => {};
    app.get('/app/parts', (_req, res) => {
      res.write('first');
      sendRest = () => void res.end(' second');
    });
    interface Head {
      statusCode: number;
      headers: Record<string, string>;
      cookies: string[];
    }
    let head: Head | undefined;
    // The functions that the Node.js runtime of AWS Lambda defines.
    const awslambda = {
      streamifyResponse: (handler: unknown) => handler,
      HttpResponseStream: {
        from(stream: PassThrough, given: Head) {
          head = given;
          return stream;
        },
      },
    };
    Object.assign(globalThis, { awslambda });
    async function ask(request: Request): Promise<Response> {
      const stream = new PassThrough();
      const done = Reflect.apply(streamHandle(hosted(app)), undefined, [await eventOf(request), stream]);
      await Promise.race([once(stream, 'readable'), done]);
      const { statusCode: status, headers, cookies } = head as Head;
      const list = new Headers(headers);
      for (const cookie of cookies) list.append('set-cookie', cookie);
      return new Response(Readable.toWeb(stream) as ReadableStream, { status, headers: list });
    }

    await expectApp(ask);
    const reader = (await ask(new Request('http://a.test/app/parts'))).body?.getReader();
    const read = async (): Promise<string> => Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(await read()).to.equal('first');
    sendRest();
    expect(await read()).to.equal(' second');
    Reflect.deleteProperty(globalThis, 'awslambda');
  });

  it('responds to the requests of Netlify and Vercel', async () => {
    const [netlify, vercel] = [toNetlify(hosted(createApp())), toVercel(hosted(createApp()))];

    // Netlify passes its context, and Vercel nothing.
    await expectApp((request) => netlify(request, { geo: {}, ip: '192.0.2.1', params: {} }));
    await expectApp((request) => vercel(request));
  });
});

class FetchEvent extends Event {
  response: Promise<Response> | undefined;
  readonly request: Request;

  constructor(request: Request) {
    super('fetch');
    this.request = request;
  }

  readonly respondWith = (response: Promise<Response>): void => {
    this.response = response;
  };
}

describe('fromFetch with other frameworks', () => {
  const TEST_REQUESTS: readonly TestRequest[] = [
    { path: '/app/users/7?q=1' },
    { path: '/app/echo', method: 'POST', headers: JSON_TYPE, body: '{"n":[1]}' },
    { path: '/other' },
  ];

  async function play(handler: (request: Request) => Response | Promise<Response>): Promise<unknown[]> {
    const app = framework().set('env', 'test');
    app.use('/app', fromFetch(handler));
    app.get('/other', (_req, res) => void res.send('of the application'));
    return withHttp1(app, async (port) => {
      const seen: unknown[] = [];
      for (const testRequest of TEST_REQUESTS) {
        const { status, headers, body } = await askHttp1(port, testRequest);
        seen.push([status, headers['set-cookie'] ?? null, String(body)]);
      }
      return seen;
    });
  }

  const RESPONSES = [
    [200, ['a=1', 'b=2'], '{"id":"7","query":"1"}'],
    [201, null, '{"n":[1]}'],
    [200, null, 'of the application'],
  ];

  it('mounts an application of Hono', async () => {
    const hono = new Hono().basePath('/app');
    hono.get('/users/:id', (context) => {
      context.header('set-cookie', 'a=1', { append: true });
      context.header('set-cookie', 'b=2', { append: true });
      return context.json({ id: context.req.param('id'), query: context.req.query('q') });
    });
    hono.post('/echo', async (context) => context.json(await context.req.json(), 201));

    expect(await play((request) => hono.fetch(request))).to.deep.equal(RESPONSES);
  });

  it('mounts an application of React Router', async () => {
    const handler = createReactRouter({
      loader({ request, params }: { request: Request; params: { '*': string } }) {
        const headers = new Headers([
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ]);
        const query = new URL(request.url).searchParams.get('q');
        return Response.json({ id: params['*'].split('/')[1], query }, { headers });
      },
      action: async ({ request }: { request: Request }) =>
        Response.json(await request.json(), { status: 201 }),
    });

    expect(await play(handler)).to.deep.equal(RESPONSES);
  });
});
