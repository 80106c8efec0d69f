/**
 * The published applications to compare: how each is started, and its requests. None was written for this comparison.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Application {
  /** Name of its folder below `spec/applications`, and of its report. */
  readonly name: string;
  /** The npm package. */
  readonly from: string;
  readonly about: string;
  /** The range of its `express` dependency; each gets 5.3.0. */
  readonly asks: string;
  /** The file to start, below `spec/applications`. */
  readonly program: string;
  readonly args?: readonly string[];
  /** The application whose requests it shares, if it has none of its own. */
  readonly folder?: string;
  /** Whether it runs in a copy of its folder `fresh`. */
  readonly isFresh?: true;
  /** Arguments of node, run first in `spec/applications`: generates the application. */
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

export function requestsOf({ name, folder = name }: Application): string {
  return join(HOME, folder, 'requests.http');
}

/** Version of the package, pinned by the lockfile. */
export function versionOf({ from }: Application): string {
  const lock = JSON.parse(readFileSync(join(HOME, 'package-lock.json'), 'utf8'));
  return lock.packages[`node_modules/${from}`].version;
}
