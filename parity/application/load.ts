/** Starts somebody's application as `node` would, and finds the server in it: exported, made, or listening. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, Server } from 'node:http';
import Module from 'node:module';
import net from 'node:net';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What of the module loader is not in its types. */
interface Loader {
  _load(request: string, parent: undefined, isMain: boolean): unknown;
}

/** Names under which modules export an application, or a function that makes one. */
const NAMES = ['default', 'app', 'server', 'handler', 'createApp', 'createServer', 'create', 'build'];
/** Milliseconds a program may take to call `listen`: it may have to connect to a database first. */
const START = 20_000;

/**
 * @param args What the program finds behind its own name.
 * @returns A server that listens already where the program listens itself (on a port of ours, whatever it
 *   asked for), else one that is still to listen.
 * @throws What the program throws; TypeError when there is nothing that could answer.
 */
export async function loadApplication(file: string, args: readonly string[] = []): Promise<Server> {
  const listening = interceptListen();
  process.argv = [process.execPath, file, ...args];
  const loaded = await load(file);
  const exported = await toServer(loaded);
  if (listening.first === undefined && exported) return exported;
  return listening.server(START);
}

/** As the main module: programs ask whether they are. */
async function load(file: string): Promise<unknown> {
  if (isEsModule(file)) return importModule(pathToFileURL(file).href);
  try {
    return (Module as unknown as Loader)._load(file, undefined, true);
  } catch (error) {
    // Without a word in package.json, the syntax decides; older versions of Node say so by failing.
    if (!(error instanceof SyntaxError) || !/import|export|await/.test(error.message)) throw error;
    return importModule(pathToFileURL(file).href);
  }
}

/** By its extension, or by the package.json above it. */
function isEsModule(file: string): boolean {
  const extension = extname(file);
  if (extension === '.mjs' || extension === '.cjs') return extension === '.mjs';
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
    if (folder === dirname(folder)) return false;
  }
}

/** The compiler would turn `import()` into `require()`. */
const importModule = new Function('url', 'return import(url)') as (url: string) => Promise<unknown>;

async function toServer(value: unknown): Promise<Server | undefined> {
  if (value instanceof Server) return value;
  if (typeof value === 'function') {
    const isListener = 'handle' in value || value.length >= 2;
    return isListener ? createServer(value as RequestListener) : toServer(await value());
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name of NAMES) {
    const server = await toServer((value as Record<string, unknown>)[name]);
    if (server) return server;
  }
  return undefined;
}

interface Listening {
  readonly first: Server | undefined;
  /** The first HTTP server that listens. */
  server(deadline: number): Promise<Server>;
}

/** Every HTTP server listens on a free port of this machine, whatever the program asks for. */
function interceptListen(): Listening {
  let [resolve, reject] = [(_server: Server): void => {}, (_error: Error): void => {}];
  const promise = new Promise<Server>((...both) => {
    [resolve, reject] = both;
  });
  promise.catch(() => {});
  let first: Server | undefined;
  const listen = net.Server.prototype.listen;
  net.Server.prototype.listen = function (this: net.Server, ...given: unknown[]) {
    if (!(this instanceof Server)) return Reflect.apply(listen, this, given);
    if (!first) {
      first = this;
      this.once('listening', () => resolve(this as Server));
      this.once('error', reject);
    }
    const done = given.filter((argument) => typeof argument === 'function').slice(-1);
    return Reflect.apply(listen, this, [{ port: 0, host: '127.0.0.1' }, ...done]);
  } as typeof listen;
  return {
    get first() {
      return first;
    },
    server(deadline) {
      const message = `nothing to ask: it exports no application and no server, and called no listen() within ${deadline} ms`;
      const timer = setTimeout(() => reject(new TypeError(message)), deadline);
      return promise.finally(() => clearTimeout(timer));
    },
  };
}
