/** A route: one path with the handlers of each method. §2.5 (`req.route`), §4.2 `app.route` */
import { METHODS } from 'node:http';
import createDebug from 'debug';
import type * as core from 'express-serve-static-core';
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Handlers, Next, Path, Verb } from '../types';
import type { AnyLayer } from './dialect';
import { Layer } from './layer';

const debug = createDebug('router:route');

/** Every HTTP method that Node.js supports, in lower case. A route has a function for each, as `Verb` declares. §4.2 */
export const methods: readonly Verb[] = METHODS.map((method) => method.toLowerCase() as Verb);

// A map, because `_handlesMethod` and `dispatch` would otherwise each convert the method of a request to lower case.
const lowered = new Map(METHODS.map((method) => [method, method.toLowerCase()]));

// After this many synchronous handlers a chain continues in the next turn of the event loop, so that the stack cannot
// overflow.
export const MAX_SYNC_CALLS = 100;

/** One function for each HTTP method, and `all`. `defineVerbs` adds them to the prototype. */
export interface Route extends Record<Verb, (...handlers: Handlers) => Route> {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: `defineVerbs` adds what the interface declares.
export class Route {
  path: Path;
  stack: AnyLayer[] = [];
  /** The methods with handlers, in lower case, each `true`; `_all` if a handler serves every method. */
  methods: Record<string, boolean> = Object.create(null);

  constructor(path: Path) {
    if (debug.enabled) debug('new %o', path);
    this.path = path;
  }

  /** Whether the route has a handler for `method`. A handler for GET also serves HEAD. §1 rule 6 */
  _handlesMethod(method: string): boolean {
    return Boolean(this.methods[effectiveMethod(this, method)] || this.methods._all);
  }

  /**
   * The methods with handlers, in upper case; HEAD last if GET serves it. With `includeAll`, `'*'` for a handler of
   * all methods.
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

  /** Runs the handlers of the request's method, in order; calls `done` after the last. §1 */
  dispatch(req: AnyRequest, res: AnyResponse, done: Next): void {
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
      if (position >= stack.length) return done(err);
      if (++sync > MAX_SYNC_CALLS) {
        setImmediate(next, err);
        return;
      }

      let layer: AnyLayer;
      do {
        if (position >= stack.length) return done(err);
        // As in Express, an empty element of the stack throws.
        layer = stack[position++] as AnyLayer;
      } while (layer.method && layer.method !== method);
      if (err) layer.handleError(err, req, res, next);
      else layer.handleRequest(req, res, next);
      sync = 0;
    }
  }
}

defineVerbs(
  Route.prototype,
  (verb) =>
    function (this: Route, ...handlers: Handlers) {
      const method = verb === 'all' ? undefined : verb;
      for (const handler of flattenHandlers(handlers)) addHandler(this, method, handler);
      return this;
    },
);

/** A route with the type that applications see: that of @types/express, which describes its layers as in Express 4. */
export type PublicRoute = Route & core.IRoute;
export const PublicRoute: new (path: Path) => PublicRoute = Route as new (path: Path) => PublicRoute;

/** Adds `all` and a function for each method to a prototype, with `length` 1, which APM agents expect. */
export function defineVerbs(
  prototype: object,
  compileVerb: (verb: Verb) => (...args: never[]) => unknown,
): void {
  for (const verb of [...methods, 'all' as const]) {
    const value = Object.defineProperty(compileVerb(verb), 'length', { value: 1, configurable: true });
    Object.assign(prototype, { [verb]: value });
  }
}

/**
 * Flattens nested arrays of handlers.
 *
 * @throws {TypeError} if there is no handler.
 */
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

/** @throws {TypeError} if a handler is not a function. */
export function assertHandler(handler: unknown): asserts handler is Handler | ErrorHandler {
  if (!isHandler(handler)) throw new TypeError('argument handler must be a function');
}

/** Adds one handler for a method in lower case, or for all. */
function addHandler(route: Route, method: string | undefined, handler: unknown): void {
  assertHandler(handler);
  if (method && debug.enabled) debug('%s %s', method, route.path);
  const layer = new Layer('/', {}, handler);
  layer.method = method;
  // Assigned one by one: `Object.assign` would take longer than creating the layer.
  layer.keys = [];
  layer.params = {};
  layer.path = '';
  route.methods[method ?? '_all'] = true;
  route.stack.push(layer);
}

/**
 * The method whose handlers serve a request. A HEAD request without handlers of its own uses those of GET. §1 rule 6
 */
function effectiveMethod(route: Route, method: string): string {
  // Node.js uses one string object per method, so this comparison is fast.
  if (method === 'GET') return 'get';
  const name = lowered.get(method) ?? (typeof method === 'string' ? method.toLowerCase() : method);
  return name === 'head' && !route.methods.head ? 'get' : name;
}
