/** Counts what an application waits for before it may add more routes: timers, files, addresses and connections. */
import { createHook } from 'node:async_hooks';

/** Milliseconds; a longer timer is taken for a limit, such as one for a shutdown. */
const MAX_TIMER_WAIT = 3000;
const AWAITED = /^(?:Immediate|FSREQ\w*|GETADDRINFOREQWRAP|TCPCONNECTWRAP|PIPECONNECTWRAP|PROCESSWRAP)$/;

export class Pending {
  readonly #awaited = new Set<number>();
  readonly #hook = createHook({
    init: (id, type, _trigger, resource) => {
      if (AWAITED.test(type) || (type === 'Timeout' && isOnce(resource))) this.#awaited.add(id);
    },
    before: (id) => void this.#awaited.delete(id),
    destroy: (id) => void this.#awaited.delete(id),
  }).enable();

  get isEmpty(): boolean {
    return this.#awaited.size === 0;
  }

  stop(): void {
    this.#hook.disable();
  }
}

/** Whether a timer is that of `setTimeout`, not of `setInterval`. */
function isOnce(timer: object): boolean {
  const { _repeat, _idleTimeout } = timer as { _repeat?: unknown; _idleTimeout?: number };
  return _repeat === null && Number(_idleTimeout) <= MAX_TIMER_WAIT;
}
