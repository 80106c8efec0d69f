/**
 * The front door: a request is given our prototypes and its locals, then walks the application's router. §1
 */
import { ListedResponse } from '../response/field-list';
import type { Application, Next, Request, Response } from '../types';
import { finalHandler } from './final-handler';
import { routerOf } from './router';

/** What `X-Powered-By` says. §2.2 `x-powered-by` */
export const POWERED_BY = 'Nozomi';

/** Handle a request; `callback` when nobody answered, by default the final handler. */
export function dispatch(app: Application, req: Request, res: Response, callback?: Next): void {
  const done = callback || finalHandler(app, req, res);
  if (app.settings['x-powered-by']) setPoweredBy(app, req, res);
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

const born = ListedResponse.prototype as unknown as Response;

/**
 * In the reference a response gets the prototype of its first application after this call, which an overridden
 * `app.response.setHeader` so does not see. A response of `app.listen` has that prototype from the start.
 */
function setPoweredBy(app: Application, req: Request, res: Response): void {
  const isBorn = !req.res && Object.getPrototypeOf(res) === app.response && !Object.hasOwn(res, 'setHeader');
  const { setHeader }: { setHeader: Response['setHeader'] } = isBorn ? born : res;
  setHeader.call(res, 'X-Powered-By', POWERED_BY);
}

/** Make a request and its response those of `app`, with what is added to its prototypes. §2.6 `req.app` */
export function adopt(app: Application, req: Request, res: Response): void {
  become(req, app.request, app);
  become(res, app.response, app);
}

// On a request or response: the prototype that its own member `app` stands for. `become` put that member there.
const kLent: unique symbol = Symbol('nozomi.lent');

/**
 * Let `object` inherit from `prototype`. A swap is slow, so not where it would change `app` alone: between an
 * application and the one it is mounted on, as long as nothing was added to the prototypes of the inner one.
 * There the object is given an `app` of its own.
 */
function become(
  object: (Request | Response) & { [kLent]?: object },
  prototype: object,
  app: Application,
): void {
  const current = Object.getPrototypeOf(object);
  const lent = object[kLent];
  if (current === prototype && !lent) return;
  if (current !== prototype) {
    // Without an application it comes from a server of the program's own, to its first one.
    const isLent = 'app' in object && isLendable(prototype, current, lent);
    if (!isLent) Object.setPrototypeOf(object, prototype);
    // An `app` of the program's own stays.
    if (!lent && (!isLent || Object.hasOwn(object, 'app'))) return;
  }
  object[kLent] = prototype;
  object.app = app;
}

/** From what was lent last, if it can be: what lies before that was looked at then. */
function isLendable(prototype: object, current: object, lent: object | undefined): boolean {
  return (lent && addsOnlyApp(prototype, lent)) || addsOnlyApp(prototype, current);
}

/** Whether nothing but the member `app` stands between a prototype and the one it inherits from, at any depth. */
function addsOnlyApp(prototype: object, inherited: object): boolean {
  for (let each = prototype; each !== inherited; each = Object.getPrototypeOf(each)) {
    const keys = Reflect.ownKeys(each);
    if (keys.length !== 1 || keys[0] !== 'app') return false;
  }
  return true;
}
