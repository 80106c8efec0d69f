/** `openapi`: serves the OpenAPI document of the application that uses it. */
import type * as core from 'express-serve-static-core';
import { named } from '../internal/named';
import { ownOptions } from '../internal/own-options';
import { type Described, type DocumentOptions, toDocument } from './document';
import { type RouteEntry, readRoutes, stackOf } from './routes';

export interface OpenApiOptions extends DocumentOptions {
  /** Where to serve the document. Default `/openapi.json`. */
  readonly path?: string;
}

const kOptions = Symbol('options');

/**
 * Creates middleware that serves the document of its application at `/openapi.json`, from the routes at the time of the
 * request.
 *
 * @throws {TypeError} for a path that does not begin with a slash.
 * @example app.use(openapi({ info: { title: 'Users', version: '1.0.0' } }));
 */
export function openapi(options: OpenApiOptions = {}): core.RequestHandler {
  const given = ownOptions(options);
  const { path = '/openapi.json' } = given;
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new TypeError(`openapi: path must begin with a slash, got ${path}`);
  let known: { routes: readonly RouteEntry[]; described: Described } | undefined;
  const handler: core.RequestHandler = (req, res, next) => {
    if (req.path !== path || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    const routes = readRoutes(req.app);
    if (!known || !areSame(known.routes, routes))
      known = { routes, described: describe(req.app, routes, given) };
    res.json(known.described.document);
  };
  return Object.assign(named('openapi', handler), { [kOptions]: given });
}

/**
 * Makes the document of an application or router, with the options of the `openapi` middleware that it uses.
 *
 * @param options Take precedence over those of the middleware.
 */
export function toOpenApi(app: core.Express | core.Router, options: DocumentOptions = {}): Described {
  const { info, ...own } = ownOptions(options);
  const used: DocumentOptions = usedOptions(app) ?? {};
  return describe(app, readRoutes(app), { ...used, ...own, info: { ...used.info, ...info } });
}

function describe(app: unknown, routes: readonly RouteEntry[], options: DocumentOptions): Described {
  const { path } = Object(app);
  const url = typeof path === 'function' ? path.call(app) : '';
  return toDocument(routes, { servers: [{ url: url || '/' }], ...options });
}

/** Finds the middleware in the stack of the application itself. */
function usedOptions(app: unknown): OpenApiOptions | undefined {
  return stackOf(app)
    ?.map(({ handle }): OpenApiOptions | undefined => Reflect.get(handle, kOptions))
    .find(Boolean);
}

/** Whether the application has neither added nor removed a route, or a function of one. */
function areSame(known: readonly RouteEntry[], routes: readonly RouteEntry[]): boolean {
  return (
    known.length === routes.length &&
    known.every(({ handlers, text }, index) => {
      const route = routes[index];
      return (
        route?.text === text &&
        route.handlers.length === handlers.length &&
        handlers.every((handler, at) => route.handlers[at] === handler)
      );
    })
  );
}
