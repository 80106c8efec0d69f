/**
 * Measures CPU time. The shortest of several runs counts, because garbage collection and compilation only add time.
 */
import { expect } from 'chai';

/** Runs before a limit counts as exceeded. */
const TRIES = 10;

/** @returns The CPU milliseconds of this process during `run`. */
export function cpuOf(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  return since(before);
}

/** Like `cpuOf`, for asynchronous work. No other work may run in this process at the same time. */
export async function cpuOfAsync(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  return since(before);
}

/** Repeats `run` until its CPU time is below `bound` milliseconds. @returns The shortest CPU time. */
export function leastCost(run: () => unknown, bound: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < TRIES && least >= bound; time++) least = Math.min(least, cpuOf(run));
  return least;
}

/**
 * Expects that `run` takes linear time for texts of 16 kB and 64 kB. In quadratic time, the second takes sixteen times as
 * long.
 */
export function expectLinear(run: (text: string) => unknown, textOf: (length: number) => string): void {
  const [short, long] = [textOf(16 * 1024), textOf(64 * 1024)];
  const bound = Math.max(10, 8 * leastCost(() => run(short), 0));
  expect(
    leastCost(() => run(long), bound),
    `${long.slice(0, 20)}…`,
  ).to.be.below(bound);
}

function since(before: NodeJS.CpuUsage): number {
  // Linux measures the sum exactly, but divides it into user and system time by sampling.
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
