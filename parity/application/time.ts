/**
 * Measures the CPU time of an application with two implementations. All processes run at the same time, on one
 * processor, and play the requests in turn, so that other programs of the machine slow them alike. A second process of
 * the baseline shows how far two equal ones differ.
 */
import { playSteps } from '../client/exchange';
import {
  CONNECTIONS,
  Connections,
  OtherResponse,
  type Repeated,
  type Sample,
  YOUNG_GENERATION,
} from '../client/load';
import type { ConnectionOutcome, Exchange, ReceivedResponse, Request } from '../client/messages';
import { freeClient, pinClient, pinServer } from '../client/processors';
import { formatHead, type RequestSource, type ServerAddress } from '../client/request';
import { ImplementationProcess, type ProcessOptions } from '../implementations/implementations';
import type { Implementation } from '../implementations/protocol';
import type { PathTiming, Timing } from '../judge/report';
import { carrying } from './carry';
import { serversFor } from './servers';
import type { Traffic } from './traffic';

export interface TimingOptions extends ProcessOptions {
  readonly traffic: Traffic;
  readonly patience: number;
  /** What the comparison saw of each request; decides which are sent. */
  readonly seen: readonly Exchange[];
  /** How many slices to measure; default 15, fewer for many requests. */
  readonly slices?: number;
  onProgress?(done: number, total: number): void;
}

const SLICES = 15;
const MIN_SLICES = 5;
/** The CPU time of a slice of the baseline in microseconds, divided by the number of requests, and its minimum. */
const SLICE = 150_000;
const MIN_SLICE_TIME = 5000;
/** The longest time in seconds to repeat one request in a slice. */
const MAX_SLICE_SECONDS = 1;
/** Methods that should not change the state of an application. RFC 9110 §9.2.1 */
const SAFE = /^(?:GET|HEAD|OPTIONS)$/;
/** Why a request is not repeated, by what the comparison saw of its connection. */
const WHY: Partial<Record<ConnectionOutcome, string>> = {
  kept: 'may change other responses',
  closed: 'closes the connection',
};

/**
 * Measures an application. Each slice plays the requests in order, so that a login comes before the pages that need it,
 * and repeats each one on several connections. Only these repetitions are measured.
 *
 * It repeats a request only while the response keeps its status and length. If repeating all requests changes one of
 * the responses, it starts again, and repeats only those with a safe method.
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
  const { requests } = options.traffic;
  const numbersOf = (...outcomes: ConnectionOutcome[]): number[] =>
    [...options.seen.entries()].flatMap(([number, { outcome, response }]) =>
      response.status !== undefined && outcomes.includes(outcome) ? [number] : [],
    );
  // A response that does not end would cost `patience` each time.
  const [ending, kept] = [numbersOf('kept', 'closed'), numbersOf('kept')];
  if (kept.length === 0)
    throw new TypeError('--time: no request has a response that ends and keeps the connection');
  const safe = kept.filter((number) => SAFE.test(requests[number]?.method ?? ''));
  const attempt = async (repeated: Repetitions, isLast: boolean): Promise<Timing | undefined> => {
    const running = [baseline, candidate, baseline].map(
      (spec) => new TimedApplication(spec, options, ending),
    );
    pinClient();
    try {
      for (const one of running) await one.start();
      for (const one of running) await one.play(repeated);
      return repeated.changes.size === 0 || isLast ? await measure(running, repeated, options) : undefined;
    } finally {
      await Promise.all(running.map((one) => one.stop()));
      freeClient();
    }
  };
  const hasChoice = safe.length > 0 && safe.length < kept.length;
  const timing = await attempt(new Repetitions(kept), !hasChoice);
  return timing ?? ((await attempt(new Repetitions(safe), true)) as Timing);
}

/** Which requests are repeated, by their numbers, and how often in a slice. */
class Repetitions {
  readonly counts: Map<number, number>;
  /** Why a request is no longer repeated, such as `200 → 429`. */
  readonly changes = new Map<number, string>();

