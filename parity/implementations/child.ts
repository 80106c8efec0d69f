/**
 * Runs as the child process of an implementation. It builds the applications of the scenarios that the parent process
 * names, or loads a user's application, and collects the output.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { createServer, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import timers from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';
import { format, inspect } from 'node:util';
import type { Application } from 'express';
import { CIRCUMSTANCES } from '../circumstances';
import type { Circumstance, Scene } from '../circumstances/circumstance';
import { findScenario } from '../scenario/catalogue';
import type { AnyKit, Built, Logger, Scenario } from '../scenario/scenario';
import { seedChance } from './chance';
import {
  EXPRESS3_REFERENCE,
  EXPRESS4_REFERENCE,
  manifestOf,
  REFERENCE,
  resolveModule,
} from './implementations';
import { type HttpServer, isOwnConnection, loadApplication, serversBeside, serversOf } from './load';
import { refuseLoading } from './loading';
import { useOwnConnection } from './own-connection';
import { replyWith } from './process';
import { END_MARK, type FromChild, type Implementation, type ToChild } from './protocol';
import { enterRealm } from './realm';
import { otherCopies, redirect } from './redirect';
import { restoreHeaders, restoreTmpDir } from './removed';
import { noteRoutes } from './routes';
import { fixUsage } from './usage';

interface Stage {
  log: string;
  stdout: string;
  stderr: string;
  readonly deprecations: string[];
  readonly uncaught: string[];
  readonly uncaughtAt: number[];
  /** Called with an uncaught error while an application starts; undefined afterwards. */
  onFailure: ((error: unknown) => void) | undefined;
  /** Whether the server is ready for requests. */
  isServed: boolean;
  /** Called before the server closes, and after it. */
  readonly atClose: Array<() => Promise<void> | void>;
  readonly restores: Array<() => void>;
}

/** Assigns output and errors to a scenario: the async context follows sockets and timers. */
const stages = new AsyncLocalStorage<Stage>();
const open = new Map<number, TestApp>();

/**
 * Returns the scenario that the code belongs to. Node.js loses the async context for HTTP/2 over TLS, and other runtimes
 * for each connection. If only one scenario runs, the code belongs to that one.
 */
function currentStage(): Stage | undefined {
  const [only] = open.size === 1 ? open.values() : [];
  return stages.getStore() ?? only?.stage;
}

/** A scenario or a user's application that is running. */
interface TestApp {
  readonly stage: Stage;
  server: HttpServer | undefined;
  readonly sockets: Set<Socket>;
  /** Those of the application itself, which it may keep open. */
  readonly own: Set<Socket>;
  /** The number of connections that others have opened. */
  connections: number;
}

/**
 * How many milliseconds to wait until the server has accepted all connections of the client. A busy server accepts
 * late; some operating systems drop a connection that the client has already closed.
 */
const ARRIVAL = 5000;
/** How many milliseconds to wait for connections to close by themselves, after the client has disconnected. */
const GRACE = 5000;
/** How many milliseconds without output end a scenario on a runtime whose servers do not report connections. */
const QUIET = 25;

// Kept, because a circumstance may replace them.
const { setTimeout: pause } = timers;
const now = performance.now.bind(performance);

const spec = JSON.parse(process.argv[2] ?? '') as Implementation;
/** The temporary folder of this process. It is also removed here, in case the parent process was killed. */
const home = process.argv[3] ?? '';
process.once('exit', () => rmSync(home, { recursive: true, force: true }));
const root = process.cwd();

// A log may contain the process id, which would differ between implementations. That of an application stays: it may
// signal or inspect itself by it.
if (!spec.application && Object.getOwnPropertyDescriptor(process, 'pid')?.configurable !== false)
  Object.defineProperty(process, 'pid', { value: 4242 });
