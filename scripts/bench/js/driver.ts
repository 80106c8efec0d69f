/** Sends requests in memory: client and server are one process. */
import type { Driver } from '../measure';
import type { Sample } from '../statistics';

/** Requests of the warm-up: V8 compiles the last functions after some ten thousand calls. */
const WARM = 40_000;

export const throughMemory: Driver = {
  slice: 30_000,
  isQuiet: true,
  async warm({ child, request, size }) {
    await child.ask({ exchange: { request, size } });
    const { cpu } = await child.ask<Sample>({ warm: WARM });
    return cpu;
  },
  time({ child }, count) {
    return child.ask<Sample>({ run: count });
  },
};
