/**
 * Settings that turn a single behaviour of Express 5 on in an application of Express 4: `app.set('promises', 5)`. They are
 * steps to Express 5; see docs/express4.md.
 */
import type { Request } from '../types';

/** Whether a rejected promise that a handler returned is passed to the error handlers: setting `promises`. */
export function awaitsPromises(req: Request): boolean {
  return req.app?.settings?.promises === 5;
}
