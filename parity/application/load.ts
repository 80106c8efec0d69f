/** Starts somebody's application as `node` would, and finds the server in it: exported, made, or listening. */
import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, Server } from 'node:http';
import { Server as SecureServer } from 'node:https';
import Module, { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A server of node:http, node:https or node:http2. */
export type HttpServer = net.Server;

/** What of the module loader is not in its types. */
interface Loader {
  _load(request: string, parent: undefined, isMain: boolean): unknown;
}

/** Names under which modules export an application, or a function that makes one. */
const NAMES = ['default', 'app', 'server', 'handler', 'createApp', 'createServer', 'create', 'build'];
/** Milliseconds an application may take to call `listen`: it may have to connect to a database first. */
const START = 20_000;
/** Milliseconds until an exported application that says `listen(` somewhere is taken as it is. */
const LATE = 5000;

/**
 * @param args What the application finds behind its own name.
 * @returns A server that listens already where the application listens itself (on a port of ours, whatever it
 *   asked for), else one that is still to listen.
 * @throws What the application throws; TypeError when there is nothing that could answer.
 */
export async function loadApplication(file: string, args: readonly string[] = []): Promise<HttpServer> {
  const server = await findServer(file, args);
  assertHttp1(server);
  return server;
}

async function findServer(file: string, args: readonly string[]): Promise<HttpServer> {
  const listening = interceptListen();
  runAsOneWorker(file);
  process.argv = [process.execPath, file, ...args];
  const loaded = await load(file);
  // An application that listens by itself does so when it is ready: its export is for those who test it.
  const mayListen = /\blisten\s*\(/.test(readFileSync(file, 'utf8'));
  if (!listening.first && !mayListen) {
    const exported = await toServer(loaded);
    if (exported && !listening.first) return exported;
  }
  try {
    return await listening.server(hasServer(loaded) ? LATE : START);
  } catch (error) {
    const exported = error instanceof NoServer ? await toServer(loaded) : undefined;
    if (exported) return exported;
    throw error;
  }
}

/** As the main module: programs ask whether they are. */
async function load(file: string): Promise<unknown> {
  if (isEsModule(file)) return importModule(pathToFileURL(file).href);
  try {
    return (Module as unknown as Loader)._load(file, undefined, true);
  } catch (error) {
    // Without a word in package.json, the syntax decides; older versions of Node.js say so by failing.
    if (!(error instanceof SyntaxError) || !/import|export|await/.test(error.message)) throw error;
    return importModule(pathToFileURL(file).href);
  }
}

/** By its extension, or by the package.json above it. */
function isEsModule(file: string): boolean {
  const extension = extname(file);
  if (/^\.[mc][jt]s$/.test(extension)) return extension.startsWith('.m');
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
    if (folder === dirname(folder)) return false;
  }
}

/** The compiler would turn `import()` into `require()`. */
const importModule = new Function('url', 'return import(url)') as (url: string) => Promise<unknown>;

/**
 * An application that forks workers is run as its first worker, in this process: `fork` starts the file again with
 * `cluster.isWorker`. What it does with further workers has no effect.
 */
function runAsOneWorker(file: string): void {
  let worker: Worker | undefined;
  cluster.fork = () => {
    if (worker) return worker;
    worker = Object.assign(new EventEmitter(), {
      ...{ id: 1, process, exitedAfterDisconnect: false },
      ...{ send: () => true, isConnected: () => true, isDead: () => false },
      ...{ kill: () => {}, destroy: () => {}, disconnect: () => worker },
    }) as unknown as Worker;
    Object.assign(cluster, { isPrimary: false, isMaster: false, isWorker: true, worker });
    syncBuiltinESMExports();
    setImmediate(() => {
      if (isEsModule(file)) void importModule(`${pathToFileURL(file).href}?worker`);
      else {
        delete require.cache[file];
        void load(file);
      }
    });
    return worker;
  };
  syncBuiltinESMExports();
}

/** Whether a module exports something that could be a server, without calling any of it. */
function hasServer(value: unknown): boolean {
  if (typeof value === 'function' || isServer(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  return NAMES.some((name) => hasServer((value as Record<string, unknown>)[name]));
}

async function toServer(value: unknown): Promise<HttpServer | undefined> {
  if (isServer(value)) return value;
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

/** The classes of node:http2 are not exported. */
function isServer(value: unknown): value is HttpServer {
  if (value instanceof Server || value instanceof SecureServer) return true;
  return value instanceof net.Server && /^Http2(Secure)?Server$/.test(value.constructor.name);
}

/** What no line of the application throws: frames would name those of this package. */
class Unplayable extends TypeError {
  constructor(message: string) {
    super(message);
    this.stack = String(this);
  }
}

class NoServer extends Unplayable {}

/** @throws Unplayable for a server without HTTP/1.1. */
function assertHttp1(server: HttpServer): void {
  if (server instanceof Server || server instanceof SecureServer) return;
  // Of node:tls: the names with their lengths, as the handshake has them. Cleartext HTTP/2 has none.
  const { ALPNProtocols: protocols } = server as { ALPNProtocols?: Uint8Array };
  if (protocols && Buffer.from(protocols).includes('http/1.1')) return;
  throw new Unplayable(
    'the server speaks HTTP/2 alone, and requests are played over HTTP/1.1: createSecureServer({ allowHTTP1: true, … })',
  );
}

interface Listening {
  readonly first: HttpServer | undefined;
  /** The first HTTP server that listens. @throws NoServer when none does in time. */
  server(deadline: number): Promise<HttpServer>;
}

/** Every HTTP server listens on a free port of this machine, whatever the application asks for. */
function interceptListen(): Listening {
  let [resolve, reject] = [(_server: HttpServer): void => {}, (_error: Error): void => {}];
  const promise = new Promise<HttpServer>((...both) => {
    [resolve, reject] = both;
  });
  promise.catch(() => {});
  let first: HttpServer | undefined;
  const listen = net.Server.prototype.listen;
  net.Server.prototype.listen = function (this: net.Server, ...given: unknown[]) {
    if (!isServer(this)) return Reflect.apply(listen, this, given);
    if (!first) {
      first = this;
      this.once('listening', () => resolve(this));
      this.once('error', reject);
    }
    const done = given.filter((argument) => typeof argument === 'function').slice(-1);
    // `exclusive`: not through a primary process of node:cluster.
    return Reflect.apply(listen, this, [{ port: 0, host: '127.0.0.1', exclusive: true }, ...done]);
  } as typeof listen;
  return {
    get first() {
      return first;
    },
    server(deadline) {
      const message = `no server: it exports no application and no server, and called no listen() within ${deadline / 1000} s`;
      const timer = setTimeout(() => reject(new NoServer(message)), deadline);
      return promise.finally(() => clearTimeout(timer));
    },
  };
}
