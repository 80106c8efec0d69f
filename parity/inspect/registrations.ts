/**
 * Records the file and line of each route, middleware, mounted application and setting. For this, it wraps methods of
 * the framework in this process. The framework itself contains no code for recording.
 */
import { METHODS } from 'node:http';
import { readPlace } from '../implementations/place';
import type { Place } from './expressions';
import type { Site } from './model';
import { isOfApplication, siteOfCall } from './sites';

export type AnyFunction = (...args: unknown[]) => unknown;
export type Methods = Record<string, AnyFunction>;

/** A layer of a router or a route, of Express 4 or 5. */
export interface AnyLayer {
  handle: AnyFunction;
  readonly name: string;
  readonly rawPath?: unknown;
  readonly route?: AnyRoute | undefined;
  readonly method?: string | undefined;
  /** The parameters of the path; read for Express 4 only. */
  readonly keys?: ReadonlyArray<{ readonly name: string | number }>;
  readonly regexp?: RegExp;
  match(path: string): unknown;
}

export interface AnyRoute {
  readonly path: unknown;
  readonly stack: readonly AnyLayer[];
  readonly methods: Readonly<Record<string, boolean>>;
}

export interface AnyRouter {
  readonly stack: AnyLayer[];
  params: Record<string, readonly AnyFunction[]>;
  readonly caseSensitive?: boolean;
  readonly strict?: boolean;
  handle(req: unknown, res: unknown, done: (err?: unknown) => void): void;
}

export interface AnyApplication {
  readonly settings: Readonly<Record<string, unknown>>;
  /** The application that this one is mounted on. */
  readonly parent?: unknown;
  /** The router of an application; Express 5 only. */
  readonly router?: AnyRouter;
  /** The router of an application; Express 4 only. */
  readonly _router?: AnyRouter;
  enabled(name: string): boolean;
  handle(req: unknown, res: unknown, done: (err?: unknown) => void): void;
}

export type Series = '4.x' | '5.x';

/** The entry points that replace Express, each with its series. */
export const SERIES = [
  ['nozomi/5', '5.x'],
  ['nozomi/4', '4.x'],
] as const;

/** A call of `express.static` or serve-static. */
export interface StaticFiles {
  readonly root: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly site: Site | undefined;
}

/** A call that created a session middleware. */
export interface Session {
  /** The package: `express-session` or `cookie-session`. */
  readonly from: string;
  readonly options: object;
  readonly site: Site | undefined;
}

/** A route or middleware that was registered with something that is no function. */
export interface MissingHandler {
  readonly reason: string;
  readonly site: Site | undefined;
}

/** A path that path-to-regexp refused at registration. */
export interface MalformedPath {
  readonly path: string;
  readonly reason: string;
  readonly site: Site | undefined;
}

/** A call of `listen()` of a server. */
export interface Listen {
  readonly server: unknown;
  /** The port and the address; undefined for any free port, or a socket. */
  readonly place: string | undefined;
  readonly site: Site | undefined;
}

interface Framework {
  readonly application: Methods;
  readonly Router: AnyFunction & { prototype: Methods };
  readonly Route: { prototype: Methods };
  static: AnyFunction;
}

export class Registrations {
  /** Where each layer of a router or route was registered. */
  readonly sites = new WeakMap<object, Site>();
  /** The position of each layer's function in the call that registered it. */
  readonly places = new WeakMap<object, Place>();
  /** The mounted application, by its layer. */
  readonly mounted = new WeakMap<object, AnyApplication>();
  /** All applications, in the order of their creation. */
  readonly applications: AnyApplication[] = [];
  readonly series = new WeakMap<object, Series>();
  readonly settings = new Map<AnyApplication, Map<string, Site | undefined>>();
  /** The calls of `express.static` and serve-static, by the middleware that they returned. */
  readonly statics = new Map<unknown, StaticFiles>();
  /** The calls of session packages, by the middleware that they returned. */
  readonly sessions = new Map<unknown, Session>();
  readonly malformed: MalformedPath[] = [];
  readonly missing: MissingHandler[] = [];
  /** The functions that make routers and middleware: `express.Router`, `express.json` and the like. */
  readonly factories = new Set<unknown>();
  /** The routers with layers, and where the first one was added. */
  readonly routers = new Map<AnyRouter, Site | undefined>();
  /** The calls of `listen()` of servers. */
  readonly listens: Listen[] = [];
  /** The time of the last registration, by `performance.now()`. */
  last = 0;
  #isStopped = false;
  readonly #home: string;
  readonly #toleratesPaths: boolean;
  /** The layers added during the current `app.use()`, including those that listeners of `mount` add. */
  #added: Array<{ readonly router: unknown; readonly layer: AnyLayer }> = [];

