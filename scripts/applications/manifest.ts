/**
 * Lists the published applications that are compared, by how they are compared: where each comes from, how it starts,
 * and its requests.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Application {
  /** The name for the command line and the reports; by default also that of the folder with its files. */
  readonly name: string;
  /** The npm package that contains the application. */
  readonly from: string;
  readonly about: string;
  /** The file to start, relative to the folder with the packages. */
  readonly program: string;
  /** Arguments for the application. `{port}` stands for the port to listen on. */
  readonly args?: readonly string[];
  /** Arguments for `node` that generate the application. The command runs first, in the folder with the packages. */
  readonly prepare?: readonly string[];
}

/** An application with a lockfile, and with requests in `requests.http`. */
export interface Played extends Application {
  /** The folder with the packages and the lockfile; default `HOME`. */
  readonly home?: string;
  /** The folder with `requests.http`; default `name`. Applications can share one. */
  readonly folder?: string;
  /** Run each time in a new copy of the folder `fresh`, because the application reads or writes files there. */
  readonly isFresh?: true;
  /** The true warnings of `nozomi-parity doctor`, by code, with the reason. */
  readonly mistakes?: Readonly<Record<string, string>>;
}

/** An application in a folder of its own, with requests that a recording gets from Chromium. */
export interface Recorded extends Application {
  readonly version: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Packages with native code, to compile after the installation, which runs no scripts. */
  readonly compile?: readonly string[];
  /** Other packages to install, as arguments of `npm install`. */
  readonly beside?: readonly string[];
  /** The code to write to `program`, if the package is a library without a file to start. */
  readonly source?: string;
  /** The files of the working directory, by path. Each run gets a new copy. */
  readonly files?: Readonly<Record<string, string>>;
  /** The pages to open in Chromium, each with up to five pages that it links to. Absent if it has no pages. */
  readonly pages?: readonly string[];
  /** Requests that Chromium sends after the pages. If there are no pages, Node.js sends them with `fetch`. */
  readonly requests?: readonly RecordedRequest[];
}

export interface RecordedRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: string | object;
}

const MODULES = 'node_modules';
export const HOME = join(__dirname, '..', '..', 'spec', 'applications');
const HOME4 = join(__dirname, '..', '..', 'spec', 'applications4');
const SDK = join(MODULES, '@modelcontextprotocol', 'sdk', 'dist', 'cjs', 'examples', 'server');
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const MCP = { Accept: 'application/json, text/event-stream' };
const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    ...{ protocolVersion: '2025-03-26', capabilities: {} },
    clientInfo: { name: 'recording', version: '1' },
  },
};
const POSTS = { posts: [{ id: 1, title: 'On trains', author: 'Ada' }], profile: { name: 'Momo' } };

const WIKI = `import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import server from 'wiki-server';

const root = dirname(fileURLToPath(import.meta.resolve('wiki-server')));
const app = await server({ root, data: 'data', port: 3000, cookieSecret: 'parity', security_legacy: true });
await once(app, 'owner-set');
app.listen(process.env.PORT, '127.0.0.1');
`;
const PAGE = {
  title: 'On trains',
  story: [{ type: 'paragraph', id: 'a', text: 'See [[On boats]].' }],
  journal: [],
};

/** A token for the account that Azurite has for tests, whose key its documentation publishes. */
const SAS =
  'ss=b&srt=sco&sp=rwdlac&se=2099-01-01T00%3A00%3A00Z&sv=2019-12-12&sig=YKAtmJudHaH98kax9IHOYkiCF9veHhGg4TBHNwluLXo%3D';
const blob = (path: string, query = ''): string => `/devstoreaccount1${path}?${query}${SAS}`;
const BLOCK_BLOB = { 'x-ms-blob-type': 'BlockBlob', 'Content-Type': 'text/plain' };

