/**
 * What a handler returned, when it is a promise: its rejection is the handler's error. §1 rule 4
 */
import deprecateFor from 'depd';
import type { Next } from '../types';

const deprecate = deprecateFor('router');

/** Pass a rejection on; a falsy reason becomes an error, so that it cannot be mistaken for success. */
export function forwardRejection(promise: PromiseLike<unknown>, next: Next): void {
  warnOfForeignPromise(promise, 'handlers');
  promise.then(ignore, (reason: unknown) => next(reason || rejected()));
}

/** For a promise's success, which goes nowhere; some thenables call what they are given unasked. */
export function ignore(): void {}

export function rejected(): Error {
  return new Error('Rejected promise');
}

export function warnOfForeignPromise(promise: PromiseLike<unknown>, who: 'handlers' | 'parameters'): void {
  if (!(promise instanceof Promise)) {
    deprecate(`${who} that are Promise-like are deprecated, use a native Promise instead`);
  }
}