  /**
   * @param home The folder of the application's package.
   * @param toleratesPaths If true, a malformed path is recorded and replaced by one that matches nothing, and a handler
   *   that is no function is recorded and left out. If false, the error is thrown.
   */
  constructor(home: string, toleratesPaths: boolean) {
    this.#home = home;
    this.#toleratesPaths = toleratesPaths;
    for (const [name, series] of SERIES) this.#observe(require(name) as Framework, series);
  }

  /** The routers that files of the application created, and that belong to no application. */
  unownedRouters(home: string): AnyRouter[] {
    const owned = new Set(
      this.applications.map((app) => (this.series.get(app) === '4.x' ? app._router : app.router)),
    );
    return [...this.routers]
      .filter(([router, site]) => !owned.has(router) && site && isOfApplication(site.file, home))
      .map(([router]) => router);
  }

  noteListen(server: unknown, given: readonly unknown[]): void {
    const { port, host } = readPlace(given);
    const isPort = /^\d+$/.test(String(port)) && Number(port) > 0;
    const address = typeof host === 'string' ? `${host}:` : 'port ';
    this.listens.push({ server, place: isPort ? `${address}${port}` : undefined, site: this.siteOfCall() });
  }

  /** Stops recording layers. After this call, malformed paths throw again. */
  stop(): void {
    this.#isStopped = true;
  }

  siteOfCall(): Site | undefined {
    return siteOfCall(this.#home);
  }

  #observe(framework: Framework, series: Series): void {
    const { application, Router, Route } = framework;
    // In Express 4 a router inherits from the function `Router` itself.
    const router = series === '4.x' ? (Router as unknown as Methods) : Router.prototype;
    const me = this;

    wrap(application, 'init', function (init, args) {
      me.applications.push(this as AnyApplication);
      me.series.set(this as object, series);
      return Reflect.apply(init, this, args);
    });
    wrap(application, 'set', function (set, args) {
      if (args.length > 1) me.#noteSetting(this as AnyApplication, String(args[0]));
      return Reflect.apply(set, this, args);
    });
    wrap(application, 'use', function (use, args) {
      const outer = me.#added;
      me.#added = [];
      try {
        return Reflect.apply(use, this, args);
      } finally {
        me.#noteMounted(args);
        me.#added = outer;
      }
    });
    wrap(router, 'use', function (use, args) {
      const { stack } = this as AnyRouter;
      const before = stack.length;
      me.#noteRouter(this as AnyRouter);
      const result = me.#register(use, this, args);
      const added = stack.slice(before);
      me.#added.push(...added.map((layer) => ({ router: this, layer })));
      me.#note(...added);
      return result;
    });
    wrap(router, 'route', function (route, args) {
      const { stack } = this as AnyRouter;
      me.#noteRouter(this as AnyRouter);
      const result = me.#register(route, this, args);
      me.#note(...stack.slice(-1));
      return result;
    });
    for (const verb of [...METHODS.map((method) => method.toLowerCase()), 'all']) {
      wrap(Route.prototype, verb, function (add, args) {
        const { stack } = this as AnyRoute;
        const before = stack.length;
        const result = me.#register(add, this, args);
        me.#note(...stack.slice(before));
        return result;
      });
    }
    for (const name of ['Router', 'json', 'urlencoded', 'text', 'raw', 'static'])
      this.factories.add((framework as unknown as Methods)[name]);
    wrap(framework as unknown as Methods, 'static', function (serve, args) {
      const handler = Reflect.apply(serve, this, args);
      me.noteStatic(handler, args);
      return handler;
    });
  }

