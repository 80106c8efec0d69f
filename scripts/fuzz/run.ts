/** Talks by the thousand to both implementations, in lanes beside each other; each lane opens applications of its own. */
import type { Implementation } from '../../parity/implementations/implementations';
import { BRIEF, confirm, type Difference, Duel, isSame, isWhole, LONG } from './duel';
import { type Talk, talkOf } from './grammar';
import { randomOf } from './random';
import { shrink } from './shrink';

export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
  /** Milliseconds after which no new batch is begun. */
  readonly time?: number;
  /** Differences after which the run has shown enough; default 5. */
  readonly enough?: number;
  /** How many applications are played to at the same time; default 6. */
  readonly lanes?: number;
  /** What is held against the reference; by default this build. */
  readonly build?: Implementation;
  onProgress?(requests: number): void;
}

export interface FuzzResult {
  readonly requests: number;
  readonly connections: number;
  /** Those played again because an implementation was slow or a race on the wire was lost. */
  readonly again: number;
  readonly differences: readonly Difference[];
  /** Milliseconds each event loop was kept by its own work, at most: the reference's, the build's. */
  readonly kept: readonly [number, number];
}

/** Connections to one opened application. */
const BATCH = 40;
/** One batch of so many is of clients that leave; what is logged of them is chance. */
const LEAVING = 8;

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { seed, requests, time = Number.POSITIVE_INFINITY, enough = 5, lanes = 6 } = options;
  const duel = new Duel(options.build);
  const began = performance.now();
  const sum = {
    requests: 0,
    connections: 0,
    again: 0,
    differences: [] as Difference[],
    kept: [0, 0] as [number, number],
  };
  let batches = 0;

  const lane = async (): Promise<void> => {
    while (sum.requests < requests && sum.differences.length < enough && performance.now() - began < time) {
      const batch = batches++;
      const random = randomOf(seed + batch);
      const isLeaving = batch % LEAVING === LEAVING - 1;
      const talks = Array.from({ length: BATCH }, () => talkOf(random, isLeaving));
      const count = talks.reduce((all, talk) => all + talk.requests.length, 0);
      sum.requests += count;
      sum.connections += talks.length;
      await playBatch(duel, talks, !isLeaving, sum, enough);
      options.onProgress?.(sum.requests);
    }
  };
  try {
    await duel.start();
    await Promise.all(Array.from({ length: lanes }, lane));
    const delays = await duel.delays();
    return { ...sum, kept: [delays[0].own, delays[1].own] };
  } finally {
    await duel.stop();
  }
}

async function playBatch(
  duel: Duel,
  talks: readonly Talk[],
  isLogCompared: boolean,
  sum: { again: number; differences: Difference[] },
  enough: number,
): Promise<void> {
  const stage = await duel.open();
  const suspects: Talk[] = [];
  const whole: Talk[] = [];
  for (const talk of talks) {
    const [wanted, came] = await stage.play(talk, BRIEF);
    if (!isSame(wanted, came)) suspects.push(talk);
    else if (isWhole(came)) whole.push(talk);
  }
  const logs = await stage.close();
  if (isLogCompared && !isSame(...logs) && !(await isLoggedAlike(duel, whole))) suspects.push(...whole);
  for (const talk of suspects) {
    sum.again++;
    const difference = await judge(duel, talk);
    if (difference) sum.differences.push(difference);
    if (sum.differences.length >= enough) return;
  }
}

/** Talks that were answered alike and whole, once more without those between them that broke. */
async function isLoggedAlike(duel: Duel, talks: readonly Talk[]): Promise<boolean> {
  const stage = await duel.open();
  for (const talk of talks) await stage.play(talk, LONG);
  return isSame(...(await stage.close()));
}

/** One talk alone, made small where it shows a difference. */
export async function judge(duel: Duel, talk: Talk): Promise<Difference | undefined> {
  const alone = async (candidate: Talk): Promise<Difference | undefined> => {
    const stage = await duel.open();
    const difference = await confirm(stage, candidate);
    const [wanted, came] = await stage.close();
    if (difference || isSame(wanted, came)) return difference;
    return (await isWholeAlone(duel, candidate)) ? { talk: candidate, wanted, came } : undefined;
  };
  const found = await alone(talk);
  if (!found) return undefined;
  const stage = await duel.open();
  // Twice, and the second time with patience: an implementation may be slow, and what is made small must differ for sure.
  const differs = async (candidate: Talk) =>
    !isSame(...(await stage.play(candidate, BRIEF))) && !isSame(...(await stage.play(candidate, LONG)));
  const least = await shrink(talk, differs);
  await stage.close();
  return (await alone(least)) ?? found;
}

async function isWholeAlone(duel: Duel, talk: Talk): Promise<boolean> {
  const stage = await duel.open();
  const answers = await stage.play(talk, LONG);
  await stage.close();
  return answers.every(isWhole);
}
