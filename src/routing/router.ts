/**
 * Router: the function it is, and the methods of HTTP on it; `use`, `route` and `param` are in `seams/router`. §2.5, §4.3
 */
import type { Handlers, Next, Path, Request, Response } from '../types';
import type { ParamCallbacks } from './params';
import { defineVerbs, Route } from './route';
import { Stack, type Stacked, stackOf } from './stack';
import { walk } from './walk';

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

export interface RouterInstance extends Stacked, Record<Verb, (...args: unknown[]) => RouterInstance> {
  (req: Request, res: Response, next: Next): void;
  caseSensitive: boolean | undefined;
  mergeParams: boolean | undefined;
  strict: boolean | undefined;
  params: ParamCallbacks;
  handle(req: Request, res: Response, callback: Next): void;
  use(...args: unknown[]): this;
  route(path: Path): Route;
  param(name: unknown, fn?: unknown): this;
  listRoutes(): ListedRoute[];
}
type Verb = 'get' | 'post' | 'put' | 'delete' | 'patch' | 'options' | 'head' | 'all';

export interface RouterConstructor {
  (options?: RouterOptions): RouterInstance;
  new (options?: RouterOptions): RouterInstance;
  prototype: RouterInstance;
  Route: typeof Route;
}

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

  const router = function router(req: Request, res: Response, next: Next): void {
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
