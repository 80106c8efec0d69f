/** What an application leaves behind: open files, listeners of the process and of sockets, and requests in memory. */
import { subscribe } from 'node:diagnostics_channel';
import { readdirSync, readlinkSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

export interface Leaks {
  /** Files that the application opened and did not close. */
  readonly files: readonly string[];
  /** How many listeners of the process remain. */
  readonly ofProcess: number;
  /** How many listeners a socket has gained since its second request, for each later request. */
  readonly ofSockets: readonly number[];
  /** For each request that is still in memory: how many runs ago the process received it. */
  readonly held: readonly number[];
}

/** @returns A function that says what the candidate leaves behind, and Express does not. */
export function compareLeaks(expected: Leaks, actual: Leaks): string[] {
  const found: string[] = [];
  const files = actual.files.filter((file) => !expected.files.includes(file));
  if (files.length > 0) found.push(`left open: ${files.join()}`);
  if (actual.ofProcess > expected.ofProcess) found.push(`left ${actual.ofProcess} listeners of the process`);
  // The logger may keep two listeners on a socket, and a mounted application one. The order of pipelined requests changes the numbers in between.
  if (Math.max(0, ...actual.ofSockets) > Math.max(0, ...expected.ofSockets) + 3)
    found.push(`left listeners of a socket: ${actual.ofSockets} for ${expected.ofSockets}`);
  return found;
}

/** Watches the requests of this process. */
export class LeakWatch {
  #run = 0;
  #requests: Array<{ readonly ref: WeakRef<IncomingMessage>; readonly run: number }> = [];
  #ofSockets: number[] = [];
  #files: readonly string[] = [];
  #listeners = 0;
  readonly #last = new WeakMap<Socket, { response: { writableFinished: boolean }; listeners?: number }>();

  constructor() {
    subscribe('http.server.request.start', (message) => {
      const { request, response, socket } = message as {
        request: IncomingMessage;
        response: { writableFinished: boolean };
        socket: Socket;
      };
      this.#requests.push({ ref: new WeakRef(request), run: this.#run });
      const last = this.#last.get(socket);
      if (!last?.response.writableFinished) return void this.#last.set(socket, { response });
      const listeners = countListeners(socket);
      if (last.listeners !== undefined) this.#ofSockets.push(listeners - last.listeners);
      this.#last.set(socket, { response, listeners: last.listeners ?? listeners });
    });
  }

  /**
   * Begins a run.
   *
   * @param collects Whether to collect garbage first, to find requests of earlier runs.
   * @returns For each request of earlier runs that is still in memory: how many runs ago it was received.
   */
  begin(collects: boolean): number[] {
    this.#run++;
    this.#ofSockets = [];
    this.#files = openFiles();
    this.#listeners = countListeners(process);
    if (!collects) return [];
    globalThis.gc?.();
    this.#requests = this.#requests.filter(({ ref }) => ref.deref());
    return this.#requests.map(({ run }) => this.#run - run);
  }

  end(): Omit<Leaks, 'held'> {
    return {
      files: openFiles()
        .filter((file) => !this.#files.includes(file))
        .map((file) => file.slice(file.indexOf('/'))),
      ofProcess: countListeners(process) - this.#listeners,
      ofSockets: this.#ofSockets,
    };
  }
}

function countListeners(emitter: NodeJS.EventEmitter): number {
  return emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0);
}

/** @returns The number and path of each open file, where the system lists them; no sockets, pipes and the like. */
function openFiles(): string[] {
  try {
    return readdirSync(FOLDER).flatMap((name) => {
      const target = linkOf(`${FOLDER}/${name}`);
      return target?.startsWith('/') && !/^\/(?:proc|dev)\//.test(target) ? [`${name} ${target}`] : [];
    });
  } catch {
    return [];
  }
}
const FOLDER = '/proc/self/fd';

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
