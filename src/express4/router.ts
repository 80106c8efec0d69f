/**
 * The router of Express 4, over the walk and the index of the core: another syntax of paths, no promises, and the members
 * that libraries read. E4-A5, E4-A6, E4-A20 to E4-A28, E4-B, E4-C
 */
import createDebug from 'debug';
import deprecateFor from 'depd';
import { type Dialect, express5, type ProcessParams } from '../routing/dialect';
import { type ParamCallbacks, runParamCallbacks } from '../routing/params';
import { defineVerbs } from '../routing/route';
import { splitPath } from '../routing/router';
import { Stack, type Stacked, stackOf } from '../routing/stack';
import { walk } from '../routing/walk';
import type { Next, ParamHandler, Path, Request, Response } from '../types';
import { Layer, matchOf } from './layer';
import { Route } from './route';
import { isStepTaken } from './series';

const debug = createDebug('express:router');
const deprecate = deprecateFor('express');

export interface RouterOptions {
  /** `/Foo` and `/foo` are different routes. Default false. */
  caseSensitive?: boolean | undefined;
  /** Keep the parameters of the parent router; a name in both is the child's. Default false. */
  mergeParams?: boolean | undefined;
  /** `/foo` and `/foo/` are different routes. Default false. */
  strict?: boolean | undefined;
}

/** Makes a parameter callback of what `router.param(name, option)` is given. */
type ParamFactory = (name: string, option: unknown) => unknown;

export interface RouterInstance extends Omit<Stacked, 'stack'> {
  (req: Request, res: Response, next: Next): void;
  params: ParamCallbacks;
  _params: ParamFactory[];
  caseSensitive: boolean | undefined;
  mergeParams: boolean | undefined;
  strict: boolean | undefined;
  stack: Layer[];
  handle(req: Request, res: Response, out: Next): void;
  process_params: ProcessParams;
  param(name: unknown, fn?: unknown): this | undefined;
  use(first: unknown, ...others: unknown[]): this;
  route(path: Path): Route;
}

export interface RouterConstructor extends RouterInstance {
  (options?: RouterOptions): RouterInstance;
  new (options?: RouterOptions): RouterInstance;
}

const dialect: Dialect = {
  mountsBeforeDot: true,
  takesSlashOff: true,
  awaitsParams: (req) => isStepTaken(req, 'promises'),
  matchOf,

  answerOptions(res, methods) {
    if (isStepTaken(res, 'options')) return express5.answerOptions(res, methods);
    const allow = [...new Set(methods)].join(',');
    res.set('Allow', allow);
    res.send(allow);
  },

  processParamsOf(router) {
    const { process_params } = router as RouterInstance;
    return process_params === processParams ? undefined : process_params;
  },
};

/**
 * Make a router: a function `(req, res, next)` whose prototype is `Router` itself, so that what is added there reaches every
 * router. Works with and without `new`.
 */
export const Router: RouterConstructor = function Router(options?: RouterOptions): RouterInstance {
  const { caseSensitive, mergeParams, strict } = options || {};
  const router = ((req: Request, res: Response, next: Next): void => {
    router.handle(req, res, next);
  }) as RouterInstance;
  Object.setPrototypeOf(router, Router);
  const stack = new Stack().view;
  return Object.assign(router, { params: {}, _params: [], caseSensitive, mergeParams, strict, stack });
} as unknown as RouterConstructor;

/** Runs the callbacks of the parameters of a layer. APM agents wrap it. */
const processParams: ProcessParams = function process_params(this: unknown, layer, runs, req, res, done) {
  const { params } = this as RouterInstance;
  const { keys } = matchOf(layer);
  runParamCallbacks(
    params,
    layer as never,
    keys,
    runs as never,
    req,
    res,
    done,
    isStepTaken(req, 'promises'),
  );
};

Object.assign(Router, {
  /**
   * Add a callback for the parameter `name`. With a function alone, add a factory: it makes the callbacks of all later
   * `router.param(name, option)`.
   *
   * @throws {Error} for a callback that is no function.
   */
  param(this: RouterInstance, given: string | ParamFactory, fn?: unknown): RouterInstance | undefined {
    if (typeof given === 'function') {
      deprecate('router.param(fn): Refactor to use path params');
      this._params.push(given);
      return undefined;
    }
    let name = given;
    if (name[0] === ':') {
      name = given.slice(1);
      deprecate(
        `router.param(${JSON.stringify(given)}, fn): Use router.param(${JSON.stringify(name)}, fn) instead`,
      );
    }
    let callback = fn;
    for (const factory of this._params) callback = factory(name, callback) || callback;
    if (typeof callback !== 'function') throw new Error(`invalid param() call for ${name}, got ${callback}`);
    this.params[name] ||= [];
    this.params[name]?.push(callback as ParamHandler);
    return this;
  },

  /** Run a request through the stack; `out(err)` when no layer answered. */
  handle(this: RouterInstance, req: Request, res: Response, out: Next): void {
    walk(this, stackOf(this as unknown as Stacked), req, res, out, dialect);
  },

  process_params: processParams,

  /**
   * Mount middleware, routers or applications on a path, by default on `/`.
   *
   * @throws {TypeError} without a function, and for what is none.
   */
  use(this: RouterInstance, first: unknown, ...others: unknown[]): RouterInstance {
    const [path, handlers] = splitPath([first, ...others]);
    const flat = (handlers as unknown[]).flat(Number.POSITIVE_INFINITY);
    if (flat.length === 0) throw new TypeError('Router.use() requires a middleware function');
    for (const fn of flat) {
      if (typeof fn !== 'function')
        throw new TypeError(`Router.use() requires a middleware function but got a ${typeName(fn)}`);
      if (debug.enabled) debug('use %o %s', path, fn.name || '<anonymous>');
      const options = { sensitive: this.caseSensitive, strict: false, end: false };
      add(this, new Layer(path, options, fn as never), undefined);
    }
    return this;
  },

  /** Add a route to the stack, for the handlers that are added to it later. */
  route(this: RouterInstance, path: Path): Route {
    const route = new Route(path);
    const options = { sensitive: this.caseSensitive, strict: this.strict, end: true };
    add(this, new Layer(path, options, route.dispatch.bind(route) as never), route);
    return route;
  },
});

defineVerbs(
  Router,
  (verb) =>
    function (this: RouterInstance, path: Path, ...handlers: unknown[]) {
      const route = this.route(path);
      route[verb as 'get'](...(handlers as []));
      return this;
    },
);

function add(router: RouterInstance, layer: Layer, route: Route | undefined): void {
  layer.route = route;
  stackOf(router as unknown as Stacked).append(layer as never);
}

/** What messages call a value: its type, of an object its class. */
function typeName(value: unknown): string {
  if (typeof value !== 'object') return typeof value;
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}
