/** All seeded faults, room by room. */
import type { Fault, Seeded } from '../fault';
import { APPLICATION } from './application';
import { BODY } from './body';
import { FILES } from './files';
import { LOGGER } from './logger';
import { REQUEST } from './request';
import { RESPONSE } from './response';
import { ROUTING } from './routing';

const ROOMS: Readonly<Record<string, readonly Fault[]>> = {
  routing: ROUTING,
  application: APPLICATION,
  request: REQUEST,
  response: RESPONSE,
  body: BODY,
  files: FILES,
  logger: LOGGER,
};

export const FAULTS: readonly Seeded[] = Object.entries(ROOMS).flatMap(([room, faults]) =>
  faults.map((fault) => ({ ...fault, room })),
);

export const SAMPLE: readonly Seeded[] = Object.keys(ROOMS).flatMap((room) =>
  FAULTS.filter((fault) => fault.room === room).slice(0, 1),
);
