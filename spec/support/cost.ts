/**
 * Measures CPU time. The shortest of several runs counts, because garbage collection and compilation only add time.
 */

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

function since(before: NodeJS.CpuUsage): number {
  // Linux measures the sum exactly, but divides it into user and system time by sampling.
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
