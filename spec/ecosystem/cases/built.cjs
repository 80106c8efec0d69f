// Frameworks that build an application, which Express then serves. Their packages are in spec/ecosystem/built.
const { execFileSync } = require('node:child_process');
const { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const building = require('./building.cjs');
const frameworks = require('./frameworks.cjs');

const ENV = {
  NODE_ENV: 'production',
  ASTRO_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
};

function put(folder, files) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/**
 * Writes the files of an application below `.built`, where it finds its packages, and builds it. Keeps the last build if
 * it is of the same files: Express has no part in it.
 */
function build(name, files, command) {
  const folder = join(__dirname, '..', '.built', name);
  const mark = join(folder, 'built.json');
  const made = JSON.stringify([command, files]);
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== made) {
    rmSync(folder, { recursive: true, force: true });
    put(folder, { 'package.json': '{"type":"module"}', ...files });
    run(command, folder);
    writeFileSync(mark, made);
  }
  process.env.NODE_ENV = 'production';
  return folder;
}

function run([program, ...args], cwd) {
  const bin = join(__dirname, '..', 'node_modules', ...program.split('/'));
  try {
    execFileSync(process.execPath, [bin, ...args], { cwd, env: { ...process.env, ...ENV }, stdio: 'pipe' });
  } catch (err) {
    throw new Error(`${err.stdout}${err.stderr}`);
  }
}

/** @returns An application with a route of its own, which passes all other requests to the handlers of the framework. */
function serve(...handlers) {
  const app = require('express')();
  app.use((req, res, next) => {
    res.set('X-Before', req.path);
    next();
  });
  app.get('/own', (req, res) => res.json(req.query));
  return app.use(...handlers);
}

const load = (folder, ...file) => import(pathToFileURL(join(folder, ...file)).href);

/** The requests to each framework: pages, data, bodies, errors, a missing page, a file and the route of Express. */
const REQUESTS = [
  ['GET', '/own?a=1'],
  ['GET', '/?name=Ada'],
  ['HEAD', '/?name=Ada'],
  ['GET', '/api?a=1&a=2', { headers: { 'X-A': 'a', Cookie: 'seen=yes' } }],
  ['POST', '/api', { json: { name: 'Ada' } }],
  ['DELETE', '/api'],
  ['GET', '/none'],
  ['GET', '/robots.txt'],
  ['GET', '/robots.txt', { headers: { Range: 'bytes=0-2' } }],
];
const ROBOTS = 'robots';
const FILE_STATE = [/\w+, \d\d \w+ \d{4} [\d:]+ GMT/g, /W\/"[^"]+"/g];

const framework = (shows, uses, statuses, app, mask = []) => ({
  shows,
  uses,
  node: 24,
  seconds: 480,
  app,
  async play({ request }) {
    for (const one of REQUESTS) await request(...one);
  },
  statuses,
  statuses4: statuses,
  mask: [...FILE_STATE, ...mask],
});

/** A route handler with the Request and Response of the Fetch API. */
const fetchRoute = (typed) => `
export const GET = async ({ ${typed} }) => Response.json(
  [new URL(request.url).search, request.headers.get('x-a'), request.headers.get('cookie')],
  { headers: [['Set-Cookie', 'a=1'], ['Set-Cookie', 'b=2']] },
);
export const POST = async ({ ${typed} }) => new Response('got ' + (await request.text()), { status: 202 });
`;

