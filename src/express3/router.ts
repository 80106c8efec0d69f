/** The router of Express 3: the routes of each method, and the middleware that runs them. §9.3 `app.VERB`, `app.param` */
import parseUrl from 'parseurl';
import { callable, Initialized } from '../internal/callable';
import type { Constructible } from '../internal/constructible';
import { named } from '../internal/named';
import { defineVerbs, isHandler, methods } from '../routing/route';
import type { Handler, Next, ParamHandler, Request, Response } from './interface';
import type { PathOptions } from './path';
import { Route } from './route';
import { callHandler, forwardPromise } from './stack';
import type { ParamFactory, Path, Routes } from './types';

type AddRoute = (path: Path, ...callbacks: unknown[]) => Router;

export class Router extends Initialized implements Routes {
  /** The routes by method in lower case. */
  map: Record<string, Route[]> = {};
  params: Record<string, ParamHandler[]> = Object.create(null);
  caseSensitive: boolean | undefined;
  strict: boolean | undefined;
  readonly middleware: Handler;
  readonly #factories: ParamFactory[] = [];

  declare all: AddRoute;
  declare get: AddRoute;
  declare post: AddRoute;
  declare put: AddRoute;
  declare delete: AddRoute;
  declare patch: AddRoute;
  declare head: AddRoute;
  declare options: AddRoute;

  constructor(options?: { caseSensitive?: boolean; strict?: boolean }) {
    super();
    this.caseSensitive = options?.caseSensitive;
    this.strict = options?.strict;
    this.middleware = named<Handler>('router', (req, res, next) => dispatch(this, req, res, next));
  }

  /**
   * Adds a callback for the parameter `name`. If called with a function alone, registers a factory that creates the
   * callbacks of later `param` calls.
   *
   * @throws {Error} if there is no function and no factory returns one.
   */
  param(factory: ParamFactory): undefined;
  param(name: string | ParamFactory, fn?: unknown): this;
  param(name: string | ParamFactory, fn?: unknown): this | undefined {
    if (typeof name === 'function') {
      this.#factories.push(name);
      return undefined;
    }
    let callback = fn;
    for (const factory of this.#factories) callback = factory(name, callback) || callback;
    if (!isParamHandler(callback)) throw new Error(`invalid param() call for ${name}, got ${callback}`);
    this.params[name] ??= [];
    this.params[name].push(callback);
    return this;
  }

  /** Adds a route for one method. @throws {Error} if the path is missing or a callback is not a function. */
  route(method: string, path: Path, ...callbacks: unknown[]): this {
    const verb = method.toLowerCase();
    if (!path) throw new Error(`Router#${verb}() requires a path`);
    const handlers = callbacks.flat(Number.POSITIVE_INFINITY).map((fn) => {
      if (isHandler(fn)) return fn;
      throw new Error(
        `.${verb}() requires callback functions but got a ${Object.prototype.toString.call(fn)}`,
      );
    });
    const options: PathOptions = { sensitive: this.caseSensitive, strict: this.strict };
    this.map[verb] ??= [];
    this.map[verb].push(new Route(verb, path, handlers, options));
    return this;
  }

  /** Finds the first matching route at or after index `start`. For HEAD, a GET route matches if no HEAD route does. */
  matchRequest(req: Request, start = 0): { route: Route; index: number } | undefined {
    const method = req.method.toLowerCase();
    const path = parseUrl(req)?.pathname ?? '';
    return (
      this.#find(method, path, start) ?? (method === 'head' ? this.#find('get', path, start) : undefined)
    );
  }

  /** Returns the methods with a route for the path, sorted. GET counts for HEAD if there are no HEAD routes. */
  optionsFor(path: string): string[] {
    const listed = methods.filter((method) => {
      if (method === 'options') return false;
      const routes = this.map[method] ?? (method === 'head' ? this.map.get : undefined);
      return routes?.some((route) => route.match(path));
    });
    return listed.map((method) => method.toUpperCase()).sort();
  }

  #find(method: string, path: string, start: number): { route: Route; index: number } | undefined {
    const routes = this.map[method] ?? [];
    const index = routes.findIndex((each, position) => position >= start && each.match(path));
    const route = routes[index];
    return route && { route, index };
  }
}

/** Passes a request through the matching routes, then to `answerOptions` or `next`. */
function dispatch(router: Router, req: Request, res: Response, next: Next): void {
  pass(0, undefined);

  /** Runs the first matching route at or after index `start`. */
  function pass(start: number, pending: unknown): void {
    const found = router.matchRequest(req, start);
    Object.assign(req, { route: found?.route });
    if (!found && req.method === 'OPTIONS') return answerOptions(router, req, res, next);
    if (!found) return next(pending);
    req.params = found.route.params;
    enter(found.route, pending, (err) => pass(found.index + 1, err));
  }

  /** Calls the parameter callbacks of a route, then its route callbacks. `leave` continues with the next route. */
  function enter(route: Route, pending: unknown, leave: Next): void {
    let position = 0;
    nextParam(pending);

    function nextParam(err?: unknown): void {
      try {
        if (err === 'route') return leave();
        if (err) return callbacks(err);
        const key = route.keys[position++];
        if (!key) return callbacks();
        const value = req.params[key.name];
        const fns = value === undefined ? undefined : router.params[key.name];
        if (fns) runParam(fns, value, key.name);
        else nextParam();
      } catch (error) {
        nextParam(error);
      }
    }

    function runParam(fns: readonly ParamHandler[], value: unknown, name: string): void {
      let index = 0;
      const advance: Next = (err) => {
        const fn = fns[index++];
        if (err || !fn) return nextParam(err);
        forwardPromise(fn(req, res, advance, value, name), advance);
      };
      advance();
    }

    function callbacks(failure?: unknown): void {
      let index = 0;
      const advance: Next = (err) => {
        const fn = route.callbacks[index++];
        try {
          if (err === 'route') return leave();
          if (!fn) return leave(err);
          // While an error is pending, skip callbacks with fewer than four parameters; otherwise skip the error
          // handlers.
          if (fn.length < 4 === Boolean(err)) return advance(err || undefined);
          forwardPromise(callHandler(fn, err, req, res, advance), advance);
        } catch (error) {
          advance(error);
        }
      };
      advance(failure);
    }
  }
}

/** Responds to OPTIONS with the methods of the routes for the path; without any, calls `next` without error. */
function answerOptions(router: Router, req: Request, res: Response, next: Next): void {
  const allowed = router.optionsFor(parseUrl(req)?.pathname ?? '').join(',');
  if (!allowed) return next();
  res.set('Allow', allowed).send(allowed);
}

/** `Router` as applications see it. */
export const PublicRouter: Constructible<Router, ConstructorParameters<typeof Router>, void> = callable(
  'Router',
  Router,
);

function isParamHandler(value: unknown): value is ParamHandler {
  return typeof value === 'function';
}

defineVerbs(
  Router.prototype,
  (verb) =>
    function (this: Router, path: Path, ...callbacks: unknown[]) {
      for (const method of verb === 'all' ? methods : [verb]) this.route(method, path, ...callbacks);
      return this;
    },
);
