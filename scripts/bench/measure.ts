/** Measures the CPU time per request of several peers with one workload. */
import { join } from 'node:path';
import type { Sample } from '../../parity/client/load';
import { freeClient, pinClient } from '../../parity/client/processors';
import { compareAnswers, differenceOf, problemOf } from './answers';
import { type Child, start } from './child';
import { type Answer, ask } from './load';
import type { Peer } from './peers';
import { shuffled } from './statistics';
import { formatRequest, type Workload } from './workloads';

export interface Effort {
  /** How often every peer is started. V8 can optimise the same code differently in each process. */
  processes: number;
  /** How many slices of every peer are measured per start. */
  rounds: number;
  /** The path of the Node.js binary. */
  node: string;
  /** The directory of the files that a workload serves. */
  files?: string;
  /** The number of requests per slice; default as many as take `Driver.slice`. */
  requests?: number;
}

/** A running peer and the request to send. */
export interface Served {
  child: Child;
  port: number;
  request: string;
  answer: Answer;
  work: Workload;
}

/** Sends requests to a peer, over loopback or in memory. */
export interface Driver {
  /** The approximate length of a slice in CPU microseconds. */
  slice: number;
  /** Whether the peer drops its log lines. Otherwise it writes them to standard output, which is the null device. */
  isQuiet: boolean;
  /** Sends one request, to compare its response; default over HTTP/1.1. */
  ask?(port: number, work: Workload): Promise<Answer>;
  /** Sends requests so that V8 optimises the peer. @returns CPU microseconds per request of the warm peer. */
  warm(served: Served): Promise<number>;
  time(served: Served, count: number): Promise<Sample>;
}

export interface Measured {
  slices: Slices;
  /** By name of the peer: how its headers differ from Express's (or else bare's), or why the peer was not measured. */
  notes: Record<string, string>;
}
/** By name of the peer. Samples with the same index come from the same round. */
export type Slices = Record<string, Sample[]>;

interface Runner extends Served {
  peer: Peer;
  /** Requests per slice. */
  count: number;
  samples: Sample[];
}

export const SERVE: string = join(__dirname, 'serve.cjs');
/** The minimum number of requests in a slice. */
const FEW = 8;

/**
 * Measures all peers that have a server for the workload.
 *
 * @throws Error if a peer that claims to equal Express sends another response than Express, or than the workload
 * expects.
 */
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
  pinClient();
  try {
    for (const peer of peers) {
      const child = start(SERVE, effort.node);
      children.push(child);
      const served = await open(child, peer, work, effort.files, driver);
      if (!served) continue;
      const { answer } = served;
      const problem = problemOf(work, answer);
      if (problem) {
        if (peer.claims === 'express') throw new Error(`${work.name}: ${peer.name} ${problem}`);
        notes[peer.name] = problem;
        continue;
      }
      answers.set(peer, answer);
      // Warm up each server before the next one starts: of servers that start together, the fourth and later ones are
      // slower, even with identical code.
      const cpu = await driver.warm(served);
      const count = effort.requests ?? Math.max(FEW, Math.round(driver.slice / cpu));
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
    freeClient();
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
  { isQuiet, ask: askDriver = askOverHttp1 }: Driver,
): Promise<Served | undefined> {
  const { port } = await child.ask<{ port: number }>({ peer, work, files, isQuiet });
  if (port === 0) return undefined;
  const request = formatRequest(work);
  const answer = await askDriver(port, work);
  return { child, port, request, answer, work };
}

function askOverHttp1(port: number, work: Workload): Promise<Answer> {
  return ask(port, formatRequest(work));
}
