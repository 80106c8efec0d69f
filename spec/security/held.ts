/** Counts active resources (such as sockets and timers), descriptors, and listeners of `process`. */
import { existsSync, readdirSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

const DESCRIPTORS = '/proc/self/fd';

export type Held = Readonly<Record<string, number>>;

/** Counts in a later turn of the event loop, because an expired timer is active until then. */
export async function heldNow(): Promise<Held> {
  await nextTurn();
  const held: Record<string, number> = { listeners: 0 };
  for (const type of process.getActiveResourcesInfo()) held[type] = (held[type] ?? 0) + 1;
  for (const event of process.eventNames())
    held.listeners = (held.listeners ?? 0) + process.listenerCount(event as string);
  // Without /proc, descriptors are not counted.
  if (existsSync(DESCRIPTORS)) held.descriptors = readdirSync(DESCRIPTORS).length;
  return held;
}

/**
 * Waits until no more resources are open than before, because closing takes some turns of the event loop.
 *
 * @param patience Milliseconds to wait.
 * @returns The number of additional open resources by kind; empty if there are none.
 */
export async function heldBeyond(before: Held, patience = 10_000): Promise<Held> {
  const end = performance.now() + patience;
  for (;;) {
    await pause(10);
    const beyond = Object.entries(await heldNow()).filter(([kind, count]) => count > (before[kind] ?? 0));
    if (beyond.length === 0 || performance.now() > end) return Object.fromEntries(beyond);
  }
}
