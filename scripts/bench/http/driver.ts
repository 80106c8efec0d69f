/** Sends requests to a peer over a few keep-alive connections on loopback. */
import { localServer } from '../../../parity/client/connect';
import { Connections, type Sample } from '../../../parity/client/load';
import { toRepeated } from '../load';
import type { Driver, Served } from '../measure';

/**
 * The warm-up ends after this many requests or CPU microseconds, whichever comes first. V8 optimises some functions
 * only after more than 10,000 calls.
 */
const WARM = { requests: 40_000, cpu: 4_000_000 };
/** Requests per step of the warm-up, which checks the limits after each step. */
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

async function time({ child, port, request, answer }: Served, count: number): Promise<Sample> {
  const connections = new Connections(localServer({ port }));
  const usage = async (): Promise<number> => (await child.ask<{ cpu: number }>({ usage: true })).cpu;
  try {
    return await connections.measure(toRepeated(request, answer), count, usage);
  } finally {
    connections.close();
  }
}
