/** Runs a task for each of many items, a limited number at a time. */
import { availableParallelism } from 'node:os';

/** The number of processors, at least 2, because a task may wait for I/O. */
export const WIDTH: number = Math.max(2, availableParallelism());

/**
 * Starts the tasks in order, at most `width` at a time; starts none after a failure.
 *
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
