/**
 * Plays an application on Express and morgan in one process, and on this build in another, and compares the results.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ProgramDivergence } from '../divergences/divergence';
import { BUILD as BUILD_5, REFERENCE } from '../implementations/implementations';
import { ImplementationLost, ReplyingProcess } from '../implementations/process';
import type { Implementation } from '../implementations/protocol';
import type { Report, Task } from './child';
import { BRIEF, PATIENT } from './client';
import { explain } from './explain';
import { compareLeaks } from './leaks';
import { type Program, type Series, type Transcript, WAYS, type Way } from './program';

/** The framework and the logger to load, and the Node.js binary that runs them; default the one of this process. */
export type Modules = Pick<Implementation, 'framework' | 'logger'> & { readonly node?: string };

/** @returns The entry points of a package, by the version of Express. */
export function bySeries(spec: Implementation): Readonly<Record<Series, Modules>> {
  const { express4 = spec, express3 = spec } = spec;
  return { 5: spec, 4: express4, 3: express3 };
}

export const EXPRESS = bySeries(REFERENCE);
export const BUILD = bySeries(BUILD_5);

/** What the baseline (`expected`) and the candidate (`actual`) did with the same application. */
export interface Difference {
  /** The application that differs, if it is an earlier one: its requests are still in memory. */
  readonly earlier?: Program;
  readonly way: Way;
  readonly expected: Transcript;
  readonly actual: Transcript;
}

/** Kills a process if one run of an application takes longer than this many milliseconds. */
const DEADLINE = 10_000;
/** The number of runs per process. A new process has none of their side effects. */
const LIFE = 1000;
/** Looks for requests that are still in memory after this many runs. */
const COLLECTS = 50;
/** The number of runs per process for applications that change objects of the framework or of `node:http`. */
const LIFE_OF_CHANGED = 60;

interface Pool {
  /** Express, and this build. */
  readonly workers: readonly Worker[];
  /** The applications since the last search for requests in memory. */
  recent: Program[];
}

export class Pair {
  readonly #usual: Pool;
  readonly #changed: Pool;
  readonly excluded = new Map<ProgramDivergence, number>();
  /** The number of responses of Express that were compared. */
  responses = 0;
  /** The number of differences that did not occur again, or changed, when the application was repeated. */
  unsteady = 0;

  readonly #series: Series;

  constructor(series: Series = 5, build: Modules = BUILD[series], reference: Modules = EXPRESS[series]) {
    this.#series = series;
    this.#usual = { workers: [reference, build].map((each) => new Worker(each, LIFE)), recent: [] };
    // Use other processes for applications that change shared prototypes. Even after such a prototype is restored, V8
    // and the framework may behave differently.
    const changed = [reference, build].map((each) => new Worker(each, LIFE_OF_CHANGED));
    this.#changed = { workers: changed, recent: [] };
  }

