/** Plays scenarios with an implementation, and returns the exchanges and the output. */

import { CIRCUMSTANCES } from '../circumstances';
import { withClient } from '../circumstances/steps';
import { playSteps } from '../client/exchange';
import { normalise } from '../judge/normalise';
import type { Entry } from '../scenario/catalogue';
import type { Scenario } from '../scenario/scenario';
import { playOverHttp2 } from '../transports/http2-client';
import { clientFor } from '../transports/transport';
import { describeModules, ImplementationProcess, implementationOf, manifestOf } from './implementations';
import { ImplementationLost } from './process';
import type { Implementation, Observation } from './protocol';

/** A source of observations: a running implementation, or a recording. */
export interface Observer {
  readonly name: string;
  /** The packages with their versions, for messages: `express 5.1.0, morgan 1.10.0`. */
  readonly description: string;
  readonly follows: Implementation['follows'];
  /** @throws ImplementationLost if the implementation cannot run. */
  start(): Promise<void>;
  observe(entry: Entry): Promise<Observation>;
  stop(): Promise<void>;
}

export const NOTHING: Observation = {
  exchanges: [],
  log: [],
  stdout: [],
  stderr: [],
  deprecations: [],
  uncaught: [],
};
/** How many milliseconds to wait for a response. It is long, because the machine may be busy. */
const PATIENCE = 20_000;
/** The same for a runtime other than Node.js, on which some applications never respond. */
const RUNTIME_PATIENCE = 2000;

type Requirements = Pick<Scenario, 'env' | 'series'>;

/**
 * Runs scenarios in child processes: one for each Express version and environment that scenarios need, and one for each
 * scenario with `alone`.
 */
export class WorkerPool implements Observer {
  readonly name: string;
  readonly follows: Implementation['follows'];
  readonly #spec: Implementation;
  readonly #deadline: number | undefined;
  readonly #implementations = new Map<string, ImplementationProcess>();

  constructor(spec: Implementation, deadline?: number) {
    this.name = spec.name;
    this.follows = spec.follows;
    this.#spec = spec;
    this.#deadline = deadline;
  }

  get description(): string {
    return describeModules(this.#spec.framework, this.#spec.logger);
  }

  async start(): Promise<void> {
    for (const module of [this.#spec.framework, this.#spec.logger]) requirePackage(module, this.name);
    const { series } = this.#spec;
    await this.#processFor({ ...(series && { series }) }).ready;
  }

  async observe(entry: Entry): Promise<Observation> {
    if (entry.scenario.alone) return this.#observeAlone(entry);
    try {
      return await observe(this.#processFor(entry.scenario), entry);
    } catch (error) {
      if (!(error instanceof ImplementationLost)) throw error;
      // Another scenario may have ended the shared process, so play this one again in a process of its own.
      return this.#observeAlone(entry);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#implementations.values()].map((implementation) => implementation.stop()));
  }

  async #observeAlone(entry: Entry): Promise<Observation> {
    const implementation = this.#open(entry.scenario);
    try {
      return await observe(implementation, entry);
    } catch (error) {
      if (error instanceof ImplementationLost) return { ...NOTHING, lost: error.message };
      throw error;
    } finally {
      await implementation.stop();
    }
  }

  #processFor(requirements: Requirements): ImplementationProcess {
    const key = JSON.stringify([requirements.series, ...Object.entries(requirements.env ?? {}).sort()]);
    let implementation = this.#implementations.get(key);
    if (!implementation?.alive) {
      implementation = this.#open(requirements);
      this.#implementations.set(key, implementation);
    }
    return implementation;
  }

  /**
   * Starts a process for an Express version and an environment.
   *
   * @throws ImplementationLost if the implementation has no entry point for this Express version.
   */
  #open({ env, series }: Requirements): ImplementationProcess {
    const spec = implementationOf(this.#spec, series);
    if (!spec)
      throw new ImplementationLost(`implementation "${this.name}" plays no scenarios of ${series ?? '5.x'}`);
    return new ImplementationProcess(spec, { env, deadline: this.#deadline });
  }
}

/**
 * Checks that a package is installed.
 *
 * @throws ImplementationLost if it is not. The message contains the `npm install` command.
 */
function requirePackage(module: string, implementation: string): void {
  try {
    manifestOf(module);
  } catch {
    const packages = 'npm install --save-dev express@5.3.0 morgan@1.12.1';
    throw new ImplementationLost(
      `implementation "${implementation}": "${module}" is not installed; to install the reference: ${packages}`,
    );
  }
}

async function observe(
  implementation: ImplementationProcess,
  { file, scenario }: Entry,
): Promise<Observation> {
  const opened = await implementation.open(file, scenario.name);
  const { pid } = implementation;
  const spec = { ...implementation.spec, ...(pid !== undefined && { pid }) };
  if (opened.type === 'refused') {
    const captured = await implementation.close(opened, 0);
    return normalise({ ...captured, threw: opened.threw, exchanges: [] }, spec);
  }
  const { runtime, transport, circumstance = '' } = implementation.spec;
  const around = CIRCUMSTANCES[circumstance];
  const client = around?.client ?? {};
  const patience = around?.patience ?? scenario.patience ?? (runtime ? RUNTIME_PATIENCE : PATIENCE);
  const { isHttp2, isSecure } = clientFor(transport);
  const play = isHttp2 ? playOverHttp2 : playSteps;
  const exchanges = await play(withClient(scenario.requests, client), {
    port: opened.port,
    patience,
    isSecure,
    ...(client.cut && { cut: client.cut }),
  });
  const connections = new Set(exchanges.map(({ connection }) => connection)).size;
  return normalise({ ...(await implementation.close(opened, connections)), exchanges }, spec);
}
