/**
 * Settings of fast-check for all specs. `.mocharc.json` loads this file before the specs. Every run generates the same
 * cases, so that no property is flaky.
 *
 *   PROPERTY_SEED=any npx mocha spec/… generates other cases
 *   PROPERTY_SEED=-123 PROPERTY_PATH=4:1:0 npx mocha spec/… -g "<title>" repeats the case of a failure
 */
import fc from 'fast-check';

/** Milliseconds after which one case counts as hanging. */
const CASE = 20_000;
/** Milliseconds for all cases of a property. It is less than mocha's timeout, so that the failure shows the case. */
export const PROPERTY = 100_000;

const { PROPERTY_SEED = '5300', PROPERTY_PATH } = process.env;

/** The seed of this run, or `undefined` if each property uses a random seed. */
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
