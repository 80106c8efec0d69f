/**
 * Plays an application on Express and morgan in one process, and on this build in another, and compares the results.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { BRIEF, PATIENT } from './client';
import { type Exclusion, explain } from './exclusions';
import { type Observation, type Program, type Series, WAYS, type Way } from './program';
import type { Report, Task } from './worker';

/** The framework and the logger to load, as arguments of `require`. */
export interface Implementation {
  readonly framework: string;
  readonly logger: string;
  /** The Node.js binary that runs them; default the one of this process. */
  readonly node?: string;
}

export const EXPRESS = {
  5: { framework: 'express', logger: 'morgan' },
  4: { framework: 'express4', logger: 'morgan' },
  3: { framework: 'express3', logger: 'morgan' },
} as const satisfies Record<Series, Implementation>;

export const BUILD = {
  5: { framework: 'nozomi', logger: 'nozomi/logger' },
  4: { framework: 'nozomi/4', logger: 'nozomi/logger' },
  3: { framework: 'nozomi/3', logger: 'nozomi/logger' },
} as const satisfies Record<Series, Implementation>;

/** What the baseline (`wanted`) and the candidate (`came`) did with the same application. */
export interface Difference {
  readonly way: Way;
  readonly wanted: Observation;
  readonly came: Observation;
}

/** Kills a process if one run of an application takes longer than this many milliseconds. */
const DEADLINE = 10_000;
/** The number of runs per process. A new process has none of their side effects. */
const LIFE = 1000;
/** The number of runs per process for applications that change objects of the framework or of `node:http`. */
const LIFE_OF_CHANGED = 60;

export class Pair {
  readonly #workers: readonly Worker[];
  readonly #changed: readonly Worker[];
  readonly excluded = new Map<Exclusion, number>();
  /** The number of responses of Express that were compared. */
  responses = 0;
  /** The number of differences that did not occur again, or changed, when the application was repeated. */
  unsteady = 0;

  constructor(build: Implementation = BUILD[5], reference: Implementation = EXPRESS[5]) {
    this.#workers = [reference, build].map((each) => new Worker(each, LIFE));
    // Use other processes for applications that change shared prototypes. Even after such a prototype is restored, V8
    // and the framework may behave differently.
    this.#changed = [reference, build].map((each) => new Worker(each, LIFE_OF_CHANGED));
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
      this.responses += seen.wanted.received.join('').match(/^HTTP\/1\.1 [2-9]/gm)?.length ?? 0;
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
      if (isSame(first) || isSame(second) || explanationOf(program, second).length > 0) continue;
      return second;
    }
    return undefined;
  }

  stop(): void {
    for (const worker of [...this.#workers, ...this.#changed]) worker.stop();
  }

  #isExplained(program: Program, difference: Difference): boolean {
    const exclusions = explanationOf(program, difference);
    for (const each of exclusions) this.excluded.set(each, (this.excluded.get(each) ?? 0) + 1);
    return exclusions.length > 0;
  }

  #workersFor(program: Program): readonly Worker[] {
    return changesShared(program) ? this.#changed : this.#workers;
  }

  async #run(program: Program, way: Way, patience: number): Promise<Difference> {
    const workers = this.#workersFor(program);
    const seen = await Promise.all(workers.map((worker) => worker.run({ program, way, patience })));
    const [wanted, came] = seen as [Report, Report];
    return { way, wanted: observationOf(wanted), came: observationOf(came) };
  }

  /**
   * Plays an application again with longer waits, then twice in new processes.
   *
   * @returns The difference in the new processes; undefined if a run has no difference or the last two are not equal.
   */
  async #confirm(program: Program, way: Way): Promise<Difference | undefined> {
    if (isSame(await this.#run(program, way, PATIENT))) return undefined;
    for (const worker of this.#workersFor(program)) worker.stop();
    const [first, second] = [await this.#run(program, way, PATIENT), await this.#run(program, way, PATIENT)];
    const isSteady = isEqual(first.wanted, second.wanted) && isEqual(first.came, second.came);
    return isSteady && !isSame(first) ? first : undefined;
  }
}

/** Runs applications with one implementation in a child process, which starts on first use. */
export class Worker {
  readonly #implementation: Implementation;
  readonly #life: number;
  #child: ChildProcess | undefined;
  #ready: Promise<unknown> | undefined;
  #age = 0;

  constructor(implementation: Implementation, life: number) {
    this.#implementation = implementation;
    this.#life = life;
  }

  async run(task: Task): Promise<Report> {
    if (this.#age++ >= this.#life) this.stop();
    const child = this.#start();
    await this.#ready;
    const report = await ask(child, task);
    if (report.spent) this.stop();
    return report;
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
    this.#age = 0;
  }

  #start(): ChildProcess {
    if (this.#child) return this.#child;
    const { framework, logger, node = process.execPath } = this.#implementation;
    const child = fork(join(__dirname, 'worker.ts'), [framework, logger], {
      execPath: node,
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, NODE_ENV: 'development', NO_DEPRECATION: '' },
    });
    this.#child = child;
    this.#ready = new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) =>
        reject(new Error(`${framework}: the process of the fuzzer did not start: exit code ${code}`)),
      );
    });
    return child;
  }
}

/** @returns The report of a run. If the process ends or does not respond, the report has an event that says so. */
function ask(child: ChildProcess, task: Task): Promise<Report> {
  return new Promise((resolve) => {
    const end = (report: Report): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
      resolve(report);
    };
    const lost = (why: string): void => {
      end({ received: [], events: [`process lost: ${why}`], busiest: 0, spent: true });
    };
    const onMessage = (message: unknown): void => end(message as Report);
    const onExit = (code: number | null, signal: string | null): void => lost(`${signal ?? code}`);
    const timer = setTimeout(() => lost(`no report within ${DEADLINE} ms`), DEADLINE);
    child.on('message', onMessage).on('exit', onExit);
    child.send(task);
  });
}

function observationOf({ received, events }: Observation): Observation {
  return { received, events };
}

function changesShared(program: Program): boolean {
  return /"(?:framework|http)\./.test(JSON.stringify(program));
}

function isSame({ wanted, came }: Difference): boolean {
  return isEqual(wanted, came);
}

function explanationOf(program: Program, { wanted, came }: Difference): readonly Exclusion[] {
  return explain(program, wanted, came, isEqual);
}

function isEqual(left: Observation, right: Observation): boolean {
  return isSameList(left.received, right.received) && isSameList(left.events, right.events);
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}
