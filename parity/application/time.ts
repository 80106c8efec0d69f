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
  /** How many slices to measure; default 15. Before, two thirds to four times as many warm up the processes. */
  readonly slices?: number;
  onProgress?(done: number, total: number): void;
}

const SLICES = 15;
/** The minimum CPU time of a slice of the baseline in microseconds. */
const SLICE = 150_000;
/** How many times a slice plays the requests at most. */
const MOST = 1000;
/** How many requests to send on one connection at most. With few, the CPU time would be that of opening connections. */
const LONGEST = 300;

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
  const least = Math.ceil((measured * 2) / 3);
  const most = measured * 4;
  const count = connectionsOf(seen, 1).flat().length;
  if (count === 0) throw new TypeError('--time: no request has a response that ends');
  const running = [baseline, candidate, baseline].map((spec) => new TimedApplication(spec, options));
  try {
    for (const one of running) await one.start();
    const [first] = running as [TimedApplication];
    await first.play(1);
    const rounds = Math.min(MOST, Math.ceil(SLICE / Math.max(1, await first.play(1))));
    const takeSlice = async (slice: number): Promise<number[]> => {
      options.onProgress?.(slice, most + measured);
      const times: number[] = [];
      // Each process is the first one equally often.
      for (let turn = 0; turn < running.length; turn++) {
        const index = (turn + slice) % running.length;
        times[index] = ((await running[index]?.play(rounds)) ?? 0) / (rounds * count);
      }
      return times;
    };
    const warm: number[][] = [];
    while (warm.length < least || (warm.length < most && isWarming(warm.slice(-least))))
      warm.push(await takeSlice(warm.length));
    for (const one of running) one.latencies.clear();
    const slices: number[][] = [];
    while (slices.length < measured) slices.push(await takeSlice(most + slices.length));
    // Medians, because another program of the machine can make single slices several times slower.
    const [a = 0, b = 0, c = 0] = running.map((_one, index) =>
      median(slices.map((times) => times[index] ?? 0)),
    );
    return {
      requests: measured * rounds * count,
      baseline: a,
      candidate: b,
      ratio: b / a,
      control: c / a,
      latencies: latenciesOf(running.map(({ latencies }) => latencies)),
    };
  } finally {
    await Promise.all(running.map((one) => one.stop()));
  }
}

/** Whether a process still becomes faster, because V8 optimises its code: by more than 2 % between the halves of slices. */
function isWarming(slices: readonly number[][]): boolean {
  const middle = Math.floor(slices.length / 2);
  return (slices[0] ?? []).some((_one, index) => {
    const times = slices.map((one) => one[index] ?? 0);
    return median(times.slice(middle)) < 0.98 * median(times.slice(0, middle));
  });
}

/**
 * Lists the numbers of the requests that are sent on each connection, for some rounds. A response that closes the
 * connection is the last one.
 */
function connectionsOf(seen: readonly Exchange[], rounds: number): number[][] {
  const connections: number[][] = [[]];
  for (let round = 0; round < rounds; round++)
    for (const [index, { outcome, response }] of seen.entries()) {
      if (response.status === undefined || (outcome !== 'kept' && outcome !== 'closed')) continue;
      connections.at(-1)?.push(index);
      if (outcome === 'closed' || connections.at(-1)?.length === LONGEST) connections.push([]);
    }
  return connections.filter((numbers) => numbers.length > 0);
}

class TimedApplication {
  /** How many microseconds each response took, by method and path. */
  readonly latencies = new Map<string, number[]>();
  readonly #process: ImplementationProcess;
  readonly #options: TimingOptions;
  readonly #sources: readonly RequestSource[];
  /** The exchanges of this round, by the numbers of their requests. */
  #seen: Exchange[] = [];
  #number = 0;
  #connection = { port: 0, isSecure: false };

  constructor(spec: Implementation, options: TimingOptions) {
    this.#process = new ImplementationProcess({ ...spec, isTimed: true }, options);
    this.#options = options;
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
    for (const numbers of connectionsOf(this.#options.seen, rounds)) await this.#playConnection(numbers);
    return (await this.#process.usage()) - before;
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  async #playConnection(numbers: readonly number[]): Promise<void> {
    let what = '';
    let start = 0;
    const requests = numbers.map((number, at) => (before: readonly Exchange[]): Request => {
      const [last, lastNumber] = [before[at - 1], numbers[at - 1]];
      if (last && lastNumber !== undefined) this.#seen[lastNumber] = last;
      if (number <= this.#number) this.#seen = this.#options.seen.map((one) => ({ ...one, response: {} }));
      this.#number = number;
      const source = this.#sources[number] as RequestSource;
      const request = typeof source === 'function' ? source(this.#seen) : source;
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
    const exchanges = await playSteps([onOneConnection(...requests)], {
      ...this.#connection,
      patience,
      onResponse,
    });
    this.#seen[this.#number] = exchanges.at(-1) as Exchange;
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