captureOutput();
if (spec.onOldRuntime) restoreTmpDir();
// Not for a user's application, which must work without it.
if (spec.onOldRuntime && !spec.application) restoreHeaders();
if (spec.seed !== undefined) seedChance(spec.seed);
if (spec.application) fixUsage();
const replaced = spec.application
  ? redirect(spec.replacements ?? [], dirname(spec.application), __dirname, spec.application)
  : [];
const noted =
  spec.application && spec.notesRoutes
    ? noteRoutes(spec.application, () => ([...open.values()][0]?.connections ?? 1) - 1)
    : undefined;
if (spec.inRealm) enterRealm();
const circumstance: Circumstance = CIRCUMSTANCES[spec.circumstance ?? ''] ?? { what: 'nothing' };
if (spec.hasOwnConnection) useOwnConnection();
circumstance.beforeLoading?.();
if (spec.refusesLoading) refuseLoading(() => stages.getStore()?.isServed === true);
const framework = (spec.application ? undefined : load(spec.framework)) as AnyKit['framework'];
const logger = (spec.application ? undefined : load(spec.logger)) as Logger;

// If a scenario ends this process, the parent can no longer request the output: write it to standard error.
process.on('exit', () => {
  for (const { stage } of open.values()) writeSync(2, stage.stdout + stage.stderr);
});
// If the parent has been killed, end also the processes that the application has started.
if (spec.application && process.platform !== 'win32')
  process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
replyWith(reply);
if (spec.application) Object.assign(process, { send: undefined });

async function reply(message: ToChild): Promise<FromChild> {
  if (message.type === 'open') return openScenario(message);
  if (message.type === 'close') return closeScenario(message);
  const { user, system } = process.cpuUsage();
  return { type: 'used', call: message.call, cpu: user + system };
}

async function openScenario({ call, file, name }: Extract<ToChild, { type: 'open' }>): Promise<FromChild> {
  const stage: Stage = {
    log: '',
    stdout: '',
    stderr: '',
    deprecations: [],
    uncaught: [],
    uncaughtAt: [],
    onFailure: undefined,
    isServed: false,
    atClose: [],
    restores: [],
  };
  const entry: TestApp = { stage, server: undefined, sockets: new Set(), own: new Set(), connections: 0 };
  open.set(call, entry);
  const start = async (): Promise<FromChild> => {
    try {
      const server =
        name === undefined
          ? await startApplication(file, stage)
          : await serveScenario(findScenario(file, name), stage);
      entry.server = server;
      watchConnections(server, entry);
      if (!server.listening) {
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject);
          server.listen(0, '127.0.0.1', resolve);
        });
      }
      // A string is the path of a Unix socket.
      const { port = 0 } = server.address() as Partial<AddressInfo>;
      restoreAtClose(stage, circumstance.afterListening?.(server as Server, sceneOf(stage)));
      stage.isServed = true;
      const opened = { type: 'opened', call, port, isSecure: server instanceof TlsServer } as const;
      if (name !== undefined || spec.runtime) return opened;
      // A second server often begins to listen right after the first one.
      await pause(0);
      const servers = serversOf(server);
      for (const one of serversBeside(server)) watchConnections(one, entry);
      return { ...opened, servers, ...remarksOn(file) };
    } catch (error) {
      // Add the stack, which shows where a user's application failed.
      if (name === undefined) process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      return { type: 'refused', call, threw: String(error) };
    }
  };
  return spec.isTimed ? start() : stages.run(stage, start);
}

/** Builds and serves the application of a scenario, under the circumstance of this process. */
async function serveScenario({ build }: Scenario, stage: Stage): Promise<HttpServer> {
  const scene = sceneOf(stage);
  restoreAtClose(stage, circumstance.beforeBuilding?.(scene));
  const kit = kitFor(stage);
  const built = await build(
    circumstance.framework ? { ...kit, framework: circumstance.framework(scene) } : kit,
  );
  return toServer(circumstance.serve?.(built, scene) ?? built);
}

