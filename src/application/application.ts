/** Creates an application, defines its members, and prepares each request before the router runs. §1, §2.1, §4.2 */
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import createDebug from 'debug';
import { callOnce } from '../internal/call-once';
import { keepSettingMethods, pickSettingMethods } from '../internal/setting';
import { defineVerbs, methods } from '../routing/route';
import { splitPath } from '../routing/router';
import { type DefaultRules, express5 } from '../series';
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
  Verb,
} from '../types';
import {
  type CoreApplication,
  type CoreParts,
  createListener,
  handle,
  keepParts,
  kParts,
  type OpenRouter,
  resetRouter,
  routerOf,
} from './handle';
import { mountedApps } from './mounted';
import { createPrototypes, inheritPrototypes, setPrototypes } from './prototypes';
import { render } from './render';
import { createServer } from './server';
import { setDefaults, setSetting, yieldDefaults } from './settings';

const debug = createDebug('express:application');

/** An application with all its members. */
type AssembledApplication = AnyApplication & {
  (req: AnyRequest, res: AnyResponse, next?: Next): void;
  init(): void;
};

/** What applications are assembled from. */
interface Assembly {
  /** The members that each application gets copies of. */
  readonly members: object;
  /** The prototype that `app.request` inherits from. */
  readonly request: AnyRequest;
  /** The prototype that `app.response` inherits from. */
  readonly response: AnyResponse;
  /** False in Express 3, whose responses override methods that Node.js calls: its servers create objects of Node.js. */
  readonly adoptsServers: boolean;
}

/** Returns the function that creates applications: request listeners with copies of members. */
export function compileFactory<App extends AssembledApplication>(assembly: Assembly): () => App {
  const { members, request, response, adoptsServers } = assembly;
  // Picked now: later, the developer may have overridden them in `members`.
  const methods = pickSettingMethods(members);
  return function createApplication() {
    const app = createListener<App>(adoptsServers);
    mixin(app, EventEmitter.prototype);
    mixin(app, members);
    keepSettingMethods(app, methods);
    createPrototypes(app, request, response);
    app.init();
    return app;
  };
}

/** Copies the members of `source` to `target`, except those that `target` already has. */
function mixin(target: object, source: object): void {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(source))) {
    if (!Object.hasOwn(target, name)) Object.defineProperty(target, name, descriptor);
  }
}

/** Does what `app.init` does in Express 5. */
export function initialize(app: CoreApplication, parts: CoreParts): void {
  keepParts(app, parts);
  app.cache = Object.create(null);
  app.engines = Object.create(null);
  app.settings = Object.create(null);
  resetRouter(app);
  app.defaultConfiguration();
  Object.defineProperty(app, 'router', ROUTER);
}

/** Members that every application gets as a copy, except `init`. `this` is the application. */
export const members: Part<CoreApplication, Exclude<keyof ApplicationMembers, 'init'>> = {
  defaultConfiguration() {
    startConfiguration(this, express5.settings.defaults);
    this.on('mount', (parent) => inherit(this, parent));
  },

  handle,

  /**
   * Adds middleware, routers or applications below a path, by default `/`. §1 rule 7
   *
   * @throws {TypeError} if there is no handler, a handler is not a function, or the path is malformed.
   */
  use(first: unknown, ...others: unknown[]) {
    const [path, handlers] = splitPath([first, ...others]);
    const fns = handlers.flat(Number.POSITIVE_INFINITY);
    if (fns.length === 0) throw new TypeError('app.use() requires a middleware function');

    const router = this[kParts].routerOf(this);
    for (const fn of fns) {
      if (isMountable(fn)) mount(this, router, path, fn);
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

  /** Adds a callback for one parameter, or each of a list. A function as `name` is a `ParamFactory`. §1 rule 9 */
  param(name: unknown, fn?: unknown) {
    if (Array.isArray(name)) for (const one of name) this.param(one, fn);
    else this[kParts].routerOf(this).param(name, fn);
    return this;
  },

  /** Stores a setting. With only a name, returns the value of the setting. §2.2 */
  set(...args: [name: string, value?: unknown]) {
    const [name, value] = args;
    // A cast, because @types/express has no signature for only a name.
    if (args.length === 1) return this.settings[name] as CoreApplication;
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

  /** Creates a server and calls its `listen`. The callback is called once, also with the error of `listen`. */
  listen(...args: unknown[]): Server {
    const server = createServer(this);
    const callback = args[args.length - 1];
    if (typeof callback === 'function') {
      const once = callOnce(function (this: unknown, ...result: unknown[]) {
        callback.apply(this, result);
      });
      args[args.length - 1] = once;
      server.once('error', once);
    }
    return Reflect.apply(server.listen, server, args);
  },
};

/**
 * Adds to the members of applications a function for each HTTP method, and `all`.
 *
 * @param open Receives the path and the handlers. Returns a function that adds these handlers for one method.
 */
export function defineRoutes<App extends Pick<AnyApplication, 'set'>>(
  members: object,
  open: (app: App, args: readonly unknown[]) => (method: Verb) => unknown,
): void {
  defineVerbs(
    members,
    (verb) =>
      function (this: App, ...args: unknown[]) {
        // With one argument, `app.get` reads a setting.
        if (verb === 'get' && args.length === 1) return Reflect.apply(this.set, this, args);
        const add = open(this, args);
        // As in Express, `app.all` adds the handlers to each method.
        for (const method of verb === 'all' ? methods : [verb]) add(method);
        return this;
      },
  );
}

defineRoutes<Application>(members, (app, args) => {
  const [path, handlers] = splitPath(args);
  // Express also calls `app.route` here, which the application can override.
  const route = app.route(path);
  return (method) => route[method](...handlers);
});

// One getter for all applications: V8 keeps an object as a hash table if another object has another getter in its place.
const ROUTER: PropertyDescriptor & ThisType<CoreApplication> = {
  configurable: true,
  enumerable: true,
  get() {
    return routerOf(this);
  },
};

/**
 * Sets the locals, the mount path and the default settings of a new application of Express 4 or 5.
 *
 * @param others The default settings that differ from those of Express 5.
 */
export function startConfiguration(
  app: AnyApplication & Pick<Application, 'locals' | 'mountpath'>,
  others: DefaultRules['defaults'],
): void {
  const env = process.env.NODE_ENV || 'development';
  debug('booting in %s mode', env);
  app.locals = Object.create(null);
  app.mountpath = '/';
  app.locals.settings = app.settings;
  setDefaults(app, env, others);
}

export function isMountable<App = Application>(fn: unknown): fn is App {
  const given = Object(fn);
  return Boolean(given.handle && given.set);
}

/** Mounts `app` on `parent`. While `app` runs, request and response have its prototypes. */
function mount(parent: CoreApplication, router: OpenRouter, path: Path, app: Application): void {
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
  mountedApps.set(mounted_app, app);
  router.use(path, mounted_app);
  parent[kParts].emitMount(app, parent);
}

export function emitMount(app: Application, parent: Application): void {
  app.emit('mount', parent);
}

/** Makes a mounted application inherit from its parent. In Express's order: the same step throws if frozen. */
function inherit(app: Application, parent: Application): void {
  yieldDefaults(app, parent);
  inheritPrototypes(app, parent);
  Object.setPrototypeOf(app.engines, parent.engines);
  Object.setPrototypeOf(app.settings, parent.settings);
}
