/** The second built-in middleware of an Express 3 application: makes it the application of the request. §9.3 */
import { poweredBy } from '../application/handle';
import { prototypeOf, setPrototypes } from '../application/prototypes';
import { isEnabled } from '../internal/setting';
import { createLocals } from './locals';
import type { Application, Handler, Request, Response } from './types';

/** Creates the middleware that sets prototypes, `req.next`, `res.locals` and `X-Powered-By`. */
export function createInit(app: Application): Handler {
  return function expressInit(req, res, next) {
    if (isEnabled(app, 'x-powered-by')) res.setHeader('X-Powered-By', poweredBy(app));
    req.res = res;
    res.req = req;
    req.next = next;
    changeApplication(app, req, res);
    // Assigned in any case: a setter that the application has defined is called, as in Express 3.
    res.locals = res.locals || createLocals();
    next();
  };
}

/** Makes `app` the application of a request and its response. Like Express 3, ignores a prototype that is no object. */
export function changeApplication(app: Application, req: Request, res: Response): void {
  if (hasPrototypes(app)) setPrototypes(app, req, res);
  else assignPrototypes(app, req, res);
}

/** False if the application has assigned another value, or if `app` is the value that it assigned to `req.app`. */
export function hasPrototypes(app: Application): boolean {
  const request = prototypeOf(app, 'request');
  const response = prototypeOf(app, 'response');
  return isObject(request) && isObject(response);
}

function isObject(value: unknown): boolean {
  return Object(value) === value;
}

/** Assigns `__proto__`, as Express 3 does: the setter ignores primitive values. */
export function assignPrototypes(app: Application, request: object, response: object): void {
  Reflect.set(request, '__proto__', prototypeOf(app, 'request'));
  Reflect.set(response, '__proto__', prototypeOf(app, 'response'));
}
