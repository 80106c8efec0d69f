/**
 * The published applications to compare, with how each is started and its requests. Others wrote them, independent of
 * this comparison.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Application {
  /** The name of its folder and of its report. */
  readonly name: string;
  /** The npm package. */
  readonly from: string;
  readonly about: string;
  /** The range of its dependency `express`. The installed version is in the lockfile of its home. */
  readonly asks: string;
  /** The folder with its packages; default `HOME`. */
  readonly home?: string;
  /** The file to start, relative to its home. */
  readonly program: string;
  readonly args?: readonly string[];
  /** The application whose requests it uses, if it has none of its own. */
  readonly folder?: string;
  /** Whether it runs in a copy of its folder `fresh`. */
  readonly isFresh?: true;
  /** Arguments of node that generate the application; they run first, in its home. */
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

/** The packages of applications for Express 4. */
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

/**
 * Applications that were written for Express 4. Each runs with 4.22.3; those that APPLICATIONS also contains use the
 * same requests.
 */
export const APPLICATIONS4: readonly Application[] = FOR_EXPRESS4.map((one) => ({ ...one, home: HOME4 }));

export function homeOf({ home = HOME }: Application): string {
  return home;
}

export function requestsOf(one: Application): string {
  return fileOf(one, 'requests.http');
}

/** The folder to copy for each run; undefined if the application needs none. */
export function freshOf(one: Application): string | undefined {
  return one.isFresh && fileOf(one, 'fresh');
}

/** A file of an application: in its own home or, for an application that shares requests, in `HOME`. */
function fileOf({ name, folder = name, home = HOME }: Application, file: string): string {
  const own = join(home, folder, file);
  return existsSync(own) ? own : join(HOME, folder, file);
}

/** The version of the package, from the lockfile. */
export function versionOf({ from, home = HOME }: Application): string {
  const lock = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'));
  return lock.packages[`node_modules/${from}`].version;
}
