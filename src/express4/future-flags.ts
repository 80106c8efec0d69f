/**
 * Settings for a step-by-step migration to Express 5. Each gives an Express 4 application, and the applications mounted
 * in it, one behaviour of Express 5. See docs/express4.md.
 */

import { addedSetting } from '../internal/setting';
import type { AnyApplication } from '../types';

/**
 * The names of the settings, and what each changes:
 * - `promises`: error handlers receive the rejection of a promise that a handler or a parameter callback returned.
 * - `body`: body parsers leave `req.body` undefined if they parse no body.
 * - `status`: `res.status` throws for anything but an integer from 100 to 999.
 * - `host`: `req.host` includes the port.
 * - `options`: the automatic response to OPTIONS lists its methods sorted, as plain text.
 * - `dotfiles`: files in folders whose name begins with a dot are not found.
 */
type FutureFlag = 'promises' | 'body' | 'status' | 'host' | 'options' | 'dotfiles';

/**
 * Whether the application, or a parent that it is mounted in, called `app.set(flag, 5)`.
 *
 * @param message A request or a response. In tests, a mock may have no `app`.
 */
export function hasFutureFlag(message: object, flag: FutureFlag): boolean {
  const { app }: { app?: Partial<AnyApplication> } = message;
  return app?.settings?.[flag] === 5 && addedSetting(app, flag) === 5;
}
