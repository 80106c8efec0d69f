/**
 * Measures CPU time. Other load, garbage collection and compilation only add to it, so the least of several runs
 * counts: only slow code exceeds a bound.
 */

/** Attempts before a bound counts as exceeded. */
const TRIES = 10;

/** CPU milliseconds of this process. */
export function cpuOf(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  return since(before);
}

/** The same for asynchronous work; nothing else may run meanwhile. */
export async function cpuOfAsync(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  return since(before);
}

/** @returns The least CPU time; stops once it is below `bound`. */
export function leastCost(run: () => unknown, bound: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < TRIES && least >= bound; time++) least = Math.min(least, cpuOf(run));
  return least;
}

function since(before: NodeJS.CpuUsage): number {
  // Linux measures the sum exactly, and divides it between the two by samples.
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
