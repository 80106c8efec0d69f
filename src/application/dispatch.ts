/**
 * The front door: a request is given our prototypes and its locals, then walks the application's router. §1
 */

import type { Application, Next, Request, Response } from '../types';
import { ListedResponse } from '../wire/header-list';
import { isEnabled } from '../wire/setting';
import { finalHandler } from './final-handler';
import { prototypeOf, setPrototypes } from './prototypes';
import { routerOf } from './router';

/** What `X-Powered-By` says. §2.2 `x-powered-by` */
export const POWERED_BY = 'Nozomi';

/** Handle a request; `callback` when nobody answered, by default the final handler. */
export function dispatch(app: Application, req: Request, res: Response, callback?: Next): void {
  const done = callback || finalHandler(app, req, res);
  if (isEnabled(app, 'x-powered-by')) setPoweredBy(app, req, res);
  req.res = res;
  res.req = req;
  setPrototypes(app, req, res);
  res.locals ||= Object.create(null);

  const { 'strict paths fn': checkPath, 'strict host fn': checkHost } = app.settings;
  if (checkPath || checkHost) {
    try {
      checkHost?.(req);
      checkPath?.(req);
    } catch (err) {
      return done(err);
    }
  }
  routerOf(app).handle(req, res, done);
}

const born = ListedResponse.prototype as unknown as Response;

/**
 * In the reference a response gets the prototype of its first application after this call, which an overridden
 * `app.response.setHeader` so does not see. A response of `app.listen` has that prototype from the start.
 */
function setPoweredBy(app: Application, req: Request, res: Response): void {
  const isBorn =
    !req.res &&
    Object.getPrototypeOf(res) === prototypeOf(app, 'response') &&
    !Object.hasOwn(res, 'setHeader');
  const { setHeader }: { setHeader: Response['setHeader'] } = isBorn ? born : res;
  setHeader.call(res, 'X-Powered-By', POWERED_BY);
}
