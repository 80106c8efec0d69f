import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds to wait for a condition. It is long, because the machine may be busy. */
const PATIENCE = 20_000;

/**
 * Waits until a condition holds.
 *
 * @param what The condition in words, for the message; default: its source.
 * @throws {Error} if the condition does not hold within 20 seconds.
 */
export async function until(isTrue: () => boolean, what = String(isTrue)): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!isTrue()) {
    if (performance.now() > end) throw new Error(`not after ${PATIENCE} ms: ${what}`);
    await pause(5);
  }
}
