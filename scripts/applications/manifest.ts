/**
 * Lists the published applications that are compared, by how they are compared: where each comes from and how it starts.
 * Its requests and other files are in spec/applications.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Series } from '../ecosystem/cases';

interface Application {
  /** The name for the command line and the reports. */
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

/** An application with a lockfile. */
export interface Played extends Application {
  /** The folder with the packages and the lockfile. */
  readonly home: string;
  /** The folder with `requests.http`; default `name`. Applications can share one. */
  readonly folder?: string;
  /** Run each time in a new copy of the folder `fresh`, because the application reads or writes files there. */
  readonly isFresh?: true;
  /** The true warnings of `nozomi-parity doctor` on Express 5, by code, with the reason. */
  readonly mistakes?: Readonly<Record<string, string>>;
}

/** An application in a folder of its own, with the Express that it depends on, and requests that Chromium sends. */
export interface Recorded extends Application {
  readonly version: string;
  /** The folder with `requests.http`, the files of the working directory in `fresh`, and `program`, if it is there. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Packages with native code, to compile after the installation, which runs no scripts. */
  readonly compile?: readonly string[];
  /** Other packages to install, as arguments of `npm install`. */
  readonly beside?: readonly string[];
  /** Versions by name of the package, for dependencies that npm cannot install as they are declared. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** The oldest Node.js that runs it; default that of this process. */
  readonly node?: number;
  /**
   * The pages to open in Chromium, each with up to five pages that it links to, before the requests. Absent: it has no
   * pages, and Node.js sends the requests with `fetch`.
   */
  readonly pages?: readonly string[];
}

const MODULES = 'node_modules';
const SPEC = join(__dirname, '..', '..', 'spec', 'applications');
/** The folders with the packages by series of Express. */
const HOMES: Readonly<Record<Series, string>> = { 5: SPEC, 4: join(SPEC, 'express4') };
const SDK = join(MODULES, '@modelcontextprotocol', 'sdk', 'dist', 'cjs', 'examples', 'server');
const GENERATOR = join(MODULES, 'express-generator', 'bin', 'express-cli.js');

