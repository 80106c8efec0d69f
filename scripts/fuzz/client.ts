/**
 * The client of an application, in the same process as its server: data that one side writes arrives in the next turn
 * of the event loop. So the client waits by turns, not by the clock: after some turns without an event it stops.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Connection } from './program';

/** The number of turns without an event after which the client stops waiting. */
export const BRIEF = 8;
export const PATIENT = 60;
/** The maximum number of turns to wait. */
const MOST = 20_000;
/** Resources that use the thread pool: it reads files. */
const THREADS = /^(?:FSReq|FileHandle|Random)/;
/** The milliseconds to wait for threads that Node.js does not list. */
const PAUSE = 5;

export class Client {
  /** The longest turn of the event loop in CPU milliseconds, so that other processes have no influence. */
  busiest = 0;
  readonly #patience: number;
  readonly #usesThreads: boolean;
  #activity = 0;

  /**
   * @param patience The number of turns without an event.
   * @param usesThreads Whether a thread may cause a later event.
   */
  constructor(patience: number, usesThreads: boolean) {
    this.#patience = patience;
    this.#usesThreads = usesThreads;
  }

  /** Must be called at each event. */
  readonly onActivity = (): void => {
    this.#activity++;
  };

  /** @returns The received text in latin1, and how the connection ended. */
  async play(port: number, { send, aborts }: Connection): Promise<string> {
    let received = '';
    let outcome = 'open';
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    const onEvent = (change: () => void) => (): void => {
      change();
      this.#activity++;
    };
    socket.on('data', (data: Buffer) => {
      received += data.toString('latin1');
      this.#activity++;
    });
    socket.on(
      'end',
      onEvent(() => (outcome = 'ended')),
    );
    socket.on(
      'error',
      onEvent(() => (outcome = 'reset')),
    );
    socket.on('close', this.onActivity);
    await connected(socket);
    for (const [index, piece] of send.entries()) {
      if (!socket.writable) break;
      socket.write(piece, 'latin1');
      if (index < send.length - 1) await this.settle();
    }
    if (!aborts) {
      await this.settle();
      // Whether the connection ends or is reset depends on pending data only.
      if (outcome === 'reset') outcome = 'ended';
      const before = outcome;
      socket.end();
      await this.settle();
      outcome = before;
    }
    socket.destroy();
    await this.settle();
    return aborts ? '' : `${received}(${outcome})`;
  }

  /** Waits until no event follows. */
  async settle(): Promise<void> {
    let quiet = 0;
    let seen = this.#activity;
    for (let turns = 0; quiet < this.#patience && turns < MOST; turns++) {
      const used = process.cpuUsage();
      await turn();
      const { user, system } = process.cpuUsage(used);
      this.busiest = Math.max(this.busiest, (user + system) / 1000);
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
