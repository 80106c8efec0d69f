/**
 * The child's end of an implementation: a program started with one implementation as its argument. It builds the
 * application of a scenario when asked, and gathers what the application writes while it runs.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { createServer, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';
import { inspect } from 'node:util';
import type { Application } from 'express';
import { seedChance } from '../application/chance';
import { type HttpServer, loadApplication } from '../application/load';
import { redirect } from '../application/redirect';
import { findScenario } from '../scenario/catalogue';
import type { AnyKit, Built, Logger } from '../scenario/scenario';
import type { Implementation } from './implementations';

export type Question =
  /** Without a name, the file is an application of its own. */
  | { readonly type: 'open'; readonly file: string; readonly name?: string | undefined }
  /** `connections`: how many the client has made. */
  | { readonly type: 'close'; readonly opened: number; readonly connections: number };

/** `call` counts the questions; the answer carries it too, and an opened scenario is known by it. */
export type ToChild = Question & { readonly call: number };

export type FromChild =
  | { readonly type: 'ready' }
  | {
      readonly type: 'opened';
      readonly call: number;
      readonly port: number;
      /** Over TLS. */
      readonly isSecure?: boolean;
    }
  | { readonly type: 'refused'; readonly call: number; readonly threw: string }
  | { readonly type: 'closed'; readonly call: number; readonly captured: Captured };

/** What an application wrote, and what it let fall. */
export interface Captured {
  readonly log: readonly string[];
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly deprecations: readonly string[];
  /** Errors nobody caught: they would have ended a process of its own. */
  readonly uncaught: readonly string[];
  /** Of each of them, how many connections had come when it was thrown. */
  readonly uncaughtAt?: readonly number[];
}

interface Stage {
  log: string;
  stdout: string;
  stderr: string;
  readonly deprecations: string[];
  readonly uncaught: string[];
  readonly uncaughtAt: number[];
  /** While an application starts: it will not, once an error is thrown that nobody catches. */
  onFailure: ((error: unknown) => void) | undefined;
}

/** Which scenario the running code belongs to: sockets and timers carry it along. */
const stages = new AsyncLocalStorage<Stage>();
const open = new Map<number, TestApp>();

/** A scenario, or an application, that runs. */
interface TestApp {
  readonly stage: Stage;
  server: HttpServer | undefined;
  readonly sockets: Set<Socket>;
  connections: number;
}

/**
 * Milliseconds until a connection that the client has made is held to be lost. A client that leaves at once is
 * gone before it is accepted, and a busy machine takes its time; only a system that drops such a connection waits
 * for this long.
 */
const ARRIVAL = 5000;
/** Milliseconds that are left to accepted connections, once the client has left, to end by themselves. */
const GRACE = 5000;

const spec = JSON.parse(process.argv[2] ?? '') as Implementation;
/** Whoever started the implementation removes it; the implementation itself does where that one was killed. */
const home = process.argv[3] ?? '';
process.once('exit', () => rmSync(home, { recursive: true, force: true }));
const root = process.cwd();

// A log may hold the process id; no two implementations share one.
Object.defineProperty(process, 'pid', { value: 4242 });
captureOutput();
if (spec.onOldRuntime) Object.assign(os, { tmpDir: os.tmpdir });
if (spec.seed !== undefined) seedChance(spec.seed);
if (spec.application) redirect(spec.replacements ?? [], dirname(spec.application), __dirname);
const framework = (spec.application ? undefined : load(spec.framework)) as AnyKit['framework'];
const logger = (spec.application ? undefined : load(spec.logger)) as Logger;

process.on('message', (message: ToChild) => {
  void (message.type === 'open' ? openScenario(message) : closeScenario(message)).then((reply) =>
    process.send?.(reply),
  );
});
process.on('disconnect', () => process.exit());
// What an application wrote before it ended the process: nobody will ask for it any more.
process.on('exit', () => {
  for (const { stage } of open.values()) writeSync(2, stage.stdout + stage.stderr);
});
process.send?.({ type: 'ready' } satisfies FromChild);

