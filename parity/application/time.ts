/**
 * Measures the CPU time of an application with two implementations. All processes run at the same time and play the
 * requests in turn, so that other programs of the machine slow them alike. A second process of the baseline shows how
 * far two equal ones differ.
 */
import { playSteps } from '../client/exchange';
import type { Exchange, Request } from '../client/messages';
import { onOneConnection, type RequestSource } from '../client/request';
import { ImplementationProcess, type ProcessOptions } from '../implementations/implementations';
import type { Implementation } from '../implementations/protocol';
import type { Latency, Timing } from '../judge/report';
import { carrying } from './carry';
import type { Traffic } from './traffic';

export interface TimingOptions extends ProcessOptions {
  readonly traffic: Traffic;
  readonly patience: number;
  /** What the comparison saw of each request; decides which are sent. */
  readonly seen: readonly Exchange[];
  /** How many slices to measure; default 15. Two thirds as many warm up the processes before. */
  readonly slices?: number;
  onProgress?(done: number, total: number): void;
}

const SLICES = 15;
/** The minimum CPU time of a slice of the baseline in microseconds. */
const SLICE = 150_000;
/** How many times a slice plays the requests at most. */
const MOST = 200;

/**
 * Measures an application. It skips requests whose response does not end.
 *
 * @param baseline An implementation with `application`; another process of it is the control.
 * @throws ImplementationLost if a process ends.
 * @throws TypeError if no request can be measured.
 */
export async function timeApplication(
  baseline: Implementation,
  candidate: Implementation,
  options: TimingOptions,
): Promise<Timing> {
  const { seen, slices: measured = SLICES } = options;
  const warm = Math.ceil((measured * 2) / 3);
  const groups = groupsOf(seen);
  const count = groups.flat().length;
  if (count === 0) throw new TypeError('--time: no request has a response that ends');
  const running = [baseline, candidate, baseline].map((spec) => new TimedApplication(spec, options, groups));
  try {
    for (const one of running) await one.start();
    const [first] = running as [TimedApplication];
    await first.play(1);
    const rounds = Math.min(MOST, Math.ceil(SLICE / Math.max(1, await first.play(1))));
    const slices: number[][] = [];
    for (let slice = 0; slice < warm + measured; slice++) {
      options.onProgress?.(slice, warm + measured);
      if (slice === warm) for (const one of running) one.latencies.clear();
      const times: number[] = [];
      // Each process is the first one equally often.
      for (let turn = 0; turn < running.length; turn++) {
        const index = (turn + slice) % running.length;
        times[index] = ((await running[index]?.play(rounds)) ?? 0) / (rounds * count);
      }
      if (slice >= warm) slices.push(times);
    }
    // Sums, so that the figures agree with each other.
    const [a = 0, b = 0, c = 0] = running.map((_one, index) => sum(slices.map((times) => times[index] ?? 0)));
    return {
      requests: measured * rounds * count,
      baseline: a / measured,
      candidate: b / measured,
      ratio: b / a,
      control: c / a,
      latencies: latenciesOf(running.map(({ latencies }) => latencies)),
    };
  } finally {
    await Promise.all(running.map((one) => one.stop()));
  }
}

/** Numbers of requests that are sent on one connection. A response that closes the connection ends a group. */
type Group = readonly number[];

function groupsOf(seen: readonly Exchange[]): Group[] {
  const groups: number[][] = [[]];
  for (const [index, { outcome, response }] of seen.entries()) {
    if (response.status === undefined || (outcome !== 'kept' && outcome !== 'closed')) continue;
    groups.at(-1)?.push(index);
    if (outcome === 'closed') groups.push([]);
  }
  return groups.filter((group) => group.length > 0);
}

class TimedApplication {
  /** How many microseconds each response took, by method and path. */
  readonly latencies = new Map<string, number[]>();
  readonly #process: ImplementationProcess;
  readonly #options: TimingOptions;
  readonly #groups: readonly Group[];
  readonly #sources: readonly RequestSource[];
  #connection = { port: 0, isSecure: false };

  constructor(spec: Implementation, options: TimingOptions, groups: readonly Group[]) {
    this.#process = new ImplementationProcess({ ...spec, isTimed: true }, options);
    this.#options = options;
    this.#groups = groups;
    this.#sources = carrying(options.traffic.requests, options.traffic.secrets);
  }

  async start(): Promise<void> {
    const opened = await this.#process.open(this.#process.spec.application ?? '');
    if (opened.type === 'refused') throw new TypeError(`--time: ${opened.threw}`);
    this.#connection = { port: opened.port, isSecure: opened.isSecure ?? false };
  }

  /** Plays the requests several times. Resolves with the CPU time of the process in microseconds. */
  async play(rounds: number): Promise<number> {
    const before = await this.#process.usage();
    for (let round = 0; round < rounds; round++) {
      const seen = this.#options.seen.map((one): Exchange => ({ ...one, response: {} }));
      for (const group of this.#groups) await this.#playGroup(group, seen);
    }
    return (await this.#process.usage()) - before;
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  /** Plays requests on one connection, and puts the exchanges into `seen` at the numbers of the requests. */
  async #playGroup(group: Group, seen: Exchange[]): Promise<void> {
    const add = (exchanges: readonly Exchange[]): void => {
      for (const [at, one] of exchanges.entries()) seen[group[at] as number] = one;
    };
    let what = '';
    let start = 0;
    const requests = group.map((index) => (before: readonly Exchange[]): Request => {
      add(before);
      const source = this.#sources[index] as RequestSource;
      const request = typeof source === 'function' ? source(seen) : source;
      what = `${request.method} ${request.target.split('?', 1)}`;
      start = performance.now();
      return request;
    });
    const onResponse = (): void => {
      const times = this.latencies.get(what) ?? [];
      this.latencies.set(what, times);
      times.push((performance.now() - start) * 1000);
    };
    const { patience } = this.#options;
    add(await playSteps([onOneConnection(...requests)], { ...this.#connection, patience, onResponse }));
  }
}

function latenciesOf([a, b, c]: ReadonlyArray<ReadonlyMap<string, number[]>>): Latency[] {
  return [...(a ?? [])].map(([what, times]) => ({
    what,
    baseline: median(times),
    candidate: median(b?.get(what)),
    control: median(c?.get(what)),
  }));
}

function median(values: readonly number[] = []): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
