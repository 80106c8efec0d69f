/**
 * Router: a function `(req, res, next)` with a stack of layers, and the methods that register them. §2.5, §4.3
 */
import createDebug from 'debug';
import deprecateFor from 'depd';
import type { Handlers, Next, ParamHandler, Path, Request, Response } from '../types';
import { Layer } from './layer';
import { assertHandler, defineVerbs, flattenHandlers, Route } from './route';
import { Stack, type Stacked, stackOf } from './stack';
import { type WalkedRouter, walk } from './walk';

const debug = createDebug('router');

/** depd names the first caller outside of the file that called `depd`, so the adapter for APM agents calls it too. */
export const warnings: { deprecate: (message: string) => void } = { deprecate: deprecateFor('router') };

export interface RouterOptions {
  /** `/Foo` and `/foo` are different routes. Default false. */
  caseSensitive?: boolean | undefined;
  /** Keep the parameters of the parent router; a name in both is the child's. Default false. */
  mergeParams?: boolean | undefined;
  /** `/foo` and `/foo/` are different routes. Default false. */
  strict?: boolean | undefined;
}

/** A route or a mounted router, as `listRoutes()` tells it. */
export interface ListedRoute {
  path: Path;
  /** In upper case, `'*'` for all; undefined for a router. */
  methods: string[] | undefined;
  router: RouterInstance | undefined;
}

export interface RouterInstance
  extends Stacked,
    WalkedRouter,
    Record<Verb, (...args: unknown[]) => RouterInstance> {
  (req: Request, res: Response, next: Next): void;
  caseSensitive: boolean | undefined;
  strict: boolean | undefined;
  handle(req: Request, res: Response, callback: Next): void;
  use(...args: unknown[]): this;
  route(path: Path): Route;
  param(name: unknown, fn?: unknown): this;
  listRoutes(): ListedRoute[];
  [kParamFactories]?: ParamFactory[];
}
type Verb = 'get' | 'post' | 'put' | 'delete' | 'patch' | 'options' | 'head' | 'all';

export interface RouterConstructor {
  (options?: RouterOptions): RouterInstance;
  new (options?: RouterOptions): RouterInstance;
  prototype: RouterInstance;
  Route: typeof Route;
}

/** Turns the option given to `router.param(name, option)` into a parameter callback. §4.3 */
type ParamFactory = (name: string, option: unknown) => unknown;

const kParamFactories: unique symbol = Symbol('nozomi.paramFactories');

/**
 * Make a router: a function `(req, res, next)` that inherits from `Router.prototype`, so that what is added to
 * the prototype reaches every router, also those made before. Works with and without `new`.
 */
export const Router: RouterConstructor = function Router(
  this: unknown,
  options?: RouterOptions,
): RouterInstance {
  const Constructor = Router as unknown as RouterConstructor;
  if (!(this instanceof Constructor)) return new Constructor(options);

  const router = (req: Request, res: Response, next: Next): void => {
    (router as RouterInstance).handle(req, res, next);
  };
  Object.setPrototypeOf(router, this);

  const { caseSensitive, mergeParams, strict } = options || {};
  const stack = new Stack().view;
  return Object.assign(router as RouterInstance, { caseSensitive, mergeParams, params: {}, strict, stack });
} as unknown as RouterConstructor;

Router.Route = Route;

// A function, so that routers, which are functions, keep `call`, `apply` and `bind`.
Router.prototype = Object.assign(() => undefined, {
  /** Run a request through the stack; `callback(err)` when no layer answered. */
  handle(this: RouterInstance, req: Request, res: Response, callback: Next): void {
    if (!callback) throw new TypeError('argument callback is required');
    walk(this, stackOf(this), req, res, callback);
  },

  /**
   * Mount middleware, routers or applications on a path, by default on `/`.
   *
   * @throws {TypeError} without a handler, for a handler that is no function, for a malformed path.
   */
  use(this: RouterInstance, first: unknown, ...others: unknown[]): RouterInstance {
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

  /** Add a route to the stack, for the handlers that are added to it later. */
  route(this: RouterInstance, path: Path): Route {
    const route = new Route(path);
    const handle = (req: Request, res: Response, next: Next): void => route.dispatch(req, res, next);
    Object.defineProperty(handle, 'toString', SHOWN_HANDLE);
    const layer = new Layer(path, { sensitive: this.caseSensitive, strict: this.strict, end: true }, handle);
    layer.route = route;
    stackOf(this).append(layer);
    return route;
  },

  /**
   * Add a callback for the parameter `name`. With a function alone, add a factory: it makes the callbacks of all
   * later `router.param(name, option)`. §1 rule 9, §4.3
   *
   * @throws {TypeError} when the name is missing or no string, or the callback is no function.
   */
  param(this: RouterInstance, name: unknown, fn?: unknown): RouterInstance {
    if (typeof name === 'function') {
      warnings.deprecate('router.param(fn): register a callback for each parameter instead');
      this[kParamFactories] = [...(this[kParamFactories] ?? []), name as ParamFactory];
      return this;
    }
    if (!name) throw new TypeError('argument name is required');
    if (typeof name !== 'string') throw new TypeError('argument name must be a string');

    let callback = fn;
    for (const factory of this[kParamFactories] ?? []) callback = factory(name, callback) || callback;
    if (!callback) throw new TypeError('argument fn is required');
    if (typeof callback !== 'function') throw new TypeError('argument fn must be a function');
    this.params[name] ??= [];
    this.params[name].push(callback as ParamHandler);
    return this;
  },

  /** The routes and mounted routers of this router, in order, one for each path. */
  listRoutes(this: RouterInstance): ListedRoute[] {
    return stackOf(this).layers.flatMap((layer) => {
      const { route, rawPath } = layer;
      const router = !route && isRouter(layer.handle) ? layer.handle : undefined;
      if (!route && !router) return [];
      const methods = route?._methods(true);
      if (!Array.isArray(rawPath)) return { path: rawPath, methods, router };
      return rawPath.map((path: Path) => ({ path, methods: methods?.slice(), router }));
    });
  },
}) as unknown as RouterInstance;

defineVerbs(
  Router.prototype,
  (verb) =>
    function (this: RouterInstance, ...args: unknown[]) {
      const [path, handlers] = splitPath(args);
      const route = this.route(path);
      route[verb as Verb](...handlers);
      return this;
    },
);

// OpenTelemetry knows a router's own functions by name and text, and makes no spans of them.
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

/** The path at the front of `args`, by default `/`, and the handlers after it. §4.2 */
export function splitPath(args: readonly unknown[]): [Path, Handlers] {
  let first = args[0];
  while (Array.isArray(first) && first.length !== 0) first = first[0];
  if (typeof first === 'function') return ['/', args as Handlers];
  return [args[0] as Path, args.slice(1) as Handlers];
}

function isRouter(handle: unknown): handle is RouterInstance {
  return Array.isArray((handle as { stack?: unknown }).stack);
}