  constructor(numbers: readonly number[]) {
    this.counts = new Map(numbers.map((number) => [number, CONNECTIONS]));
  }

  drop(number: number, why: string): void {
    this.counts.delete(number);
    this.changes.set(number, why);
  }

  /** Sets the counts so that each request takes an equal part of a slice. */
  adjust(samples: Samples): void {
    for (const [number, { cpu, throughput }] of samples) {
      if (!this.counts.has(number)) continue;
      const part = Math.max(MIN_SLICE_TIME, SLICE / this.counts.size);
      const count = Math.min(part / Math.max(1, cpu), MAX_SLICE_SECONDS * throughput);
      this.counts.set(number, Math.ceil(count / CONNECTIONS) * CONNECTIONS);
    }
  }
}

/** The samples of a slice, by the number of the request. */
type Samples = Map<number, Sample>;

async function measure(
  running: readonly TimedApplication[],
  repeated: Repetitions,
  options: TimingOptions,
): Promise<Timing> {
  const { traffic, seen } = options;
  const fraction = Math.min(1, SLICE / MIN_SLICE_TIME / repeated.counts.size);
  const { slices: measured = Math.max(MIN_SLICES, Math.round(SLICES * fraction)) } = options;
  const least = Math.ceil((measured * 2) / 3);
  const most = measured * 4;
  const idOf = (number: number): string => traffic.requests[number]?.id ?? '';
  const takeSlice = async (slice: number): Promise<Samples[]> => {
    options.onProgress?.(slice, most + measured);
    const samples: Samples[] = [];
    // Each process is the first one equally often.
    for (let turn = 0; turn < running.length; turn++) {
      const index = (turn + slice) % running.length;
      samples[index] = (await running[index]?.play(repeated)) ?? new Map();
    }
    return samples;
  };
  const kept = (): number[] => {
    if (repeated.counts.size > 0) return [...repeated.counts.keys()];
    const [[number, why] = [0, '']] = repeated.changes;
    const remedy = why.endsWith('429') ? '; raise the rate limit of the application to measure it' : '';
    throw new TypeError(
      `--time: no response stays as it is when its request is repeated; ${idOf(number)}: ${why}${remedy}`,
    );
  };
  const warm: Samples[][] = [];
  while (warm.length < least || (warm.length < most && isWarming(warm.slice(-least), kept()))) {
    warm.push(await takeSlice(warm.length));
    repeated.adjust(warm.at(-1)?.[0] as Samples);
  }
  const slices: Samples[][] = [];
  while (slices.length < measured) slices.push(await takeSlice(most + slices.length));
  const [baseline = 0, candidate = 0, control = 0] = timesOf(slices, kept());
  const whatOf = (number: number): string => {
    const { method = '', target = '' } = traffic.requests[number] ?? {};
    return `${method} ${target.split('?', 1)}`;
  };
  return {
    requests: measured * sum(repeated.counts.values()),
    baseline,
    candidate,
    control,
    paths: [...new Set(kept().map(whatOf))].map((what) =>
      timePath(
        what,
        slices,
        kept().filter((number) => whatOf(number) === what),
      ),
    ),
    left: seen.flatMap(({ outcome }, number) =>
      repeated.counts.has(number)
        ? []
        : [{ what: idOf(number), why: repeated.changes.get(number) ?? WHY[outcome] ?? 'does not end' }],
    ),
  };
}

/** Whether a process still becomes faster, because V8 optimises its code: by more than 2 % between the halves of slices. */
function isWarming(slices: readonly Samples[][], numbers: readonly number[]): boolean {
  const middle = Math.floor(slices.length / 2);
  const [before, after] = [timesOf(slices.slice(0, middle), numbers), timesOf(slices.slice(middle), numbers)];
  return after.some((time, index) => time < 0.98 * (before[index] ?? 0));
}

/**
 * Returns the CPU microseconds per request of each process.
 * Medians, because another program of the machine can make single slices several times slower.
 */
