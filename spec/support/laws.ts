/**
 * How properties are tried, for all specs alike (`.mocharc.json` loads this first): with the same cases each time,
 * so that none fails by chance, and with an end that tells the case, before the runner's own end that tells nothing.
 *
 *   LAW_SEED=any npx mocha spec/…                                   other cases each time
 *   LAW_SEED=-123 LAW_PATH=4:1:0 npx mocha spec/… -g "<its title>"  one case again, as the failure has told it
 */
import fc from 'fast-check';

/** Milliseconds for one case, which takes a few; a case that takes longer hangs. */
const CASE = 20_000;
/** Milliseconds for one property with all its cases and its search for the least of them: less than the runner's. */
export const PROPERTY = 100_000;

const { LAW_SEED = '5300', LAW_PATH } = process.env;

/** The seed of this run; `undefined` where each property draws its own. */
export const seed = LAW_SEED === 'any' ? undefined : Number(LAW_SEED);
if (seed !== undefined && !Number.isInteger(seed))
  throw new TypeError(`LAW_SEED: wanted a whole number or "any", got "${LAW_SEED}"`);

fc.configureGlobal({
  timeout: CASE,
  interruptAfterTimeLimit: PROPERTY,
  markInterruptAsFailure: true,
  ...(seed !== undefined && { seed }),
  ...(LAW_PATH !== undefined && { path: LAW_PATH }),
});