const PLAYED: ReadonlyArray<Omit<Played, 'home'> & { readonly on: readonly Series[] }> = [
  {
    ...{ name: 'json-server', from: 'json-server', on: ['5', '4'] },
    about: 'a REST interface and a page over one JSON file, which it writes',
    program: join(MODULES, 'json-server', 'lib', 'cli', 'bin.js'),
    args: ['db.json', '--port', '3000'],
    isFresh: true,
    mistakes: { NOZOMI_QUERY_VALUE: 'made for Express 4, it adds a filter to req.query for nested routes' },
  },
  {
    ...{ name: 'json-graphql-server', from: 'json-graphql-server', on: ['5'] },
    about: 'GraphQL, with its explorer, over one JSON file',
    program: join(MODULES, 'json-graphql-server', 'bin', 'json-graphql-server.cjs'),
    args: ['data.json'],
    isFresh: true,
  },
  {
    ...{ name: 'wiki', from: 'wiki-server', on: ['5'] },
    about: 'the Federated Wiki: pages, editing, site maps, ES modules, Handlebars views',
    program: join('wiki', 'start.mjs'),
    isFresh: true,
    mistakes: { NOZOMI_SECOND_RESPONSE: 'no return after the response 500 of two routes' },
  },
  {
    ...{ name: 'functions-framework', from: '@google-cloud/functions-framework', on: ['5', '4'] },
    about: 'runs functions of Google Cloud behind its own middleware',
    program: join(MODULES, '@google-cloud', 'functions-framework', 'build', 'src', 'main.js'),
    args: ['--target=hello'],
    isFresh: true,
  },
  {
    ...{ name: 'model-context-protocol', from: '@modelcontextprotocol/sdk', on: ['5'] },
    about: 'an example server of the SDK: sessions and tools over JSON-RPC',
    program: join(SDK, 'jsonResponseStreamableHttp.js'),
  },
  {
    ...{ name: 'peer', from: 'peer', on: ['5', '4'] },
    about: 'the PeerJS broker',
    program: join(MODULES, 'peer', 'dist', 'bin', 'peerjs.js'),
    args: ['--port', '9000'],
  },
  ...['pug', 'ejs', 'hbs'].map((view): (typeof PLAYED)[number] => ({
    ...{ name: `express-generator-${view}`, from: 'express-generator', on: ['5', '4'] },
    about: `what it generates, with ${view} views and morgan`,
    program: join('.generated', view, 'bin', 'www'),
    folder: 'express-generator',
    prepare: [GENERATOR, `--view=${view}`, '--force', join('.generated', view)],
  })),
  {
    ...{ name: 'node-red', from: 'node-red', on: ['4'] },
    about: 'flows: its editor, its administration, and HTTP endpoints that a flow makes',
    program: join(MODULES, 'node-red', 'red.js'),
    args: ['--userDir', '.', '-D', 'telemetry.enabled=false'],
    isFresh: true,
  },
  {
    ...{ name: 'verdaccio', from: 'verdaccio', on: ['4'] },
    about: 'an npm registry: users, packages, search, its page',
    program: join(MODULES, 'verdaccio', 'bin', 'verdaccio'),
    args: ['--config', 'config.yaml', '--listen', '4873'],
    isFresh: true,
  },
  {
    ...{ name: 'maildev', from: 'maildev', on: ['4'] },
    about: 'a mailbox for tests: its page and its REST interface',
    program: join(MODULES, 'maildev', 'bin', 'maildev'),
    args: ['--web', '1080', '--smtp', '0'],
  },
  {
    ...{ name: 'swagger-ui-watcher', from: 'swagger-ui-watcher', on: ['4'] },
    about: 'shows an OpenAPI document, and reloads it',
    program: join(MODULES, 'swagger-ui-watcher', 'bin', 'swagger-ui-watcher.js'),
    args: ['api.yaml', '--no-open'],
    isFresh: true,
  },
  {
    ...{ name: 'webpack-dev-server', from: 'webpack-dev-server', on: ['4'] },
    about: 'serves what webpack builds, with its history fallback',
    program: join('webpack-dev-server', 'start.js'),
    isFresh: true,
  },
];

/** @returns The applications to compare with Express 5.3.0 or 4.22.3. */
export function playedOn(series: Series): readonly Played[] {
  return PLAYED.filter(({ on }) => on.includes(series)).map((one) => ({ ...one, home: HOMES[series] }));
}

