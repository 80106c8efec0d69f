/**
 * Settings that give an application of Express 4, and those mounted in it, one behaviour of Express 5 each: steps of
 * a migration, see docs/express4.md.
 */

import type { AnyApplication } from '../types';

/**
 * - `promises`: error handlers receive the rejection of a promise that a handler returned.
 * - `body`: body parsers leave `req.body` undefined if the request has no body.
 * - `status`: `res.status` throws for anything but an integer from 100 to 999.
 * - `host`: `req.host` includes the port.
 * - `options`: the automatic response to OPTIONS lists its methods sorted, as plain text.
 * - `dotfiles`: files in folders whose name begins with a dot are not found.
 */
type Step = 'promises' | 'body' | 'status' | 'host' | 'options' | 'dotfiles';

/**
 * Whether the application called `app.set(step, 5)`. @param message A request or response; a test's fake one may have
 * no application.
 */
export function isStepTaken(message: object, step: Step): boolean {
  const { app }: { app?: Partial<AnyApplication> } = message;
  return app?.settings?.[step] === 5;
}
