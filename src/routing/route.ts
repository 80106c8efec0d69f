/** A route: one path, and the handlers for each method. §2.5 (`req.route`), §4.2 `app.route` */
import { METHODS } from 'node:http';
import createDebug from 'debug';
import type * as core from 'express-serve-static-core';
import { callable, Initialized } from '../internal/callable';
import type { Constructible } from '../internal/constructible';
import { type DispatchRules, express5 } from '../series';
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Handlers, Next, Path, Verb } from '../types';
import type { AnyLayer } from './dialect';
import { used } from './layer';

const debug = createDebug('router:route');

/** Every HTTP method that Node.js supports, in lower case. A route has a function for each, as `Verb` declares. */
export const methods: readonly Verb[] = METHODS.map((method) => method.toLowerCase() as Verb);

// The lower-case form of each method, so that requests for known methods need no call of `toLowerCase`.
const lowered = new Map(METHODS.map((method) => [method, method.toLowerCase()]));

// After this number of handlers in a row that called `next` synchronously, `next` continues in `setImmediate`. This
// prevents an overflow of the call stack.
export const MAX_SYNC_CALLS = 100;

/** One function for each HTTP method, and `all`. `defineVerbs` adds them to the prototype. */
export interface Route extends Record<Verb, (...handlers: Handlers) => Route> {
  /** Runs the handlers for the method, then `done`. `next('route')` and `next('router')` skip the others. */
  dispatch(req: AnyRequest, res: AnyResponse, done: Next): void;
}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: what the interface declares is added below.
export class Route extends Initialized {
  path: Path;
  stack: AnyLayer[] = [];
  /** `true` under each method that has a handler, in lower case, and under `_all` if a handler serves all methods. */
  methods: Record<string, boolean> = Object.create(null);

  constructor(path: Path) {
    super();
    if (debug.enabled) debug('new %o', path);
    this.path = path;
  }

  /** Whether the route has a handler for `method`. A handler for GET also serves HEAD. */
  _handlesMethod(method: string): boolean {
    return Boolean(this.methods[effectiveMethod(this, method)] || this.methods._all);
  }

  /**
   * Returns the methods that have handlers, in upper case. HEAD is last if the handlers of GET serve it.
   *
   * @param includeAll If true, `'*'` is listed for a handler of all methods. If false (default), such a handler is
   * omitted.
   */
  _methods(includeAll?: boolean): string[] {
    const names: string[] = [];
    for (const method of Object.keys(this.methods)) {
      if (method !== '_all') names.push(method.toUpperCase());
      else if (includeAll) names.push('*');
    }
    if (this.methods.get && !this.methods.head) names.push('HEAD');
    return names;
  }
}

/**
 * Adds the method `dispatch` to a prototype.
 *
 * Towards `MAX_SYNC_CALLS` counts in Express 4 each layer and the end of the stack, because `app.all` adds a layer for
 * each method; in Express 5 each call of `next` before the end of the stack.
 */
export function defineDispatch(prototype: Route, rules: DispatchRules): void {
  const { countsSkippedLayers, errorMethod, requestMethod } = rules;
  function dispatch(this: Route, req: AnyRequest, res: AnyResponse, done: Next): void {
    const { stack } = this;
    if (stack.length === 0) return done();

    const method = effectiveMethod(this, req.method);
    let position = 0;
    let sync = 0;
    req.route = this;
    next();

    function next(err?: unknown): void {
      if (err === 'route') return done();
      if (err === 'router') return done(err);
      let counts = countsSkippedLayers || position < stack.length;
      let layer: AnyLayer;
      do {
        if (counts && ++sync > MAX_SYNC_CALLS) {
          sync = 0;
          setImmediate(next, err);
          return;
        }
        counts = countsSkippedLayers;
        if (position >= stack.length) return done(err);
        layer = stack[position++] as AnyLayer;
        // For an empty element of the stack, Express 4 ends the route; in Express 5, `layer.method` throws.
        if (countsSkippedLayers && !layer) return done(err);
      } while (layer.method && layer.method !== method);
      if (err) layer[errorMethod](err, req, res, next);
      else layer[requestMethod](req, res, next);
      sync = 0;
    }
  }
  Object.assign(prototype, { dispatch });
}

defineDispatch(Route.prototype, express5.routing);

defineVerbs(
  Route.prototype,
  (verb) =>
    function (this: Route, ...handlers: Handlers) {
      const method = verb === 'all' ? undefined : verb;
      for (const handler of flattenHandlers(handlers)) addHandler(this, method, handler);
      return this;
    },
);

/**
 * `Route` as applications see it. A cast, because @types/express still declares the layers of Express 4.
 */
export type PublicRoute = Route & core.IRoute;
export const TypedRoute: new (path: Path) => PublicRoute = Route as new (path: Path) => PublicRoute;
/** `TypedRoute` as applications call it, also without `new`. */
export const PublicRoute: Constructible<PublicRoute, [path: Path], void> = callable('Route', TypedRoute);

/**
 * Adds to a prototype a function for each HTTP method, and `all`. Their `length` is 1, which APM agents expect.
 *
 * @param compileVerb Returns the function for a method in lower case, or for `all`.
 */
export function defineVerbs(
  prototype: object,
  compileVerb: (verb: Verb) => (...args: never[]) => unknown,
): void {
  for (const verb of [...methods, 'all' as const]) {
    const value = Object.defineProperty(compileVerb(verb), 'length', { value: 1, configurable: true });
    Object.assign(prototype, { [verb]: value });
  }
}

/** Flattens nested arrays of handlers into one list. @throws {TypeError} if there is no handler. */
export function flattenHandlers(handlers: Handlers): readonly unknown[] {
  // Few applications pass arrays, and `flat` is slow.
  const flat: readonly unknown[] = handlers.some(Array.isArray)
    ? handlers.flat(Number.POSITIVE_INFINITY)
    : handlers;
  if (flat.length === 0) throw new TypeError('argument handler is required');
  return flat;
}

export function isHandler(value: unknown): value is Handler | ErrorHandler {
  return typeof value === 'function';
}

export function assertHandler(handler: unknown): asserts handler is Handler | ErrorHandler {
  if (!isHandler(handler)) throw new TypeError('argument handler must be a function');
}

/**
 * Adds one handler to a route.
 *
 * @param method In lower case; undefined for all methods.
 * @throws {TypeError} if `handler` is not a function.
 */
function addHandler(route: Route, method: string | undefined, handler: unknown): void {
  assertHandler(handler);
  if (method && debug.enabled) debug('%s %s', method, route.path);
  const layer = new used.Layer('/', {}, handler);
  layer.method = method;
  // Assigned one by one, because `Object.assign` takes longer than the creation of the layer.
  layer.keys = [];
  layer.params = {};
  layer.path = '';
  route.methods[method ?? '_all'] = true;
  route.stack.push(layer);
}

/** Returns the method whose handlers serve a request, in lower case: for HEAD `get`, unless it has its own. */
function effectiveMethod(route: Route, method: string): string {
  // Fast path: Node.js uses the same string object for every GET request, so the comparison is cheap.
  if (method === 'GET') return 'get';
  const name = lowered.get(method) ?? (typeof method === 'string' ? method.toLowerCase() : method);
  return name === 'head' && !route.methods.head ? 'get' : name;
}
