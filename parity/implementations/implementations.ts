/**
 * The known implementations, and the parent's part of the communication with their processes (`child.ts` has the
 * other part).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Series } from '../scenario/scenario';
import { removeFolder, temporaryFolder } from '../temporary-folder';
import type { Captured, FromChild, Implementation, Question, ToChild } from './protocol';

/** The project with the scenarios, packages and fixtures. In an installed package it is the working directory. */
export const ROOT = isInstalled() ? process.cwd() : join(__dirname, '..', '..');

/** Whether this code runs from the compiled package, and not from the sources. */
export function isInstalled(): boolean {
  return __dirname.endsWith(join('dist', 'parity', 'implementations'));
}

/** Express 3 changes the prototypes of Node.js, so it must not be loaded beside another implementation. */
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

const EXPRESS4_REFERENCE: Implementation = {
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

/** The reference a second time. If its two runs differ, the scenario is not deterministic. */
const REFERENCE_AGAIN: Implementation = { ...REFERENCE, name: 'reference2' };

export const IMPLEMENTATIONS: readonly Implementation[] = [
  REFERENCE,
  BUILD,
  REFERENCE_AGAIN,
  EXPRESS3_REFERENCE,
  EXPRESS3_BUILD,
  EXPRESS4_REFERENCE,
  EXPRESS4_BUILD,
];

/** The implementation that plays the scenarios of an Express version; undefined if there is none. */
export function implementationOf(
  spec: Implementation,
  series: Series | undefined,
): Implementation | undefined {
  return [spec, spec.express3, spec.express4].find(
    (implementation) => implementation && implementation.series === series,
  );
}

/** Environment variables of every implementation. They override those of the caller. */
const DEFAULT_ENV: Readonly<Record<string, string>> = {
  // The default of Express: errors go to the page and to standard error, so both are compared. `test` suppresses the
  // second, `production` the first.
  NODE_ENV: 'development',
  TZ: 'UTC',
};

/** The process of an implementation ended or did not reply in time. The message contains its output. */
export class ImplementationLost extends Error {}

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** After how many milliseconds an implementation without a reply counts as hanging. */
  readonly deadline?: number | undefined;
}

/**
 * How many milliseconds an implementation may take to load. It is long, because many start at once, also on busy
 * machines.
 */
const START = 30_000;

type Reply = Exclude<FromChild, { type: 'ready' }>;
type Opened = Exclude<Reply, { type: 'closed' }>;

/**
 * The running processes, which are killed when this process ends. An implementation also ends itself when its parent
 * ends.
 */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
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
    // Yarn's Plug'n'Play finds packages by this option.
    const loader = process.versions.pnp === undefined ? {} : { NODE_OPTIONS };
    const program = childProgram();
    const folder = temporaryFolder('implementation');
    this.#child = fork(program, [JSON.stringify(spec), folder], {
      cwd: spec.cwd ?? (spec.application ? process.cwd() : ROOT),
      env: { PATH, HOME, SystemRoot, ...loader, ...DEFAULT_ENV, ...env },
      execArgv: [
        '--no-warnings',
        ...(spec.execArgv ?? []),
        ...(program.endsWith('.ts') ? ['--import', loaderOfSources()] : []),
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk).slice(-8000);
      });
    }
    const starting = this.#expect('sign of life', START);
    let begin = (): void => {};
    this.#ready = new Promise<void>((resolve, reject) => {
      begin = resolve;
      this.#waiting.set(0, { resolve: begin, reject });
    }).finally(() => clearTimeout(starting));
    // Avoids an unhandled rejection before a caller awaits the promise.
    this.#ready.catch(() => {});
    this.#child.on('message', (message: FromChild) => {
      if (message.type === 'ready') return begin();
      this.#waiting.get(message.call)?.resolve(message);
      this.#waiting.delete(message.call);
    });
    this.#child.on('close', (code, signal) => this.#lose(`ended with ${signal ?? `exit code ${code}`}`));
    this.#child.on('error', (error) => {
      // If sending fails, the process is about to end; the message for its end is more useful.
      if (this.#child.pid === undefined) this.#lose(error.message);
    });
    running.add(this.#child);
    this.#child.on('close', () => {
      running.delete(this.#child);
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

  /** Builds the application of a scenario. @returns The port, or the error of `build`. */
  async open(file: string, name?: string): Promise<Opened> {
    const reply = await this.#ask({ type: 'open', file, name });
    if (reply.type === 'closed')
      throw new ImplementationLost(`${this.spec.name}: unexpected "${reply.type}"`);
    return reply;
  }

  /** Closes the server of a scenario and returns its output. */
  async close({ call }: Opened, connections: number): Promise<Captured> {
    const reply = await this.#ask({ type: 'close', opened: call, connections });
    if (reply.type !== 'closed')
      throw new ImplementationLost(`${this.spec.name}: unexpected "${reply.type}"`);
    return reply.captured;
  }

  async stop(): Promise<void> {
    if (!this.alive) return;
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }

  async #ask(question: Question): Promise<Reply> {
    await this.#ready;
    if (this.#lost) throw this.#lost;
    const call = ++this.#calls;
    const timer = this.#expect(`answer to "${question.type}"`, this.#deadline);
    try {
      return await new Promise<Reply>((resolve, reject) => {
        this.#waiting.set(call, { resolve, reject });
        this.#child.send({ ...question, call } satisfies ToChild, () => {});
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Counts the implementation as lost, unless the timer is cleared in time. */
  #expect(what: string, deadline: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#lose(`gave no ${what} within ${deadline} ms`);
      this.#child.kill('SIGKILL');
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

/** The path of `child.ts`, or of `child.js` in the compiled package. */
function childProgram(): string {
  const source = join(__dirname, 'child.ts');
  return existsSync(source) ? source : join(__dirname, 'child.js');
}

function loaderOfSources(): string {
  return pathToFileURL(require.resolve('tsx')).href;
}

/** The package.json of a module that `require` resolves from a folder, without loading the module. */
export function manifestOf(
  module: string,
  from: string = ROOT,
): { name: string; version: string; folder: string } {
  for (let folder = dirname(require.resolve(module, { paths: [from] })); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) {
      const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
      if (name !== undefined && version !== undefined) return { name, version, folder };
    }
    if (folder === dirname(folder))
      throw new TypeError(`implementation: no package.json found above "${module}"`);
  }
}

/** Describes modules with their versions in messages. A module given by a path gets the name of its package. */
export function describeModules(...modules: readonly string[]): string {
  return modules
    .map((module) => {
      const { name, version } = manifestOf(module);
      return `${isAbsolute(module) ? name : module} ${version}`;
    })
    .join(', ');
}
