/**
 * Router: a function `(req, res, next)` with a stack of layers, and the methods that add layers. §2.5, §4.3
 *
 * Applications may change the stack at any time. `router.stack` is a proxy that detects their changes; the router
 * itself appends to the array behind the proxy. If an application assigns its own array to `router.stack`, there is no
 * proxy, and each lookup compares the array with the indexed layers.
 */
import createDebug from 'debug';
import deprecateFor from 'depd';
import type * as core from 'express-serve-static-core';
import type * as api from '../interface';
import { express5, type RoutingRules } from '../series';
import type { AnyRequest, AnyResponse, Handlers, Next, Part, Path, Verb } from '../types';
import type { AnyLayer, Dialect, LayerAccess, LayerMatch } from './dialect';
import { used } from './layer';
import { LayerIndex } from './layer-index';
import { isParamHandler } from './param-callbacks';
import { assertHandler, defineVerbs, flattenHandlers, PublicRoute, TypedRoute } from './route';
import { Walk, type WalkedRouter, walk } from './walk';

const debug = createDebug('router');

/**
 * Holds the deprecation function. depd names the first caller outside the file that called `deprecateFor`.
 * src/agents/router wraps `param`, so it replaces `deprecate` by a function of its own. Otherwise warnings would name
 * src/agents/router and not the application.
 */
export const warnings: { deprecate: (message: string) => void } = { deprecate: deprecateFor('router') };

/** A router with the internal types: `unknown` parameters, because an application may pass any value. */
export interface RouterInstance
  extends Stacked,
    WalkedRouter,
    Record<Verb, (...args: unknown[]) => RouterInstance> {
  (req: AnyRequest, res: AnyResponse, next: Next): void;
  caseSensitive: boolean | undefined;
  strict: boolean | undefined;
  handle(req: AnyRequest, res: AnyResponse, callback: Next): void;
  use(...args: unknown[]): this;
  route(path: Path): PublicRoute;
  param(name: unknown, fn?: unknown): this;
  listRoutes(): api.ListedRoute[];
  [kParamFactories]?: api.ParamFactory[];
}

/** A router with the type that applications see: the type of @types/express, and the members that this package adds. */
type PublicRouter = RouterInstance & core.Router;

export interface RouterConstructor {
  (options?: api.RouterOptions): PublicRouter;
  new (options?: api.RouterOptions): PublicRouter;
  prototype: PublicRouter;
  Route: typeof PublicRoute;
}

/** The members of `Router.prototype`, without the functions for HTTP methods. */
type RouterMember = Exclude<keyof core.Router, Verb | 'stack'> | 'handle';

const kParamFactories: unique symbol = Symbol('nozomi.paramFactories');

/**
 * Creates a router, with or without `new`. The router is a function `(req, res, next)` that inherits from
 * `Router.prototype`. A property that the application adds to the prototype is also on existing routers.
 */
const Router: RouterConstructor = function (this: unknown, options?: api.RouterOptions): PublicRouter {
  if (!(this instanceof Router)) return new Router(options);

  const router = (req: AnyRequest, res: AnyResponse, next: Next): void => {
    instance.handle(req, res, next);
  };
  const instance: PublicRouter = Object.setPrototypeOf(router, this);

  const { caseSensitive, mergeParams, strict } = options || {};
  const stack = new Stack().view;
  return Object.assign(instance, { caseSensitive, mergeParams, params: {}, strict, stack });
} as RouterConstructor; // `prototype` and `Route` are defined below.

export { Router };

Router.Route = PublicRoute;

const access: LayerAccess = {
  paramsOfSlash: () => ({}),
  // A cast, because only layers of Express 4 return `true`.
  match: (layer, path) => layer.match(path) as LayerMatch | false,
  builtInSteps: undefined,
  overriddenParams: undefined,
};

