/** Collects the seeded faults of all modules. `SAMPLE` has one per module, of those that scenarios catch. */
import type { Fault, Seeded } from '../fault';
import { APPLICATION } from './application';
import { BODY } from './body';
import { EXPRESS3 } from './express3';
import { EXPRESS4 } from './express4';
import { FILES } from './files';
import { LOGGER } from './logger';
import { REQUEST } from './request';
import { RESPONSE } from './response';
import { ROUTING } from './routing';
import { TOOLS } from './tools';
import { TRANSPORTS } from './transports';

const MODULES: Readonly<Record<string, readonly Fault[]>> = {
  routing: ROUTING,
  application: APPLICATION,
  request: REQUEST,
  response: RESPONSE,
  body: BODY,
  files: FILES,
  transports: TRANSPORTS,
  logger: LOGGER,
  express4: EXPRESS4,
  express3: EXPRESS3,
  tools: TOOLS,
};

export const FAULTS: readonly Seeded[] = Object.entries(MODULES).flatMap(([module, faults]) =>
  faults.map((fault) => ({ ...fault, module })),
);

export const SAMPLE: readonly Seeded[] = Object.keys(MODULES).flatMap((module) =>
  FAULTS.filter((fault) => fault.module === module && !fault.spec).slice(0, 1),
);