async function openScenario({ call, file, name }: Extract<ToChild, { type: 'open' }>): Promise<FromChild> {
  const stage: Stage = {
    ...{ log: '', stdout: '', stderr: '', deprecations: [], uncaught: [], uncaughtAt: [] },
    onFailure: undefined,
  };
  const entry: TestApp = { stage, server: undefined, sockets: new Set(), connections: 0 };
  open.set(call, entry);
  return stages.run(stage, async (): Promise<FromChild> => {
    try {
      const server =
        name === undefined
          ? await startApplication(file, stage)
          : await toServer(await findScenario(file, name).build(kitFor(stage)));
      entry.server = server;
      server.on('connection', (socket) => {
        entry.connections++;
        entry.sockets.add(socket);
        socket.on('close', () => entry.sockets.delete(socket));
      });
      if (!server.listening) {
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject);
          server.listen(0, '127.0.0.1', resolve);
        });
      }
      const { port } = server.address() as AddressInfo;
      return { type: 'opened', call, port, isSecure: server instanceof TlsServer };
    } catch (error) {
      // Where somebody's application fails is worth more than that it does.
      if (name === undefined) stage.stderr += `${error instanceof Error ? error.stack : error}\n`;
      return { type: 'refused', call, threw: String(error) };
    }
  });
}

/** Fails at once where the application throws outside of its first turn. */
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

/** Waits until every connection has come and gone, because a log line may come after its answer. */
async function closeScenario(question: Extract<ToChild, { type: 'close' }>): Promise<FromChild> {
  const { call, opened, connections } = question;
  const running = open.get(opened);
  open.delete(opened);
  if (running?.server?.listening) {
    const { server, sockets } = running;
    await until(() => running.connections >= connections, ARRIVAL);
    await until(() => sockets.size === 0, GRACE);
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
  for (let turn = 0; turn < 3; turn++) await pause(0);
  const { log = '', stdout = '', stderr = '', deprecations = [] } = running?.stage ?? {};
  const { uncaught = [], uncaughtAt = [] } = running?.stage ?? {};
  const captured = {
    ...{ log: lines(log), stdout: lines(stdout), stderr: lines(stderr), deprecations, uncaught },
    ...(spec.application && { uncaughtAt }),
  };
  return { type: 'closed', call, captured };
}

async function until(isTrue: () => boolean, milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!isTrue() && Date.now() < end) await pause(1);
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

/** As programs start it: an application by its `listen`, so that its requests and responses are born as its own. */
async function toServer(built: Built): Promise<Server> {
  const { transport = 'listen' } = spec;
  if (transport !== 'listen') {
    const { serve } = await import('../transports/serve.js');
    return serve(built, transport, load) as Server;
  }
  if (built instanceof Server) return built;
  if (typeof built !== 'function') {
    throw new TypeError(`build must return an app, a request listener or a server, got ${String(built)}`);
  }
  if (!('listen' in built)) return createServer(built);
  const server = (built as Application).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function load(name: string): unknown {
  return require(require.resolve(name, { paths: [root] }));
}

/** Each line with its end, so that a missing last newline shows. */
function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** What belongs to a scenario is kept for it; the rest goes where it always goes. */
function captureOutput(): void {
  // Where printed objects break into lines must not depend on how long the path of this checkout is.
  inspect.defaultOptions.breakLength = Number.POSITIVE_INFINITY;
  for (const name of ['stdout', 'stderr'] as const) {
    const write = process[name].write;
    process[name].write = function (this: typeof process.stdout, chunk: unknown, ...rest: unknown[]) {
      const stage = stages.getStore();
      if (!stage) return Reflect.apply(write, this, [chunk, ...rest]) as boolean;
      stage[name] += String(chunk);
      const done = rest.find((argument) => typeof argument === 'function') as (() => void) | undefined;
      if (done) process.nextTick(done);
      return true;
    } as typeof write;
  }
  process.on('deprecation', (warning: Error & { namespace?: string }) => {
    stages.getStore()?.deprecations.push(`${warning.namespace}: ${warning.message}`);
  });
  // The runtime tells of a deprecation of its own once in a process: which scenario hears it is chance.
  process.on('warning', ({ name, message }) => {
    const stage = stages.getStore();
    if (stage && name !== 'DeprecationWarning') stage.stderr += `${name}: ${message}\n`;
  });
  process.on('uncaughtException', (error) => {
    // What Node.js calls for HTTP/2 over TLS may have lost the scenario; alone in the process, it is the one.
    const [only] = open.size === 1 ? open.values() : [];
    const stage = stages.getStore() ?? only?.stage;
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