const members: Part<RouterInstance, RouterMember> = {
  handle: handleMethod(express5.routing, access),

  /**
   * Adds middleware, routers or applications below a path, by default `/`.
   *
   * @throws {TypeError} if there is no handler, a handler is not a function, or the path is malformed.
   */
  use(first, ...others) {
    const [path, handlers] = splitPath([first, ...others]);
    for (const handler of flattenHandlers(handlers)) {
      assertHandler(handler);
      if (debug.enabled) debug('use %o %s', path, handler.name || '<anonymous>');
      const options = { sensitive: this.caseSensitive, strict: false, end: false };
      const layer = new used.Layer(path, options, handler);
      layer.route = undefined;
      stackOf(this).append(layer);
    }
    return this;
  },

  /**
   * Adds a route to the stack and returns it, so that the caller can add its handlers.
   *
   * @throws {TypeError} if the path is malformed.
   */
  route(path) {
    const route = new TypedRoute(path);
    const handle = (req: AnyRequest, res: AnyResponse, next: Next): void => route.dispatch(req, res, next);
    Object.defineProperty(handle, 'toString', SHOWN_HANDLE);
    const options = { sensitive: this.caseSensitive, strict: this.strict, end: true };
    const layer = new used.Layer(path, options, handle);
    layer.route = route;
    stackOf(this).append(layer);
    return route;
  },

  /**
   * Adds a callback for the parameter `name`. If the first argument is a function, it becomes a factory: later
   * `router.param` calls pass it the name and the callback, and use the callback that it returns, if any.
   *
   * @throws {TypeError} if the name is missing or not a string, or the callback is missing or not a function.
   */
  param(name, fn) {
    if (typeof name === 'function') {
      warnings.deprecate('router.param(fn): register a callback for each parameter instead');
      // A cast, because the parameters of a function cannot be checked at run time.
      this[kParamFactories] = [...(this[kParamFactories] ?? []), name as api.ParamFactory];
      return this;
    }
    if (!name) throw new TypeError('argument name is required');
    if (typeof name !== 'string') throw new TypeError('argument name must be a string');

    let callback = fn;
    for (const factory of this[kParamFactories] ?? []) callback = factory(name, callback) || callback;
    if (!callback) throw new TypeError('argument fn is required');
    if (!isParamHandler(callback)) throw new TypeError('argument fn must be a function');
    this.params[name] ??= [];
    this.params[name].push(callback);
    return this;
  },

  /** Lists the routes and mounted routers of this router in registration order, with one entry for each path. */
  listRoutes() {
    return stackOf(this).layers.flatMap((layer) => {
      const { route, rawPath } = layer;
      const router = !route && isRouter(layer.handle) ? layer.handle : undefined;
      if (!route && !router) return [];
      const methods = route?._methods(true);
      if (!Array.isArray(rawPath)) return { path: rawPath, methods, router };
      return rawPath.map((path) => ({ path, methods: methods?.slice(), router }));
    });
  },
};

// The prototype is a function, so that routers inherit `call`, `apply` and `bind`. The cast is necessary because
// `defineVerbs` adds the functions for HTTP methods below, and the constructor sets the other properties.
Router.prototype = Object.assign(() => undefined, members) as unknown as PublicRouter;

defineVerbs(
  Router.prototype,
  (verb) =>
    function (this: RouterInstance, ...args: unknown[]) {
      const [path, handlers] = splitPath(args);
      const route = this.route(path);
      route[verb](...handlers);
      return this;
    },
);

/** Creates the method `handle` of the routers of one series. */
export function handleMethod(
  rules: RoutingRules,
  layers: LayerAccess,
): (this: Stacked & WalkedRouter, req: AnyRequest, res: AnyResponse, callback: Next) => void {
  // The walk must not take an addition to `Object.prototype` for an optional member.
  const dialect: Dialect = Object.setPrototypeOf({ ...rules, ...layers }, null);
  /**
   * Passes a request through the stack. Calls `callback` after the last layer, with the error if one is pending.
   *
   * @throws {TypeError} without a callback, in Express 5.
   */
  return function handle(req, res, callback) {
    if (dialect.requiresCallback && !callback) throw new TypeError('argument callback is required');
    walk(new Walk(this, stackOf(this), req, res, callback, dialect));
  };
}

// OpenTelemetry skips routers and the handlers that `router.route` creates, which it recognises by name and source
// text. So their `toString` returns the source of the same functions in the package `router`.
const SHOWN_HANDLE = shownAs(`function handle (req, res, next) {
    route.dispatch(req, res, next)
  }`);
const SHOWN_ROUTER = shownAs(`function router (req, res, next) {
    router.handle(req, res, next)
  }`);
Object.defineProperty(Router.prototype, 'toString', SHOWN_ROUTER);

function shownAs(text: string): PropertyDescriptor {
  return { value: () => text, writable: true, configurable: true };
}

