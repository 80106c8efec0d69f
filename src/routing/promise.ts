/** Promises that handlers return: a rejection is passed to `next` as the handler's error. §1 rule 4 */
import deprecateFor from 'depd';
import type { Next } from '../types';

const deprecate = deprecateFor('router');

/** Passes a rejection to `next`. A falsy reason becomes an Error, because `next` would take it for success. */
export function forwardRejection(promise: PromiseLike<unknown>, next: Next): void {
  warnOfForeignPromise(promise, 'handlers');
  promise.then(ignore, (reason: unknown) => next(reason || rejected()));
}

/** An empty callback: some thenables throw without one. */
export function ignore(): void {}

export function rejected(): Error {
  return new Error('Rejected promise');
}

export function warnOfForeignPromise(promise: PromiseLike<unknown>, who: 'handlers' | 'parameters'): void {
  if (!(promise instanceof Promise)) {
    deprecate(`${who} that are Promise-like are deprecated, use a native Promise instead`);
  }
}
