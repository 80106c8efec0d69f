/** The known implementations, and the parent side of their child processes. `child.ts` is the child side. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { removeFolder, temporaryFolder } from '../temporary-folder';
import { isInstalled, ROOT } from './project';
import type { Captured, FromChild, Implementation, Question, Series, ToChild } from './protocol';

/**
 * Resolves a module. Nozomi is the copy that this package depends on, because the project need not have it.
 *
 * @param module An argument of `require`.
 * @param from The folder from which it is resolved; default: the root of the project.
 * @throws Error of Node.js if the module is not installed.
 */
export function resolveModule(module: string, from: string = ROOT): string {
  return require.resolve(module, { paths: [/^nozomi(\/|$)/.test(module) ? __dirname : from] });
}

/** Express 3 changes prototypes of Node.js, so it needs a process of its own. */
export const EXPRESS3_REFERENCE: Implementation = {
  name: 'express3-reference',
  framework: 'express3',
  logger: 'morgan',
  series: '3.x',
  identity: 'Express',
  onOldRuntime: true,
  follows: 'reference',
};

export const EXPRESS3_BUILD: Implementation = {
  name: 'express3-build',
  framework: 'nozomi/3',
  logger: 'nozomi/logger',
  series: '3.x',
  identity: 'Nozomi',
  follows: 'document',
};

export const EXPRESS4_REFERENCE: Implementation = {
  name: 'express4-reference',
  framework: 'express4',
  logger: 'morgan',
  series: '4.x',
  identity: 'Express',
  follows: 'reference',
};

export const EXPRESS4_BUILD: Implementation = {
  name: 'express4-build',
  framework: 'nozomi/4',
  logger: 'nozomi/logger',
  series: '4.x',
  identity: 'Nozomi',
  follows: 'document',
};

export const REFERENCE: Implementation = {
  name: 'reference',
  framework: 'express',
  logger: 'morgan',
  identity: 'Express',
  express3: EXPRESS3_REFERENCE,
  express4: EXPRESS4_REFERENCE,
  follows: 'reference',
};

export const BUILD: Implementation = {
  name: 'build',
  framework: 'nozomi/5',
  logger: 'nozomi/logger',
  identity: 'Nozomi',
  express3: EXPRESS3_BUILD,
  express4: EXPRESS4_BUILD,
  follows: 'document',
};

/** The reference under a second name, to compare it with itself. A difference means a flaky scenario. */
const REFERENCE_AGAIN: Implementation = { ...REFERENCE, name: 'reference2' };
/** This build, in a process that loads no module while it serves requests. */
const SETTLED: Implementation = {
  ...BUILD,
  name: 'settled',
  refusesLoading: true,
  express3: { ...EXPRESS3_BUILD, name: 'express3-settled', refusesLoading: true },
  express4: { ...EXPRESS4_BUILD, name: 'express4-settled', refusesLoading: true },
};

export const IMPLEMENTATIONS: readonly Implementation[] = [
  REFERENCE,
  BUILD,
  REFERENCE_AGAIN,
  EXPRESS3_REFERENCE,
  EXPRESS3_BUILD,
  EXPRESS4_REFERENCE,
  EXPRESS4_BUILD,
  SETTLED,
];

/** Returns the implementation that plays the scenarios of a series such as `3.x`; undefined if there is none. */
export function implementationOf(
  spec: Implementation,
  series: Series | undefined,
): Implementation | undefined {
  return [spec, spec.express3, spec.express4].find(
    (implementation) => implementation && implementation.series === series,
  );
}

/** Returns a copy of an implementation that is loaded in a vm context, also for the scenarios of Express 3 and 4. */
export function inRealm(spec: Implementation): Implementation {
  const { express3, express4 } = spec;
  return {
    ...spec,
    inRealm: true,
    ...(express3 && { express3: inRealm(express3) }),
    ...(express4 && { express4: inRealm(express4) }),
  };
}

/** Environment variables of every implementation. A scenario can override them. */
const DEFAULT_ENV: Readonly<Record<string, string>> = {
  // In `development`, Express writes errors to the page and to standard error. `production` hides
  // them on the page, `test` hides them on standard error.
  NODE_ENV: 'development',
  TZ: 'UTC',
};

/** Thrown if the process of an implementation ends or does not reply in time. The message contains its output. */
export class ImplementationLost extends Error {}

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** How many milliseconds to wait for a reply before the process is killed; default 30000. */
  readonly deadline?: number | undefined;
}

/** How many milliseconds to wait for a process to load its implementation. It is long, because many start at once. */
const START_TIMEOUT = 30_000;

type Reply = Exclude<FromChild, { type: 'ready' }>;
type Opened = Extract<Reply, { type: 'opened' | 'refused' }>;

/** The child processes to kill when this process ends. A child also ends when its parent disconnects. */
const running = new Set<ImplementationProcess>();
process.once('exit', () => {
  for (const implementation of running) implementation.kill();
});

/** The process of an implementation. The constructor starts it. */
export class ImplementationProcess {
  readonly spec: Implementation;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>();
  readonly #ready: Promise<void>;
  readonly #deadline: number;
  #output = '';
  #lost: ImplementationLost | undefined;
  #calls = 0;

