/** Mounts middleware, routers and applications of any Express version on an Express 3 application. §9.3 */
import http from 'node:http';
import { isMountable } from '../application/application';
import { prototypeOf } from '../application/prototypes';
import { inheritSettings } from '../application/settings';
import { inheritFromSeries, isOfSeries, keepPrototypes } from '../legacy/mount';
import { isHandler } from '../routing/route';
import { assignPrototypes, changeApplication, hasPrototypes } from './init';
import { createLocals } from './locals';
import { response } from './response';
import type { Application, Handler, Layer, Next, Response } from './types';

/** Mounts middleware, an application, a router or a server on a path. @throws {TypeError} for any other value. */
export function mount(parent: Application, path: string, given: unknown): void {
  const route = path.endsWith('/') ? path.slice(0, -1) : path;
  if (isMountable<Application>(given)) {
    parent.stack.push({ route, handle: isExpress3(given) ? enter(given) : enterCurrent(given) });
    if (isExpress3(given)) given.route = path;
    else given.mountpath = path;
    given.parent = parent;
    const emit = (): boolean => given.emit('mount', parent);
    if (isExpress3(given)) emit();
    else keepPrototypes(given, emit);
  } else {
    parent.stack.push({ route, handle: toHandler(given, path) });
  }
}

/** Makes a mounted application inherit settings and engines; prototypes only from an Express 3 parent. */
export function inherit(app: Application, parent: Application): void {
  inheritSettings(app, parent);
  Object.setPrototypeOf(app.engines, parent.engines);
  if (!hasPrototypes(parent))
    assignPrototypes(parent, prototypeOf(app, 'request'), prototypeOf(app, 'response'));
  // Express 3 itself has already set `route`; Express 4 and 5 set `mountpath` instead.
  else if (!inheritFromSeries(app, parent, response) && app.mountpath !== undefined)
    app.route = String(app.mountpath);
}

/**
 * Replaces the `res.locals` of an Express 4 or 5 parent while a mounted Express 3 application runs. The new locals are
 * a function with the same properties.
 *
 * @returns A callback that restores the parent's locals, including properties added meanwhile, and calls `callback`. If
 *   the locals are not an object, `callback` itself.
 */
export function withOwnLocals(res: Response, callback: Next): Next {
  const outer: Record<string, unknown> | null = res.locals;
  if (typeof outer !== 'object' || outer === null) return callback;
  res.locals = createLocals(outer);
  return (err) => {
    Object.assign(res, { locals: Object.assign(outer, res.locals) });
    callback(err);
  };
}

/** Whether an application is one of this entry point, or of Express 3 itself: in Express 4 and 5, `route` is a method. */
function isExpress3(app: Application): boolean {
  return isOfSeries(app, response) || typeof app.route === 'string';
}

/** Creates a handler that runs a mounted application, and restores the prototypes if it calls `next`. */
function enter(app: Application): Handler {
  return (req, res, next) => {
    const { app: caller } = req;
    app.handle(req, res, (err) => {
      changeApplication(caller, req, res);
      next(err);
    });
  };
}

/** Creates a handler for an Express 4 or 5 application, in which `res.locals` is a plain object. */
function enterCurrent(app: Application): Handler {
  const handle = enter(app);
  return (req, res, next) => {
    const { locals } = res;
    // Express 4 does not parse a query again, and its requests inherit no `query`.
    if (!('query' in prototypeOf(app, 'request')))
      Object.defineProperty(req, 'query', {
        value: req.query,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    res.locals = Object.assign(Object.create(null), locals);
    handle(req, res, (err) => {
      locals(res.locals);
      res.locals = locals;
      next(err);
    });
  };
}

/**
 * Returns the handler to run: the function itself, the request listener of a server, or the method `handle` of a router
 * or connect application.
 *
 * @throws {TypeError} for any other value.
 */
function toHandler(given: unknown, path: string): Layer['handle'] {
  // If the server has no request listener, requests fail, as in Express.
  if (given instanceof http.Server) return given.listeners('request')[0] as Handler;
  const { handle, route } = Object(given);
  if (typeof handle === 'function') {
    // Express 3 stores the mount path in `route`. An Express 5 router has a method of that name, which must stay.
    if (typeof route !== 'function') Object.assign(Object(given), { route: path });
    const handler: Handler = (req, res, next) => Object(given).handle(req, res, next);
    return handler;
  }
  if (!isHandler(given)) throw new TypeError('app.use() requires a middleware function');
  return given;
}
