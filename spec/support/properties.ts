/**
 * Settings of fast-check for all specs; `.mocharc.json` loads this file first. Every run generates the same cases, so
 * that no property is flaky. fast-check stops before mocha's timeout, so that the failure contains the case.
 *
 *   PROPERTY_SEED=any npx mocha spec/… generates other cases
 *   PROPERTY_SEED=-123 PROPERTY_PATH=4:1:0 npx mocha spec/… -g "<title>" repeats the case of a failure
 */
import fc from 'fast-check';

/** The limit for one case in milliseconds. A case takes a few; a longer one hangs. */
const CASE = 20_000;
/** The limit for one property with all cases and shrinking in milliseconds: less than mocha's timeout. */
export const PROPERTY = 100_000;

const { PROPERTY_SEED = '5300', PROPERTY_PATH } = process.env;

/** The seed of this run; `undefined` if each property draws its own. */
export const seed = PROPERTY_SEED === 'any' ? undefined : Number(PROPERTY_SEED);
if (seed !== undefined && !Number.isInteger(seed))
  throw new TypeError(`PROPERTY_SEED: expected a whole number or "any", got "${PROPERTY_SEED}"`);

fc.configureGlobal({
  timeout: CASE,
  interruptAfterTimeLimit: PROPERTY,
  markInterruptAsFailure: true,
  ...(seed !== undefined && { seed }),
  ...(PROPERTY_PATH !== undefined && { path: PROPERTY_PATH }),
});
