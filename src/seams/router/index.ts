/**
 * `router`: the constructor, and the functions of its prototype by which everything is registered, named in this
 * file: instrumentations rewrite or wrap them here. §4.3
 */
import createDebug from 'debug';
import deprecateFor from 'depd';
import { assertHandler, flattenHandlers, Route } from '../../routing/route';
import { Router, type RouterInstance, splitPath } from '../../routing/router';
import { stackOf } from '../../routing/stack';
import type { ParamHandler, Path, Request, Response } from '../../types';
import Layer from './lib/layer';

const debug = createDebug('router');
const deprecate = deprecateFor('router');

/** Turns the option given to `router.param(name, option)` into a parameter callback. §4.3 */
type ParamFactory = (name: string, option: unknown) => unknown;

const kParamFactories: unique symbol = Symbol('nozomi.paramFactories');

interface Registering extends RouterInstance {
  [kParamFactories]?: ParamFactory[];
}

/**
 * Mount middleware, routers or applications on a path, by default on `/`.
 *
 * @throws {TypeError} without a handler, for a handler that is no function, for a malformed path.
 */
Router.prototype.use = function use<T extends Registering>(this: T, first: unknown, ...others: unknown[]): T {
  const [path, handlers] = splitPath([first, ...others]);
  for (const handler of flattenHandlers(handlers)) {
    assertHandler(handler);
    if (debug.enabled) debug('use %o %s', path, handler.name || '<anonymous>');
    const layer = new Layer(path, { sensitive: this.caseSensitive, strict: false, end: false }, handler);
    layer.route = undefined;
    stackOf(this).append(layer);
  }
  return this;
};

/** A route of its own, in its place in the stack from now on. */
Router.prototype.route = function route(this: Registering, path: Path): Route {
  const made = new Route(path);
  const handle = (req: Request, res: Response, next: () => void): void => made.dispatch(req, res, next);
  Object.defineProperty(handle, 'toString', SHOWN_HANDLE);
  const layer = new Layer(path, { sensitive: this.caseSensitive, strict: this.strict, end: true }, handle);
  layer.route = made;
  stackOf(this).append(layer);
  return made;
};

/**
 * Add a callback for the parameter `name`; or, with a function alone, a factory that makes callbacks of
 * whatever `router.param(name, option)` is given from then on. §1 rule 9, §4.3
 *
 * @throws {TypeError} for a missing or wrong name, and for what is and becomes no function.
 */
Router.prototype.param = function param<T extends Registering>(this: T, name: unknown, fn?: unknown): T {
  if (typeof name === 'function') {
    deprecate('router.param(fn): register a callback for each parameter instead');
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
};

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

export default Router;
// What `require` gives is the constructor itself, so that it can be wrapped.
module.exports = Router;
