/** The members of an Express 3 application. Every application gets a copy of them when it is created. §9.3 */
import http from 'node:http';
import deprecateFor from 'depd';
import { members as core, defineRoutes } from '../application/application';
import { isHttp2Request } from '../application/handle';
import { setDefaults } from '../application/settings';
import { ownOptions } from '../internal/own-options';
import { serveHttp2 } from '../transports/http2';
import type { Part } from '../types';
import { compileETag } from './entity-tag';
import { respondFinally } from './final-handler';
import { createInit } from './init';
import { createLocals } from './locals';
import { inherit, mount, withOwnLocals } from './mount';
import { createQuery } from './query';
import { Router } from './router';
import { express3 } from './series';
import { runStack } from './stack';
import type { Application, Handler, Next, ParamFactory, Path, Request, Response } from './types';

const deprecate = deprecateFor('express');

/** Defaults that `app.settings` inherits, so that the values of a parent application replace them. */
const DEFAULTS = { 'json replacer': null, 'json spaces': 0 };

// In Express 3, the property `route` of an application is its mount path. So Express 5's method `app.route` is left
// out.
const { route: _route, ...inherited } = core;

// biome-ignore format: a table
type Member =
  | 'init' | 'defaultConfiguration' | 'handle' | 'use' | 'set' | 'path' | 'configure'
  | 'param' | 'del' | 'listen';

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
    setDefaults(this, env, express3.settings.defaults);
    if (env === 'development') this.set('json spaces', 2);
    this.locals = createLocals({ settings: this.settings });
    this.use(createQuery()).use(createInit(this));
    this.on('mount', (parent: Application) => inherit(this, parent));

    this._router = new Router();
    this._usedRouter = false;
    this.routes = this._router.map;
    // Without a prototype: Node.js refuses a getter if a package has added `value` to `Object.prototype`.
    const router = ownOptions({ configurable: true, enumerable: true, get: () => routerOf(this) });
    Object.defineProperty(this, 'router', router);
  },

  /**
   * Handles a request.
   *
   * @param callback Called if no handler responds. Default: the final handler, which sends a 404 or an error page.
   */
  handle(req: Request, res: Response, callback?: Next) {
    if (isHttp2Request(req)) return serveHttp2(this, req, res, callback);
    const done: Next = callback ? withOwnLocals(res, callback) : (err) => respondFinally(req, res, err);
    runStack(this, req, res, done);
  },

  /**
   * Adds middleware, an application, a router or a server below a path. The default path is `/`.
   *
   * @throws {TypeError} if the value is none of these.
   */
  use(first: unknown, second?: unknown) {
    const [path, given] = typeof first === 'string' ? [first, second] : ['/', first];
    mount(this, path, given);
    return this;
  },

  /** Stores a setting. If called with a name alone, returns its value. */
  set(...args: [name: string, value?: unknown]) {
    const [name, value] = args;
    if (args.length === 1) return this.settings[name];
    // A setting of 5.x: in Express 3 it has no effect, and any value is valid.
    if (name === 'query parser') Object.assign(this.settings, { [name]: value });
    else Reflect.apply(inherited.set, this, args);
    if (name === 'etag') this.settings['etag fn'] = compileETag(value);
    return this;
  },

  /** Returns the mount path after those of all parents; `''` for an application that is not mounted. */
  path() {
    return this.parent ? this.parent.path() + this.route : '';
  },

  /** Calls the function at once, unless environments are named: neither `all` first, nor the setting `env`. */
  configure(...args: unknown[]) {
    deprecate("app.configure: Check app.get('env') in an if statement");
    // As in Express, the last argument is not checked: the call below throws if it is not a function.
    const fn = args.pop() as () => void;
    if (args.length === 0 || args[0] === 'all' || args.includes(this.settings.env)) fn.call(this);
    return this;
  },

  /** Adds callbacks for parameters. A function alone is a factory, which creates the callbacks of later calls. */
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

  del(path: Path, ...callbacks: unknown[]) {
    deprecate('app.del: Use app.delete instead');
    return addRoute(this, 'delete', path, callbacks);
  },

  listen(...args: unknown[]) {
    const server = http.createServer(this);
    return Reflect.apply(server.listen, server, args);
  },
};

export const application: Omit<typeof core, Member | 'route'> & typeof members = { ...inherited, ...members };

// A cast: the router checks the path.
defineRoutes<Application>(application, (app, [path, ...callbacks]) => (method) => {
  addRoute(app, method, path as Path, callbacks);
});

/** Returns the middleware that runs the routes. The application then mounts it itself. */
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
