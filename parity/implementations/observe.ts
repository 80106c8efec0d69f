/** Plays one scenario in one world and returns what was seen there. */

import { type Exchange, playSteps } from '../client/exchange';
import { normalise } from '../judge/normalise';
import type { Entry } from '../scenario/catalogue';
import type { Scenario } from '../scenario/scenario';
import type { Captured } from './child';
import { describeModules, manifestOf, World, WorldLost, type WorldSpec, worldOf } from './implementations';

/** All that a scenario shows in one world, free of what varies by nature. */
export interface Observation extends Captured {
  /** What `build` threw; then there are no exchanges. */
  readonly threw?: string;
  /** Why there is no observation: the process ended or did not answer. */
  readonly lost?: string;
  readonly exchanges: readonly Exchange[];
}

/** Who can say what a scenario shows: a running world, or the corpus of what a world once showed. */
export interface Witness {
  readonly name: string;
  /** Implementations and versions, for people. */
  readonly description: string;
  readonly follows: WorldSpec['follows'];
  /** @throws WorldLost when there is nothing to ask. */
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
/** Milliseconds for one answer: no scenario needs them, but a machine that does other things may. */
const PATIENCE = 20_000;

type Asking = Pick<Scenario, 'env' | 'series'>;

/** The processes of one world: one for each series and environment that scenarios ask for. */
export class Crew implements Witness {
  readonly name: string;
  readonly follows: WorldSpec['follows'];
  readonly #spec: WorldSpec;
  readonly #deadline: number | undefined;
  readonly #worlds = new Map<string, World>();

  constructor(spec: WorldSpec, deadline?: number) {
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
    await this.#worldFor({ ...(series && { series }) }).ready;
  }

  async observe(entry: Entry): Promise<Observation> {
    if (entry.scenario.alone) return this.#observeAlone(entry);
    try {
      return await observe(this.#worldFor(entry.scenario), entry);
    } catch (error) {
      if (!(error instanceof WorldLost)) throw error;
      // Another scenario may have taken the process down with it.
      return this.#observeAlone(entry);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#worlds.values()].map((world) => world.stop()));
  }

  async #observeAlone(entry: Entry): Promise<Observation> {
    const world = this.#open(entry.scenario);
    try {
      return await observe(world, entry);
    } catch (error) {
      if (error instanceof WorldLost) return { ...NOTHING, lost: error.message };
      throw error;
    } finally {
      await world.stop();
    }
  }

  #worldFor(asking: Asking): World {
    const key = JSON.stringify([asking.series, ...Object.entries(asking.env ?? {}).sort()]);
    let world = this.#worlds.get(key);
    if (!world?.alive) {
      world = this.#open(asking);
      this.#worlds.set(key, world);
    }
    return world;
  }

  /** @throws WorldLost for a series that this world has none of. */
  #open({ env, series }: Asking): World {
    const spec = worldOf(this.#spec, series);
    if (!spec) throw new WorldLost(`world "${this.name}" plays no scenarios of ${series ?? '5.x'}`);
    return new World(spec, { env, deadline: this.#deadline });
  }
}

/** @throws WorldLost what to install. */
function requirePackage(module: string, world: string): void {
  try {
    manifestOf(module);
  } catch {
    const packages = 'npm install --save-dev express@5.3.0 morgan@1.12.1';
    throw new WorldLost(`world "${world}": "${module}" is not installed here; the reference is: ${packages}`);
  }
}

async function observe(world: World, { file, scenario }: Entry): Promise<Observation> {
  const opened = await world.open(file, scenario.name);
  if (opened.type === 'refused') {
    const captured = await world.close(opened, 0);
    return normalise({ ...captured, threw: opened.threw, exchanges: [] }, world.spec);
  }
  const patience = scenario.patience ?? PATIENCE;
  const exchanges = await playSteps(scenario.requests, { port: opened.port, patience });
  const connections = new Set(exchanges.map(({ connection }) => connection)).size;
  return normalise({ ...(await world.close(opened, connections)), exchanges }, world.spec);
}
