/** Creates an application, defines its members, and prepares each request before the router runs. §1, §2.1, §4.2 */
import { EventEmitter } from 'node:events';
import { IncomingMessage, Server, ServerResponse } from 'node:http';
import createDebug from 'debug';
import { defineVerbs, methods } from '../routing/route';
import { Router, type RouterConstructor, type RouterInstance, splitPath } from '../routing/router';
import type {
  AnyApplication,
  AnyRequest,
  AnyResponse,
  Application,
  ApplicationMembers,
  Handler,
  Next,
  Part,
  Path,
} from '../types';
import { setCheckedHeader } from '../wire/header-store';
import {
  isEnabled,
  keepSettingMethods,
  pickSettingMethods,
  readSetting,
  type SettingMethods,
} from '../wire/setting';
import { respondFinally } from './final-handler';
import { createPrototypes, inheritPrototypes, prototypeOf, setPrototypes } from './prototypes';
import { render } from './render';
import { adoptServer, createServer, isCompatible, serveCompatible } from './server';
import { setDefaults, setSetting, yieldDefaults } from './settings';

const debug = createDebug('express:application');

/** An application with the members of `members` and of the event emitter. */
type AssembledApplication = AnyApplication & {
  (req: AnyRequest, res: AnyResponse, next?: Next): void;
  init(): void;
};

/**
 * Creates an application: a function `(req, res)` that serves as a request listener, with copies of the members of an
 * event emitter and of `members`.
 */
export function assembleApplication<App extends AssembledApplication>(
  members: object,
  request: AnyRequest,
  response: AnyResponse,
  methods: SettingMethods,
): App {
  const app = function (this: unknown, req: AnyRequest, res: AnyResponse, next?: Next): void {
    // Node.js calls a request listener with the server as `this`.
    if (Object.getPrototypeOf(req) === IncomingMessage.prototype && this instanceof Server)
      adoptServer(this, app);
    app.handle(req, res, next);
  } as App; // The other members are assigned below.
  mixin(app, EventEmitter.prototype);
  mixin(app, members);
  keepSettingMethods(app, methods);
  createPrototypes(app, request, response);
  app.init();
  return app;
}

/** Copies to `target` the members of `source` that it lacks. */
function mixin(target: object, source: object): void {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(source))) {
    if (!Object.hasOwn(target, name)) Object.defineProperty(target, name, descriptor);
  }
}

/** Members that every application gets as a copy. `this` is the application. */
export const application: Part<Application, keyof ApplicationMembers> = {
  init() {
    this.cache = Object.create(null);
    this.engines = Object.create(null);
    this.settings = Object.create(null);
    resetRouter(this);
    this.defaultConfiguration();
    Object.defineProperty(this, 'router', {
      configurable: true,
      enumerable: true,
      get: () => routerOf(this),
    });
  },

  defaultConfiguration() {
    const env = process.env.NODE_ENV || 'development';
    debug('booting in %s mode', env);
    this.locals = Object.create(null);
    this.mountpath = '/';
    this.locals.settings = this.settings;
    setDefaults(this, env);
    this.on('mount', (parent) => inherit(this, parent));
  },

  handle(req, res, callback) {
    if (isCompatible(req)) serveCompatible(this, req, res, callback);
    else dispatch(this, req, res, callback);
  },

  /**
   * Adds middleware, routers or applications below a path, by default `/`. §1 rule 7
   *
   * @throws {TypeError} without a function.
   */
  use(first: unknown, ...others: unknown[]) {
    const [path, handlers] = splitPath([first, ...others]);
    const fns = handlers.flat(Number.POSITIVE_INFINITY);
    if (fns.length === 0) throw new TypeError('app.use() requires a middleware function');

    const router = routerOf(this);
    for (const fn of fns) {
      if (isApplication(fn)) mount(this, router, path, fn);
      else router.use(path, fn);
    }
    return this;
  },

  route(path: Path) {
    return routerOf(this).route(path);
  },

  /** Registers a view engine for a file extension, with or without its dot. */
  engine(ext, fn) {
    if (typeof fn !== 'function') throw new Error('callback function required');
    this.engines[ext[0] === '.' ? ext : `.${ext}`] = fn;
    return this;
  },

  /** Adds a callback for one parameter, or for several. §1 rule 9 */
  param(name: unknown, fn?: unknown) {
    if (Array.isArray(name)) for (const one of name) this.param(one, fn);
    else routerOf(this).param(name, fn);
    return this;
  },

  /** Stores a setting. With a name alone, it returns the value. §2.2 */
  set(...args: [name: string, value?: unknown]) {
    const [name, value] = args;
    // @types/express has no signature for a name alone.
    if (args.length === 1) return this.settings[name] as Application;
    debug('set "%s" to %o', name, value);
    setSetting(this, name, value);
    return this;
  },

  /** The path that the application is mounted on, with the paths of its parents; `''` if it is not mounted. */
  path() {
    return this.parent ? this.parent.path() + this.mountpath : '';
  },

  enabled(name: string) {
    return Boolean(Reflect.apply(this.set, this, [name]));
  },

  disabled(name: string) {
    return !Reflect.apply(this.set, this, [name]);
  },

  enable(name: string) {
    return this.set(name, true);
  },

  disable(name: string) {
    return this.set(name, false);
  },

  render,

  /** Listens as Node.js's `server.listen` does. The callback is called once, also with an error of `listen`. */
  listen(...args: unknown[]): Server {
    const server = createServer(this);
    const callback = args[args.length - 1];
    if (typeof callback === 'function') {
      let isCalled = false;
      const once = function (this: unknown, ...result: unknown[]): void {
        if (isCalled) return;
        isCalled = true;
        callback.apply(this, result);
      };
      args[args.length - 1] = once;
      server.once('error', once);
    }
    return Reflect.apply(server.listen, server, args);
  },
};