/** Applications to record, and to compare with the Express that they depend on. The name is that of their folder. */
export const RECORDED: readonly Recorded[] = [
  {
    ...published('json-server', '0.17.4', 'a REST interface over a JSON file, with a page'),
    program: join(MODULES, 'json-server', 'lib', 'cli', 'bin.js'),
    args: ['db.json', '--port', '{port}'],
    pages: ['/', '/posts', '/db'],
  },
  {
    ...published('ungit', '1.5.30', 'a Git client in the browser'),
    program: join(MODULES, 'ungit', 'source', 'server.js'),
    args: ['--port={port}', '--no-launchBrowser'],
    pages: ['/'],
  },
  {
    ...published('parse-dashboard', '9.2.0', 'the dashboard of Parse, with a login'),
    program: join(MODULES, 'parse-dashboard', 'bin', 'parse-dashboard'),
    args: ['--config', 'config.json', '--port', '{port}', '--allowInsecureHTTP'],
    pages: ['/', '/login', '/apps'],
  },
  {
    ...published(
      '@modelcontextprotocol/server-everything',
      '2026.8.31',
      'the MCP server with everything, over HTTP',
    ),
    program: join(MODULES, '@modelcontextprotocol', 'server-everything', 'dist', 'index.js'),
    args: ['streamableHttp'],
  },
  {
    ...published('oauth2-mock-server', '8.2.3', 'an OAuth 2 and OpenID Connect provider for tests'),
    program: join(MODULES, 'oauth2-mock-server', 'dist', 'oauth2-mock-server.mjs'),
    args: ['-p', '{port}', '-a', '127.0.0.1'],
  },
  {
    ...published('mountebank', '2.9.1', 'test doubles over the wire, with its documentation'),
    program: join(MODULES, 'mountebank', 'bin', 'mb'),
    args: ['start', '--port', '{port}', '--nologfile', '--pidfile', 'mb.pid', '--host', '127.0.0.1'],
    pages: ['/', '/imposters', '/logs', '/config', '/docs/api/overview', '/docs/api/contracts'],
  },
  {
    ...published('reveal-md', '6.1.4', 'slides from Markdown'),
    program: join(MODULES, 'reveal-md', 'bin', 'reveal-md.js'),
    args: ['slides', '--port', '{port}', '--host', '127.0.0.1', '--disable-auto-open'],
    pages: ['/', '/one.md', '/more/two.md'],
  },
  {
    ...published('json-graphql-server', '3.3.2', 'GraphQL over a JSON file, with its explorer'),
    program: join(MODULES, 'json-graphql-server', 'bin', 'json-graphql-server.cjs'),
    args: ['db.json', '-p', '{port}', '-h', '127.0.0.1'],
    pages: ['/'],
  },
  {
    ...published('peer', '1.0.2', 'the PeerJS broker'),
    program: join(MODULES, 'peer', 'dist', 'bin', 'peerjs.js'),
    args: ['--port', '{port}', '--allow_discovery'],
  },
  {
    ...published('wiki-server', '0.27.0', 'the Federated Wiki'),
    program: 'start.mjs',
    beside: ['wiki-client@0.32.0'],
    pages: ['/', '/view/on-trains', '/on-trains.html', '/view/on-boats'],
  },
  {
    ...published('@google-cloud/functions-framework', '5.0.5', 'runs functions of Google Cloud'),
    program: join(MODULES, '@google-cloud', 'functions-framework', 'build', 'src', 'main.js'),
    args: ['--target=hello'],
  },
  ...['pug', 'ejs'].map(
    (view): Recorded => ({
      ...published('express-generator', '4.16.1', `what it generates with ${view} views`, `-${view}`),
      beside: [
        ...['express@~4.16.1', 'cookie-parser@~1.4.4', 'debug@~2.6.9', 'http-errors@~1.6.3', 'morgan@~1.9.1'],
        ...['pug@2', 'ejs@2'],
      ],
      prepare: [GENERATOR, `--view=${view}`, '--force', 'made'],
      program: join('made', 'bin', 'www'),
      pages: ['/', '/users', '/none'],
    }),
  ),
  {
    ...published('@mocks-server/main', '4.1.0', 'mocks by routes, with an interface to administer them'),
    program: join(MODULES, '@mocks-server', 'main', 'bin', 'mocks-server'),
    args: ['--server.port={port}', '--no-plugins.inquirerCli.enabled', '--plugins.adminApi.port=0'],
  },
  {
    ...published('webpack-dev-server', '5.2.7', 'serves what webpack makes, and its overlay'),
    program: join(MODULES, 'webpack-cli', 'bin', 'cli.js'),
    beside: ['webpack@5', 'webpack-cli@6'],
    args: ['serve', '--port', '{port}', '--host', '127.0.0.1', '--mode', 'development'],
    pages: ['/', '/data', '/webpack-dev-server'],
  },
  {
    ...published('@cypress/webpack-dev-server', '6.0.0', 'the server for component tests of Cypress'),
    program: 'start.js',
    beside: ['webpack@5'],
  },
  {
    ...published('node-red', '4.1.8', 'flows in the browser: an editor and its interface'),
    program: join(MODULES, 'node-red', 'red.js'),
    args: ['--port', '{port}', '--userDir', 'data'],
    pages: ['/'],
  },
  {
    ...published('@actual-app/sync-server', '26.9.0', 'the server of Actual, for budgets, and its page'),
    program: join(MODULES, '@actual-app', 'sync-server', 'build', 'bin', 'actual-server.js'),
    compile: ['better-sqlite3'],
    env: { ACTUAL_HOSTNAME: '127.0.0.1', NODE_ENV: 'production' },
    pages: ['/'],
  },
  {
    ...published('azurite', '3.37.0', 'the emulator of Azure Blob Storage'),
    program: join(MODULES, 'azurite', 'dist', 'src', 'blob', 'main.js'),
    args: ['--blobPort', '{port}', '--location', '.', '--loose', '--silent', '--disableTelemetry'],
  },
  {
    ...published('appium', '3.8.0', 'the WebDriver server for mobile applications'),
    program: join(MODULES, 'appium', 'index.js'),
    args: [
      ...['--port', '{port}', '--address', '127.0.0.1', '--log-no-colors', '--allow-cors'],
      ...['--log-level', 'error'],
    ],
  },
  {
    ...published('@mockoon/cli', '9.9.0', 'mocks of interfaces, from the files of its editor'),
    program: join(MODULES, '@mockoon', 'cli', 'bin', 'run.js'),
    args: [
      ...['start', '--data', 'shop.json', '--port', '{port}'],
      ...['--disable-log-to-file', '--disable-admin-api'],
    ],
  },
  {
    ...published('hubot', '14.1.0', 'a robot for chats, with routes of a script'),
    program: join(MODULES, 'hubot', 'bin', 'Hubot.mjs'),
    args: ['--file', 'adapter.mjs', '--require', 'scripts'],
  },
  {
    ...published('verdaccio', '6.10.4', 'an npm registry: users, packages, search, its page'),
    program: join(MODULES, 'verdaccio', 'bin', 'verdaccio'),
    args: ['--config', 'config.yaml', '--listen', '{port}'],
    overrides: { 'node-fetch': '2.7.0' },
    node: 24,
    pages: ['/'],
  },
  {
    ...published('pouchdb-server', '4.2.0', 'the interface of CouchDB over PouchDB, with Fauxton'),
    program: join(MODULES, 'pouchdb-server', 'bin', 'pouchdb-server'),
    args: ['--in-memory', '--no-stdout-logs', '--port', '{port}'],
    pages: ['/_utils/'],
  },
  {
    ...published('@sap/cds', '10.1.1', 'SAP Cloud Application Programming: an OData service with its page'),
    program: join(MODULES, '@sap', 'cds', 'bin', 'serve.js'),
    args: ['all', '--port', '{port}'],
    node: 24,
    pages: ['/'],
  },
  {
    ...published('supergateway', '4.0.0', 'serves MCP servers of standard input over HTTP'),
    program: join(MODULES, 'supergateway', 'dist', 'index.js'),
    args: [
      ...['--stdio', 'node server.mjs', '--outputTransport', 'streamableHttp'],
      ...['--port', '{port}', '--healthEndpoint', '/health'],
    ],
  },
];

function published(
  from: string,
  version: string,
  about: string,
  suffix = '',
): Pick<Recorded, 'name' | 'from' | 'version' | 'about' | 'home'> {
  const name = from + suffix;
  return { name, from, version, about, home: join(SPEC, 'recorded', name) };
}

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

/** Finds a file of an application in its own home, else in that of Express 5, whose requests it may share. */
function fileOf({ name, folder = name, home }: Played, file: string): string {
  const own = join(home, folder, file);
  return existsSync(own) ? own : join(SPEC, folder, file);
}

/** Reads the installed version of an application from the lockfile. */
export function versionOf({ from, home }: Pick<Played, 'from' | 'home'>): string {
  const lock = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'));
  return lock.packages[`node_modules/${from}`].version;
}
