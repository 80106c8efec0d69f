/**
 * The application of Express 4: the members that every application has in addition to, or instead of, those of
 * Express 5. E4-A, E4-D
 */
import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import createDebug from 'debug';
import deprecateFor from 'depd';
import { checkTarget, application as core, setPoweredBy, unhandled } from '../application/application';
import { prototypeOf, setPrototypes } from '../application/prototypes';
import { render } from '../application/render';
import { createServer, isCompatible } from '../application/server';
import { inheritSettings, setDefaults } from '../application/settings';
import { inheritFromSeries, isOfSeries, keepPrototypes } from '../earlier/mount';
import { defineVerbs, methods } from '../routing/route';
import { splitPath, stackOf } from '../routing/router';
import { handleCompatible } from '../transports/detect';
import type { AnyRequest, AnyResponse, Handlers, Part, Path, RenderCallback, ViewLocals } from '../types';
import { named } from '../wire/named';
import { isEnabled, pickSettingMethods, type SettingMethods } from '../wire/setting';
import { withInherited } from './inherited';
import { compileQueryParser, query } from './query';
import { response } from './response';
import { Router, type RouterInstance, type RouterState } from './router';
import type { Application, Handler } from './types';
import { View } from './view';

const debug = createDebug('express:application');
const deprecate = deprecateFor('express');

const { set: setCore, ...inherited } = core;

type Member =
  | ('init' | 'defaultConfiguration' | 'lazyrouter' | 'handle' | 'use' | 'param')
  | ('set' | 'enabled' | 'disabled' | 'render' | 'listen');

// @types/express lacks routes whose path is not a string.
const members: Part<Application, Member> & Pick<RouterState, 'route'> = {
  init() {
    this.cache = {};
    this.engines = {};
    this.settings = {};
    this.defaultConfiguration();
  },

  defaultConfiguration() {
    const env = process.env.NODE_ENV || 'development';
    debug('booting in %s mode', env);
    this.locals = Object.create(null);
    this.mountpath = '/';
    this.locals.settings = this.settings;
    setDefaults(this, env);
    this.set('query parser', 'extended');
    this.set('view', View);
    this.on('mount', (parent: Application) => inherit(this, parent));
    Object.defineProperty(this, 'router', {
      get: () => {
        throw new Error(
          "'app.router' is deprecated!\nPlease see the 3.x to 4.x migration guide for details on how to update your app.",
        );
      },
    });
  },

  /** Creates the router with the current settings and its first two layers. The first route or middleware calls it. */
  lazyrouter() {
    if (this._router) return;
    this._router = new Router({
      caseSensitive: this.enabled('case sensitive routing'),
      strict: this.enabled('strict routing'),
    });
    this._router.use(query(this.get('query parser fn')));
    this._router.use(createInit(this));
  },

  /** Handles a request. It calls `callback`, by default the final handler, if no handler responds. */
  handle(req, res, callback) {
    if (isCompatible(req)) return handleCompatible(this, req, res, callback);
    const done = callback || unhandled(this, req, res, logStack);
    const router = this._router;
    if (!router) {
      debug('no routes defined on app');
      return done();
    }
    if (!startsAsUsual(router)) removePrototypes(this, req, res);
    try {
      checkTarget(this, req);
    } catch (err) {
      return done(err);
    }
    router.handle(req, res, done);
  },

  /**
   * Adds middleware, routers or applications below a path, by default `/`.
   *
   * @throws {TypeError} without a function.
   */
  use(first: unknown, ...others: unknown[]) {
    const [path, handlers] = splitPath([first, ...others]);
    const fns: unknown[] = handlers.flat(Number.POSITIVE_INFINITY);
    if (fns.length === 0) throw new TypeError('app.use() requires a middleware function');
    this.lazyrouter();
    for (const fn of fns) {
      if (isApplication(fn)) mount(this, path, fn);
      else routerOf(this).use(path, fn);
    }
    return this;
  },

  route(path: Path) {
    this.lazyrouter();
    return routerOf(this).route(path);
  },

  /**
   * Adds a callback for one parameter, or for several. Called with a function alone, it adds a factory of callbacks.
   */
  param(name: unknown, fn?: unknown) {
    this.lazyrouter();
    if (Array.isArray(name)) for (const one of name) this.param(one, fn);
    else routerOf(this).param(name, fn);
    return this;
  },

  /** Stores a setting. With a name alone, it returns the value. */
  set(...args: [name: string, value?: unknown]) {
    const [name, value] = args;
    if (args.length === 1) return readAlong(this.settings, name);
    if (name !== 'query parser') return Reflect.apply(setCore, this, args);
    debug('set "%s" to %o', name, value);
    const parser = compileQueryParser(value);
    Object.assign(this.settings, { [name]: value });
    return this.set('query parser fn', parser);
  },

  enabled(name: string) {
    return Boolean(this.get(name));
  },

  disabled(name: string) {
    return !this.get(name);
  },

  /** Renders a view. Errors go to the callback, also those that the engine throws. */
  render(name: string, options: ViewLocals | RenderCallback, callback?: RenderCallback) {
    const given: ViewLocals = typeof options === 'function' ? {} : options;
    const locals = withInherited(given._locals);
    const all = { ...withInherited(this.locals), ...locals, ...withInherited(given) };
    Reflect.apply(render, this, [name, all, typeof options === 'function' ? options : callback]);
  },

  /** Listens as Node.js's `server.listen` does. */
  listen(...args: unknown[]): Server {
    const server = createServer(this);
    return Reflect.apply(server.listen, server, args);
  },
};