/** Splits the arguments of `use`, `get` and the like into the path, by default `/`, and the handlers. */
export function splitPath(args: readonly unknown[]): [Path, Handlers] {
  let first = args[0];
  while (Array.isArray(first) && first.length !== 0) first = first[0];
  if (typeof first === 'function') return ['/', args];
  // The type of the path is not checked, as in Express. Without `strict`, `loosen` converts a number such as 42 to
  // `'42'`, and path-to-regexp rejects `'[object Object]'`.
  return [args[0] as Path, args.slice(1)];
}

type Mounted = AnyLayer['handle'] & { readonly stack?: unknown };

function isRouter(handle: Mounted): handle is Mounted & core.Router {
  return Array.isArray(handle.stack);
}

/** The members of a router that `stackOf` uses. */
export interface Stacked {
  stack: AnyLayer[];
  [kStack]?: Stack;
}

const kStack: unique symbol = Symbol('nozomi.stack');

/**
 * Returns the `Stack` of the array that `router.stack` refers to. The application may assign another array at any time.
 */
export function stackOf(router: Stacked): Stack {
  const known = router[kStack];
  if (known && known.view === router.stack) return known;
  const stack = views.get(router.stack) ?? new Stack(router.stack);
  Object.defineProperty(router, kStack, { value: stack, configurable: true });
  return stack;
}

// The `Stack` of each proxy. The application may assign a proxy to `stack` again, or to the `stack` of another router.
// Changes to the proxy must still be detected.
const views = new WeakMap<AnyLayer[], Stack>();

export class Stack {
  /** The array of layers. Change it only through `append` or `view`. */
  readonly layers: AnyLayer[];
  /** What applications get as `router.stack`: a proxy of `layers`, or the array that they assigned. */
  readonly view: AnyLayer[];
  #index = new LayerIndex();
  /** Whether the application has read `view` since the last lookup, so that it may have changed a layer. */
  #isRead = false;
  /** A copy of the indexed layers of an assigned array, to detect changes. Undefined for a proxy. */
  readonly #indexed: Array<AnyLayer | undefined> | undefined;

  /** @param assigned The array that the application assigned to `router.stack`, if it did. */
  constructor(assigned?: AnyLayer[]) {
    this.layers = assigned ?? [];
    this.view = assigned ?? new Proxy(this.layers, this.#observer());
    if (assigned) this.#indexed = [];
    else views.set(this.view, this);
  }

  append(layer: AnyLayer): void {
    this.layers.push(layer);
  }

  /**
   * Returns the index of the current layers. Layers added by `append` extend the index. A change through the proxy, or
   * of the indexed layers of an assigned array, creates a new index. So does a layer whose matching the application has
   * changed; if there is a proxy, only after the application has read it since the last lookup.
   */
  index(): LayerIndex {
    if (this.#indexed && !isPrefix(this.#indexed, this.layers)) this.#forget();
    if (this.#isRead || this.#indexed) {
      this.#isRead = false;
      if (this.#index.isOutdated(this.layers)) this.#forget();
    }
    for (let i = this.#index.size; i < this.layers.length; i++) {
      const layer = this.layers[i];
      this.#index.add(layer);
      this.#indexed?.push(layer);
    }
    return this.#index;
  }

  #forget(): void {
    if (this.#index.size === 0) return;
    this.#index = new LayerIndex();
    if (this.#indexed) this.#indexed.length = 0;
  }

  #observer(): ProxyHandler<AnyLayer[]> {
    return {
      get: (layers, key) => {
        this.#isRead = true;
        return Reflect.get(layers, key);
      },
      set: (layers, key, value) => {
        this.#forget();
        return Reflect.set(layers, key, value);
      },
      defineProperty: (layers, key, descriptor) => {
        this.#forget();
        return Reflect.defineProperty(layers, key, descriptor);
      },
      deleteProperty: (layers, key) => {
        this.#forget();
        return Reflect.deleteProperty(layers, key);
      },
    };
  }
}

/** Whether `layers` still begins with the layers that are indexed. */
function isPrefix(indexed: ReadonlyArray<AnyLayer | undefined>, layers: readonly AnyLayer[]): boolean {
  if (indexed.length > layers.length) return false;
  for (let i = 0; i < indexed.length; i++) if (indexed[i] !== layers[i]) return false;
  return true;
}
