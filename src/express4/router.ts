/**
 * The router of Express 4. It uses the walk and the index of the Express 5 router. It differs in path syntax, ignores
 * promises by default, and has the members of Express 4 that libraries read. E4-A5, E4-A6, E4-A20 to E4-A28, E4-B, E4-C
 */
import createDebug from 'debug';
import deprecateFor from 'depd';
import type { LayerAccess, ProcessParams } from '../routing/dialect';
import { isParamHandler, type ParamCallbacks, runParamCallbacks } from '../routing/param-callbacks';
import { defineVerbs, isHandler } from '../routing/route';
import { handleMethod, Stack, splitPath, stackOf } from '../routing/router';
import type { AnyRequest, AnyResponse, Handlers, Next, Part, Path, Verb } from '../types';
import { builtInSteps } from './built-in';
import type api from './interface';
import { enterSlash, type Layer, used as layers, matchLayer, namesOf } from './layer';
import { type Route, used as routes } from './route';
import { express4 } from './series';

const debug = createDebug('express:router');

/**
 * Holds the deprecation function. depd names the first caller outside the file that called `deprecateFor`.
 * src/express4/agents wraps `param`, so it replaces `deprecate` by a function of its own.
 */
export const warnings: { deprecate: (message: string) => void } = { deprecate: deprecateFor('express') };

/** The internal type of a router. The methods check each value that an application passes. */
export interface RouterState extends Record<Verb, (...args: unknown[]) => unknown> {
  (req: AnyRequest, res: AnyResponse, next: Next): void;
  params: ParamCallbacks;
  _params: api.ParamFactory[];
  caseSensitive: boolean | undefined;
  mergeParams: boolean | undefined;
  strict: boolean | undefined;
  stack: Layer[];
  handle(req: AnyRequest, res: AnyResponse, out: Next): void;
  process_params: ProcessParams;
  param(name: unknown, fn?: unknown): RouterInstance | undefined;
  use(first: unknown, ...others: unknown[]): RouterInstance;
  route(path: Path): Route;
}

export type RouterInstance = RouterState & api.Router;

type PublicConstructor = typeof api.Router;

interface RouterConstructor extends PublicConstructor, Omit<RouterState, keyof PublicConstructor> {
  (options?: api.RouterOptions): RouterInstance;
  new (options?: api.RouterOptions): RouterInstance;
}

const access: LayerAccess = {
  paramsOfSlash: enterSlash,
  match: matchLayer,
  builtInSteps,
  overriddenParams: ({ process_params: method }: { process_params?: ProcessParams }) =>
    method === processParams ? undefined : method,
};

/**
 * Creates a router, with or without `new`. The router is a function `(req, res, next)` whose prototype is `Router`
 * itself, so a property added to `Router` reaches every router.
 */
export const Router: RouterConstructor = function Router(options?: api.RouterOptions): RouterInstance {
  const { caseSensitive, mergeParams, strict } = options || {};
  // The prototype, which is set below, adds the members that all routers have.
  const router = ((req: AnyRequest, res: AnyResponse, next: Next): void => {
    router.handle(req, res, next);
  }) as RouterInstance;
  Object.setPrototypeOf(router, Router);
  const stack = new Stack().view;
  return Object.assign(router, { params: {}, _params: [], caseSensitive, mergeParams, strict, stack });
} as unknown as RouterConstructor; // `Object.assign` adds the members below.

/** What the package creates routers with: an APM agent may replace it. */
export const used: { Router: RouterConstructor } = { Router };

/** Runs the parameter callbacks of a layer. APM agents wrap this function. */
const processParams: ProcessParams = function process_params(
  this: RouterInstance,
  layer,
  runs,
  req,
  res,
  done,
) {
  const awaits = express4.routing.forwardsRejections(req);
  runParamCallbacks({ callbacks: this.params, layer, keys: namesOf(layer), runs, req, res, awaits }, done);
};

// @types/express has another result type for `param(fn)`, and no type for a route whose path is not a string.
const members: Part<RouterInstance, 'handle' | 'process_params' | 'use'> &
  Pick<RouterState, 'param' | 'route'> = {
  /**
   * Adds a callback for the parameter `name`. If called with a function alone, registers a factory that creates the
   * callbacks of later `router.param` calls.
   *
   * @throws {Error} if there is no function and no factory returns one.
   */
  param(given: string | api.ParamFactory, fn?: unknown) {
    if (typeof given === 'function') {
      warnings.deprecate('router.param(fn): Refactor to use path params');
      this._params.push(given);
      return undefined;
    }
    let name = given;
    if (name[0] === ':') {
      name = given.slice(1);
      warnings.deprecate(
        `router.param(${JSON.stringify(given)}, fn): Use router.param(${JSON.stringify(name)}, fn) instead`,
      );
    }
    let callback = fn;
    for (const factory of this._params) callback = factory(name, callback) || callback;
    if (!isParamHandler(callback)) throw new Error(`invalid param() call for ${name}, got ${callback}`);
    this.params[name] ||= [];
    this.params[name]?.push(callback);
    return this;
  },

  handle: handleMethod(express4.routing, access),

  process_params: processParams,

  /**
   * Adds middleware, routers or applications below a path. The default path is `/`.
   *
   * @throws {TypeError} if no function is given, or a value is not a function.
   */
  use(first: unknown, ...others: unknown[]) {
    const [path, handlers] = splitPath([first, ...others]);
    const flat: unknown[] = handlers.flat(Number.POSITIVE_INFINITY);
    if (flat.length === 0) throw new TypeError('Router.use() requires a middleware function');
    for (const fn of flat) {
      if (!isHandler(fn))
        throw new TypeError(`Router.use() requires a middleware function but got a ${typeName(fn)}`);
      if (debug.enabled) debug('use %o %s', path, fn.name || '<anonymous>');
      const options = { sensitive: this.caseSensitive, strict: false, end: false };
      add(this, new layers.Layer(path, options, fn), undefined);
    }
    return this;
  },

  /** Adds a route to the stack and returns it, so that the caller can add its handlers. */
  route(path) {
    const route = new routes.Route(path);
    const options = { sensitive: this.caseSensitive, strict: this.strict, end: true };
    add(this, new layers.Layer(path, options, route.dispatch.bind(route)), route);
    return route;
  },
};

Object.assign(Router, members);

defineVerbs(
  Router,
  (verb) =>
    function (this: RouterInstance, path: Path, ...handlers: Handlers) {
      const route = this.route(path);
      route[verb](...handlers);
      return this;
    },
);

function add(router: RouterInstance, layer: Layer, route: Route | undefined): void {
  layer.route = route;
  stackOf(router).append(layer);
}

/** Describes a value in an error message: its type, or the class of an object. */
function typeName(value: unknown): string {
  if (typeof value !== 'object') return typeof value;
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}
