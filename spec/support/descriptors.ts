/** Counts the open file descriptors of this process. The count is 0 on systems without /proc. */
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds to wait for descriptors to close, which takes some turns of the event loop. */
const PATIENCE = 10_000;

export function descriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

/** Waits until no more descriptors are open than `before`. @returns The number of additional open descriptors. */
export async function descriptorsBeyond(before: number): Promise<number> {
  const end = performance.now() + PATIENCE;
  while (descriptors() > before && performance.now() < end) await pause(5);
  return Math.max(0, descriptors() - before);
}
