/** The application of the 3.x interface: the members that every application gets as a copy. §9.3 */
import type { Server } from 'node:http';
import deprecateFor from 'depd';
import { application as core, POWERED_BY } from '../application/application';
import { setPrototypes } from '../application/prototypes';
import { createServer, isCompatible } from '../application/server';
import { setDefaults } from '../application/settings';
import { methods } from '../routing/route';
import { handleCompatible } from '../transports/detect';
import type { Part } from '../types';
import { pickSettingMethods, type SettingMethods } from '../wire/setting';
import { compileETag } from './entity-tag';
import { finalHandler } from './final-handler';
import { createLocals } from './locals';
import { inherit, mount, withOwnLocals } from './mount';
import { createQuery } from './query';
import { Router } from './router';
import { walk } from './stack';
import type { Application, Handler, Next, ParamFactory, Path, Request, Response } from './types';

const deprecate = deprecateFor('express');

/**
 * The documented defaults. The settings inherit them, so that a mounted application inherits the values of its parent
 * instead.
 */
const DEFAULTS = { 'json replacer': null, 'json spaces': 0 };

// In Express 3, the property `route` of an application is its mount path, so the method of that name is removed.
const { route: _route, ...inherited } = core;

type Member =
  | ('init' | 'defaultConfiguration' | 'handle' | 'use' | 'set' | 'path' | 'configure')
  | ('param' | 'all' | 'del' | 'listen');

const members: Part<Application, Member> = {
  init() {
    this.stack = [];
    this.route = '/';
    this.cache = {};
    this.engines = {};
    this.settings = Object.create(DEFAULTS);
    this.defaultConfiguration();
  },

  defaultConfiguration() {
    const env = process.env.NODE_ENV || 'development';
    setDefaults(this, env);
    delete this.settings['query parser'];
    delete this.settings['query parser fn'];
    if (env === 'development') this.set('json spaces', 2);
    this.locals = createLocals({ settings: this.settings });
    this.use(createQuery()).use(createInit(this));
    this.on('mount', (parent: Application) => inherit(this, parent));

    this._router = new Router();
    this._usedRouter = false;
    this.routes = this._router.map;
    Object.defineProperty(this, 'router', {
      configurable: true,
      enumerable: true,
      get: () => routerOf(this),
    });
  },

  /** Handles a request. It calls `callback`, by default the final handler, if no handler responds. */
  handle(req: Request, res: Response, callback?: Next) {
    if (isCompatible(req)) return handleCompatible(this, req, res, callback);
    const done = callback ? withOwnLocals(res, callback) : finalHandler(this, req, res);
    walk(this, req, res, done);
  },

  /**
   * Adds middleware, an application, a router or a server below a path, by default `/`.
   *
   * @throws {TypeError} without a function.
   */
  use(first: unknown, second?: unknown) {
    const [path, given] = typeof first === 'string' ? [first, second] : ['/', first];
    mount(this, path, given);
    return this;
  },

  /** Stores a setting. With a name alone, it returns the value. */
  set(...args: [name: string, value?: unknown]) {
    const [name, value] = args;
    if (args.length === 1) return this.settings[name];
    Reflect.apply(inherited.set, this, args);
    if (name === 'etag') this.settings['etag fn'] = compileETag(value);
    return this;
  },

  /** The path that the application is mounted on, with the paths of its parents; `''` if it is not mounted. */
  path() {
    return this.parent ? this.parent.path() + this.route : '';
  },

  /** Calls the function immediately. If names of environments precede it, it is called in those environments only. */
  configure(...args: unknown[]) {
    deprecate("app.configure: Check app.get('env') in an if statement");
    // Express does not check the value either: the call throws.
    const fn = args.pop() as () => void;
    if (args.length === 0 || args[0] === 'all' || args.includes(this.settings.env)) fn.call(this);
    return this;
  },

  /**
   * Adds callbacks for one parameter, or for several. Called with a function alone, it adds a factory for the
   * callbacks of later `param` calls.
   */
  param(name: string | readonly string[] | ParamFactory, ...fns: unknown[]) {
    if (typeof name === 'function') {
      this._router.param(name);
      return this;
    }
    for (const one of [name].flat()) {
      for (const fn of fns) this._router.param(one.replace(/^:/, ''), fn);
    }
    return this;
  },

  /** Adds a route for each method. */
  all(path: Path, ...callbacks: unknown[]) {
    for (const method of methods) addRoute(this, method, path, callbacks);
    return this;
  },

  del(path: Path, ...callbacks: unknown[]) {
    deprecate('app.del: Use app.delete instead');
    return addRoute(this, 'delete', path, callbacks);
  },

  /** Listens as Node.js's `server.listen` does. */
  listen(...args: unknown[]): Server {
    const server = createServer(this);
    return Reflect.apply(server.listen, server, args);
  },
};

export const application: Omit<typeof core, Member | 'route'> & typeof members = { ...inherited, ...members };

for (const method of methods) {
  Object.defineProperty(application, method, {
    configurable: true,
    enumerable: true,
    writable: true,
    value(this: Application, path: Path, ...callbacks: unknown[]) {
      // With one argument, `app.get` reads a setting.
      if (method === 'get' && callbacks.length === 0) return Reflect.apply(this.set, this, [path]);
      return addRoute(this, method, path, callbacks);
    },
  });
}

/** The methods that read settings, before the application can override them. */
export const settingMethods: SettingMethods = pickSettingMethods(application);

/**
 * The middleware that runs the routes. An application that reads it mounts it itself, so it is not mounted
 * automatically.
 */
function routerOf(app: Application): Handler {
  app._usedRouter = true;
  app._router.caseSensitive = app.enabled('case sensitive routing');
  app._router.strict = app.enabled('strict routing');
  return app._router.middleware;
}

function addRoute(app: Application, method: string, path: Path, callbacks: unknown[]): Application {
  if (!app._usedRouter) app.use(app.router);
  app._router.route(method, path, ...callbacks);
  return app;
}

/** Creates the second implicit middleware, which sets the application's prototypes on request and response. */
function createInit(app: Application): Handler {
  return function expressInit(req, res, next) {
    if (app.enabled('x-powered-by')) res.setHeader('X-Powered-By', POWERED_BY);
    req.res = res;
    res.req = req;
    req.next = next;
    setPrototypes(app, req, res);
    res.locals ||= createLocals();
    next();
  };
}
