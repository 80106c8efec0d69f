/** Requests through memory: the serving process talks to itself. */
import type { Driver, Sample } from '../measure';

/** Requests that let a peer be compiled: what V8 compiles last is compiled after some ten thousand. */
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
