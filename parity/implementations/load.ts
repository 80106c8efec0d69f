/** Loads an application as `node` would, and finds its HTTP server. */
import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, Server } from 'node:http';
import { Server as SecureServer } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { dirname, extname, join, resolve } from 'node:path';
import { Server as TlsServer } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { loader } from '../modules';
import { type Place, readPlace } from './place';
import type { ServerPlace } from './protocol';

/** A server of node:http, node:https or node:http2. */
export type HttpServer = net.Server;

/** The export names under which to look for an application, a server, or a function that creates one. */
const NAMES = ['default', 'app', 'server', 'handler', 'createApp', 'createServer', 'create', 'build'];
/** How many milliseconds to wait for `listen()`: `--start`. The application may connect to a database first. */
const LISTEN_TIMEOUT = Number(process.env.NOZOMI_START ?? 20_000);
/** How many milliseconds to wait for a server of an Express application, after another server listens. */
const APPLICATION_TIMEOUT = 500;

/**
 * Loads an application and returns its HTTP server.
 *
 * @param args The command-line arguments of the application, for its `process.argv`.
 * @returns A server. It already listens on a free port if the application calls `listen()`.
 * @throws TypeError if the application has no server, or one without HTTP/1.1; or the error of the application.
 */
export async function loadApplication(file: string, args: readonly string[] = []): Promise<HttpServer> {
  const server = await findServer(file, args);
  assertHttp1(server);
  return server;
}

