/** What a process holds: sockets, servers, timers, requests to the file system, descriptors, listeners. */
import { existsSync, readdirSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

const DESCRIPTORS = '/proc/self/fd';

export type Held = Readonly<Record<string, number>>;

/** In a turn of its own: a timer counts until the turn after it, and that of a test begins with its first turn. */
export async function heldNow(): Promise<Held> {
  await nextTurn();
  const held: Record<string, number> = { listeners: 0 };
  for (const type of process.getActiveResourcesInfo()) held[type] = (held[type] ?? 0) + 1;
  for (const event of process.eventNames())
    held.listeners = (held.listeners ?? 0) + process.listenerCount(event as string);
  // Where the system tells; the folder itself is open while it is read.
  if (existsSync(DESCRIPTORS)) held.descriptors = readdirSync(DESCRIPTORS).length;
  return held;
}

/**
 * Wait until nothing more is held than before; what ends takes some turns of the event loop to be gone, as many as a
 * busy machine needs.
 *
 * @returns What is still held beyond that, by kind; empty when nothing is.
 */
export async function heldBeyond(before: Held, patience = 10_000): Promise<Held> {
  const end = performance.now() + patience;
  for (;;) {
    await pause(10);
    const beyond = Object.entries(await heldNow()).filter(([kind, count]) => count > (before[kind] ?? 0));
    if (beyond.length === 0 || performance.now() > end) return Object.fromEntries(beyond);
  }
}
