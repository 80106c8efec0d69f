/** The life of a request in an Express 4 or 5 application, from the listener to the final handler. §1, §4.2 */
import { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { setCheckedHeader } from '../http/header-store';
import { addedSetting, addedSettings, isEnabled, readSetting } from '../internal/setting';
import type { RouterConstructor, RouterInstance } from '../routing/router';
import type { AnySeries, Series } from '../series';
import type { AnyApplication, AnyRequest, AnyResponse, Application, Next, Path } from '../types';
import { respondFinally } from './final-handler';
import { prototypeOf, setPrototypes } from './prototypes';
import { adoptServer, type ServedApplication } from './server';

/**
 * Creates the function `app(req, res, next)`, which can be the listener of a server.
 *
 * @param adopts Whether the server then creates requests and responses with the prototypes of the application.
 */
export function createListener<App extends ServedApplication>(adopts: boolean): App {
  const app = function (this: unknown, req: AnyRequest, res: AnyResponse, next?: Next): void {
    // Node.js calls a request listener with the server as `this`. `req.app` is read before the prototype of the request,
    // because V8 reads it faster.
    if (
      adopts &&
      this instanceof Server &&
      req.app === undefined &&
      Object.getPrototypeOf(req) === IncomingMessage.prototype
    )
      adoptServer(this, app);
    app.handle(req, res, next);
  } as App; // `compileFactory` adds the other members.
  return app;
}

/** `app.handle`: passes a request to the router, and to `callback` (default: the final handler) if none responds. */
export function handle(this: CoreApplication, req: AnyRequest, res: AnyResponse, callback?: Next): void {
  const { [kParts]: parts } = this;
  if (isHttp2Request(req)) return parts.serveHttp2(this, req, res, callback);
  const done = callback || createFinalHandler(this, req, res, parts.series);
  let router: RequestRouter | undefined;
  if (parts.enterRouter) {
    router = parts.enterRouter(this, req, res);
    if (!router) return done();
  } else {
    if (isEnabled(this, 'x-powered-by')) setPoweredBy(this, req, res);
    req.res = res;
    res.req = req;
    setPrototypes(this, req, res);
    res.locals ||= Object.create(null);
  }

  if (addedSettings.areUsed) {
    try {
      addedSetting(this, 'strict host fn')?.(req);
      addedSetting(this, 'strict paths fn')?.(req);
    } catch (err) {
      return done(err);
    }
  }
  router ??= this[kRouter].router ?? routerOf(this);
  router.handle(req, res, done);
}

/** Whether the HTTP/2 compatibility API of Node.js created the request, which is no `IncomingMessage`. */
export function isHttp2Request(req: IncomingMessage): req is Http2Request {
  return req.httpVersionMajor === 2 && !(req instanceof IncomingMessage);
}

/** A request of Node.js's HTTP/2 compatibility API. */
export type Http2Request = IncomingMessage & Pick<Http2ServerRequest, 'stream' | 'headers'>;

/**
 * Creates the final handler for one request. It responds if no other handler has.
 */
export function createFinalHandler(
  app: AnyApplication,
  req: AnyRequest,
  res: AnyResponse,
  series: AnySeries,
): Next {
  // Express reads the setting before the first handler runs.
  const env = readSetting(app, 'env');
  return (err) => respondFinally({ app, req, res, env, series }, err);
}

/** The value of the header `X-Powered-By`, unless the setting is a text. */
const POWERED_BY = 'Nozomi';

const POWERED_BY_HEADER = ['x-powered-by', 'X-Powered-By', POWERED_BY] as const;

const { setHeader: ownSetHeader } = ServerResponse.prototype;

/**
 * Sets `X-Powered-By`. Express does this before it sets the prototype of the response, so it never calls a `setHeader`
 * that the application added to `app.response`. If the server has already created the response with that prototype,
 * this function must call the method of Node.js explicitly.
 */
export function setPoweredBy(app: AnyApplication, req: AnyRequest, res: AnyResponse): void {
  const setHeader = res.setHeader === ownSetHeader ? ownSetHeader : originalSetHeader(app, req, res);
  const text = poweredBy(app);
  if (text === POWERED_BY) setCheckedHeader(res, setHeader, POWERED_BY_HEADER);
  else Reflect.apply(setHeader, res, ['X-Powered-By', text]);
}

/** Returns the `setHeader` that the response had before it got the prototype of the application. */
function originalSetHeader(
  app: AnyApplication,
  req: AnyRequest,
  res: AnyResponse,
): ServerResponse['setHeader'] {
  const isCreated =
    !req.res &&
    Object.getPrototypeOf(res) === prototypeOf(app, 'response') &&
    !Object.hasOwn(res, 'setHeader');
  return isCreated ? ServerResponse.prototype.setHeader : res.setHeader;
}

/** Returns the text of the setting `x-powered-by`. The settings of a mounted application inherit from its parent's. */
export function poweredBy({ settings }: AnyApplication): string {
  if (!addedSettings.areUsed) return POWERED_BY;
  for (let each: AnyApplication['settings'] | null = settings; each; each = Object.getPrototypeOf(each)) {
    const { 'x-powered-by': value } = each;
    if (typeof value === 'string' && value) return value;
  }
  return POWERED_BY;
}

/** What applications of Express 4 and 5 use of their series, and of the layers above. */
export interface Parts {
  readonly series: Series;
  /** Handles a request of the HTTP/2 compatibility API, with objects of the same classes as over HTTP/1.1. */
  serveHttp2(app: ServedApplication, req: Http2Request, res: ServerResponse, next?: Next): void;
  /** Only in Express 4, where a layer prepares the request: returns the router, if it exists. Never absent. */
  readonly enterRouter:
    | ((app: AnyApplication, req: AnyRequest, res: AnyResponse) => RequestRouter | undefined)
    | undefined;
  /** Returns the router of an application. The first call creates it with the current settings. */
  routerOf(app: AnyApplication): OpenRouter;
  /** Emits `mount` on an application that was mounted on `parent`. */
  emitMount(app: Application, parent: Application): void;
}

/** A router of Express 4 or 5, to add middleware and parameter callbacks to. */
export interface OpenRouter {
  use(path: Path, handler: unknown): unknown;
  param(name: unknown, callback: unknown): unknown;
}

interface RequestRouter {
  handle(req: AnyRequest, res: AnyResponse, done: Next): void;
}

/** An Express 5 application also creates its router. */
export interface CoreParts extends Parts {
  /** The constructor of routers: the one of the adapter for APM agents if that is installed. */
  Router: RouterConstructor;
}

export const kParts: unique symbol = Symbol('nozomi.parts');

/** Stores the parts. `app.init` calls this, because code may create an application from `express.application` itself. */
export function keepParts(app: AnyApplication, parts: Parts): void {
  Object.defineProperty(app, kParts, { value: parts });
}

// The private property that holds the router. The public `app.router` is a getter, which creates the router when it is
// read.
const kRouter: unique symbol = Symbol('nozomi.router');

/** An Express 5 application with its private properties. */
export interface CoreApplication extends Application {
  readonly [kParts]: CoreParts;
  /** A separate object, so that the router can still be created after `Object.freeze(app)`. */
  readonly [kRouter]: { router: RouterInstance | undefined };
}

/** Returns the router of an application. The first call creates it with the current settings. */
export function routerOf(app: CoreApplication): RouterInstance {
  const { [kRouter]: slot } = app;
  slot.router ??= new app[kParts].Router({
    caseSensitive: app.enabled('case sensitive routing'),
    strict: app.enabled('strict routing'),
  });
  return slot.router;
}

/** Removes the router and its routes. The next call of `routerOf` creates another one. */
export function resetRouter(app: Application): void {
  Object.defineProperty(app, kRouter, { value: { router: undefined }, configurable: true });
}
