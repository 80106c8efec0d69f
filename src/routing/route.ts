/**
 * One path and the handlers of its methods. §2.5 (`req.route`), §4.2 `app.route`
 */
import { METHODS } from 'node:http';
import createDebug from 'debug';
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Handlers, Next, Path, Verb } from '../types';
import type { AnyLayer } from './dialect';
import { Layer } from './layer';

const debug = createDebug('router:route');

/** Every method of the runtime, in lower case: each is a route method of the same name. §4.2 */
export const methods: readonly Verb[] = METHODS.map((method) => method.toLowerCase() as Verb);

// Looked up rather than lowered anew, twice per request: -5 % on bench "one prefix, 10 routes".
const lowered = new Map(METHODS.map((method) => [method, method.toLowerCase()]));

// A chain of synchronous handlers yields to the event loop after this many, so that the stack cannot overflow.
export const MAX_SYNC_CALLS = 100;

/** The functions of its methods are added below. */
export interface Route extends Record<Verb, (...handlers: Handlers) => Route> {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: `defineVerbs` puts them on the prototype.
export class Route {
  path: Path;
  stack: AnyLayer[] = [];
  /** The methods handled, in lower case, each `true`; `_all` when a handler takes every method. */
  methods: Record<string, boolean> = Object.create(null);

  constructor(path: Path) {
    if (debug.enabled) debug('new %o', path);
    this.path = path;
  }

  /** Whether a handler takes `method`; GET also answers HEAD. §1 rule 6 */
  _handlesMethod(method: string): boolean {
    return Boolean(this.methods[effectiveMethod(this, method)] || this.methods._all);
  }

  /** The methods handled, in upper case, HEAD after all when GET answers it. `'*'`, if wanted, for all. */
  _methods(includeAll?: boolean): string[] {
    const names: string[] = [];
    for (const method of Object.keys(this.methods)) {
      if (method !== '_all') names.push(method.toUpperCase());
      else if (includeAll) names.push('*');
    }
    if (this.methods.get && !this.methods.head) names.push('HEAD');
    return names;
  }

  /** Run the handlers of the request's method, in order; `done` when they are through. §1 */
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

      let layer = stack[position++] as AnyLayer;
      while (layer.method && layer.method !== method) {
        if (position >= stack.length) return done(err);
        layer = stack[position++] as AnyLayer;
      }
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

/** Give a prototype its function `all` and one for each method, as instrumentations wrap them: of one parameter. */
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
 * Handlers in lists and lists of lists, as one list.
 *
 * @throws {TypeError} when there is none.
 */
export function flattenHandlers(handlers: Handlers): unknown[] {
  const flat: unknown[] = handlers.flat(Number.POSITIVE_INFINITY);
  if (flat.length === 0) throw new TypeError('argument handler is required');
  return flat;
}

export function isHandler(value: unknown): value is Handler | ErrorHandler {
  return typeof value === 'function';
}

/** @throws {TypeError} when a handler is no function. */
export function assertHandler(handler: unknown): asserts handler is Handler | ErrorHandler {
  if (!isHandler(handler)) throw new TypeError('argument handler must be a function');
}

/** Add one handler for a method in lower case, or for all. */
function addHandler(route: Route, method: string | undefined, handler: unknown): void {
  assertHandler(handler);
  if (method && debug.enabled) debug('%s %s', method, route.path);
  const layer = new Layer('/', {}, handler);
  layer.method = method;
  // One by one: `Object.assign` takes V8 longer than all the rest of a layer.
  layer.keys = [];
  layer.params = {};
  layer.path = '';
  route.methods[method ?? '_all'] = true;
  route.stack.push(layer);
}

/** The method whose handlers take a request: HEAD is GET's where it has none of its own. §1 rule 6 */
function effectiveMethod(route: Route, method: string): string {
  // Node.js hands out one text for each method, so that this is quick for the most frequent.
  if (method === 'GET') return 'get';
  const name = lowered.get(method) ?? (typeof method === 'string' ? method.toLowerCase() : method);
  return name === 'head' && !route.methods.head ? 'get' : name;
}