const MOCK = {
  ...{
    uuid: 'shop',
    lastMigration: 33,
    name: 'Shop',
    port: 3000,
    hostname: '127.0.0.1',
    endpointPrefix: 'api',
  },
  ...{ latency: 0, folders: [], proxyMode: false, proxyHost: '', proxyRemovePrefix: false, cors: true },
  ...{
    tlsOptions: { enabled: false },
    headers: [],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [],
    callbacks: [],
  },
  rootChildren: ['one', 'add'].map((uuid) => ({ type: 'route', uuid })),
  routes: [
    mockRoute(
      'one',
      'get',
      'users/:id',
      200,
      '{"id":"{{urlParam \'id\'}}","page":"{{queryParam \'page\' \'1\'}}"}',
    ),
    mockRoute('add', 'post', 'users', 201, '{"name":"{{body \'name\'}}"}'),
  ],
};

function mockRoute(uuid: string, method: string, endpoint: string, statusCode: number, body: string): object {
  const response = {
    ...{
      uuid: `${uuid}-response`,
      body,
      statusCode,
      latency: 0,
      label: '',
      bodyType: 'INLINE',
      filePath: '',
    },
    ...{
      headers: [{ key: 'Content-Type', value: 'application/json' }],
      databucketID: '',
      sendFileAsBody: false,
    },
    ...{ rules: [], rulesOperator: 'OR', disableTemplating: false, fallbackTo404: false, default: true },
    ...{ crudKey: 'id', callbacks: [] },
  };
  return {
    ...{ uuid, type: 'http', documentation: '', method, endpoint, responses: [response] },
    ...{ responseMode: null, streamingMode: null, streamingInterval: 0 },
  };
}

const CYPRESS = `const { EventEmitter } = require('node:events');
const { resolve } = require('node:path');
const { devServer } = require('@cypress/webpack-dev-server');

devServer({
  specs: [{ name: 'one.cy.js', relative: 'src/one.cy.js', absolute: resolve('src/one.cy.js') }],
  cypressConfig: {
    projectRoot: __dirname,
    supportFile: resolve('support.js'),
    indexHtmlFile: resolve('component-index.html'),
    devServerPublicPathRoute: '/__cypress/src',
    isTextTerminal: true,
  },
  webpackConfig: { mode: 'development', devServer: { port: process.env.PORT, static: 'public' } },
  devServerEvents: new EventEmitter(),
});
`;

/** Applications that get the same responses with Express 5.3.0 and with this build. */
export const PLAYED: readonly Played[] = [
  {
    name: 'json-server',
    from: 'json-server',
    about: 'a REST interface and a page over one JSON file, which it writes',
    program: join(MODULES, 'json-server', 'lib', 'cli', 'bin.js'),
    args: ['db.json', '--port', '3000'],
    isFresh: true,
    mistakes: { NOZOMI_QUERY_VALUE: 'made for Express 4, it adds a filter to req.query for nested routes' },
  },
  {
    name: 'json-graphql-server',
    from: 'json-graphql-server',
    about: 'GraphQL, with its explorer, over one JSON file',
    program: join(MODULES, 'json-graphql-server', 'bin', 'json-graphql-server.cjs'),
    args: ['data.json'],
    isFresh: true,
  },
  {
    name: 'wiki',
    from: 'wiki-server',
    about: 'the Federated Wiki: pages, editing, site maps, ES modules, Handlebars views',
    program: join('wiki', 'start.mjs'),
    isFresh: true,
    mistakes: { NOZOMI_SECOND_RESPONSE: 'no return after the response 500 of two routes' },
  },
  {
    name: 'functions-framework',
    from: '@google-cloud/functions-framework',
    about: 'runs functions of Google Cloud behind its own middleware',
    program: join(MODULES, '@google-cloud', 'functions-framework', 'build', 'src', 'main.js'),
    args: ['--target=hello'],
    isFresh: true,
  },
  {
    name: 'model-context-protocol',
    from: '@modelcontextprotocol/sdk',
    about: 'an example server of the SDK: sessions and tools over JSON-RPC',
    program: join(SDK, 'jsonResponseStreamableHttp.js'),
  },
  {
    name: 'peer',
    from: 'peer',
    about: 'the PeerJS broker',
    program: join(MODULES, 'peer', 'dist', 'bin', 'peerjs.js'),
    args: ['--port', '9000'],
  },
  ...['pug', 'ejs', 'hbs'].map((view): Played => {
    const program = join('.generated', view);
    const generator = join(MODULES, 'express-generator', 'bin', 'express-cli.js');
    return {
      name: `express-generator-${view}`,
      from: 'express-generator',
      about: `what it generates, with ${view} views and morgan`,
      program: join(program, 'bin', 'www'),
      folder: 'express-generator',
      prepare: [generator, `--view=${view}`, '--force', program],
    };
  }),
];

