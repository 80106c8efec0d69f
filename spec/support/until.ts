import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds that a condition may take, on a busy machine. */
const PATIENCE = 20_000;

/**
 * Waits until a condition holds.
 *
 * @param what The condition, for the message.
 * @throws {Error} after 20 seconds: otherwise the test would go on with a state that was never reached.
 */
export async function until(what: string, isTrue: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!isTrue()) {
    if (performance.now() > end) throw new Error(`not after ${PATIENCE} ms: ${what}`);
    await pause(20);
  }
}
