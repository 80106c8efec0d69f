/** What a request costs some peers that serve one workload, side by side. */
import { join } from 'node:path';
import { compareAnswers, differenceOf, problemOf } from './answers';
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

export interface Measured {
  /** By name of the peer: samples of the same index were taken side by side. */
  slices: Slices;
  /** By name of the peer: how its answer differs, or why it was not measured; nothing where there is nothing to say. */
  notes: Record<string, string>;
}
export type Slices = Record<string, Sample[]>;

interface Runner extends Served {
  peer: Peer;
  answer: Answer;
  /** Requests of a slice. */
  count: number;
  samples: Sample[];
}

export const SERVE: string = join(__dirname, 'serve.cjs');
/** Requests of a slice, at least. */
const FEW = 8;

/** Without the peers that have no program for it. @throws Error when answers differ that must not. */
export async function measure(
  work: Workload,
  peers: readonly Peer[],
  effort: Effort,
  driver: Driver,
): Promise<Measured> {
  const slices = new Map<string, Sample[]>(peers.map(({ name }) => [name, []]));
  let notes: Record<string, string> = {};
  for (let n = 0; n < effort.processes; n++) {
    const once = await measureOnce(work, shuffled(peers), effort, driver);
    for (const { peer, samples } of once.runners) slices.get(peer.name)?.push(...samples);
    notes = once.notes;
  }
  return { slices: Object.fromEntries([...slices].filter(([, samples]) => samples.length > 0)), notes };
}

async function measureOnce(
  work: Workload,
  peers: readonly Peer[],
  effort: Effort,
  driver: Driver,
): Promise<{ runners: Runner[]; notes: Record<string, string> }> {
  const children: Child[] = [];
  const runners: Runner[] = [];
  const notes: Record<string, string> = {};
  const answers = new Map<Peer, Answer>();
  try {
    for (const peer of peers) {
      const child = start(SERVE, effort.node);
      children.push(child);
      const served = await open(child, peer, work, effort.files, driver.isQuiet);
      if (!served) continue;
      const { answer } = served;
      const problem = problemOf(work, answer);
      if (problem) {
        if (peer.claims === 'express') throw new Error(`${work.name}: ${peer.name} ${problem}`);
        notes[peer.name] = problem;
        continue;
      }
      answers.set(peer, answer);
      // Warmed before the next is started: started all at once, identical code from the fourth on is slower.
      const count = Math.max(FEW, Math.round(driver.slice / (await driver.warm(served))));
      runners.push({ ...served, peer, count, samples: [] });
    }
    compareAnswers(work, answers);
    for (const { peer, answer } of runners) {
      const difference = peer.claims === 'own' ? differenceOf(answers, answer) : '';
      if (difference) notes[peer.name] = difference;
    }
    await takeTurns(runners, effort.rounds, driver);
    return { runners, notes };
  } finally {
    for (const child of children) child.end();
  }
}

async function takeTurns(runners: readonly Runner[], rounds: number, driver: Driver): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const runner of shuffled(runners)) runner.samples.push(await driver.time(runner, runner.count));
  }
}

async function open(
  child: Child,
  peer: Peer,
  work: Workload,
  files: string | undefined,
  isQuiet: boolean,
): Promise<(Served & { answer: Answer }) | undefined> {
  const { port } = await child.ask<{ port: number }>({ peer, work, files, isQuiet });
  if (port === 0) return undefined;
  const request = formatRequest(work);
  const answer = await ask(port, request);
  return { child, port, request, size: answer.size, answer };
}
