/**
 * The front door: a request is given our prototypes and its locals, then walks the application's router. §1
 */
import { ServerResponse } from 'node:http';
import type { AnyApplication, AnyRequest, AnyResponse, Application, Next } from '../types';
import { setCheckedHeader } from '../wire/header-store';
import { isEnabled } from '../wire/setting';
import { finalHandler } from './final-handler';
import { prototypeOf, setPrototypes } from './prototypes';
import { routerOf } from './router';

/** What `X-Powered-By` says. §2.2 `x-powered-by` */
export const POWERED_BY = 'Nozomi';

const POWERED_BY_HEADER = ['x-powered-by', 'X-Powered-By', POWERED_BY] as const;

/** Handle a request; `callback` when nobody answered, by default the final handler. */
export function dispatch(app: Application, req: AnyRequest, res: AnyResponse, callback?: Next): void {
  const done = callback || finalHandler(app, req, res);
  if (isEnabled(app, 'x-powered-by')) setPoweredBy(app, req, res);
  req.res = res;
  res.req = req;
  setPrototypes(app, req, res);
  res.locals ||= Object.create(null);

  try {
    checkTarget(app, req);
  } catch (err) {
    return done(err);
  }
  routerOf(app).handle(req, res, done);
}

/**
 * Express sets this header before it changes the prototype of the response, so an overridden `app.response.setHeader` does
 * not see it. A response that the server created for the application has that prototype already.
 */
export function setPoweredBy(app: AnyApplication, req: AnyRequest, res: AnyResponse): void {
  const isCreated =
    !req.res &&
    Object.getPrototypeOf(res) === prototypeOf(app, 'response') &&
    !Object.hasOwn(res, 'setHeader');
  const { setHeader }: Pick<ServerResponse, 'setHeader'> = isCreated ? ServerResponse.prototype : res;
  setCheckedHeader(res, setHeader, POWERED_BY_HEADER);
}

/**
 * Check host and path of a request, where the application wants that. §2.2 `strict host`, `strict paths`
 *
 * @throws {Error} with status 400.
 */
export function checkTarget({ settings }: AnyApplication, req: AnyRequest): void {
  const { 'strict paths fn': checkPath, 'strict host fn': checkHost } = settings;
  checkHost?.(req);
  checkPath?.(req);
}