const FOR_EXPRESS4: readonly Played[] = [
  ...PLAYED.filter(({ from }) => ['json-server', 'peer', 'express-generator'].includes(from)),
  {
    name: 'functions-framework',
    from: '@google-cloud/functions-framework',
    about: 'runs functions of Google Cloud behind its own middleware',
    program: join(MODULES, '@google-cloud', 'functions-framework', 'build', 'src', 'main.js'),
    args: ['--target=hello'],
    isFresh: true,
  },
  {
    name: 'node-red',
    from: 'node-red',
    about: 'flows: its editor, its administration, and HTTP endpoints that a flow makes',
    program: join(MODULES, 'node-red', 'red.js'),
    args: ['--userDir', '.', '-D', 'telemetry.enabled=false'],
    isFresh: true,
  },
  {
    name: 'verdaccio',
    from: 'verdaccio',
    about: 'an npm registry: users, packages, search, its page',
    program: join(MODULES, 'verdaccio', 'bin', 'verdaccio'),
    args: ['--config', 'config.yaml', '--listen', '4873'],
    isFresh: true,
  },
  {
    name: 'maildev',
    from: 'maildev',
    about: 'a mailbox for tests: its page and its REST interface',
    program: join(MODULES, 'maildev', 'bin', 'maildev'),
    args: ['--web', '1080', '--smtp', '0'],
  },
  {
    name: 'swagger-ui-watcher',
    from: 'swagger-ui-watcher',
    about: 'shows an OpenAPI document, and reloads it',
    program: join(MODULES, 'swagger-ui-watcher', 'bin', 'swagger-ui-watcher.js'),
    args: ['api.yaml', '--no-open'],
    isFresh: true,
  },
  {
    name: 'webpack-dev-server',
    from: 'webpack-dev-server',
    about: 'serves what webpack builds, with its history fallback',
    program: join('webpack-dev-server', 'start.js'),
    isFresh: true,
  },
];

/** Applications written for Express 4, to run with 4.22.3. Those that are also in `PLAYED` share its requests. */
export const PLAYED4: readonly Played[] = FOR_EXPRESS4.map((one) => ({ ...one, home: HOME4 }));

