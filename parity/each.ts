/** Work on many things, so many of them at a time. */
import { availableParallelism } from 'node:os';

/** The number of processors, at least 2: one waits while another works. */
export const WIDTH: number = Math.max(2, availableParallelism());

/**
 * Begun in order, each as soon as fewer than `width` are under way; none after one has failed.
 *
 * @throws What the first that fails throws.
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