  /**
   * Plays an application with each way to listen, and repeats it if the results differ.
   *
   * @returns The first difference that occurs in all repetitions and that no exclusion explains; undefined if none
   * does.
   */
  async play(program: Program): Promise<Difference | undefined> {
    for (const way of WAYS) {
      const seen = await this.#run(program, way, BRIEF);
      if (seen.earlier && (await this.#isKept(seen.earlier, way))) {
        const actual = { ...seen.actual, events: [...seen.actual.events, 'left a request in memory'] };
        return { ...seen, actual };
      }
      this.responses += seen.expected.received.join('').match(/^HTTP\/1\.1 [2-9]/gm)?.length ?? 0;
      if (isSame(seen) || this.#isExplained(program, seen)) continue;
      const difference = await this.#confirm(program, way);
      if (!difference) this.unsteady++;
      else if (!this.#isExplained(program, difference)) return difference;
    }
    return undefined;
  }

  /**
   * Like `play`, but faster, for shrinking: plays the application twice with each way to listen, and starts no new
   * processes.
   */
  async glance(program: Program): Promise<Difference | undefined> {
    for (const way of WAYS) {
      const [first, second] = [await this.#run(program, way, BRIEF), await this.#run(program, way, PATIENT)];
      if (isSame(first) || isSame(second) || this.#explanationOf(program, second).length > 0) continue;
      return second;
    }
    return undefined;
  }

  stop(): void {
    for (const worker of [...this.#usual.workers, ...this.#changed.workers]) worker.stop();
  }

  #isExplained(program: Program, difference: Difference): boolean {
    const exclusions = this.#explanationOf(program, difference);
    for (const each of exclusions) this.excluded.set(each, (this.excluded.get(each) ?? 0) + 1);
    return exclusions.length > 0;
  }

  #explanationOf(program: Program, { expected, actual }: Difference): readonly ProgramDivergence[] {
    return explain(program, this.#series, expected, actual);
  }

  #poolFor(program: Program): Pool {
    return changesShared(program) ? this.#changed : this.#usual;
  }

  /** Whether this build, and not Express, keeps a request of the application in memory, in new processes. */
  async #isKept(program: Program, way: Way): Promise<boolean> {
    const { workers } = this.#poolFor(program);
    for (const worker of workers) worker.stop();
    const run = (played: Program, collects: boolean): Promise<Report[]> =>
      Promise.all(workers.map((worker) => worker.run({ program: played, way, patience: PATIENT, collects })));
    await run(program, false);
    await run({ build: [], listeners: [], actions: [] }, false);
    const [expected, actual] = (await run(program, true)) as [Report, Report];
    return actual.leaks.held.length > expected.leaks.held.length;
  }

  async #run(program: Program, way: Way, patience: number): Promise<Difference> {
    const pool = this.#poolFor(program);
    const { workers, recent } = pool;
    const collects = recent.length >= COLLECTS;
    const seen = await Promise.all(workers.map((worker) => worker.run({ program, way, patience, collects })));
    const [expected, actual] = seen as [Report, Report];
    const held = actual.leaks.held.filter((age) => !expected.leaks.held.includes(age));
    const earlier = held.map((age) => recent.at(-age)).find((each) => each !== undefined);
    pool.recent = collects ? [program] : [...recent, program];
    const events = [...actual.events, ...compareLeaks(expected.leaks, actual.leaks)];
    return {
      ...(earlier && { earlier }),
      way,
      expected: { received: expected.received, events: expected.events },
      actual: { received: actual.received, events },
    };
  }

  /**
   * Plays an application again with longer waits, then twice in new processes.
   *
   * @returns The difference in the new processes; undefined if a run has no difference or the last two are not equal.
   */
  async #confirm(program: Program, way: Way): Promise<Difference | undefined> {
    if (isSame(await this.#run(program, way, PATIENT))) return undefined;
    for (const worker of this.#poolFor(program).workers) worker.stop();
    const [first, second] = [await this.#run(program, way, PATIENT), await this.#run(program, way, PATIENT)];
    const isSteady =
      isDeepStrictEqual(first.expected, second.expected) && isDeepStrictEqual(first.actual, second.actual);
    return isSteady && !isSame(first) ? first : undefined;
  }
}

type Child = ReplyingProcess<{ type: 'run' } & Task, Report & { call: number }>;

/** Runs applications with one implementation in a child process, which starts on first use. */
export class Worker {
  readonly #implementation: Modules;
  readonly #life: number;
  #process: Child | undefined;
  #age = 0;

  constructor(implementation: Modules, life: number) {
    this.#implementation = implementation;
    this.#life = life;
  }

  /** @returns The report of a run. If the process ends or does not respond, the report has an event that says so. */
  async run(task: Task): Promise<Report> {
    if (this.#age++ >= this.#life) this.stop();
    this.#process ??= this.#start();
    // Outside of `try`: a process that does not start is an error, and no difference.
    await this.#process.ready;
    try {
      const report = await this.#process.ask({ type: 'run', ...task });
      if (report.spent) this.stop();
      return report;
    } catch (error) {
      if (!(error instanceof ImplementationLost)) throw error;
      this.stop();
      const leaks = { files: [], ofProcess: 0, ofSockets: [], held: [] };
      return { received: [], events: [`process lost: ${error.why}`], leaks, busiest: 0, spent: true };
    }
  }

  stop(): void {
    this.#process?.kill();
    this.#process = undefined;
    this.#age = 0;
  }

  #start(): Child {
    const { framework, logger, node = process.execPath } = this.#implementation;
    return new ReplyingProcess(join(__dirname, 'child.ts'), [framework, logger], {
      name: framework,
      deadline: DEADLINE,
      execPath: node,
      execArgv: ['--expose-gc'],
    });
  }
}

function changesShared(program: Program): boolean {
  return /"(?:framework|http)\./.test(JSON.stringify(program));
}

function isSame({ expected, actual }: Difference): boolean {
  return isDeepStrictEqual(expected, actual);
}
