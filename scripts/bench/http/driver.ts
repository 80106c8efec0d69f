/** Requests over loopback, on some connections that are kept alive. */
import { load } from '../load';
import type { Driver, Sample, Served } from '../measure';

/** Warm after so many requests, or microseconds of CPU: what V8 compiles last is compiled after some ten thousand. */
const WARM = { requests: 40_000, cpu: 4_000_000 };
/** Requests of one stretch of warming. */
const STRETCH = 200;

export const overLoopback: Driver = {
  slice: 100_000,
  isQuiet: false,
  async warm(served) {
    let cpu = 0;
    for (let done = 0, spent = 0; done < WARM.requests && spent < WARM.cpu; done += STRETCH) {
      ({ cpu } = await time(served, STRETCH));
      spent += cpu * STRETCH;
    }
    return cpu;
  },
  time,
};

async function time({ child, port, request, size }: Served, count: number): Promise<Sample> {
  const before = await child.ask<{ cpu: number }>({ usage: true });
  const seconds = await load(port, request, size, count);
  const after = await child.ask<{ cpu: number }>({ usage: true });
  return { cpu: (after.cpu - before.cpu) / count, throughput: count / seconds };
}