defineVerbs(
  application,
  (verb) =>
    function (this: Application, ...args: unknown[]) {
      // With one argument, `app.get` reads a setting.
      if (verb === 'get' && args.length === 1) return Reflect.apply(this.set, this, args);
      const [path, handlers] = splitPath(args);
      // Calls `app.route`, because the application can override it.
      const route = this.route(path);
      // `app.all` adds a handler to each method.
      for (const method of verb === 'all' ? methods : [verb]) route[method](...handlers);
      return this;
    },
);

/** The methods that read settings, before the application can override them. */
export const settingMethods: SettingMethods = pickSettingMethods(application);

function isApplication(fn: unknown): fn is Application {
  const given = Object(fn);
  return Boolean(given.handle && given.set);
}

/** Mounts an application on another one. While it runs, request and response have its prototypes. */
function mount(parent: Application, router: RouterInstance, path: Path, app: Application): void {
  debug('.use app under %s', path);
  // The path may also be a regular expression, which @types/express does not allow.
  app.mountpath = path as string;
  app.parent = parent;
  const mounted_app: Handler = (req, res, next) => {
    const { app: caller } = req;
    app.handle(req, res, (err) => {
      setPrototypes(caller, req, res);
      next(err);
    });
  };
  router.use(path, mounted_app);
  app.emit('mount', parent);
}

/**
 * Passes the parent's settings, engines and prototypes to a mounted application. The order is that of Express, so a
 * frozen prototype makes the same step throw.
 */
function inherit(app: Application, parent: Application): void {
  yieldDefaults(app, parent);
  inheritPrototypes(app, parent);
  Object.setPrototypeOf(app.engines, parent.engines);
  Object.setPrototypeOf(app.settings, parent.settings);
}

/** The value of `X-Powered-By`. §2.2 `x-powered-by` */
export const POWERED_BY = 'Nozomi';

const POWERED_BY_HEADER = ['x-powered-by', 'X-Powered-By', POWERED_BY] as const;

/** Handles a request. It calls `callback`, by default the final handler, if no handler responds. */
function dispatch(app: Application, req: AnyRequest, res: AnyResponse, callback?: Next): void {
  const done = callback || unhandled(app, req, res);
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
 * Creates the final handler: it ends a request to which no handler has responded.
 *
 * @param log Writes an error to the log.
 */
export function unhandled(
  app: AnyApplication,
  req: AnyRequest,
  res: AnyResponse,
  log: (err: unknown) => void = (err) => console.error(err),
): Next {
  // Express reads the setting before the first handler runs.
  const env = readSetting(app, 'env');
  return (err) => respondFinally({ app, req, res, env, log }, err);
}

/**
 * Express sets the header before it changes the prototype of the response, so it calls Node.js's `setHeader`, not one
 * that the application added to `app.response`. If the server created the response with the application's prototype,
 * Node.js's method must be called explicitly.
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
 * Checks host and path of a request, if the settings `strict host` and `strict paths` enable that. §2.2
 *
 * @throws {Error} with status 400.
 */
export function checkTarget({ settings }: AnyApplication, req: AnyRequest): void {
  const { 'strict paths fn': checkPath, 'strict host fn': checkHost } = settings;
  checkHost?.(req);
  checkPath?.(req);
}

// A private property, because Express 3 and 4 define the public `app.router` differently.
const kRouter: unique symbol = Symbol('nozomi.router');

declare module '../types' {
  interface Application {
    /** A separate object, so that the router can still be created after `Object.freeze(app)`. */
    readonly [kRouter]: { router?: RouterInstance };
  }
}

let Constructor = Router;

/** Replaces the constructor of routers for all applications: an APM agent wraps `Router`. */
export function setRouterConstructor(replacement: RouterConstructor): void {
  Constructor = replacement;
}

/** The router of an application. The first use creates it with the settings of that moment. */
function routerOf(app: Application): RouterInstance {
  const { [kRouter]: slot } = app;
  slot.router ??= new Constructor({
    caseSensitive: app.enabled('case sensitive routing'),
    strict: app.enabled('strict routing'),
  });
  return slot.router;
}

/** Deletes the router with its routes. */
function resetRouter(app: Application): void {
  Object.defineProperty(app, kRouter, { value: {}, configurable: true });
}