function sceneOf(stage: Stage): Scene {
  return {
    framework,
    express: () => load(expressOf(spec).framework) as AnyKit['framework'],
    print: (line) => {
      stage.stdout += `${line}\n`;
    },
    atClose: (work) => stage.atClose.push(work),
  };
}

/** Returns the Express of the series that an implementation plays. */
function expressOf({ series }: Implementation): Implementation {
  if (series === '3.x') return EXPRESS3_REFERENCE;
  return series === '4.x' ? EXPRESS4_REFERENCE : REFERENCE;
}

function restoreAtClose(stage: Stage, restore: (() => void) | undefined): void {
  if (restore) stage.restores.unshift(restore);
}

/** Counts the connections of a server. */
function watchConnections(server: HttpServer, entry: TestApp): void {
  server.on('connection', (socket) => {
    // In workerd, the argument is the server.
    if (spec.runtime) return;
    entry.connections++;
    entry.sockets.add(socket);
    socket.on('close', () => {
      entry.sockets.delete(socket);
      entry.own.delete(socket);
    });
    // The client of the same process knows its port only when it is connected.
    if (spec.application)
      setImmediate(() => {
        if (!isOwnConnection(socket)) return;
        entry.connections--;
        entry.own.add(socket);
      });
  });
}

/** Names copies of Express and Nozomi that are not replaced. */
function remarksOn(file: string): Pick<Extract<FromChild, { type: 'opened' }>, 'remarks' | 'onlyCopy'> {
  const { copies, isOwnLoaded } = otherCopies(file, replaced);
  const [onlyCopy] = isOwnLoaded ? [] : copies;
  return {
    remarks: [
      ...copies.map(
        (folder) =>
          `not replaced: another copy of ${manifestOf(folder).name === 'nozomi' ? 'Nozomi' : 'Express'}, ${folder}`,
      ),
    ],
    ...(onlyCopy !== undefined && { onlyCopy }),
  };
}

/** Starts a user's application. Rejects at once if the application throws asynchronously. */
async function startApplication(file: string, stage: Stage): Promise<HttpServer> {
  const failure = new Promise<never>((_resolve, reject) => {
    stage.onFailure = reject;
  });
  try {
    return await Promise.race([loadApplication(file, spec.args), failure]);
  } finally {
    stage.onFailure = undefined;
  }
}

/** Closes a server and returns the output. It waits for open connections: a log line may follow its response. */
async function closeScenario(question: Extract<ToChild, { type: 'close' }>): Promise<FromChild> {
  const { call, opened, connections } = question;
  const running = open.get(opened);
  if (running?.server?.listening) {
    const { server, sockets, stage } = running;
    if (spec.runtime) {
      await quiet(stage);
    } else {
      await until(() => running.connections >= connections, ARRIVAL);
      await until(() => [...sockets].every((socket) => running.own.has(socket)), GRACE);
    }
    for (const work of stage.atClose) await work();
    for (const socket of sockets) socket.destroy();
    // Wait for the event: an application may override `server.close` without its callback, as Appium does. The servers
    // of other runtimes may have no events.
    const closed = spec.runtime ? undefined : once(server, 'close');
    server.close();
    await closed;
  }
  for (let turn = 0; turn < 3; turn++) await pause(0);
  for (const restore of running?.stage.restores ?? []) restore();
  open.delete(opened);
  if (spec.application) await markEnd();
  const { log = '', stdout = '', stderr = '', deprecations = [] } = running?.stage ?? {};
  const { uncaught = [], uncaughtAt = [] } = running?.stage ?? {};
  const captured = {
    log: lines(log),
    stdout: lines(stdout),
    stderr: lines(stderr),
    deprecations,
    uncaught,
    ...(spec.application && { uncaughtAt }),
    ...(noted && { handled: noted }),
    // One listener is that of this file.
    ...(spec.application && process.listenerCount('uncaughtException') > 1 && { catchesAll: true as const }),
  };
  return { type: 'closed', call, captured };
}

/** Writes the end mark, after what loggers and other processes write late. */
async function markEnd(): Promise<void> {
  await pause(QUIET);
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write(END_MARK, () => resolve()));
}

