/**
 * Measures CPU time. Other load, garbage collection and compilation only add to it, so the shortest of several runs
 * counts.
 */

/** Attempts before a limit counts as exceeded. */
const TRIES = 10;

/** The CPU milliseconds of this process. */
export function cpuOf(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  return since(before);
}

/** The same for asynchronous work; no other work may run at the same time. */
export async function cpuOfAsync(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  return since(before);
}

/** @returns The shortest CPU time; stops as soon as it is below `bound`. */
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
