/** What a request costs some peers that serve one workload, side by side. */
import { join } from 'node:path';
import { checkAnswer, compareAnswers } from './answers';
import { type Child, start } from './child';
import { type Answer, ask } from './load';
import type { Peer } from './peers';
import { shuffled } from './statistics';
import { formatRequest, type Workload } from './workloads';

export interface Effort {
  /** Times that every peer is started anew: the same code is not compiled alike twice. */
  processes: number;
  /** Slices of every peer, each time. */
  rounds: number;
  /** The binary of a Node.js. */
  node: string;
  /** Directory of files, for the workloads that ask for one. */
  files?: string;
}

/** A peer that serves. */
export interface Served {
  child: Child;
  port: number;
  request: string;
  /** Bytes of an answer. */
  size: number;
}

/** How requests reach a peer. */
export interface Driver {
  /** Microseconds of CPU of one slice, about. */
  slice: number;
  /** Whether log lines go nowhere; else to standard output, and that to the null device. */
  isQuiet: boolean;
  /** Let the peer be compiled. @returns CPU microseconds per request at last. */
  warm(served: Served): Promise<number>;
  time(served: Served, count: number): Promise<Sample>;
}

export interface Sample {
  /** CPU microseconds per request, of the serving process. */
  cpu: number;
  /** Requests per second, as the client saw it. */
  throughput: number;
}

/** By name of the peer: slices of the same index were timed side by side. */
export type Slices = Record<string, Sample[]>;

interface Runner extends Served {
  name: string;
  /** Requests of a slice. */
  count: number;
  samples: Sample[];
}

const SERVE = join(__dirname, 'serve.cjs');
/** Requests of a slice, at least. */
const FEW = 8;

/** Without the peers that have no program for it. @throws Error when answers differ that must not. */
export async function measure(
  work: Workload,
  peers: readonly Peer[],
  effort: Effort,
  driver: Driver,
): Promise<Slices> {
  const slices = new Map<string, Sample[]>(peers.map(({ name }) => [name, []]));
  for (let n = 0; n < effort.processes; n++) {
    for (const { name, samples } of await measureOnce(work, shuffled(peers), effort, driver)) {
      slices.get(name)?.push(...samples);
    }
  }
  return Object.fromEntries([...slices].filter(([, samples]) => samples.length > 0));
}

async function measureOnce(
  work: Workload,
  peers: readonly Peer[],
  { rounds, node, files }: Effort,
  driver: Driver,
): Promise<Runner[]> {
  const children: Child[] = [];
  const request = formatRequest(work);
  try {
    const runners: Runner[] = [];
    const answers = new Map<Peer, Answer>();
    for (const peer of peers) {
      const child = start(SERVE, node);
      children.push(child);
      const parts = { peer, work, files, isQuiet: driver.isQuiet };
      const { port } = await child.ask<{ port: number }>(parts);
      if (port === 0) continue;
      const answer = await ask(port, request);
      checkAnswer(work, peer, answer);
      answers.set(peer, answer);
      const served = { child, port, request, size: answer.size };
      // Warmed before the next is started: started all at once, identical code from the fourth on is slower.
      const count = Math.max(FEW, Math.round(driver.slice / (await driver.warm(served))));
      runners.push({ ...served, name: peer.name, count, samples: [] });
    }
    compareAnswers(work, answers);
    for (let round = 0; round < rounds; round++) {
      for (const runner of shuffled(runners)) {
        runner.samples.push(await driver.time(runner, runner.count));
      }
    }
    return runners;
  } finally {
    for (const child of children) child.end();
  }
}
