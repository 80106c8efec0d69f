/** The circumstances by name. */
import { AROUND_EXPRESS, HANDMADE, IN_EXPRESS, WRAPPED } from './application';
import { FROZEN_AFTER, FROZEN_BEFORE, POLLUTED } from './built-ins';
import type { Circumstance } from './circumstance';
import {
  CUT_BYTES,
  CUT_HEAD,
  LEFT_AFTER,
  LEFT_BEFORE,
  LEFT_DURING,
  LEFT_NOW,
  PIPELINED_2,
  PIPELINED_10,
} from './client';
import { AGENT_AFTER, AGENT_BEFORE, MOCKED_FILES, STUBBED_FILES } from './modules';
import { LIGHT_MY_REQUEST, NODE_MOCKS_HTTP, SERVERLESS_HTTP } from './stand-ins';
import { TIMERS } from './timers';

export const CIRCUMSTANCES: Readonly<Record<string, Circumstance>> = {
  handmade: HANDMADE,
  wrapped: WRAPPED,
  'in-express': IN_EXPRESS,
  'around-express': AROUND_EXPRESS,
  'light-my-request': LIGHT_MY_REQUEST,
  'serverless-http': SERVERLESS_HTTP,
  'node-mocks-http': NODE_MOCKS_HTTP,
  'left-before': LEFT_BEFORE,
  'left-now': LEFT_NOW,
  'left-during': LEFT_DURING,
  'left-after': LEFT_AFTER,
  'cut-bytes': CUT_BYTES,
  'cut-head': CUT_HEAD,
  'pipelined-2': PIPELINED_2,
  'pipelined-10': PIPELINED_10,
  'frozen-before': FROZEN_BEFORE,
  'frozen-after': FROZEN_AFTER,
  polluted: POLLUTED,
  ...TIMERS,
  'agent-before': AGENT_BEFORE,
  'agent-after': AGENT_AFTER,
  'stubbed-files': STUBBED_FILES,
  'mocked-files': MOCKED_FILES,
};

/**
 * Parses the option `--circumstance` of `nozomi-parity`.
 *
 * @param names Some names, separated by commas, or `all`.
 * @throws TypeError for any other value. @throws Error for a circumstance whose package is not installed.
 */
export function circumstancesNamed(names: string): string[] {
  const known = Object.keys(CIRCUMSTANCES);
  const given = names === 'all' ? known : names.split(',');
  const other = given.find((name) => !known.includes(name));
  if (other !== undefined)
    throw new TypeError(`--circumstance: expected all or some of ${known.join(', ')}, got "${other}"`);
  for (const name of given) checkInstalled(name, CIRCUMSTANCES[name]?.needs);
  return given;
}

function checkInstalled(name: string, needed: string | undefined): void {
  try {
    if (needed !== undefined) require.resolve(needed);
  } catch {
    throw new Error(`--circumstance ${name}: install the package ${needed}`);
  }
}