function timesOf(
  slices: readonly Samples[][],
  numbers: readonly number[],
  toValue = ({ cpu }: Sample): number => cpu,
): number[] {
  const [first = []] = slices;
  return first.map((_one, index) =>
    median(
      slices.map(
        (samples) =>
          sum(numbers.map((number) => toValue(samples[index]?.get(number) as Sample))) / numbers.length,
      ),
    ),
  );
}

function timePath(what: string, slices: readonly Samples[][], numbers: readonly number[]): PathTiming {
  const [baseline = 0, candidate = 0, control = 0] = timesOf(slices, numbers);
  const latencies = timesOf(slices, numbers, ({ throughput }) => (CONNECTIONS / throughput) * 1e6);
  return { what, baseline, candidate, control, latencies };
}

class TimedApplication {
  readonly #process: ImplementationProcess;
  readonly #options: TimingOptions;
  /** Which requests to send. */
  readonly #numbers: readonly number[];
  readonly #sources: readonly RequestSource[];
  /** The exchanges of the first time, before any request was repeated. */
  #first: readonly Exchange[] | undefined;
  /** The server of each request. */
  #servers: readonly ServerAddress[] = [];

  constructor(spec: Implementation, options: TimingOptions, numbers: readonly number[]) {
    const execArgv = [...(spec.execArgv ?? []), ...YOUNG_GENERATION];
    this.#process = new ImplementationProcess({ ...spec, execArgv, isTimed: true }, options);
    this.#options = options;
    this.#numbers = numbers;
    this.#sources = carrying(options.traffic.requests, options.traffic.secrets);
  }

  /** Starts the application and plays the requests once. */
  async start(): Promise<void> {
    const opened = await this.#process.open(this.#process.spec.application ?? '');
    if (opened.type === 'refused') throw new TypeError(`--time: ${opened.threw}`);
    pinServer(this.#process.pid);
    this.#servers = serversFor(this.#options.traffic.requests, opened.servers ?? []);
    await this.play(new Repetitions([]));
  }

  /** Plays the requests in order, and repeats those that are to be measured. */
  async play(repeated: Repetitions): Promise<Samples> {
    const opened = new Map<ServerAddress, Connections>();
    const samples: Samples = new Map();
    const seen = this.#options.seen.map((one) => ({ ...one, response: {} }) as Exchange);
    for (const number of this.#numbers) {
      const { request } = await this.#send(number, seen);
      const count = repeated.counts.get(number);
      if (count === undefined) continue;
      const server = this.#servers[number] as ServerAddress;
      const connections = opened.get(server) ?? new Connections(server);
      opened.set(server, connections);
      try {
        const sent = toRepeated(request, this.#first?.[number]?.response ?? {});
        samples.set(number, await connections.measure(sent, count, () => this.#process.usage()));
      } catch (error) {
        if (!(error instanceof OtherResponse)) throw error;
        repeated.drop(number, error.message);
      }
    }
    for (const connections of opened.values()) connections.close();
    this.#first ??= seen;
    return samples;
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  async #send(number: number, seen: Exchange[]): Promise<Exchange> {
    const source = this.#sources[number] as RequestSource;
    const { patience } = this.#options;
    const request = typeof source === 'function' ? source(seen) : source;
    const server = this.#servers[number] as ServerAddress;
    const step = { kind: 'connection', requests: [request], pipelined: false, server } as const;
    const [exchange] = await playSteps([step], { port: 0, patience });
    seen[number] = exchange as Exchange;
    return exchange as Exchange;
  }
}

/** @param first The response before any request was repeated; it has to be as it was then. */
function toRepeated(request: Request, first: Partial<ReceivedResponse>): Repeated {
  return {
    bytes: request.bytes ?? Buffer.concat([formatHead(request), request.payload]),
    isHead: request.method === 'HEAD',
    status: first.status ?? 0,
    length: first.body?.length ?? 0,
  };
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
