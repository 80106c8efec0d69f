/**
 * Settings that enable a single behaviour of Express 5 in an application of Express 4 and those mounted in it: steps to
 * Express 5, see docs/express4.md.
 */

import type { AnyApplication } from '../types';

/**
 * - `promises`: a rejected promise that a handler returned goes to the error handlers.
 * - `body`: parsers leave `req.body` undefined if there is nothing to parse.
 * - `status`: `res.status` throws for anything but an integer from 100 to 999.
 * - `host`: `req.host` includes the port.
 * - `options`: the automatic response to OPTIONS lists its methods sorted, as plain text.
 * - `dotfiles`: files in folders whose name begins with a dot are not found.
 */
type Step = 'promises' | 'body' | 'status' | 'host' | 'options' | 'dotfiles';

/** Whether `app.set(step, 5)` was called. @param message A request or response; fake ones may have no application. */
export function isStepTaken(message: object, step: Step): boolean {
  const { app }: { app?: Partial<AnyApplication> } = message;
  return app?.settings?.[step] === 5;
}
