/** Mounts 3.x and 5.x applications in each other. §9.3 */
import http from 'node:http';
import { setPrototypes } from '../application/prototypes';
import { inheritSettings } from '../application/settings';
import { inheritFromSeries, isOfSeries, keepPrototypes } from '../earlier/mount';
import { createLocals } from './locals';
import { response } from './response';
import { isHandler } from './stack';
import type { Application, Handler, Layer, Next, Response } from './types';

/**
 * Mounts `given` on a path.
 *
 * @throws {TypeError} for anything but a function, a server or an application.
 */
export function mount(parent: Application, path: string, given: unknown): void {
  const route = path.endsWith('/') ? path.slice(0, -1) : path;
  if (isApplication(given)) {
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

/**
 * Makes a mounted 3.x application inherit from its parent. Below a 5.x application, its requests keep the 3.x
 * interface.
 */
export function inherit(app: Application, parent: Application): void {
  inheritSettings(app, parent);
  Object.setPrototypeOf(app.engines, parent.engines);
  if (!inheritFromSeries(app, parent, response)) app.route = String(app.mountpath);
}

/**
 * Sets `res.locals` to a function with the parent's properties while a 3.x application below a 5.x one runs. @returns
 * The callback that restores the parent's.
 */
export function withOwnLocals(res: Response, callback: Next): Next {
  const outer: Record<string, unknown> = res.locals;
  if (typeof outer !== 'object') return callback;
  res.locals = createLocals(outer);
  return (err) => {
    Object.assign(res, { locals: Object.assign(outer, res.locals) });
    callback(err);
  };
}

function isApplication(given: unknown): given is Application {
  const { handle, set } = Object(given);
  return Boolean(handle && set);
}

function isExpress3(app: Application): boolean {
  return isOfSeries(app, response);
}

/** Creates a handler that runs a mounted application with its prototypes on request and response. */
function enter(app: Application): Handler {
  return (req, res, next) => {
    const { app: caller } = req;
    app.handle(req, res, (err) => {
      setPrototypes(caller, req, res);
      next(err);
    });
  };
}

/**
 * Creates a handler that runs a mounted 5.x application. Its `res.locals` is a plain object with the existing
 * properties; properties that it adds stay.
 */
function enterCurrent(app: Application): Handler {
  const handle = enter(app);
  return (req, res, next) => {
    const { locals } = res;
    res.locals = Object.assign(Object.create(null), locals);
    handle(req, res, (err) => {
      locals(res.locals);
      res.locals = locals;
      next(err);
    });
  };
}

/** The handler of a function, of a server (its listener), or of a router or `connect` application (its `handle`). */
function toHandler(given: unknown, path: string): Layer['handle'] {
  // Without a listener, requests fail, as in Express.
  if (given instanceof http.Server) return given.listeners('request')[0] as Handler;
  const { handle, route } = Object(given);
  if (typeof handle === 'function') {
    // A 5.x router has a method `route`, which must stay.
    if (typeof route !== 'function') Object.assign(Object(given), { route: path });
    const handler: Handler = (req, res, next) => Object(given).handle(req, res, next);
    return handler;
  }
  if (!isHandler(given)) throw new TypeError('app.use() requires a middleware function');
  return given;
}