  /**
   * Records a call of `express.static` or serve-static.
   *
   * @param handler The middleware that the call returned.
   * @param args The arguments of the call.
   */
  noteStatic(handler: unknown, [root, options]: readonly unknown[]): void {
    if (typeof root !== 'string') return;
    const given = (options ?? {}) as Readonly<Record<string, unknown>>;
    this.statics.set(handler, { root, options: given, site: this.siteOfCall() });
  }

  noteSession(handler: unknown, from: string, options: unknown): void {
    this.sessions.set(handler, { from, options: Object(options), site: this.siteOfCall() });
  }

  #noteRouter(router: AnyRouter): void {
    if (!this.#isStopped && !this.routers.has(router)) this.routers.set(router, this.siteOfCall());
  }

  #noteSetting(app: AnyApplication, name: string): void {
    const known = this.settings.get(app) ?? new Map<string, Site | undefined>();
    this.settings.set(app, known.set(name, this.siteOfCall()));
  }

  #note(...layers: readonly AnyLayer[]): void {
    if (this.#isStopped) return;
    this.last = performance.now();
    const site = this.siteOfCall();
    for (const [index, layer] of layers.entries()) {
      if (site) this.sites.set(layer, site);
      this.places.set(layer, { index, count: layers.length });
    }
  }

  /**
   * Records which new layers mount an application. `app.use()` wraps the application in a function, so its layer is found
   * by the position of the argument.
   */
  #noteMounted(args: readonly unknown[]): void {
    const functions = args.flat(Number.POSITIVE_INFINITY).filter((one) => typeof one === 'function');
    // Express 4 adds two layers of its own before the first layer of an application.
    const layers = this.#added
      .filter(({ router }) => router === this.#added[0]?.router)
      .slice(-functions.length);
    for (const [index, { layer }] of layers.entries()) {
      const given = functions[index];
      this.places.set(layer, { index, count: functions.length });
      if (given !== layer.handle && isApplication(given)) this.mounted.set(layer, given);
    }
  }

  #register(add: AnyFunction, owner: unknown, args: unknown[]): unknown {
    try {
      return Reflect.apply(add, owner, args);
    } catch (error) {
      if (this.#isStopped || !this.#toleratesPaths) throw error;
      if (isHandlerError(error)) {
        this.missing.push({ reason: error.message, site: this.siteOfCall() });
        return owner;
      }
      if (!isPathError(error)) throw error;
      this.malformed.push({ path: error.originalPath, reason: error.message, site: this.siteOfCall() });
      return Reflect.apply(add, owner, [NOTHING, ...args.slice(1)]);
    }
  }
}

/** A path that matches no target. */
const NOTHING = /(?!)/;

/** Whether path-to-regexp threw the error. */
function isPathError(error: unknown): error is TypeError & { originalPath: string } {
  return error instanceof TypeError && typeof (error as { originalPath?: unknown }).originalPath === 'string';
}

/** Whether the router threw the error because a handler is missing, or is no function. */
function isHandlerError(error: unknown): error is TypeError {
  return (
    error instanceof Error &&
    /handler must be a function|middleware function|callback function/.test(error.message)
  );
}

export function isApplication(value: unknown): value is AnyApplication {
  const { handle, set, settings } = Object(value);
  return typeof handle === 'function' && typeof set === 'function' && typeof settings === 'object';
}

/** Replaces a method by a call of `around`, and keeps its name, length and other properties. */
export function wrap(
  owner: Methods,
  name: string,
  around: (this: unknown, method: AnyFunction, args: unknown[]) => unknown,
): void {
  const method = owner[name];
  if (typeof method !== 'function') return;
  const wrapped = function (this: unknown, ...args: unknown[]): unknown {
    return Reflect.apply(around, this, [method, args]);
  };
  for (const key of ['name', 'length'] as const)
    Object.defineProperty(wrapped, key, { value: method[key], configurable: true });
  owner[name] = Object.assign(wrapped, method);
}
