/** The known implementations, and the parent side of their child processes. `child.ts` is the child side. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CIRCUMSTANCES } from '../circumstances';
import { removeFolder, temporaryFolder } from '../temporary-folder';
import { ImplementationLost, type ReplyingOptions, ReplyingProcess } from './process';
import { isInstalled, ROOT } from './project';
import {
  type Captured,
  END_MARK,
  type FromChild,
  type Implementation,
  type Question,
  type Series,
} from './protocol';

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

/** @returns Another build, in a folder like `dist`. */
export function buildIn(dist: string): Implementation {
  const [logger, name] = [join(dist, 'logger', 'index.js'), 'copy'];
  const express3 = { ...EXPRESS3_BUILD, name, logger, framework: join(dist, 'express3', 'index.js') };
  const express4 = { ...EXPRESS4_BUILD, name, logger, framework: join(dist, 'express4', 'index.js') };
  return { ...BUILD, name, logger, framework: join(dist, 'index.js'), express3, express4 };
}

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
  return inEachSeries(spec, { inRealm: true });
}

/** Returns a copy of an implementation of Nozomi that reads connections itself, also for Express 3 and 4. */
export function withOwnConnection(spec: Implementation): Implementation {
  return inEachSeries(spec, { hasOwnConnection: true });
}

/** Returns a copy of an implementation whose scenarios have a circumstance, also those of Express 3 and 4. */
export function underCircumstance(spec: Implementation, name: string): Implementation {
  const { identity } = CIRCUMSTANCES[name] ?? {};
  return inEachSeries(spec, { circumstance: name, ...(identity && { identity }) });
}

function inEachSeries(spec: Implementation, changes: Partial<Implementation>): Implementation {
  const { express3, express4 } = spec;
  return {
    ...spec,
    ...changes,
    ...(express3 && { express3: inEachSeries(express3, changes) }),
    ...(express4 && { express4: inEachSeries(express4, changes) }),
  };
}

/** How many milliseconds to wait for the end mark, after the reply that follows it. */
const LATEST_MARK = 1000;

export type ProcessOptions = Pick<ReplyingOptions, 'env' | 'deadline'>;

type Reply = Exclude<FromChild, { type: 'ready' }>;
type Opened = Extract<Reply, { type: 'opened' | 'refused' }>;

/** The process of an implementation. The constructor starts it. */
export class ImplementationProcess extends ReplyingProcess<Question, Reply> {
  readonly spec: Implementation;
  /** What an application has written: itself, past `process.stdout`, and by the processes that it has started. */
  readonly #written: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };

  constructor(spec: Implementation, options: ProcessOptions = {}) {
    const folder = temporaryFolder('implementation');
    super(spec.runtime?.program ?? childProgram(), [JSON.stringify(spec), folder], {
      ...options,
      name: spec.name,
      cwd: spec.cwd ?? (spec.application ? process.cwd() : ROOT),
      execArgv: [...(spec.execArgv ?? [])],
      leadsGroup: spec.application !== undefined,
      // The program of another runtime ends it when it gets a signal that it can handle.
      killSignal: spec.runtime ? 'SIGTERM' : 'SIGKILL',
    });
    this.spec = spec;
    this.child.on('close', () => removeFolder(folder));
    if (spec.application && !spec.isTimed) {
      this.child.stdout?.on('data', (chunk: Buffer) => this.#written.stdout.push(chunk));
      this.child.stderr?.on('data', (chunk: Buffer) => this.#written.stderr.push(chunk));
    }
  }

  /**
   * Starts the server of a scenario or, without `name`, of the application in `file`.
   *
   * @returns The port, or the error of the application.
   * @throws ImplementationLost if the process ends or does not reply in time.
   */
  async open(file: string, name?: string): Promise<Opened> {
    const reply = await this.ask({ type: 'open', file, name });
    if (reply.type !== 'opened' && reply.type !== 'refused')
      throw new ImplementationLost(`${this.spec.name}: unexpected reply "${reply.type}"`);
    return reply;
  }

  /** Closes a server, and returns what its application printed. */
  async close({ call }: Opened, connections: number): Promise<Captured> {
    const reply = await this.ask({ type: 'close', opened: call, connections });
    if (reply.type !== 'closed')
      throw new ImplementationLost(`${this.spec.name}: unexpected reply "${reply.type}"`);
    if (!this.spec.application) return reply.captured;
    const [stdout, stderr] = await Promise.all([this.#linesOf('stdout'), this.#linesOf('stderr')]);
    return { ...reply.captured, stdout, stderr };
  }

  /** Returns the lines that an application has written before the end mark. */
  async #linesOf(name: 'stdout' | 'stderr'): Promise<string[]> {
    const text = (): string => Buffer.concat(this.#written[name]).toString();
    for (
      const late = performance.now() + LATEST_MARK;
      !text().includes(END_MARK) && performance.now() < late;
    )
      await pause(5);
    return (
      text()
        .split(END_MARK, 1)[0]
        ?.match(/[^\n]*\n|[^\n]+$/g) ?? []
    );
  }

  /** Resolves with the CPU time of the process in microseconds. */
  async usage(): Promise<number> {
    const reply = await this.ask({ type: 'usage' });
    if (reply.type !== 'used')
      throw new ImplementationLost(`${this.spec.name}: unexpected reply "${reply.type}"`);
    return reply.cpu;
  }
}

/** Returns the path of `child.ts`; in the compiled package, of `child.js`. */
function childProgram(): string {
  return join(__dirname, isInstalled() ? 'child.js' : 'child.ts');
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
