/**
 * The members of an Express 4 application. They extend and override the members of an Express 5 application. E4-A, E4-D
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import createDebug from 'debug';
import deprecateFor from 'depd';
import { members as core, defineRoutes, emitMount, startConfiguration } from '../application/application';
import { keepParts, type Parts } from '../application/handle';
import { prototypeOf, setPrototypes } from '../application/prototypes';
import { render } from '../application/render';
import { listen } from '../application/server';
import { inheritSettings } from '../application/settings';
import type { SettingsMap } from '../interface';
import { addedSetting, addedSettings } from '../internal/setting';
import { inheritFromSeries, isOfSeries, keepPrototypes } from '../legacy/mount';
import { withInherited } from '../legacy/with-inherited';
import { stackOf } from '../routing/router';
import { serveHttp2 } from '../transports/http2';
import type { AnyRequest, AnyResponse, Part, Path, RenderCallback, ViewLocals } from '../types';
import { addBuiltInLayers } from './built-in';
import { preparer } from './init';
import { compileQueryParser, querySetter } from './query';
import { response } from './response';
import { type RouterInstance, type RouterState, used as routers } from './router';
import { express4 } from './series';
import type { Application } from './types';
import { View } from './view';

const debug = createDebug('express:application');
const deprecate = deprecateFor('express');

const { set: setCore, ...inherited } = core;

type Member = 'init' | 'defaultConfiguration' | 'lazyrouter' | 'param' | 'set' | 'render' | 'listen';

// `route` has its own type here, because @types/express has no type for a route whose path is not a string.
const members: Part<Application, Member> & Pick<RouterState, 'route'> = {
  init() {
    keepParts(this, parts);
    this.cache = {};
    this.engines = {};
    this.settings = {};
    this.defaultConfiguration();
  },

  defaultConfiguration() {
    startConfiguration(this, { ...express4.settings.defaults, view: View });
    this.on('mount', (parent: Application) => inherit(this, parent));
    Object.defineProperty(this, 'router', ROUTER);
  },

  /** Creates the router with the current settings and the two built-in layers, unless it exists. */
  lazyrouter() {
    if (this._router) return;
    this._router = new routers.Router({
      caseSensitive: this.enabled('case sensitive routing'),
      strict: this.enabled('strict routing'),
    });
    addBuiltInLayers(this._router, querySetter(this.get('query parser fn')), preparer(this));
  },

  route(path: Path) {
    return routerOf(this).route(path);
  },

  param(name: unknown, fn?: unknown) {
    // Also for an empty list of names.
    this.lazyrouter();
    Reflect.apply(inherited.param, this, [name, fn]);
    return this;
  },

  set(...args: [name: string, value?: unknown]) {
    const [name, value] = args;
    if (args.length === 1) return readAlong(this.settings, name);
    if (name !== 'query parser') return Reflect.apply(setCore, this, args);
    debug('set "%s" to %o', name, value);
    // A cast: the function checks the value.
    const parser = compileQueryParser(value as SettingsMap['query parser']);
    Object.assign(this.settings, { [name]: value });
    return this.set('query parser fn', parser);
  },

  /** Renders a view. The callback receives all errors, including those that the engine throws. */
  render(name: string, options: ViewLocals | RenderCallback, callback?: RenderCallback) {
    const given: ViewLocals = typeof options === 'function' ? {} : options;
    const locals = withInherited(given._locals);
    const all = { ...withInherited(this.locals), ...locals, ...withInherited(given) };
    Reflect.apply(render, this, [name, all, typeof options === 'function' ? options : callback]);
  },

  listen,
};

// One getter for all applications, as in Express 5's.
const ROUTER: PropertyDescriptor = {
  get() {
    throw new Error(
      "'app.router' is deprecated!\nPlease see the 3.x to 4.x migration guide for details on how to update your app.",
    );
  },
};

export const application: Omit<typeof core, Member | 'route'> & typeof members = { ...inherited, ...members };

defineRoutes<Application>(application, (app, [path, ...handlers]) => {
  // A cast: the router checks the path.
  const route = routerOf(app).route(path as Path);
  return (method) => route[method](...handlers);
});

Object.assign(application, {
  del: deprecate.function(Reflect.get(application, 'delete'), 'app.del: Use app.delete instead'),
});

/** @throws {TypeError} if an application's own `lazyrouter` creates no router. */
function routerOf(app: Application): RouterInstance {
  app.lazyrouter();
  const { _router: router } = app;
  if (!router)
    throw new TypeError(
      'app.lazyrouter() did not set app._router: an override must call the original method',
    );
  return router;
}

/** Makes a mounted application inherit from its parent: settings, engines, and prototypes within Express 4. */
function inherit(app: Application, parent: Application): void {
  inheritSettings(app, parent);
  inheritFromSeries(app, parent, response);
  Object.setPrototypeOf(app.engines, parent.engines);
}

/** Reads a setting of the application or its parents. Properties of `Object.prototype` do not count as settings. */
function readAlong(settings: object, name: string): unknown {
  // biome-ignore lint/plugin: Express 4 does the same, and the application creates the settings in the same realm.
  for (let each = settings; each && each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    if (Object.hasOwn(each, name)) return Reflect.get(each, name);
  }
  return undefined;
}

const parts: Parts = {
  series: express4,
  serveHttp2,

  enterRouter(entered, req, res) {
    const app = entered as Application;
    const { _router: router } = app;
    if (!router) debug('no routes defined on app');
    else if (!startsAsUsual(router)) removePrototypes(app, req, res);
    // The check reads members of `app.request`, which `expressInit` would only set later.
    if (addedSettings.areUsed && addedSetting(app, 'strict host fn')) setPrototypes(app, req, res);
    return router;
  },

  routerOf,

  /** An application of another Express version keeps its own interface. */
  emitMount(app, parent) {
    if (isOfSeries(app, response)) emitMount(app, parent);
    else keepPrototypes(app, () => emitMount(app, parent));
  },
};

function startsAsUsual(router: RouterInstance): boolean {
  // Read the array behind the proxy `router.stack`, because reading through the proxy is slow.
  const { layers } = stackOf(router);
  return layers[0]?.name === 'query' && layers[1]?.name === 'expressInit';
}

/**
 * Restores Node.js's prototypes on a request and a response that the server created with the application's prototypes.
 *
 * In Express 4, a layer before `expressInit` receives plain Node.js objects.
 */
function removePrototypes(app: Application, req: AnyRequest, res: AnyResponse): void {
  if (req.res || Object.getPrototypeOf(req) !== prototypeOf(app, 'request')) return;
  Object.setPrototypeOf(req, IncomingMessage.prototype);
  Object.setPrototypeOf(res, ServerResponse.prototype);
}
