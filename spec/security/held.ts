/** The open resources of a process: sockets, servers, timers, file system requests, descriptors, listeners. */
import { existsSync, readdirSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

const DESCRIPTORS = '/proc/self/fd';

export type Held = Readonly<Record<string, number>>;

/** In a later turn of the event loop, because a timer stays active until then, and a test may have begun with one. */
export async function heldNow(): Promise<Held> {
  await nextTurn();
  const held: Record<string, number> = { listeners: 0 };
  for (const type of process.getActiveResourcesInfo()) held[type] = (held[type] ?? 0) + 1;
  for (const event of process.eventNames())
    held.listeners = (held.listeners ?? 0) + process.listenerCount(event as string);
  // Only on systems with /proc. The folder itself is open while it is read.
  if (existsSync(DESCRIPTORS)) held.descriptors = readdirSync(DESCRIPTORS).length;
  return held;
}

/**
 * Waits until no more resources are open than before; closing takes some turns of the event loop.
 *
 * @returns The additional open resources by kind; empty if there are none.
 */
export async function heldBeyond(before: Held, patience = 10_000): Promise<Held> {
  const end = performance.now() + patience;
  for (;;) {
    await pause(10);
    const beyond = Object.entries(await heldNow()).filter(([kind, count]) => count > (before[kind] ?? 0));
    if (beyond.length === 0 || performance.now() > end) return Object.fromEntries(beyond);
  }
}
