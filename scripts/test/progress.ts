/** Estimates how long a run still takes, from the CPU time that each step used when `npm test -- --record-times` ran last. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chosen } from './choose';
import type { Run } from './stages';

/** CPU seconds by run and step. */
type Times = Readonly<Record<Run, Readonly<Record<string, number>>>>;

const FILE = join(__dirname, 'times.json');

const times: Times = JSON.parse(readFileSync(FILE, 'utf8'));

export class Progress {
  readonly #expected: ReadonlyMap<Chosen, number>;
  readonly #lanes: number;
  readonly #started = performance.now();
  readonly #done = new Set<Chosen>();
  #begun = 0;

  constructor(run: Run, steps: readonly Chosen[], lanes: number) {
    this.#expected = new Map(steps.map((step) => [step, timeOf(run, step.name)]));
    this.#lanes = lanes;
  }

  /** @returns The number of the step, and how long the run still takes: `3 of 20, about 90 s left`. */
  start(): string {
    this.#begun++;
    return `${this.#begun} of ${this.#expected.size}, about ${Math.ceil(this.#left())} s left`;
  }

  end(step: Chosen): void {
    this.#done.add(step);
  }

  /** @returns Seconds. */
  #left(): number {
    const [done, left] = [true, false].map((isDone) =>
      [...this.#expected].reduce(
        (sum, [step, used]) => (this.#done.has(step) === isDone ? sum + used : sum),
        0,
      ),
    ) as [number, number];
    const elapsed = (performance.now() - this.#started) / 1000;
    // How much slower this machine is, or how busy. Not known at the start, when steps run that have not ended.
    const pace = this.#done.size > this.#lanes && done > 0 ? Math.max(1, (elapsed * this.#lanes) / done) : 1;
    return (left / this.#lanes) * pace;
  }
}

/** @returns The CPU seconds of a step in this run, or in another one; 0 if it was never measured. */
function timeOf(run: Run, name: string): number {
  return times[run][name] ?? times.all[name] ?? times.ci[name] ?? times.quick[name] ?? 0;
}

/** Writes the times of a run. */
export function recordTimes(run: Run, steps: readonly { name: string; used: number }[]): void {
  const used = Object.fromEntries(steps.map(({ name, used }) => [name, Math.round(used * 10) / 10]));
  const all = { ...times, [run]: { ...times[run], ...used } };
  writeFileSync(FILE, `${JSON.stringify(all, undefined, 2)}\n`);
}
