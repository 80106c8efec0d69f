/**
 * What work costs in time of the processor. Other work on the machine, pauses of Node.js and code that is not yet
 * compiled can only add to it: what counts is the least of some tries, so that a bound fails for what is slow and
 * never by chance.
 */

/** How often something may miss its bound by chance. */
const TRIES = 10;

/** Milliseconds of this process. */
export function cpuOf(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  return since(before);
}

/** The same for what takes turns of the event loop; nothing else may run meanwhile. */
export async function cpuOfAsync(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  return since(before);
}

/** @returns The least cost; nothing is tried again once it is below `bound`. */
export function leastCost(run: () => unknown, bound: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < TRIES && least >= bound; time++) least = Math.min(least, cpuOf(run));
  return least;
}

function since(before: NodeJS.CpuUsage): number {
  return process.cpuUsage(before).user / 1000;
}
