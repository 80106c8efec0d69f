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
import { loadAfter } from '../wire/lazy';
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

/** An application to which `assembleApplication` has copied all members. */
type AssembledApplication = AnyApplication & {
  (req: AnyRequest, res: AnyResponse, next?: Next): void;
  init(): void;
};

/**
 * Creates an application: a function `(req, res)` that can be a request listener. It gets copies of the members of an
 * event emitter and of `members`.
 *
 * @param request The prototype that `app.request` inherits from.
 * @param response The prototype that `app.response` inherits from.
 * @param methods The original methods for settings, see `keepSettingMethods`.
 */
export function assembleApplication<App extends AssembledApplication>(
  members: object,
  request: AnyRequest,
  response: AnyResponse,
  methods: SettingMethods,
): App {
  const app = function (this: unknown, req: AnyRequest, res: AnyResponse, next?: Next): void {
    // Node.js calls a request listener with the server as `this`.
    if (!(this instanceof Server)) loadAfter(res);
    else if (Object.getPrototypeOf(req) === IncomingMessage.prototype) adoptServer(this, app);
    app.handle(req, res, next);
  } as App; // The following lines add the other members.
  mixin(app, EventEmitter.prototype);
  mixin(app, members);
  keepSettingMethods(app, methods);
  createPrototypes(app, request, response);
  app.init();
  return app;
}

/** Copies the members of `source` to `target`, except those that `target` already has. */
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
   * @throws {TypeError} if there is no handler, a handler is not a function, or the path is malformed.
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

  /**
   * Registers a view engine for a file extension, with or without its dot.
   *
   * @throws {Error} if `fn` is not a function.
   */
  engine(ext, fn) {
    if (typeof fn !== 'function') throw new Error('callback function required');
    this.engines[ext[0] === '.' ? ext : `.${ext}`] = fn;
    return this;
  },

  /**
   * Adds a callback for one parameter, or for each parameter of a list. A function as `name` is a `ParamFactory`. §1
   * rule 9
   */
  param(name: unknown, fn?: unknown) {
    if (Array.isArray(name)) for (const one of name) this.param(one, fn);
    else routerOf(this).param(name, fn);
    return this;
  },

  /** Stores a setting. With only a name, returns the value of the setting. §2.2 */
  set(...args: [name: string, value?: unknown]) {
    const [name, value] = args;
    // A cast, because @types/express has no signature for only a name.
    if (args.length === 1) return this.settings[name] as Application;
    debug('set "%s" to %o', name, value);
    setSetting(this, name, value);
    return this;
  },

  /** Returns the mount path, after the mount paths of all parents. Returns `''` if the application is not mounted. */
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

  /**
   * Creates a server and passes all arguments to its `listen`. The callback is called once: when the server listens, or
   * with the error that prevents it.
   */
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
      // Express also calls `app.route` here, which the application can override.
      const route = this.route(path);
      // As in Express, `app.all` adds the handlers to each method.
      for (const method of verb === 'all' ? methods : [verb]) route[method](...handlers);
      return this;
    },
);

/**
 * The original methods for settings. `readSetting` and `isEnabled` compare with them to find out whether the
 * application has overridden one.
 */
export const settingMethods: SettingMethods = pickSettingMethods(application);

function isApplication(fn: unknown): fn is Application {
  const given = Object(fn);
  return Boolean(given.handle && given.set);
}

/**
 * Mounts `app` on `parent`. Request and response have the prototypes of `app` while `app` runs, and afterwards the
 * previous prototypes.
 */
function mount(parent: Application, router: RouterInstance, path: Path, app: Application): void {
  debug('.use app under %s', path);
  // A cast: `path` may be a regular expression, which @types/express does not declare.
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
 * Makes a mounted application inherit the settings, engines and prototypes of its parent. The order is that of Express,
 * so the same step throws if an object is frozen.
 */
function inherit(app: Application, parent: Application): void {
  yieldDefaults(app, parent);
  inheritPrototypes(app, parent);
  Object.setPrototypeOf(app.engines, parent.engines);
  Object.setPrototypeOf(app.settings, parent.settings);
}

/** The value of the header `X-Powered-By`, unless the setting is a text. */
const POWERED_BY = 'Nozomi';

const POWERED_BY_HEADER = ['x-powered-by', 'X-Powered-By', POWERED_BY] as const;

/**
 * Prepares a request and passes it to the router. If no handler responds, calls `callback`, by default the final
 * handler.
 */
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
 * Creates the final handler for one request. It responds if no other handler has.
 *
 * @param log Writes an error to the log. Default: `console.error`.
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
 * Sets `X-Powered-By`. Express does this before it sets the prototype of the response, so it never calls a `setHeader`
 * that the application added to `app.response`. If the server has already created the response with that prototype,
 * this function must call the method of Node.js explicitly.
 */
export function setPoweredBy(app: AnyApplication, req: AnyRequest, res: AnyResponse): void {
  const isCreated =
    !req.res &&
    Object.getPrototypeOf(res) === prototypeOf(app, 'response') &&
    !Object.hasOwn(res, 'setHeader');
  const { setHeader }: Pick<ServerResponse, 'setHeader'> = isCreated ? ServerResponse.prototype : res;
  const text = poweredBy(app);
  if (text === POWERED_BY) setCheckedHeader(res, setHeader, POWERED_BY_HEADER);
  else Reflect.apply(setHeader, res, ['X-Powered-By', text]);
}

/** Returns the text of the setting `x-powered-by`. The settings of a mounted application inherit from its parent's. */
export function poweredBy({ settings }: AnyApplication): string {
  for (let each: AnyApplication['settings'] | null = settings; each; each = Object.getPrototypeOf(each)) {
    const { 'x-powered-by': value } = each;
    if (typeof value === 'string' && value) return value;
  }
  return POWERED_BY;
}

/**
 * Checks the host and the path of a request if the settings `strict host` and `strict paths` require it, and sets
 * `req.url` to the path that `strict paths` accepts.
 *
 * @throws {HttpError} with status 400 if a check fails.
 */
export function checkTarget({ settings }: AnyApplication, req: AnyRequest): void {
  const { 'strict paths fn': checkPath, 'strict host fn': checkHost } = settings;
  checkHost?.(req);
  checkPath?.(req);
}

// The private property that holds the router. The public `app.router` is a getter, which creates the router when it is
// read.
const kRouter: unique symbol = Symbol('nozomi.router');

declare module '../types' {
  interface Application {
    /** A separate object, so that the router can still be created after `Object.freeze(app)`. */
    readonly [kRouter]: { router: RouterInstance | undefined };
  }
}

let Constructor = Router;

/**
 * Replaces the constructor of routers for all applications. The adapter for APM agents needs this, because agents wrap
 * `Router`.
 */
export function setRouterConstructor(replacement: RouterConstructor): void {
  Constructor = replacement;
}

/** Returns the router of an application. The first call creates it with the current settings. */
function routerOf(app: Application): RouterInstance {
  const { [kRouter]: slot } = app;
  slot.router ??= new Constructor({
    caseSensitive: app.enabled('case sensitive routing'),
    strict: app.enabled('strict routing'),
  });
  return slot.router;
}

/** Removes the router and its routes. The next call of `routerOf` creates another one. */
function resetRouter(app: Application): void {
  Object.defineProperty(app, kRouter, { value: { router: undefined }, configurable: true });
}
