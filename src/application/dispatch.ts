/**
 * The front door: a request is given our prototypes and its locals, then walks the application's router. §1
 */
import finalhandler from 'finalhandler';
import type { Application, Next, Request, Response } from '../types';
import { routerOf } from './router';

/** What `X-Powered-By` says. §2.2 `x-powered-by` */
const POWERED_BY = 'Nozomi';

/** Handle a request; `callback` when nobody answered, by default the final handler. */
export function dispatch(app: Application, req: Request, res: Response, callback?: Next): void {
  const done = callback || finalHandler(app, req, res);
  if (app.settings['x-powered-by']) res.setHeader('X-Powered-By', POWERED_BY);
  req.res = res;
  res.req = req;
  adopt(app, req, res);
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

/** Give a request and its response the prototypes of `app`. A swap is slow, so only where it changes something. */
export function adopt(app: Application, req: Request, res: Response): void {
  if (Object.getPrototypeOf(req) !== app.request) Object.setPrototypeOf(req, app.request);
  if (Object.getPrototypeOf(res) !== app.response) Object.setPrototypeOf(res, app.response);
}

/** 404, or the page of an error. Made when it is needed: most requests are answered. §7 */
function finalHandler(app: Application, req: Request, res: Response): Next {
  const env = app.settings.env as string;
  return (err) => finalhandler(req, res, { env, onerror: (failure) => logError(app, failure) })(err);
}

function logError(app: Application, err: unknown): void {
  if (app.settings.env !== 'test') console.error(err);
}
