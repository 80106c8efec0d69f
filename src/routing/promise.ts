/** Promises that handlers return: a rejection goes to `next` as an error. §1 rule 4 */
import deprecateFor from 'depd';
import { ignore } from '../internal/ignore';
import type { Next } from '../types';

const deprecate = deprecateFor('router');

/** Passes a rejection to `next`. A falsy reason becomes an Error: `next` treats a falsy value as success. */
export function forwardRejection(promise: PromiseLike<unknown>, next: Next): void {
  warnOfForeignPromise(promise, 'handlers');
  // Some thenables throw if `then` is called without a first callback.
  promise.then(ignore, (reason: unknown) => next(reason || rejected()));
}

export function rejected(): Error {
  return new Error('Rejected promise');
}

export function warnOfForeignPromise(promise: PromiseLike<unknown>, who: 'handlers' | 'parameters'): void {
  // biome-ignore lint/plugin: Express does the same, also with the promises of Node.js in Jest.
  if (!(promise instanceof Promise)) {
    deprecate(`${who} that are Promise-like are deprecated, use a native Promise instead`);
  }
}