const TO_RECORD: ReadonlyArray<Omit<Recorded, 'from'> & { readonly folder?: string }> = [
  {
    ...{ name: 'json-server', version: '0.17.4', about: 'a REST interface over a JSON file, with a page' },
    program: join(MODULES, 'json-server', 'lib', 'cli', 'bin.js'),
    args: ['db.json', '--port', '{port}'],
    files: { 'db.json': JSON.stringify(POSTS) },
    pages: ['/', '/posts', '/db'],
    requests: [
      { path: '/posts/1' },
      { path: '/posts/9' },
      { path: '/posts?_page=1&_limit=1' },
      { method: 'POST', path: '/posts', body: { title: 'On boats', author: 'Ada' } },
      { method: 'PATCH', path: '/posts/2', body: { author: 'Bo' } },
      { method: 'PUT', path: '/profile', body: { name: 'Beppo' } },
      { method: 'DELETE', path: '/posts/2' },
    ],
  },
  {
    ...{ name: 'ungit', version: '1.5.30', about: 'a Git client in the browser' },
    program: join(MODULES, 'ungit', 'source', 'server.js'),
    args: ['--port={port}', '--no-launchBrowser'],
    pages: ['/'],
    requests: [
      { path: '/api/gitversion' },
      { path: '/api/userconfig' },
      { path: '/api/latestversion' },
      { path: '/api/status?path=/no-such-folder' },
      { method: 'POST', path: '/api/createDir', body: { dir: '' } },
      { path: '/api/none' },
    ],
  },
  {
    ...{ name: 'parse-dashboard', version: '9.2.0', about: 'the dashboard of Parse, with a login' },
    program: join(MODULES, 'parse-dashboard', 'bin', 'parse-dashboard'),
    args: ['--config', 'config.json', '--port', '{port}', '--allowInsecureHTTP'],
    files: {
      'config.json': JSON.stringify({
        apps: [{ serverURL: 'http://127.0.0.1:1/parse', appId: 'shop', masterKey: 'key', appName: 'Shop' }],
        users: [{ user: 'ada', pass: 'lovelace' }],
      }),
    },
    pages: ['/', '/login', '/apps'],
    requests: [
      { path: '/parse-dashboard-config.json' },
      { method: 'POST', path: '/login', headers: FORM, body: 'username=ada&password=wrong' },
      { path: '/bundles/none.js' },
    ],
  },
  {
    name: '@modelcontextprotocol/server-everything',
    ...{ version: '2026.8.31', about: 'the MCP server with everything, over HTTP' },
    program: join(MODULES, '@modelcontextprotocol', 'server-everything', 'dist', 'index.js'),
    args: ['streamableHttp'],
    requests: [
      { method: 'POST', path: '/mcp', headers: MCP, body: INITIALIZE },
      { method: 'POST', path: '/mcp', headers: MCP, body: { jsonrpc: '2.0', id: 2, method: 'tools/list' } },
      { method: 'POST', path: '/mcp', headers: { ...MCP, 'Content-Type': 'application/json' }, body: '{' },
      { path: '/mcp' },
      { method: 'DELETE', path: '/mcp' },
      { method: 'OPTIONS', path: '/mcp', headers: { Origin: 'http://elsewhere.test' } },
      { path: '/none' },
    ],
  },
  {
    ...{
      name: 'oauth2-mock-server',
      version: '8.2.3',
      about: 'an OAuth 2 and OpenID Connect provider for tests',
    },
    program: join(MODULES, 'oauth2-mock-server', 'dist', 'oauth2-mock-server.mjs'),
    args: ['-p', '{port}', '-a', '127.0.0.1'],
    requests: [
      { path: '/.well-known/openid-configuration' },
      { path: '/jwks' },
      { method: 'POST', path: '/token', headers: FORM, body: 'grant_type=client_credentials&scope=read' },
      { method: 'POST', path: '/token', headers: FORM, body: 'grant_type=password&username=ada' },
      { method: 'POST', path: '/token', headers: FORM, body: 'grant_type=none' },
      {
        path: '/authorize?response_type=code&redirect_uri=http%3A%2F%2F127.0.0.1%2Fback&scope=read&state=s&client_id=c',
      },
      { path: '/authorize' },
      { path: '/userinfo' },
      { method: 'POST', path: '/revoke', headers: FORM, body: 'token=t' },
      { method: 'POST', path: '/introspect', headers: FORM, body: 'token=t' },
      { path: '/endsession?post_logout_redirect_uri=http%3A%2F%2F127.0.0.1%2Fbye' },
    ],
  },
  {
    ...{ name: 'mountebank', version: '2.9.1', about: 'test doubles over the wire, with its documentation' },
    program: join(MODULES, 'mountebank', 'bin', 'mb'),
    args: ['start', '--port', '{port}', '--nologfile', '--pidfile', 'mb.pid', '--host', '127.0.0.1'],
    pages: ['/', '/imposters', '/logs', '/config', '/docs/api/overview', '/docs/api/contracts'],
    requests: [
      { path: '/', headers: { Accept: 'application/json' } },
      { path: '/imposters', headers: { Accept: 'application/json' } },
      { method: 'POST', path: '/imposters', body: { protocol: 'none' } },
      { method: 'POST', path: '/imposters', body: '{' },
      { path: '/imposters/1' },
      { method: 'DELETE', path: '/imposters' },
      { path: '/none' },
    ],
  },
  {
    ...{ name: 'reveal-md', version: '6.1.4', about: 'slides from Markdown' },
    program: join(MODULES, 'reveal-md', 'bin', 'reveal-md.js'),
    args: ['slides', '--port', '{port}', '--host', '127.0.0.1', '--disable-auto-open'],
    files: {
      'slides/one.md': '# One\n\n---\n\n## Two\n\n```js\nlet a = 1;\n```\n',
      'slides/more/two.md': '---\ntitle: Two\ntheme: white\n---\n# Hello\n\nNote: slowly\n',
    },
    pages: ['/', '/one.md', '/more/two.md'],
    requests: [{ path: '/one.md?print-pdf' }, { path: '/none.md' }, { path: '/css/theme/none.css' }],
  },
  {
    ...{
      name: 'json-graphql-server',
      version: '3.3.2',
      about: 'GraphQL over a JSON file, with its explorer',
    },
    program: join(MODULES, 'json-graphql-server', 'bin', 'json-graphql-server.cjs'),
    args: ['db.json', '-p', '{port}', '-h', '127.0.0.1'],
    files: { 'db.json': JSON.stringify({ posts: POSTS.posts }) },
    pages: ['/'],
    requests: [
      { method: 'POST', path: '/', body: { query: '{ allPosts { id title } }' } },
      {
        method: 'POST',
        path: '/',
        body: { query: 'mutation { createPost(title: "x", author: "y") { id } }' },
      },
      { method: 'POST', path: '/', body: { query: '{ none }' } },
      { method: 'POST', path: '/', body: '{' },
      { path: '/?query={allPosts{id}}', headers: { Accept: 'application/json' } },
    ],
  },
  {
    ...{ name: 'peer', version: '1.0.2', about: 'the PeerJS broker' },
    program: join(MODULES, 'peer', 'dist', 'bin', 'peerjs.js'),
    args: ['--port', '{port}', '--allow_discovery'],
    requests: [
      ...['/', '/peerjs', '/peerjs/peers', '/peerjs/none', '/none'].map((path) => ({ path })),
      { method: 'POST', path: '/peerjs/id', body: {} },
      { method: 'OPTIONS', path: '/peerjs/peers', headers: { Origin: 'http://elsewhere.test' } },
    ],
  },
  {
    ...{ name: 'wiki-server', version: '0.27.0', about: 'the Federated Wiki' },
    program: 'start.mjs',
    source: WIKI,
    beside: ['wiki-client@0.32.0'],
    files: { 'data/pages/on-trains': JSON.stringify(PAGE) },
    pages: ['/', '/view/on-trains', '/on-trains.html', '/view/on-boats'],
    requests: [
      ...['/on-trains.json', '/none.json', '/none.html', '/system/slugs.json', '/favicon.png'].map(
        (path) => ({ path }),
      ),
      ...['/system/sitemap.json', '/system/plugins.json', '/system/export.json', '/none'].map((path) => ({
        path,
      })),
      {
        ...{ method: 'PUT', path: '/page/on-trains/action', headers: FORM },
        body: `action=${encodeURIComponent('{"type":"add","id":"b","item":{"type":"paragraph","id":"b","text":"x"}}')}`,
      },
    ],
  },
  {
    name: '@google-cloud/functions-framework',
    ...{ version: '5.0.5', about: 'runs functions of Google Cloud' },
    program: join(MODULES, '@google-cloud', 'functions-framework', 'build', 'src', 'main.js'),
    args: ['--target=hello'],
    files: {
      'index.js': `exports.hello = (req, res) => res.status(req.path === '/teapot' ? 418 : 200)
        .json({ path: req.path, query: req.query, body: req.body, raw: String(req.rawBody ?? '') });`,
    },
    requests: [
      ...['/', '/deep/path?a=1&a=2&b[c]=d', '/teapot', '/favicon.ico', '/robots.txt'].map((path) => ({
        path,
      })),
      { method: 'POST', path: '/', body: { a: 1 } },
      { method: 'POST', path: '/', body: '{', headers: { 'Content-Type': 'application/json' } },
      { method: 'PUT', path: '/form', headers: FORM, body: 'a=1&b[c]=2' },
      { method: 'POST', path: '/text', body: 'text' },
    ],
  },
  ...['pug', 'ejs'].map((view): (typeof TO_RECORD)[number] => {
    const generator = join(MODULES, 'express-generator', 'bin', 'express-cli.js');
    return {
      ...{ name: 'express-generator', version: '4.16.1', about: `what it generates with ${view} views` },
      folder: `express-generator-${view}`,
      beside: [
        'express@~4.16.1',
        'cookie-parser@~1.4.4',
        'debug@~2.6.9',
        'http-errors@~1.6.3',
        'morgan@~1.9.1',
        'pug@2',
        'ejs@2',
      ],
      prepare: [generator, `--view=${view}`, '--force', 'made'],
      program: join('made', 'bin', 'www'),
      pages: ['/', '/users', '/none'],
      requests: [
        { path: '/stylesheets/style.css', headers: { Range: 'bytes=0-9' } },
        { path: '/stylesheets' },
        { method: 'POST', path: '/users', body: { a: 1 } },
        { method: 'POST', path: '/users', body: '{', headers: { 'Content-Type': 'application/json' } },
        { method: 'POST', path: '/', headers: FORM, body: 'a=1' },
        { path: '/%E0%A4%A' },
      ],
    };
  }),
  {
    ...{
      name: '@mocks-server/main',
      version: '4.1.0',
      about: 'mocks by routes, with an interface to administer them',
    },
    program: join(MODULES, '@mocks-server', 'main', 'bin', 'mocks-server'),
    args: ['--server.port={port}', '--no-plugins.inquirerCli.enabled', '--plugins.adminApi.port=0'],
    files: {
      'mocks/collections.json': JSON.stringify([{ id: 'all', routes: ['users:some', 'one:gone'] }]),
      'mocks/routes/users.json': JSON.stringify([
        {
          ...{ id: 'users', url: '/api/users', method: 'GET' },
          variants: [{ id: 'some', type: 'json', options: { status: 200, body: [{ id: 1 }] } }],
        },
        {
          ...{ id: 'one', url: '/api/users/:id', method: 'GET' },
          variants: [{ id: 'gone', type: 'text', options: { status: 410, body: 'gone' } }],
        },
      ]),
    },
    requests: [
      ...['/api/users', '/api/users/7', '/none'].map((path) => ({ path })),
      { method: 'POST', path: '/api/users', body: { id: 2 } },
      { method: 'POST', path: '/api/users', body: '{', headers: { 'Content-Type': 'application/json' } },
      { method: 'OPTIONS', path: '/api/users', headers: { Origin: 'http://elsewhere.test' } },
    ],
  },
  {
    ...{ name: 'webpack-dev-server', version: '5.2.7', about: 'serves what webpack makes, and its overlay' },
    program: join(MODULES, 'webpack-cli', 'bin', 'cli.js'),
    beside: ['webpack@5', 'webpack-cli@6'],
    args: ['serve', '--port', '{port}', '--host', '127.0.0.1', '--mode', 'development'],
    files: {
      'src/index.js': "document.body.append('made by webpack');",
      'public/index.html': '<!doctype html><title>Made</title><script src="main.js" defer></script>',
      'public/data/some.json': '{"a":1}',
    },
    pages: ['/', '/data', '/webpack-dev-server'],
    requests: [
      ...['/data/some.json', '/main.js.map', '/none', '/data/../../src/index.js'].map((path) => ({ path })),
      { path: '/main.js', headers: { Range: 'bytes=0-9' } },
      { method: 'POST', path: '/', body: { a: 1 } },
    ],
  },
  {
    ...{
      name: '@cypress/webpack-dev-server',
      version: '6.0.0',
      about: 'the server for component tests of Cypress',
    },
    program: 'start.js',
    source: CYPRESS,
    beside: ['webpack@5'],
    files: {
      'src/one.cy.js': "document.body.append('a component');",
      'support.js': '',
      'component-index.html': '<!doctype html><title>Components</title><div data-cy-root></div>',
      'public/data.json': '{"a":1}',
    },
    requests: [
      ...['index.html', 'main.js', 'spec-0.js', 'none.js'].map((name) => ({
        path: `/__cypress/src/${name}`,
      })),
      ...['/', '/data.json', '/webpack-dev-server'].map((path) => ({ path })),
      { path: '/__cypress/src/spec-0.js', headers: { Range: 'bytes=0-9' } },
      { method: 'HEAD', path: '/__cypress/src/index.html' },
      { method: 'POST', path: '/__cypress/src/index.html', body: { a: 1 } },
    ],
  },
  {
    ...{ name: 'node-red', version: '4.1.8', about: 'flows in the browser: an editor and its interface' },
    program: join(MODULES, 'node-red', 'red.js'),
    args: ['--port', '{port}', '--userDir', 'data'],
    files: { 'data/flows.json': '[]' },
    pages: ['/'],
    requests: [
      ...['/settings', '/flows', '/nodes', '/icons', '/library/local/flows/', '/none'].map((path) => ({
        path,
      })),
      { path: '/nodes', headers: { Accept: 'application/json' } },
      { method: 'POST', path: '/flows', body: '{', headers: { 'Content-Type': 'application/json' } },
      { method: 'PUT', path: '/nodes/none', body: { enabled: true } },
      { method: 'POST', path: '/inject/none', body: {} },
    ],
  },
  {
    ...{
      name: '@actual-app/sync-server',
      version: '26.9.0',
      about: 'the server of Actual, for budgets, and its page',
    },
    program: join(MODULES, '@actual-app', 'sync-server', 'build', 'bin', 'actual-server.js'),
    compile: ['better-sqlite3'],
    env: { ACTUAL_HOSTNAME: '127.0.0.1', NODE_ENV: 'production' },
    pages: ['/'],
    requests: [
      ...['/info', '/health', '/mode', '/metrics', '/account/needs-bootstrap', '/account/validate'].map(
        (path) => ({ path }),
      ),
      { method: 'POST', path: '/account/bootstrap', body: { password: '' } },
      { method: 'POST', path: '/account/bootstrap', body: { password: 'lovelace' } },
      { method: 'POST', path: '/account/login', body: { loginMethod: 'password', password: 'wrong' } },
      { method: 'POST', path: '/account/login', body: '{', headers: { 'Content-Type': 'application/json' } },
      { path: '/sync/list-user-files', headers: { 'X-ACTUAL-TOKEN': 'none' } },
      {
        method: 'POST',
        path: '/sync/sync',
        body: 'x',
        headers: { 'Content-Type': 'application/actual-sync' },
      },
      ...['/secret/none', '/admin/users', '/gocardless/none', '/static/none.js'].map((path) => ({ path })),
    ],
  },
  {
    ...{ name: 'azurite', version: '3.37.0', about: 'the emulator of Azure Blob Storage' },
    program: join(MODULES, 'azurite', 'dist', 'src', 'blob', 'main.js'),
    args: ['--blobPort', '{port}', '--location', '.', '--loose', '--silent', '--disableTelemetry'],
    requests: [
      { path: '/devstoreaccount1?comp=list' },
      { path: blob('/', 'comp=list&') },
      { method: 'PUT', path: blob('/photos', 'restype=container&') },
      { method: 'PUT', path: blob('/photos', 'restype=container&') },
      { method: 'PUT', path: blob('/photos/a.txt'), headers: BLOCK_BLOB, body: 'on trains' },
      { path: blob('/photos/a.txt') },
      { path: blob('/photos/a.txt'), headers: { Range: 'bytes=0-1' } },
      { method: 'HEAD', path: blob('/photos/a.txt') },
      { path: blob('/photos', 'restype=container&comp=list&') },
      { method: 'PUT', path: blob('/photos/a.txt', 'comp=metadata&'), headers: { 'x-ms-meta-by': 'Ada' } },
      { method: 'DELETE', path: blob('/photos/a.txt') },
      { path: blob('/photos/a.txt') },
      { method: 'OPTIONS', path: blob('/photos'), headers: { Origin: 'http://elsewhere.test' } },
      { method: 'POST', path: '/devstoreaccount1/photos', body: 'x' },
    ],
  },
  {
    ...{ name: 'appium', version: '3.8.0', about: 'the WebDriver server for mobile applications' },
    program: join(MODULES, 'appium', 'index.js'),
    args: [
      '--port',
      '{port}',
      '--address',
      '127.0.0.1',
      '--log-no-colors',
      '--allow-cors',
      '--log-level',
      'error',
    ],
    requests: [
      ...[
        '/status',
        '/sessions',
        '/appium/sessions',
        '/session/none/url',
        '/none',
        '/favicon.ico',
        '/welcome',
      ].map((path) => ({ path })),
      { method: 'POST', path: '/session', body: {} },
      { method: 'POST', path: '/session', body: { capabilities: { alwaysMatch: { platformName: 'None' } } } },
      { method: 'POST', path: '/session', body: '{', headers: { 'Content-Type': 'application/json' } },
      { method: 'DELETE', path: '/session/none' },
      { method: 'OPTIONS', path: '/session', headers: { Origin: 'http://elsewhere.test' } },
    ],
  },
  {
    ...{ name: '@mockoon/cli', version: '9.9.0', about: 'mocks of interfaces, from the files of its editor' },
    program: join(MODULES, '@mockoon', 'cli', 'bin', 'run.js'),
    args: [
      'start',
      '--data',
      'shop.json',
      '--port',
      '{port}',
      '--disable-log-to-file',
      '--disable-admin-api',
    ],
    files: { 'shop.json': JSON.stringify(MOCK) },
    requests: [
      ...['/api/users/7', '/api/users/7?page=2', '/api/none', '/none'].map((path) => ({ path })),
      { method: 'POST', path: '/api/users', body: { name: 'Ada' } },
      { method: 'POST', path: '/api/users', body: '{', headers: { 'Content-Type': 'application/json' } },
      { method: 'POST', path: '/api/users', headers: FORM, body: 'name=Bo' },
      { method: 'OPTIONS', path: '/api/users', headers: { Origin: 'http://elsewhere.test' } },
    ],
  },
  {
    ...{ name: 'hubot', version: '14.1.0', about: 'a robot for chats, with routes of a script' },
    program: join(MODULES, 'hubot', 'bin', 'Hubot.mjs'),
    args: ['--file', 'adapter.mjs', '--require', 'scripts'],
    files: {
      'adapter.mjs': `import { EventEmitter } from 'node:events';
      class Quiet extends EventEmitter { run() { this.emit('connected'); } close() {} async send() {} }
      export default { use: () => new Quiet() };`,
      'scripts/web.mjs': `export default async (robot) => {
        robot.router.get('/rooms/:room', (req, res) => res.json({ room: req.params.room, query: req.query }));
        robot.router.post('/rooms/:room', (req, res) => res.status(201).send(req.body.payload ?? 'nothing'));
        robot.router.get('/fail', () => { throw new Error('no room'); });
      };`,
    },
    requests: [
      ...['/rooms/7?a=1&a=2', '/rooms', '/fail', '/none', '/hubot/ping'].map((path) => ({ path })),
      { method: 'POST', path: '/rooms/7', body: { payload: { text: 'hello' } } },
      { method: 'POST', path: '/rooms/7', headers: FORM, body: 'payload[text]=hello' },
      { method: 'POST', path: '/rooms/7', body: '{', headers: { 'Content-Type': 'application/json' } },
      { method: 'POST', path: '/rooms/7', body: 'text' },
      { method: 'OPTIONS', path: '/rooms/7' },
    ],
  },
];

