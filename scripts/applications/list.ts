/** Lists the published applications to compare, with the command that starts each one and the file of its requests. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Application {
  /** The name for the command line and for the report; by default also that of the folder with the requests. */
  readonly name: string;
  /** The npm package that contains the application. */
  readonly from: string;
  readonly about: string;
  /** The range of Express that its package.json declares. The lockfile in `home` has the installed version. */
  readonly asks: string;
  /** The folder with `node_modules` and the lockfile; default `HOME`. */
  readonly home?: string;
  /** The file to start, relative to `home`. */
  readonly program: string;
  readonly args?: readonly string[];
  /** The folder with `requests.http`; default `name`. Applications can share one. */
  readonly folder?: string;
  /** Run each time in a new copy of the folder `fresh`, because the application reads or writes files there. */
  readonly isFresh?: true;
  /** The true warnings of `nozomi-parity doctor`, by code, with the reason. */
  readonly mistakes?: Readonly<Record<string, string>>;
  /** Arguments for `node` that generate the application. The command runs first, in `home`. */
  readonly prepare?: readonly string[];
}

export const HOME = join(__dirname, '..', '..', 'spec', 'applications');

const SDK = join('node_modules', '@modelcontextprotocol', 'sdk', 'dist', 'cjs', 'examples', 'server');

export const APPLICATIONS: readonly Application[] = [
  {
    name: 'json-server',
    from: 'json-server',
    about: 'a REST interface and a page over one JSON file, which it writes',
    asks: '^4.17.1',
    program: join('node_modules', 'json-server', 'lib', 'cli', 'bin.js'),
    args: ['db.json', '--port', '3000'],
    isFresh: true,
    mistakes: { NOZOMI_QUERY_VALUE: 'made for Express 4, it adds a filter to req.query for nested routes' },
  },
  {
    name: 'json-graphql-server',
    from: 'json-graphql-server',
    about: 'GraphQL, with its explorer, over one JSON file',
    asks: '^5.2.1',
    program: join('node_modules', 'json-graphql-server', 'bin', 'json-graphql-server.cjs'),
    args: ['data.json'],
    isFresh: true,
  },
  {
    name: 'wiki',
    from: 'wiki-server',
    about: 'the Federated Wiki: pages, editing, site maps, ES modules, Handlebars views',
    asks: '^5.1.0',
    program: join('wiki', 'start.mjs'),
    isFresh: true,
    mistakes: { NOZOMI_SECOND_RESPONSE: 'no return after the response 500 of two routes' },
  },
  {
    name: 'functions-framework',
    from: '@google-cloud/functions-framework',
    about: 'runs functions of Google Cloud behind its own middleware',
    asks: '^5.0.0',
    program: join('node_modules', '@google-cloud', 'functions-framework', 'build', 'src', 'main.js'),
    args: ['--target=hello'],
    isFresh: true,
  },
  {
    name: 'model-context-protocol',
    from: '@modelcontextprotocol/sdk',
    about: 'an example server of the SDK: sessions and tools over JSON-RPC',
    asks: '^5.2.1',
    program: join(SDK, 'jsonResponseStreamableHttp.js'),
  },
  {
    name: 'peer',
    from: 'peer',
    about: 'the PeerJS broker',
    asks: '^4.17.1',
    program: join('node_modules', 'peer', 'dist', 'bin', 'peerjs.js'),
    args: ['--port', '9000'],
  },
  ...['pug', 'ejs', 'hbs'].map((view): Application => {
    const program = join('.generated', view);
    const generator = join('node_modules', 'express-generator', 'bin', 'express-cli.js');
    return {
      name: `express-generator-${view}`,
      from: 'express-generator',
      about: `what it generates, with ${view} views and morgan`,
      asks: '~4.16.1',
      program: join(program, 'bin', 'www'),
      folder: 'express-generator',
      prepare: [generator, `--view=${view}`, '--force', program],
    };
  }),
];

/** The folder with the packages of the applications for Express 4. */
export const HOME4: string = join(__dirname, '..', '..', 'spec', 'applications4');

const FOR_EXPRESS4: readonly Application[] = [
  ...APPLICATIONS.filter(({ from }) => ['json-server', 'peer', 'express-generator'].includes(from)),
  {
    name: 'functions-framework',
    from: '@google-cloud/functions-framework',
    about: 'runs functions of Google Cloud behind its own middleware',
    asks: '^4.21.1',
    program: join('node_modules', '@google-cloud', 'functions-framework', 'build', 'src', 'main.js'),
    args: ['--target=hello'],
    isFresh: true,
  },
  {
    name: 'node-red',
    from: 'node-red',
    about: 'flows: its editor, its administration, and HTTP endpoints that a flow makes',
    asks: '4.21.2',
    program: join('node_modules', 'node-red', 'red.js'),
    args: ['--userDir', '.', '-D', 'telemetry.enabled=false'],
    isFresh: true,
  },
  {
    name: 'verdaccio',
    from: 'verdaccio',
    about: 'an npm registry: users, packages, search, its page',
    asks: '4.22.2',
    program: join('node_modules', 'verdaccio', 'bin', 'verdaccio'),
    args: ['--config', 'config.yaml', '--listen', '4873'],
    isFresh: true,
  },
  {
    name: 'maildev',
    from: 'maildev',
    about: 'a mailbox for tests: its page and its REST interface',
    asks: '^4.17.1',
    program: join('node_modules', 'maildev', 'bin', 'maildev'),
    args: ['--web', '1080', '--smtp', '0'],
  },
  {
    name: 'swagger-ui-watcher',
    from: 'swagger-ui-watcher',
    about: 'shows an OpenAPI document, and reloads it',
    asks: '^4.16.3',
    program: join('node_modules', 'swagger-ui-watcher', 'bin', 'swagger-ui-watcher.js'),
    args: ['api.yaml', '--no-open'],
    isFresh: true,
  },
  {
    name: 'webpack-dev-server',
    from: 'webpack-dev-server',
    about: 'serves what webpack builds, with its history fallback',
    asks: '^4.17.3',
    program: join('webpack-dev-server', 'start.js'),
    isFresh: true,
  },
];

/** Applications written for Express 4, to run with 4.22.3. Those that are also in `APPLICATIONS` share its requests. */
export const APPLICATIONS4: readonly Application[] = FOR_EXPRESS4.map((one) => ({ ...one, home: HOME4 }));

export function homeOf({ home = HOME }: Application): string {
  return home;
}

export function requestsOf(one: Application): string {
  return fileOf(one, 'requests.http');
}

/** @returns The folder to copy for each run; undefined if the application can run in its own folder. */
export function freshOf(one: Application): string | undefined {
  return one.isFresh && fileOf(one, 'fresh');
}

/** Finds a file of an application in its own home, else in `HOME`, whose requests it may share. */
function fileOf({ name, folder = name, home = HOME }: Application, file: string): string {
  const own = join(home, folder, file);
  return existsSync(own) ? own : join(HOME, folder, file);
}

/** Reads the installed version of an application from the lockfile. */
export function versionOf({ from, home = HOME }: Application): string {
  const lock = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'));
  return lock.packages[`node_modules/${from}`].version;
}