  constructor(spec: Implementation, { env = {}, deadline = 30_000 }: ProcessOptions = {}) {
    this.spec = spec;
    this.#deadline = deadline;
    const { PATH, HOME, SystemRoot, NODE_OPTIONS } = process.env;
    // Yarn Plug'n'Play puts its package resolver into NODE_OPTIONS.
    const loader = process.versions.pnp === undefined ? {} : { NODE_OPTIONS };
    const program = spec.runtime?.program ?? childProgram();
    const folder = temporaryFolder('implementation');
    this.#child = fork(program, [JSON.stringify(spec), folder], {
      cwd: spec.cwd ?? (spec.application ? process.cwd() : ROOT),
      env: { PATH, HOME, SystemRoot, ...loader, ...DEFAULT_ENV, ...env },
      execArgv: [
        '--no-warnings',
        ...(spec.execArgv ?? []),
        ...(program.endsWith('.ts') ? ['--require', loaderOfSources()] : []),
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk).slice(-8000);
      });
    }
    const starting = this.#expect('start', START_TIMEOUT);
    let begin = (): void => {};
    this.#ready = new Promise<void>((resolve, reject) => {
      begin = resolve;
      this.#waiting.set(0, { resolve: begin, reject });
    }).finally(() => clearTimeout(starting));
    // Avoids an unhandled rejection while no caller awaits the promise yet.
    this.#ready.catch(() => {});
    this.#child.on('message', (message: FromChild) => {
      if (message.type === 'ready') return begin();
      this.#waiting.get(message.call)?.resolve(message);
      this.#waiting.delete(message.call);
    });
    this.#child.on('close', (code, signal) => this.#lose(`ended with ${signal ?? `exit code ${code}`}`));
    this.#child.on('error', (error) => {
      // Ignore a failed `send`: the process is about to end, and `close` then reports its exit code.
      if (this.#child.pid === undefined) this.#lose(error.message);
    });
    running.add(this);
    this.#child.on('close', () => {
      running.delete(this);
      removeFolder(folder);
    });
  }

  get alive(): boolean {
    return this.#lost === undefined;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves once the implementation is loaded. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /**
   * Starts the server of a scenario or, without `name`, of the application in `file`.
   *
   * @returns The port, or the error of the application.
   * @throws ImplementationLost if the process ends or does not reply in time.
   */
  async open(file: string, name?: string): Promise<Opened> {
    const reply = await this.#ask({ type: 'open', file, name });
    if (reply.type !== 'opened' && reply.type !== 'refused')
      throw new ImplementationLost(`${this.spec.name}: unexpected reply "${reply.type}"`);
    return reply;
  }

  /** Closes a server, and returns what its application printed. */
  async close({ call }: Opened, connections: number): Promise<Captured> {
    const reply = await this.#ask({ type: 'close', opened: call, connections });
    if (reply.type !== 'closed')
      throw new ImplementationLost(`${this.spec.name}: unexpected reply "${reply.type}"`);
    return reply.captured;
  }

  /** Resolves with the CPU time of the process in microseconds. */
  async usage(): Promise<number> {
    const reply = await this.#ask({ type: 'usage' });
    if (reply.type !== 'used')
      throw new ImplementationLost(`${this.spec.name}: unexpected reply "${reply.type}"`);
    return reply.cpu;
  }

  async stop(): Promise<void> {
    if (!this.alive) return;
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.kill();
    await ended;
  }

  kill(): void {
    // The program of another runtime ends it when it gets a signal that it can handle.
    this.#child.kill(this.spec.runtime ? 'SIGTERM' : 'SIGKILL');
  }

  async #ask(question: Question): Promise<Reply> {
    await this.#ready;
    if (this.#lost) throw this.#lost;
    const call = ++this.#calls;
    const timer = this.#expect(`reply to "${question.type}"`, this.#deadline);
    try {
      return await new Promise<Reply>((resolve, reject) => {
        this.#waiting.set(call, { resolve, reject });
        this.#child.send({ ...question, call } satisfies ToChild, () => {});
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Starts a timer that kills the process. The caller clears the timer if the process replies. */
  #expect(what: string, deadline: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#lose(`did not ${what} within ${deadline} ms`);
      this.kill();
    }, deadline);
  }

  #lose(why: string): void {
    const output = this.#output.trim();
    this.#lost ??= new ImplementationLost(
      `implementation "${this.spec.name}" ${why}${output ? `; it wrote:\n${output}` : ''}`,
    );
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
    this.#waiting.clear();
  }
}

/** Returns the path of `child.ts`; in the compiled package, of `child.js`. */
function childProgram(): string {
  return join(__dirname, isInstalled() ? 'child.js' : 'child.ts');
}

/** That of CommonJS modules alone, which starts in a third of the time of `--import tsx`. */
function loaderOfSources(): string {
  return require.resolve('tsx/cjs');
}

/**
 * Reads the package.json of a module without loading the module.
 *
 * @param module An argument of `require`.
 * @param from The folder from which it is resolved; default: the root of the project.
 * @throws Error of Node.js if the module is not installed; TypeError if it has no package.json.
 */
export function manifestOf(
  module: string,
  from: string = ROOT,
): { name: string; version: string; folder: string } {
  for (let folder = dirname(resolveModule(module, from)); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) {
      const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
      if (name !== undefined && version !== undefined) return { name, version, folder };
    }
    if (folder === dirname(folder))
      throw new TypeError(`implementation: no package.json found above "${module}"`);
  }
}

/** Formats modules for messages: `express 5.1.0, morgan 1.10.0`. A path becomes the name of its package. */
export function describeModules(...modules: readonly string[]): string {
  return modules
    .map((module) => {
      const { name, version } = manifestOf(module);
      return `${isAbsolute(module) ? name : module} ${version}`;
    })
    .join(', ');
}