/** Applications to record and to compare with the Express that they depend on. */
export const RECORDED: readonly Recorded[] = TO_RECORD.map(({ name, folder = name, ...one }) => ({
  ...one,
  name: folder,
  from: name,
}));

/** The folder with the applications of Express 4 to migrate: their packages, requests, and scripts that start them. */
export const MIGRATED_HOME = join(__dirname, '..', 'migrate', 'applications');

/** The files and folders to migrate, by name of the package. */
export const MIGRATED: Readonly<Record<string, readonly string[]>> = {
  apimocker: ['lib'],
  drakov: ['lib'],
  dyson: ['lib'],
  interfake: ['lib'],
  'json-server': ['lib'],
  'local-cors-proxy': ['lib'],
  maildev: ['lib', 'index.js'],
  'mock-json-server': ['src/server'],
  'oauth2-mock-server': ['dist'],
  raneto: ['app'],
};

export function requestsOf(one: Played): string {
  return fileOf(one, 'requests.http');
}

/** @returns The folder to copy for each run; undefined if the application can run in its own folder. */
export function freshOf(one: Played): string | undefined {
  return one.isFresh && fileOf(one, 'fresh');
}

/** Finds a file of an application in its own home, else in `HOME`, whose requests it may share. */
function fileOf({ name, folder = name, home = HOME }: Played, file: string): string {
  const own = join(home, folder, file);
  return existsSync(own) ? own : join(HOME, folder, file);
}

/** Reads the installed version of an application from the lockfile. */
export function versionOf({ from, home = HOME }: Pick<Played, 'from' | 'home'>): string {
  const lock = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'));
  return lock.packages[`node_modules/${from}`].version;
}
