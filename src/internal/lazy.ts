/**
 * Loads modules after start-up. Loading libraries takes most of the start-up time, and an application uses only a few.
 * The build makes the imports of the modules that scripts/build/late.ts lists call these functions.
 *
 * But no request may make the process open a file: descriptors may be exhausted, or the folder of packages replaced. So
 * what requests need is loaded when the first server of the process listens, or else after the first request.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { EventEmitter } from 'node:events';
import { builtinModules } from 'node:module';
import { setImmediate } from 'node:timers';

/** The functions that load what requests need. */
const needed = new Set<() => unknown>();
/** Whether `loadNeeded` is called when a server listens. */
let isWaiting = false;
/** Whether the modules were loaded, so that later ones are loaded at once. */
let isListening = false;

/** Calls `load` when a server listens, or soon if one does already. @returns `load`. */
export function need<Load extends () => unknown>(load: Load): Load {
  needed.add(load);
  // The application has loaded a part of this package late.
  if (isListening) loadSoon();
  return load;
}

/** Returns a function that calls `load` once and then returns the cached result. */
export function once<Value>(load: () => Value): () => Value {
  let loaded: Value | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

// With this event, Node.js reports that a server of any kind listens. Node.js 20.15 and older do not: there, a
// module is loaded at its first use.
const LISTENING = 'tracing:net.server.listen:asyncEnd';

// Not in a vm context: Jest reports an error for each module that is loaded after the end of its test file.
if (Object.getPrototypeOf(builtinModules) === Array.prototype) {
  subscribe(LISTENING, onListening);
  isWaiting = true;
}

/** Loads at once, because listeners for `listening` may change the root folder or the user of the process. */
function onListening(): void {
  stopWaiting();
  isListening = true;
  loadNeeded();
}

function stopWaiting(): void {
  isWaiting = false;
  unsubscribe(LISTENING, onListening);
}

/** Loads what requests need after the first response, for applications that no server of this process serves. */
export function loadAfter(res: Partial<EventEmitter>): void {
  if (!isWaiting) return;
  stopWaiting();
  res.once?.('finish', loadSoon);
}

/** Loads in a later turn. Does not keep the process running. */
function loadSoon(): void {
  isListening = true;
  setImmediate(loadNeeded).unref?.();
}

function loadNeeded(): void {
  for (const load of needed) {
    needed.delete(load);
    try {
      load();
    } catch {
      // The first use of the module throws the error.
    }
  }
}
