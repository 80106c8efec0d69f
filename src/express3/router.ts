/** The router of Express 3: the routes of each method, and one middleware. §9.3 `app.VERB`, `app.all`, `app.param` */
import parseUrl from 'parseurl';
import { callable, Initialized } from '../internal/callable';
import type { Constructible } from '../internal/constructible';
import { named } from '../internal/named';
import { defineVerbs, isHandler, methods } from '../routing/route';
import { dispatch } from './dispatch';
import type { Handler, ParamHandler, Request } from './interface';
import type { PathOptions } from './path';
import { Route } from './route';
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
