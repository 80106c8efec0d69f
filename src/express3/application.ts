/**
 * The application of the 3.x interface: what every one is given a copy of, over the members of this series. §9.3
 */
import type { Server } from 'node:http';
import deprecateFor from 'depd';
import { application as core } from '../application/application';
import { POWERED_BY } from '../application/dispatch';
import { setPrototypes } from '../application/prototypes';
import { createServer } from '../application/server';
import { setDefaults } from '../application/settings';
import { methods } from '../routing/route';
import { handleCompatible, isCompatible } from '../transports/detect';
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

/** What the document gives as defaults, without hiding what a parent has set. §9.3 */
const DEFAULTS = { 'json replacer': null, 'json spaces': 0 };

// The path a 3.x application is mounted on has the name of this method.
const { route: _route, ...inherited } = core as { route: unknown; set(...args: unknown[]): unknown };

export const application: object & ThisType<Application> = {
  ...inherited,

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
    this.on('mount', (parent: unknown) => inherit(this, parent as Application));

    this._router = new Router();
    this._usedRouter = false;
    this.routes = this._router.map;
    Object.defineProperty(this, 'router', {
      configurable: true,
      enumerable: true,
      get: () => routerOf(this),
    });
  },

  /** Handle a request; `callback` when nobody answered, by default the final handler. */
  handle(req: Request, res: Response, callback?: Next) {
    if (isCompatible(req)) return handleCompatible(this, req, res, callback);
    const done = callback ? withOwnLocals(res, callback) : finalHandler(this, req, res);
    walk(this, req, res, done);
  },

  /**
   * Mount one middleware, application, router or server on a path, by default on `/`.
   *
   * @throws {TypeError} without a function.
   */
  use(first: unknown, second?: unknown) {
    const [path, given] = typeof first === 'string' ? [first, second] : ['/', first];
    mount(this, path, given);
    return this;
  },

  /** Store a setting; with a name alone, read it. */
  set(...args: [name: string, value?: unknown]) {
    const [name, value] = args;
    if (args.length === 1) return this.settings[name];
    Reflect.apply(inherited.set, this, args);
    if (name === 'etag') this.settings['etag fn'] = compileETag(value);
    return this;
  },

  /** The path the application is mounted on, with those of its parents; `''` at the top. */
  path() {
    return this.parent ? this.parent.path() + this.route : '';
  },

  /** Call the function now; with environments before it, in these only. */
  configure(...args: unknown[]) {
    deprecate("app.configure: Check app.get('env') in an if statement");
    const fn = args.pop() as () => void;
    if (args.length === 0 || args[0] === 'all' || args.includes(this.settings.env)) fn.call(this);
    return this;
  },

  /**
   * Add callbacks for one parameter or each of several; or, with a function alone, a factory that makes callbacks
   * of what `param` is given from then on.
   */
  param(name: unknown, ...fns: unknown[]) {
    if (typeof name === 'function') {
      this._router.param(name as ParamFactory);
      return this;
    }
    for (const one of [name].flat() as string[]) {
      for (const fn of fns) this._router.param(one.replace(/^:/, ''), fn);
    }
    return this;
  },

  /** Add a route for every method. */
  all(path: Path, ...callbacks: unknown[]) {
    for (const method of methods) addRoute(this, method, path, callbacks);
    return this;
  },

  del(path: Path, ...callbacks: unknown[]) {
    deprecate('app.del: Use app.delete instead');
    return addRoute(this, 'delete', path, callbacks);
  },

  /** Listen as the runtime's server does. */
  listen(...args: unknown[]): Server {
    return createServer(this).listen(...(args as []));
  },
};

for (const method of methods) {
  Object.defineProperty(application, method, {
    configurable: true,
    enumerable: true,
    writable: true,
    value(this: Application, path: Path, ...callbacks: unknown[]) {
      // One argument to `app.get` is the name of a setting.
      if (method === 'get' && callbacks.length === 0) return Reflect.apply(this.set, this, [path]);
      return addRoute(this, method, path, callbacks);
    },
  });
}

/** The methods that settings are read by, before an application overrides them. */
export const settingMethods: SettingMethods = pickSettingMethods(application);

/** The middleware that serves the routes. Whoever asks for it mounts it himself. */
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

/** The implicit second middleware: request and response become those of the application. */
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