async function findServer(file: string, args: readonly string[]): Promise<HttpServer> {
  const listening = interceptListen();
  redirectOwnRequests();
  runAsOneWorker(file);
  process.argv = [process.execPath, file, ...args];
  const loaded = await load(file);
  // If the file calls `listen()`, wait for that: its export may exist for tests only.
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

/** Loads a file. A CommonJS file is loaded as the main module, because applications check `require.main`. */
async function load(file: string): Promise<unknown> {
  if (isEsModule(file)) return importModule(pathToFileURL(file).href);
  try {
    return loader._load(file, undefined, true);
  } catch (error) {
    // Without `type` in package.json, Node.js detects an ES module by its syntax. Older versions throw a SyntaxError.
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
const importModule = (url: string): Promise<unknown> => new Function('url', 'return import(url)')(url);

/**
 * Runs a clustered application as one worker in this process. The first `cluster.fork()` loads the file again, with
 * `cluster.isWorker` true; later calls return the same worker. `setupPrimary` may name another file.
 */
function runAsOneWorker(file: string): void {
  let worker: Worker | undefined;
  cluster.fork = (env?: object) => {
    if (worker) return worker;
    worker = Object.assign(new EventEmitter(), {
      id: 1,
      process,
      exitedAfterDisconnect: false,
      send: () => true,
      isConnected: () => true,
      isDead: () => false,
      kill: () => {},
      destroy: () => {},
      disconnect: () => worker,
    }) as unknown as Worker;
    const one = worker;
    process.send = (message: unknown) =>
      one.emit('message', message) || cluster.emit('message', one, message);
    Object.assign(cluster, { workers: { 1: one } });
    setImmediate(() => {
      // The primary runs on after `fork()`, and must see its own role.
      Object.assign(cluster, { isPrimary: false, isMaster: false, isWorker: true, worker: one });
      Object.assign(process.env, env);
      syncBuiltinESMExports();
      one.emit('online');
      cluster.emit('online', one);
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

/** Whether a value is an HTTP server. HTTP/2 is recognised by class name: node:http2 exports no class. */
function isServer(value: unknown): value is HttpServer {
  if (value instanceof Server || value instanceof SecureServer) return true;
  return value instanceof net.Server && /^Http2(Secure)?Server$/.test(value.constructor.name);
}

/** An error without stack frames, because they would show only files of this package. */
class Unplayable extends TypeError {
  constructor(message: string) {
    super(message);
    this.stack = String(this);
  }
}

export class NoServer extends Unplayable {}

/** @throws Unplayable if the server accepts only HTTP/2, because the client sends HTTP/1.1. */
function assertHttp1(server: HttpServer): void {
  if (server instanceof Server || server instanceof SecureServer) return;
  // Node.js keeps the names of the protocols in one buffer. A server for HTTP/2 without TLS has no `ALPNProtocols`.
  const { ALPNProtocols: protocols } = server as { ALPNProtocols?: Uint8Array };
  if (protocols && Buffer.from(protocols).includes('http/1.1')) return;
  throw new Unplayable(
    'the server accepts only HTTP/2, but requests are sent over HTTP/1.1: use createSecureServer({ allowHTTP1: true, … })',
  );
}

/** Whether an Express application handles the requests of a server. A server that redirects to HTTPS has none. */
function servesApplication(server: HttpServer): boolean {
  return server.listeners('request').some((listener) => 'handle' in listener);
}

/** What the application asked for when it called `listen()`. */
interface Asked {
  readonly name: string;
  readonly port: number | undefined;
}

interface Listening {
  readonly first: HttpServer | undefined;
  /**
   * Resolves with the first HTTP server that listens. A server of an Express application is preferred.
   *
   * @throws NoServer if no server listens in time, or Node.js is about to end because nothing is pending.
   * @throws The error of the first server if it cannot listen.
   */
  server(): Promise<HttpServer>;
}

/** The HTTP servers that listen, each with what the application asked for. */
const asked = new Map<net.Server, Asked>();

/** Returns the other HTTP servers of the application that listen. */
export function serversBeside(server: HttpServer): HttpServer[] {
  return [...asked.keys()].filter((one) => one !== server && one.listening);
}

/** Returns the HTTP servers of the application: the given one, then the others that listen, with their names. */
export function serversOf(server: HttpServer): ServerPlace[] {
  return [server, ...serversBeside(server)].map((one) => {
    const { name = 'a free port', port } = asked.get(one) ?? {};
    const address = one.address() as net.AddressInfo | string;
    return {
      name,
      ...(port ? { asked: port } : {}),
      at:
        typeof address === 'string'
          ? { path: resolve(address) }
          : { port: address.port, host: address.address },
      isSecure: one instanceof TlsServer,
    };
  });
}

/** Describes what the application requests from `listen()`: `port 3000` or `/run/app.sock`. */
function askedFor({ port, path }: Place): Asked {
  if (path) return { name: path, port: undefined };
  const number = Number(port ?? 0);
  return { name: Number.isNaN(number) ? 'a socket' : `port ${number}`, port: number || undefined };
}

/** The local ports of connections from this process to its own servers. */
const ownPorts = new Set<number>();

/** Whether the application itself has opened a connection, as a page that asks the API of the same application. */
export function isOwnConnection({ remotePort }: net.Socket): boolean {
  return remotePort !== undefined && ownPorts.has(remotePort);
}

const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0|::|)$/;

/** Leads connections of this process to a port that the application asked for to the one where that server listens. */
function redirectOwnRequests(): void {
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (this: net.Socket, ...given: unknown[]) {
    const [first] = given;
    // Node.js passes its own calls as one list, and the others with a port and a host, or with an object.
    const list = Array.isArray(first) ? first : given;
    const [options] = list as [unknown];
    const { port, host, path } = readPlace(list);
    const isLocal = typeof host !== 'string' || LOCAL.test(host);
    for (const [server, { port: expected }] of isLocal && path == null ? asked : []) {
      const address = server.address();
      if (typeof address !== 'object' || address === null) continue;
      if (Number(port) !== expected && Number(port) !== address.port) continue;
      this.once('connect', () => ownPorts.add(this.localPort ?? 0));
      const at = { port: address.port, host: address.address };
      if (typeof options === 'object' && options !== null) list[0] = { ...options, ...at };
      else list.splice(0, typeof list[1] === 'string' ? 2 : 1, at);
      break;
    }
    return Reflect.apply(connect, this, given);
  } as typeof connect;
}

/**
 * Patches `listen()`: every HTTP server listens on a free local port, whatever port the application requests, or on the
 * Unix socket that it requests.
 */
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
    const place = readPlace(given);
    asked.set(this, askedFor(place));
    this.once('listening', () => {
      if (servesApplication(this)) found(this);
      else setTimeout(found, APPLICATION_TIMEOUT, this);
    });
    if (place.path) return Reflect.apply(listen, this, given);
    const done = given.filter((argument) => typeof argument === 'function').slice(-1);
    const { signal } = place as { signal?: AbortSignal };
    const host = place.host === '::1' ? '::1' : '127.0.0.1';
    // `exclusive` opens the port in this process: a cluster worker would request the port from a primary process.
    const options = { port: 0, host, exclusive: true, ...(signal && { signal }) };
    return Reflect.apply(listen, this, [options, ...done]);
  } as typeof listen;
  return {
    get first() {
      return first;
    },
    async server() {
      const fail = (why: string): void =>
        reject(new NoServer(`no server found: the module exports no application and no server, and ${why}`));
      const onIdle = (): void => fail('Node.js would end before the application calls listen()');
      const timer = setTimeout(
        fail,
        LISTEN_TIMEOUT,
        `did not call listen() within ${LISTEN_TIMEOUT / 1000} s`,
      ).unref();
      // Unref the channel to the parent process: it keeps Node.js running, so that `beforeExit` would never fire.
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
