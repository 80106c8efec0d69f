/** The promise of a handler: its rejection is the handler's error. §1 rule 4 */
import deprecateFor from 'depd';
import type { Next } from '../types';

const deprecate = deprecateFor('router');

/** Passes a rejection on; a falsy reason becomes an error, so that it does not count as success. */
export function forwardRejection(promise: PromiseLike<unknown>, next: Next): void {
  warnOfForeignPromise(promise, 'handlers');
  promise.then(ignore, (reason: unknown) => next(reason || rejected()));
}

/** Ignores a promise's success: some thenables need a function. */
export function ignore(): void {}

export function rejected(): Error {
  return new Error('Rejected promise');
}

export function warnOfForeignPromise(promise: PromiseLike<unknown>, who: 'handlers' | 'parameters'): void {
  if (!(promise instanceof Promise)) {
    deprecate(`${who} that are Promise-like are deprecated, use a native Promise instead`);
  }
}