export const application: Omit<typeof core, Member | 'route'> & typeof members = { ...inherited, ...members };

defineVerbs(
  application,
  (verb) =>
    function (this: Application, ...args: [path: Path, ...handlers: Handlers]) {
      // With one argument, `app.get` reads a setting.
      if (verb === 'get' && args.length === 1) return Reflect.apply(this.set, this, args);
      const [path, ...handlers] = args;
      this.lazyrouter();
      const route = routerOf(this).route(path);
      // `app.all` adds a handler to each method.
      for (const method of verb === 'all' ? methods : [verb]) route[method](...handlers);
      return this;
    },
);

Object.assign(application, {
  del: deprecate.function(Reflect.get(application, 'delete'), 'app.del: Use app.delete instead'),
});

/** The methods that read settings, before the application can override them. */
export const settingMethods: SettingMethods = pickSettingMethods(application);

/**
 * Creates the second layer of an application's router: middleware that sets the application's prototypes on request
 * and response.
 */
export function createInit(app: Application): Handler {
  return named<Handler>('expressInit', (req, res, next) => {
    if (isEnabled(app, 'x-powered-by')) setPoweredBy(app, req, res);
    req.res = res;
    res.req = req;
    req.next = next;
    const { query: parsed } = req;
    setPrototypes(app, req, res);
    // A parent of Express 5 defines `req.query` on its prototype, which `setPrototypes` has replaced.
    if (parsed && !req.query) req.query = parsed;
    res.locals = res.locals || Object.create(null);
    next();
  });
}

/** The router, which `lazyrouter` created. */
function routerOf(app: Application): RouterInstance {
  const { _router: router } = app;
  if (!router) throw new TypeError('app.lazyrouter() created no router');
  return router;
}

function isApplication(fn: unknown): fn is Application {
  const given = Object(fn);
  return Boolean(given.handle && given.set);
}

/**
 * Mounts an application on another one. While it runs, request and response have its prototypes. A mounted
 * application of Express 5 keeps its interface.
 */
function mount(parent: Application, path: Path, app: Application): void {
  debug('.use app under %s', path);
  // @types/express omits regular expressions.
  app.mountpath = path as string;
  app.parent = parent;
  routerOf(parent).use(
    path,
    named<Handler>('mounted_app', (req, res, next) => {
      const { app: caller } = req;
      app.handle(req, res, (err) => {
        setPrototypes(caller, req, res);
        next(err);
      });
    }),
  );
  const emit = (): boolean => app.emit('mount', parent);
  if (isOfSeries(app, response)) emit();
  else keepPrototypes(app, emit);
}

/** Passes the parent's settings, engines and prototypes to a mounted application. */
function inherit(app: Application, parent: Application): void {
  inheritSettings(app, parent);
  inheritFromSeries(app, parent, response);
  Object.setPrototypeOf(app.engines, parent.engines);
}

/** A setting of the application or its parents, without the properties of `Object.prototype`. */
function readAlong(settings: object, name: string): unknown {
  for (let each = settings; each && each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    if (Object.hasOwn(each, name)) return Reflect.get(each, name);
  }
  return undefined;
}

function startsAsUsual(router: RouterInstance): boolean {
  // The array behind the proxy: reading through the proxy is slow.
  const { layers } = stackOf(router);
  return layers[0]?.name === 'query' && layers[1]?.name === 'expressInit';
}

/**
 * Sets Node.js's prototypes on the messages that the server created with the application's. In Express 4, a layer
 * before `expressInit` receives plain Node.js objects.
 */
function removePrototypes(app: Application, req: AnyRequest, res: AnyResponse): void {
  if (req.res || Object.getPrototypeOf(req) !== prototypeOf(app, 'request')) return;
  Object.setPrototypeOf(req, IncomingMessage.prototype);
  Object.setPrototypeOf(res, ServerResponse.prototype);
}

function logStack(err: unknown): void {
  console.error(Object(err).stack || String(err));
}
