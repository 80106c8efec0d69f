/**
 * An HTTP client in the same process as the server: data that one side writes arrives in the next turn of the event loop.
 * Instead of waiting for a time, the client waits until several turns have passed without an event.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Inbox } from '../client/response';
import type { Connection } from './program';

/** Turns of the event loop without an event after which the client stops waiting. `PATIENT` confirms a difference. */
export const BRIEF = 8;
export const PATIENT = 60;
/** The maximum number of turns to wait, if events never stop. */
const MAX_TURNS = 20_000;
/** Active resources that use the thread pool, from which an event can still come. */
const THREADS = /^(?:FSReq|FileHandle|Random)/;
/** Milliseconds to wait for threads that `process.getActiveResourcesInfo` does not list. */
const PAUSE = 5;

export class Client {
  /** The longest turn of the event loop, in CPU milliseconds: elapsed time would depend on other processes. */
  busiest = 0;
  readonly #patience: number;
  readonly #usesThreads: boolean;
  #activity = 0;

  /**
   * @param patience After how many turns without an event the client stops waiting.
   * @param usesThreads Whether a thread that Node.js does not list may cause an event.
   */
  constructor(patience: number, usesThreads: boolean) {
    this.#patience = patience;
    this.#usesThreads = usesThreads;
  }

  /** Call this function at each event of the application, so that the client keeps waiting. */
  readonly onActivity = (): void => {
    this.#activity++;
  };

  /**
   * Opens a connection and sends its pieces.
   *
   * @returns The received bytes as latin1, then `(ended)` or `(open)`; `''` if the client aborts.
   */
  async play(port: number, { send, aborts }: Connection): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    const inbox = new Inbox(socket);
    for (const event of ['data', 'end', 'error', 'close']) socket.on(event, this.onActivity);
    await connected(socket);
    for (const [index, piece] of send.entries()) {
      if (!socket.writable) break;
      socket.write(piece, 'latin1');
      if (index < send.length - 1) await this.settle();
    }
    if (!aborts) await this.settle();
    // A reset counts as an end: which of them happens depends only on pending data.
    const outcome = inbox.ended ? 'ended' : 'open';
    if (!aborts) {
      socket.end();
      await this.settle();
    }
    socket.destroy();
    await this.settle();
    return aborts ? '' : `${inbox.rest().toString('latin1')}(${outcome})`;
  }

  /** Waits until enough turns of the event loop have passed without an event. */
  async settle(): Promise<void> {
    let quiet = 0;
    let seen = this.#activity;
    let used = process.cpuUsage();
    for (let turns = 0; quiet < this.#patience && turns < MAX_TURNS; turns++) {
      await turn();
      const now = process.cpuUsage();
      this.busiest = Math.max(this.busiest, (now.user - used.user + now.system - used.system) / 1000);
      used = now;
      if (this.#activity === seen && ++quiet === this.#patience) {
        if (process.getActiveResourcesInfo().some((name) => THREADS.test(name))) quiet = 0;
        else if (this.#usesThreads) await setTimeout(PAUSE);
      }
      if (this.#activity !== seen) quiet = 0;
      seen = this.#activity;
    }
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', () => resolve());
  });
}
