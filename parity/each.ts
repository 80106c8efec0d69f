/** Runs an asynchronous task for each item, with a limit on how many run at once. */
import { availableParallelism } from 'node:os';

/** How many tasks to run at once: one per processor, at least 2, because a task may wait for I/O. */
export const WIDTH: number = Math.max(2, availableParallelism());

/**
 * Calls `work` for each item in order. After a failure, no further call starts.
 *
 * @param width The maximum number of calls that run at once.
 * @throws The error of the first task that fails.
 */
export async function each<T>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (hasFailed) return;
      try {
        await work(item, index);
      } catch (err) {
        hasFailed = true;
        throw err;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}
