/** Open descriptors of this process; none are told apart where there is no /proc. */
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds until what was closed must be gone; it takes some turns of the event loop, as many as a busy machine needs. */
const PATIENCE = 10_000;

export function descriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

/** Waits until no more are open than `before`. @returns How many more are still open; 0 when none are. */
export async function descriptorsBeyond(before: number): Promise<number> {
  const end = performance.now() + PATIENCE;
  while (descriptors() > before && performance.now() < end) await pause(5);
  return Math.max(0, descriptors() - before);
}