async function until(isTrue: () => boolean, milliseconds: number): Promise<void> {
  const end = now() + milliseconds;
  while (!isTrue() && now() < end) await pause(1);
}

/** Waits until a scenario has written nothing for `QUIET` milliseconds. */
async function quiet(stage: Stage): Promise<void> {
  const written = (): number => stage.log.length + stage.stdout.length + stage.stderr.length;
  for (let before = -1; before !== written(); ) {
    before = written();
    await pause(QUIET);
  }
}

function kitFor(stage: Stage): AnyKit {
  const log = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      stage.log += String(chunk);
      done();
    },
  });
  let folder: string | undefined;
  return {
    framework,
    logger,
    log,
    files: join(root, 'fixtures', 'files'),
    get folder() {
      folder ??= mkdtempSync(join(home, 'scenario-'));
      return folder;
    },
  };
}

/**
 * Creates the server of a scenario. For an application it calls `app.listen()`, as users do, because that creates
 * requests and responses with the prototypes of the application.
 */
async function toServer(built: Built): Promise<Server> {
  const { transport = 'listen' } = spec;
  if (transport !== 'listen') {
    const { serve } = require('../transports/serve') as typeof import('../transports/serve');
    return serve(built, transport, load) as Server;
  }
  if (built instanceof Server) return built;
  if (typeof built !== 'function') {
    throw new TypeError(
      `build must return an application, a request listener or a server, got ${String(built)}`,
    );
  }
  if (!('listen' in built)) return createServer(built);
  const server = (built as Application).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function load(name: string): unknown {
  return require(resolveModule(name, root));
}

/** Splits a text into lines with their line ends, so that a missing last line end is a difference. */
function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Collects the output, the warnings and the uncaught errors of scenarios. Other output is written as usual. */
function captureOutput(): void {
  // Print each object on one line. Line breaks would depend on the length of paths in this checkout.
  if (!spec.runtime) inspect.defaultOptions.breakLength = Number.POSITIVE_INFINITY;
  // The parent process reads what an application writes, because loggers and other processes write past these functions.
  for (const name of spec.application ? [] : (['stdout', 'stderr'] as const)) {
    const write = process[name].write;
    process[name].write = function (this: typeof process.stdout, chunk: unknown, ...rest: unknown[]) {
      const stage = currentStage();
      if (!stage) return Reflect.apply(write, this, [chunk, ...rest]) as boolean;
      stage[name] += String(chunk);
      const done = rest.find((argument) => typeof argument === 'function') as (() => void) | undefined;
      if (done) process.nextTick(done);
      return true;
    } as typeof write;
  }
  // The console of other runtimes does not write to `process.stdout`.
  if (spec.runtime) {
    const print =
      (name: 'stdout' | 'stderr') =>
      (...args: unknown[]): void =>
        void process[name].write(`${format(...args)}\n`);
    Object.assign(console, { log: print('stdout'), info: print('stdout') });
    Object.assign(console, { error: print('stderr'), warn: print('stderr') });
  }
  process.on('deprecation', (warning: Error & { namespace?: string }) => {
    currentStage()?.deprecations.push(`${warning.namespace}: ${warning.message}`);
  });
  // Skip deprecations of Node.js: it prints each once per process, in whichever scenario comes first.
  process.on('warning', ({ name, message }) => {
    const stage = currentStage();
    if (stage && name !== 'DeprecationWarning') process.stderr.write(`${name}: ${message}\n`);
  });
  process.on('uncaughtException', (error) => {
    const stage = currentStage();
    if (stage) {
      if (stage.onFailure) return stage.onFailure(error);
      stage.uncaught.push(String(error));
      const running = [...open.values()].find((one) => one.stage === stage);
      stage.uncaughtAt.push(running?.connections ?? 0);
      return;
    }
    process.stderr.write(`${error.stack}\n`, () => process.exit(1));
  });
}
