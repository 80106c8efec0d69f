/**
 * Router: a function `(req, res, next)` with a stack of layers, and the methods that add layers. §2.5, §4.3
 *
 * Applications may change the stack at any time. The property `stack` is a proxy that records changes by the
 * application; the router itself appends to the array behind the proxy. An array that the application assigned to
 * `stack` has no proxy, so each lookup compares it with the indexed layers.
 */
import createDebug from 'debug';
import deprecateFor from 'depd';
import type * as core from 'express-serve-static-core';
import type * as api from '../interface';
import type { AnyRequest, AnyResponse, Handlers, Next, ParamHandler, Part, Path, Verb } from '../types';
import type { AnyLayer } from './dialect';
import { LayerIndex } from './index-of-layers';
import { Layer } from './layer';
import { assertHandler, defineVerbs, flattenHandlers, PublicRoute, Route } from './route';
import { type WalkedRouter, walk } from './walk';

const debug = createDebug('router');

/**
 * The deprecation function, in an object so that it can be replaced. depd reports as the origin of a warning the first
 * caller outside of the file that created the function. The adapter for APM agents calls `param` from its own file, so
 * it stores a function here that it created in that file; otherwise depd would report the adapter.
 */
export const warnings: { deprecate: (message: string) => void } = { deprecate: deprecateFor('router') };

/** The methods of a router. They check every value that an application passes. */
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

/**
 * A router with the type that applications see: that of @types/express, which describes its layers as in Express 4, and
 * the members that this package adds.
 */
type PublicRouter = RouterInstance & core.Router;

export interface RouterConstructor {
  (options?: api.RouterOptions): PublicRouter;
  new (options?: api.RouterOptions): PublicRouter;
  prototype: PublicRouter;
  Route: typeof Route;
}

/** The members that every router inherits, without the functions of HTTP methods. */
type RouterMember = Exclude<keyof core.Router, Verb | 'stack'> | 'handle';

const kParamFactories: unique symbol = Symbol('nozomi.paramFactories');

/**
 * Creates a router, with or without `new`. The router is a function `(req, res, next)` that inherits from
 * `Router.prototype`, so a property added to the prototype also reaches routers created before.
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

Router.Route = Route;

const members: Part<RouterInstance, RouterMember> = {
  /** Passes a request to the layers of the stack; calls `callback(err)` if none of them ends it. */
  handle(req, res, callback) {
    if (!callback) throw new TypeError('argument callback is required');
    walk(this, stackOf(this), req, res, callback);
  },

  /**
   * Adds middleware, routers or applications below a path, by default `/`.
   *
   * @throws {TypeError} without a handler, for a handler that is not a function, for a malformed path.
   */
  use(first, ...others) {
    const [path, handlers] = splitPath([first, ...others]);
    for (const handler of flattenHandlers(handlers)) {
      assertHandler(handler);
      if (debug.enabled) debug('use %o %s', path, handler.name || '<anonymous>');
      const layer = new Layer(path, { sensitive: this.caseSensitive, strict: false, end: false }, handler);
      layer.route = undefined;
      stackOf(this).append(layer);
    }
    return this;
  },

  /** Adds a route to the stack and returns it, so that the caller can add its handlers. */
  route(path) {
    const route = new PublicRoute(path);
    const handle = (req: AnyRequest, res: AnyResponse, next: Next): void => route.dispatch(req, res, next);
    Object.defineProperty(handle, 'toString', SHOWN_HANDLE);
    const layer = new Layer(path, { sensitive: this.caseSensitive, strict: this.strict, end: true }, handle);
    layer.route = route;
    stackOf(this).append(layer);
    return route;
  },

  /**
   * Adds a callback for the parameter `name`. Called with a function alone, it adds a factory for the callbacks of
   * later `router.param` calls. §1 rule 9, §4.3
   *
   * @throws {TypeError} if the name is missing or not a string, or the callback is not a function.
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
    if (typeof callback !== 'function') throw new TypeError('argument fn must be a function');
    this.params[name] ??= [];
    // A cast, for the same reason as for a factory.
    this.params[name].push(callback as ParamHandler);
    return this;
  },

  /** The routes and mounted routers of this router in registration order, one entry for each path. */
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

// The prototype is a function, so that a router, which inherits from it, has `call`, `apply` and `bind`. A cast, because
// `defineVerbs` adds the functions of HTTP methods below, and the constructor sets the properties of each router.
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

// OpenTelemetry recognises the `handle` of a route, and a router, by name and source text: it creates no spans for them.
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

/** The path at the start of `args`, by default `/`, and the handlers after it. §4.2 */
export function splitPath(args: readonly unknown[]): [Path, Handlers] {
  let first = args[0];
  while (Array.isArray(first) && first.length !== 0) first = first[0];
  if (typeof first === 'function') return ['/', args];
  // path-to-regexp throws for a value that is no path.
  return [args[0] as Path, args.slice(1)];
}

type Mounted = AnyLayer['handle'] & { readonly stack?: unknown };

function isRouter(handle: Mounted): handle is Mounted & core.Router {
  return Array.isArray(handle.stack);
}

/** An object with layers: a router. */
export interface Stacked {
  stack: AnyLayer[];
  [kStack]?: Stack;
}

const kStack: unique symbol = Symbol('nozomi.stack');

/** The stack that the router's property `stack` currently refers to. */
export function stackOf(router: Stacked): Stack {
  const known = router[kStack];
  if (known && known.view === router.stack) return known;
  const stack = views.get(router.stack) ?? new Stack(router.stack);
  Object.defineProperty(router, kStack, { value: stack, configurable: true });
  return stack;
}

// The stack of each proxy. If the application later assigns a proxy to `stack` again, or to that of another router,
// changes to it are still recorded.
const views = new WeakMap<AnyLayer[], Stack>();

export class Stack {
  /** The array of layers. Change it only through `append` or `view`. */
  readonly layers: AnyLayer[];
  /** The proxy that applications get as `router.stack`. */
  readonly view: AnyLayer[];
  #index = new LayerIndex();
  /** A copy of the indexed layers; undefined if a proxy records changes. */
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
   * The index of the current layers. Layers that the router appended extend it; any other change creates a new one.
   */
  index(): LayerIndex {
    if (this.#indexed && !isPrefix(this.#indexed, this.layers)) this.#forget();
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

/** Whether `layers` begins with the layers that are indexed. */
function isPrefix(indexed: ReadonlyArray<AnyLayer | undefined>, layers: readonly AnyLayer[]): boolean {
  if (indexed.length > layers.length) return false;
  for (let i = 0; i < indexed.length; i++) if (indexed[i] !== layers[i]) return false;
  return true;
}
