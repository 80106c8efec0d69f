/**
 * Loads an application as `node` would, and returns its server: one that listens, or one that it exports or creates.
 */
import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, Server } from 'node:http';
import { Server as SecureServer } from 'node:https';
import Module, { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A server of node:http, node:https or node:http2. */
export type HttpServer = net.Server;

/** Members of the module loader that its types omit. */
interface Loader {
  _load(request: string, parent: undefined, isMain: boolean): unknown;
}

/** Names under which modules export an application, or a function that creates one. */
const NAMES = ['default', 'app', 'server', 'handler', 'createApp', 'createServer', 'create', 'build'];
/** How many milliseconds an application may take to call `listen`; it may connect to a database first. */
const START = 20_000;
/** How many milliseconds a server without an application waits for one with an application. */
const OTHER = 500;

/**
 * @param args Arguments of the application in `process.argv`.
 * @returns A server. It listens already if the application listens itself (on a free port, whatever it requested).
 * @throws the application's error; TypeError if it has no server.
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
  // An application that calls `listen` does so when it is ready. Its export may exist for tests only.
  const mayListen = /\blisten\s*\(/.test(readFileSync(file, 'utf8'));
  if (!listening.first && !mayListen) {
    const exported = await toServer(loaded);
    if (exported && !listening.first) return exported;
  }
  try {
    return await listening.server();
  } catch (error) {
    const exported = error instanceof NoServer ? await toServer(loaded) : undefined;
    if (exported) return exported;
    throw error;
  }
}

/** Loads a file as the main module, because applications check `require.main`. */
async function load(file: string): Promise<unknown> {
  if (isEsModule(file)) return importModule(pathToFileURL(file).href);
  try {
    return (Module as unknown as Loader)._load(file, undefined, true);
  } catch (error) {
    // Without `type` in package.json, Node.js decides by the syntax; older versions throw a SyntaxError.
    if (!(error instanceof SyntaxError) || !/import|export|await/.test(error.message)) throw error;
    return importModule(pathToFileURL(file).href);
  }
}

/** Whether a file is an ES module: by its extension, or by the nearest package.json. */
function isEsModule(file: string): boolean {
  const extension = extname(file);
  if (/^\.[mc][jt]s$/.test(extension)) return extension.startsWith('.m');
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
    if (folder === dirname(folder)) return false;
  }
}

/** `new Function`, because TypeScript would compile `import()` to `require()`. */
const importModule = new Function('url', 'return import(url)') as (url: string) => Promise<unknown>;

/**
 * Runs an application that forks workers as its first worker, in this process: `fork` loads the file again, or that of
 * `setupPrimary`, with `cluster.isWorker`. Further workers are ignored.
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
      const program = resolve(cluster.settings.exec ?? file);
      if (isEsModule(program)) void importModule(`${pathToFileURL(program).href}?worker`);
      else {
        delete require.cache[program];
        void load(program);
      }
    });
    return worker;
  };
  syncBuiltinESMExports();
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

/** Whether a value is a server. It checks methods, because node:http2 does not export its classes. */
function isServer(value: unknown): value is HttpServer {
  if (value instanceof Server || value instanceof SecureServer) return true;
  return value instanceof net.Server && /^Http2(Secure)?Server$/.test(value.constructor.name);
}

/** An error without stack frames, which would show files of this package only. */
class Unplayable extends TypeError {
  constructor(message: string) {
    super(message);
    this.stack = String(this);
  }
}

export class NoServer extends Unplayable {}

/** @throws Unplayable for a server without HTTP/1.1. */
function assertHttp1(server: HttpServer): void {
  if (server instanceof Server || server instanceof SecureServer) return;
  // `ALPNProtocols` is a list of names, each after its length, as in the TLS handshake. A server for HTTP/2 without
  // TLS has none.
  const { ALPNProtocols: protocols } = server as { ALPNProtocols?: Uint8Array };
  if (protocols && Buffer.from(protocols).includes('http/1.1')) return;
  throw new Unplayable(
    'the server speaks HTTP/2 alone, and requests are played over HTTP/1.1: createSecureServer({ allowHTTP1: true, … })',
  );
}

/** Whether its requests go to an application of Express at once; a server that redirects to HTTPS may listen first. */
function servesApplication(server: HttpServer): boolean {
  return server.listeners('request').some((listener) => 'handle' in listener);
}

interface Listening {
  readonly first: HttpServer | undefined;
  /**
   * Resolves with the first HTTP server that listens; one that serves an application goes before others.
   *
   * @throws NoServer if none listens in time, or Node.js would end.
   */
  server(): Promise<HttpServer>;
}

/** Makes every HTTP server listen on a free port of this machine, whichever port the application requests. */
function interceptListen(): Listening {
  let [found, reject] = [(_server: HttpServer): void => {}, (_error: Error): void => {}];
  const promise = new Promise<HttpServer>((...both) => {
    [found, reject] = both;
  });
  promise.catch(() => {});
  let first: HttpServer | undefined;
  const listen = net.Server.prototype.listen;
  net.Server.prototype.listen = function (this: net.Server, ...given: unknown[]) {
    if (!isServer(this)) return Reflect.apply(listen, this, given);
    if (!first) {
      first = this;
      this.once('error', reject);
    }
    this.once('listening', () => {
      if (servesApplication(this)) found(this);
      else setTimeout(found, OTHER, this);
    });
    const done = given.filter((argument) => typeof argument === 'function').slice(-1);
    // `exclusive`: node:cluster must not ask a primary process for the port.
    return Reflect.apply(listen, this, [{ port: 0, host: '127.0.0.1', exclusive: true }, ...done]);
  } as typeof listen;
  return {
    get first() {
      return first;
    },
    async server() {
      const fail = (why: string): void =>
        reject(new NoServer(`no server: it exports no application and no server, and ${why}`));
      const onIdle = (): void => fail('Node.js would end before the application calls listen()');
      const timer = setTimeout(fail, START, `it called no listen() within ${START / 1000} s`).unref();
      // Otherwise only the channel to the parent would keep Node.js running.
      process.channel?.unref();
      process.once('beforeExit', onIdle);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        process.off('beforeExit', onIdle);
        process.channel?.ref();
      }
    },
  };
}