module.exports = {
  next: framework(
    'builds pages and a route handler, served by a custom server',
    ['react', 'react-dom'],
    [200, 200, 200, 200, 202, 405, 404, 200, 206],
    async () => {
      const dir = build(
        'next',
        {
          'next.config.mjs': "export default { generateBuildId: () => 'one' };",
          'app/layout.js': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;',
          'app/page.js':
            'export default async ({ searchParams }) => <h1>Hello {(await searchParams).name}</h1>;',
          'app/api/route.js': fetchRoute('').replaceAll('({  })', '(request)'),
          'public/robots.txt': ROBOTS,
        },
        ['next/dist/bin/next', 'build', '--webpack'],
      );
      const server = require('next')({ dev: false, dir, quiet: true });
      await server.prepare();
      const handle = server.getRequestHandler();
      return serve((req, res) => handle(req, res));
    },
    // Its hash contains the path of the folder.
    [/(?<=main-app-)[0-9a-f]+/g],
  ),
  nuxt: framework(
    'builds a page and a server route with Nitro, mounted as middleware',
    [],
    [200, 200, 200, 200, 202, 200, 200, 200, 200],
    async () => {
      const folder = build(
        'nuxt',
        {
          'nuxt.config.mjs':
            "export default { buildId: 'one', nitro: { preset: 'node-listener', serveStatic: true }, compatibilityDate: '2026-01-01' };",
          'app/app.vue': '<template><h1>Hello {{ $route.query.name }}</h1></template>',
          'server/routes/api.get.js': `export default defineEventHandler((event) => {
            setCookie(event, 'a', '1');
            return [getQuery(event), getHeader(event, 'x-a'), getHeader(event, 'cookie')];
          });`,
          'server/routes/api.post.js': `export default defineEventHandler(async (event) => {
            setResponseStatus(event, 202);
            return readBody(event);
          });`,
          'public/robots.txt': ROBOTS,
        },
        ['nuxt/bin/nuxt.mjs', 'build'],
      );
      const { handler } = await load(folder, '.output', 'server', 'index.mjs');
      return serve(handler);
    },
  ),
  astro: framework(
    'builds a page and an endpoint for the middleware mode of its Node.js adapter',
    ['@astrojs/node'],
    [200, 200, 200, 200, 202, 404, 404, 200, 206],
    async () => {
      const folder = build(
        'astro',
        {
          'astro.config.mjs': `import node from '@astrojs/node';
          export default { output: 'server', adapter: node({ mode: 'middleware' }), security: { checkOrigin: false } };`,
          'src/pages/index.astro': '<h1>Hello {Astro.url.searchParams.get("name")}</h1>',
          'src/pages/api.js': fetchRoute('request'),
          'public/robots.txt': ROBOTS,
        },
        ['astro/bin/astro.mjs', 'build'],
      );
      const { handler } = await load(folder, 'dist', 'server', 'entry.mjs');
      const files = require('express').static(join(folder, 'dist', 'client'));
      return serve(files, (req, res, next) => handler(req, res, next, { user: 'Ada' }));
    },
  ),
  '@sveltejs/kit': framework(
    'builds a page with a load function and an endpoint, mounted with the handler of adapter-node',
    ['@sveltejs/adapter-node', '@sveltejs/vite-plugin-svelte', 'svelte', 'vite'],
    [200, 200, 200, 200, 202, 403, 404, 200, 206],
    async () => {
      const folder = build(
        'svelte',
        {
          'vite.config.js': `import adapter from '@sveltejs/adapter-node';
          import { sveltekit } from '@sveltejs/kit/vite';
          export default { plugins: [sveltekit({ adapter: adapter(), version: { name: 'one' } })] };`,
          'src/app.html': '<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
          'src/routes/+page.server.js':
            'export const load = ({ url }) => ({ name: url.searchParams.get("name") });',
          'src/routes/+page.svelte': '<script>let { data } = $props();</script><h1>Hello {data.name}</h1>',
          'src/routes/api/+server.js': fetchRoute('request'),
          'static/robots.txt': ROBOTS,
        },
        ['vite/bin/vite.js', 'build'],
      );
      const { handler } = await load(folder, 'build', 'handler.js');
      return serve(handler);
    },
  ),
  '@react-router/dev': framework(
    'builds a route with a loader and a resource route, served by @react-router/express',
    ['@react-router/express', '@react-router/node', 'react-router', 'react', 'react-dom', 'isbot', 'vite'],
    [200, 200, 200, 200, 202, 202, 404, 200, 206],
    async () => {
      const folder = build(
        'react-router',
        {
          'vite.config.js': `import { reactRouter } from '@react-router/dev/vite';
          export default { plugins: [reactRouter()] };`,
          'app/root.jsx': `import { Outlet, Scripts } from 'react-router';
          export default () => <html lang="en"><body><Outlet /><Scripts /></body></html>;`,
          'app/routes.js': `import { index, route } from '@react-router/dev/routes';
          export default [index('home.jsx'), route('api', 'api.js')];`,
          'app/home.jsx': `export const loader = ({ request }) => new URL(request.url).searchParams.get('name');
          export default ({ loaderData }) => <h1>Hello {loaderData}</h1>;`,
          'app/api.js': fetchRoute('request').replace('GET', 'loader').replace('POST', 'action'),
          'public/robots.txt': ROBOTS,
        },
        ['@react-router/dev/bin.cjs', 'build'],
      );
      const { createRequestHandler } = require('@react-router/express');
      const built = await load(folder, 'build', 'server', 'index.js');
      const files = require('express').static(join(folder, 'build', 'client'));
      return serve(files, createRequestHandler({ build: built, mode: 'production' }));
    },
  ),
  '@angular/ssr': framework(
    'builds a component rendered on the server, with a server.ts as its schematic writes it',
    ['@angular/core', '@angular/cli', '@angular/build'],
    [200, 200, 200, 200, 202, 404, 404, 200, 206],
    async () => {
      const server = { entry: 'src/server.ts' };
      const options = {
        ...{ browser: 'src/main.ts', server: 'src/main.server.ts', ssr: server, outputMode: 'server' },
        ...{
          index: 'src/index.html',
          tsConfig: 'tsconfig.json',
          outputPath: 'dist',
          assets: [{ glob: '**', input: 'public' }],
        },
        ...{ externalDependencies: ['express'], security: { allowedHosts: ['127.0.0.1'] } },
      };
      const builder = { builder: '@angular/build:application', options };
      const folder = build(
        'angular',
        {
          'angular.json': JSON.stringify({
            version: 1,
            projects: { app: { projectType: 'application', root: '', architect: { build: builder } } },
          }),
          'tsconfig.json':
            '{"compilerOptions":{"target":"ES2022","module":"preserve","moduleResolution":"bundler","skipLibCheck":true,"types":[]},"files":["src/main.ts","src/main.server.ts","src/server.ts"]}',
          'src/index.html':
            '<html lang="en"><head><base href="/"></head><body><app-root></app-root></body></html>',
          'src/app.ts': `import { Component, inject, REQUEST } from '@angular/core';
          import { provideServerRendering, RenderMode, withRoutes } from '@angular/ssr';
          @Component({ selector: 'app-root', template: '<h1>Hello {{ name }}</h1>' })
          export class App {
            name = new URL(inject(REQUEST, { optional: true })?.url ?? 'http://a/').searchParams.get('name');
          }
          export const config = {
            providers: [provideServerRendering(withRoutes([{ path: '**', renderMode: RenderMode.Server }]))],
          };`,
          'src/main.ts': `import { bootstrapApplication } from '@angular/platform-browser';
          import { App } from './app';
          bootstrapApplication(App);`,
          'src/main.server.ts': `import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
          import { App, config } from './app';
          export default (context: BootstrapContext) => bootstrapApplication(App, config, context);`,
          'src/server.ts': `// @ts-nocheck
          import { AngularNodeAppEngine, createNodeRequestHandler, writeResponseToNodeResponse } from '@angular/ssr/node';
          import express from 'express';
          const app = express();
          const engine = new AngularNodeAppEngine();
          app.get('/api', (req, res) => res.cookie('a', '1').json([req.query, req.get('x-a'), req.get('cookie')]));
          app.post('/api', express.json(), (req, res) => res.status(202).json(req.body));
          app.use(express.static(import.meta.dirname + '/../browser', { maxAge: '1y', index: false, redirect: false }));
          app.use((req, res, next) => engine.handle(req)
            .then((response) => (response ? writeResponseToNodeResponse(response, res) : next())).catch(next));
          export const reqHandler = createNodeRequestHandler(app);`,
          'public/robots.txt': ROBOTS,
        },
        ['@angular/cli/bin/ng.js', 'build', 'app'],
      );
      const { reqHandler } = await load(folder, 'dist', 'server', 'server.mjs');
      return serve(reqHandler);
    },
  ),
  'webpack-dev-server': {
    shows: 'serves a bundle, a folder of files, its own pages and a route that setupMiddlewares adds',
    uses: ['webpack'],
    node: 24,
    async app({ tmp }) {
      put(tmp, { 'main.js': 'console.log(1);', 'public/robots.txt': ROBOTS });
      const { default: Server } = await import('webpack-dev-server');
      const { default: webpack } = await import('webpack');
      const compiler = webpack({
        ...{ mode: 'production', context: tmp, entry: './main.js' },
        ...{ output: { path: join(tmp, 'out') }, infrastructureLogging: { level: 'none' }, stats: 'none' },
      });
      const setupMiddlewares = (middlewares, { app }) => {
        app.get('/own', (req, res) => res.json(req.query));
        return middlewares;
      };
      const options = {
        ...{ host: '127.0.0.1', port: 0, hot: false, liveReload: false, client: false },
        ...{ static: { directory: join(tmp, 'public'), watch: false }, historyApiFallback: true },
        ...{ webSocketServer: false, setupMiddlewares },
      };
      const server = new Server(options, compiler);
      await server.start();
      return server.server;
    },
    async play({ get, request }) {
      for (const path of ['/own?a=1', '/main.js', '/robots.txt', '/webpack-dev-server', '/none'])
        await get(path);
      await get('/main.js', { headers: { Range: 'bytes=0-6' } });
      await request('HEAD', '/main.js');
      await request('POST', '/none');
    },
    statuses: [200, 200, 200, 200, 404, 206, 200, 404],
    mask: FILE_STATE,
  },
  '@nestjs/platform-express 12': { ...frameworks['@nestjs/platform-express'], node: 24 },
  'vite 8': { ...building.vite, node: 24 },
  '@modelcontextprotocol/express': {
    shows: 'serves tools of the SDK 2 over its streamable transport, and checks the host',
    uses: ['@modelcontextprotocol/server', '@modelcontextprotocol/node', 'zod'],
    node: 24,
    app() {
      const { createMcpExpressApp } = require('@modelcontextprotocol/express');
      const { NodeStreamableHTTPServerTransport } = require('@modelcontextprotocol/node');
      const { McpServer } = require('@modelcontextprotocol/server');
      const z = require('zod');
      const app = createMcpExpressApp();
      app.all('/mcp', async (req, res) => {
        const server = new McpServer({ name: 'adder', version: '1.0.0' });
        server.registerTool(
          'add',
          { inputSchema: z.object({ a: z.number(), b: z.number() }) },
          ({ a, b }) => ({
            content: [{ type: 'text', text: String(a + b) }],
          }),
        );
        const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
        await server.connect(transport);
        await transport.handleRequest(req, res, req.body);
      });
      return app;
    },
    async play({ post, get }) {
      const headers = { Accept: 'application/json, text/event-stream' };
      const call = (method, params = {}) =>
        post('/mcp', { headers, json: { jsonrpc: '2.0', id: 1, method, params } });
      const clientInfo = { name: 'test', version: '1' };
      await call('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
      await call('tools/list');
      await call('tools/call', { name: 'add', arguments: { a: 2, b: 3 } });
      await call('none');
      await post('/mcp', { headers: { ...headers, 'Content-Type': 'application/json' }, body: '{' });
      await post('/mcp', { json: {} });
      await get('/mcp', { headers: { Host: 'evil.test' } });
    },
    statuses: [200, 200, 200, 200, 400, 406, 403],
  },
};
