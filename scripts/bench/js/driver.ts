/** Lets a peer send requests to itself through memory, in one process. */

import type { Sample } from '../../../parity/client/load';
import type { Driver } from '../measure';

/** The maximum number of warm-up requests. V8 optimises some functions only after more than 10,000 calls. */
const WARM = 40_000;

export const throughMemory: Driver = {
  slice: 30_000,
  isQuiet: true,
  async warm({ child, request, answer: { size } }) {
    await child.ask({ exchange: { request, size } });
    const { cpu } = await child.ask<Sample>({ warm: WARM });
    return cpu;
  },
  time({ child }, count) {
    return child.ask<Sample>({ run: count });
  },
};
