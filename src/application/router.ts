/**
 * The application's own router. §2.1 `app.router`
 */
import { Router, type RouterConstructor, type RouterInstance } from '../routing/router';
import type { Application } from '../types';

// Kept apart from the public `app.router`, which another interface may give another meaning.
const kRouter: unique symbol = Symbol('nozomi.router');

/** An object of its own, so that the router can also be created after `Object.freeze(app)`. */
interface RouterSlot {
  readonly [kRouter]: { router?: RouterInstance };
}

let Constructor = Router;

/** Make the routers of all applications with another constructor: one that an APM agent put around `Router`. */
export function setRouterConstructor(replacement: RouterConstructor): void {
  Constructor = replacement;
}

/** The router, made when it is first needed: with the settings of that moment. */
export function routerOf(app: Application): RouterInstance {
  const slot = (app as Application & RouterSlot)[kRouter];
  slot.router ??= new Constructor({
    caseSensitive: app.enabled('case sensitive routing'),
    strict: app.enabled('strict routing'),
  });
  return slot.router;
}

/** Forget the router, with its routes. */
export function resetRouter(app: Application): void {
  Object.defineProperty(app, kRouter, { value: {}, configurable: true });
}
