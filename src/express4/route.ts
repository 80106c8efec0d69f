/** A route of Express 4: one path, with handlers for each method. E4-A7, E4-A26, E4-C7, E4-C25 */
import createDebug from 'debug';
import { type Creator, callable } from '../internal/callable';
import type { Constructible } from '../internal/constructible';
import { Route as CoreRoute, defineDispatch, defineVerbs, isHandler } from '../routing/route';
import type { Path } from '../types';
import { used as layers } from './layer';
import { express4 } from './series';

const debug = createDebug('express:router:route');

export class Route extends CoreRoute {
  constructor(path: Path) {
    super(path);
    this.methods = {};
    if (debug.enabled) debug('new %o', path);
  }

  /** Whether the route has a handler for `method`. A handler for GET also serves HEAD. */
  _handles_method(method: string): boolean {
    return this._handlesMethod(method);
  }

  /** Returns the methods in upper case; `_ALL` for `route.all`, and `HEAD` last if GET handlers serve it. */
  _options(): string[] {
    return Object.keys(this.methods)
      .concat(this.methods.get && !this.methods.head ? 'head' : [])
      .map((method) => method.toUpperCase());
  }
}

/** `Route` as applications see it. */
export const PublicRoute: Constructible<Route, ConstructorParameters<typeof Route>, void> = callable(
  'Route',
  Route,
);

/** What the package creates routes with: an APM agent may replace it. */
export const used: { Route: Creator<typeof Route> } = { Route };

defineDispatch(Route.prototype, express4.routing);

// As in Express, the property `all` comes before those of the methods.
const verbs: Record<string, unknown> = {};
defineVerbs(
  verbs,
  (verb) =>
    function (this: Route, ...handlers: unknown[]) {
      for (const handler of handlers.flat(Number.POSITIVE_INFINITY)) addHandler(this, verb, handler);
      return this;
    },
);
Object.assign(Route.prototype, { all: verbs.all }, verbs);

/**
 * Adds a handler to a route.
 *
 * @throws {Error} if the handler is not a function. For `all`, the error is a `TypeError`.
 */
function addHandler(route: Route, verb: string, handler: unknown): void {
  if (!isHandler(handler)) {
    const message = `Route.${verb}() requires a callback function but got a ${Object.prototype.toString.call(handler)}`;
    throw verb === 'all' ? new TypeError(message) : new Error(message);
  }
  if (debug.enabled) debug('%s %o', verb, route.path);
  const layer = new layers.Layer('/', {}, handler);
  layer.method = verb === 'all' ? undefined : verb;
  route.methods[verb === 'all' ? '_all' : verb] = true;
  route.stack.push(layer);
}
