/**
 * Notes where an application registers what: the file and line of each route, middleware, mounted application and setting. It
 * wraps the functions of the framework in this process; the package itself has no part in it.
 */
import { METHODS } from 'node:http';
import type { Site } from './model';
import { siteOfCall } from './sites';

type AnyFunction = (...args: unknown[]) => unknown;
type Methods = Record<string, AnyFunction>;

/** A layer of a router or a route, of either series. */
export interface AnyLayer {
  handle: AnyFunction;
  readonly name: string;
  readonly rawPath?: unknown;
  readonly route?: AnyRoute | undefined;
  readonly method?: string | undefined;
  /** Express 4: the parameters. */
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
  /** Of a mounted application. */
  readonly parent?: unknown;
  /** Express 5. */
  readonly router?: AnyRouter;
  /** Express 4. */
  readonly _router?: AnyRouter;
  enabled(name: string): boolean;
  handle(req: unknown, res: unknown, done: (err?: unknown) => void): void;
}

export type Series = '4.x' | '5.x';

/** What `express.static` was given. */
export interface StaticFiles {
  readonly root: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly site: Site | undefined;
}

/** What a session middleware was given. */
export interface Session {
  /** `express-session` or `cookie-session`. */
  readonly from: string;
  readonly options: object;
  readonly site: Site | undefined;
}

/** A path that the router refused. */
export interface MalformedPath {
  readonly path: string;
  readonly reason: string;
  readonly site: Site | undefined;
}

interface Framework {
  readonly application: Methods;
  readonly Router: AnyFunction & { prototype: Methods };
  readonly Route: { prototype: Methods };
  static: AnyFunction;
}

export class Registrations {
  /** Of layers of routers and of routes. */
  readonly sites = new WeakMap<object, Site>();
  /** The application behind the layer that mounts it. */
  readonly mounted = new WeakMap<object, AnyApplication>();
  /** In the order in which they were made. */
  readonly applications: AnyApplication[] = [];
  readonly series = new WeakMap<object, Series>();
  readonly settings = new Map<AnyApplication, Map<string, Site | undefined>>();
  /** By their middleware. */
  readonly statics = new Map<unknown, StaticFiles>();
  /** By their middleware. */
  readonly sessions = new Map<unknown, Session>();
  readonly malformed: MalformedPath[] = [];
  /** `performance.now()` of the last registration. */
  last = 0;
  #isStopped = false;
  readonly #home: string;
  readonly #toleratesPaths: boolean;
  /** Layers that the innermost `app.use()` adds, and those that listeners of "mount" add to routers meanwhile. */
  #added: Array<{ readonly router: unknown; readonly layer: AnyLayer }> = [];

  /**
   * @param home Folder of the application's package.
   * @param toleratesPaths A malformed path is noted, and registered as one that matches nothing; otherwise it throws.
   */
  constructor(home: string, toleratesPaths: boolean) {
    this.#home = home;
    this.#toleratesPaths = toleratesPaths;
    for (const [name, series] of [
      ['nozomi/5', '5.x'],
      ['nozomi/4', '4.x'],
    ] as const)
      this.#observe(require(name) as Framework, series);
  }

  /** Notes nothing from now on, and lets malformed paths throw. */
  stop(): void {
    this.#isStopped = true;
  }

  siteOfCall(): Site | undefined {
    return siteOfCall(this.#home);
  }

  #observe(framework: Framework, series: Series): void {
    const { application, Router, Route } = framework;
    // A router of Express 4 inherits from the function itself.
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
      const result = me.#register(use, this, args);
      const added = stack.slice(before);
      me.#added.push(...added.map((layer) => ({ router: this, layer })));
      me.#note(...added);
      return result;
    });
    wrap(router, 'route', function (route, args) {
      const { stack } = this as AnyRouter;
      const result = me.#register(route, this, args);
      me.#note(...stack.slice(-1));
      return result;
    });
    for (const verb of [...METHODS.map((method) => method.toLowerCase()), 'all']) {
      wrap(Route.prototype, verb, function (add, args) {
        const { stack } = this as AnyRoute;
        const before = stack.length;
        const result = Reflect.apply(add, this, args);
        me.#note(...stack.slice(before));
        return result;
      });
    }
    wrap(framework as unknown as Methods, 'static', function (serve, args) {
      const handler = Reflect.apply(serve, this, args);
      me.noteStatic(handler, args);
      return handler;
    });
  }

  /** @param args What the function was called with that made the handler. */
  noteStatic(handler: unknown, [root, options]: readonly unknown[]): void {
    if (typeof root !== 'string') return;
    const given = (options ?? {}) as Readonly<Record<string, unknown>>;
    this.statics.set(handler, { root, options: given, site: this.siteOfCall() });
  }

  noteSession(handler: unknown, from: string, options: unknown): void {
    this.sessions.set(handler, { from, options: Object(options), site: this.siteOfCall() });
  }

  #noteSetting(app: AnyApplication, name: string): void {
    const known = this.settings.get(app) ?? new Map<string, Site | undefined>();
    this.settings.set(app, known.set(name, this.siteOfCall()));
  }

  #note(...layers: readonly AnyLayer[]): void {
    if (this.#isStopped) return;
    this.last = performance.now();
    const site = this.siteOfCall();
    if (site) for (const layer of layers) this.sites.set(layer, site);
  }

  /** `app.use()` puts a function of its own around an application; its layers are in the order of the arguments. */
  #noteMounted(args: readonly unknown[]): void {
    const functions = args.flat(Number.POSITIVE_INFINITY).filter((one) => typeof one === 'function');
    // Express 4 adds two layers of its own before the first ones.
    const layers = this.#added
      .filter(({ router }) => router === this.#added[0]?.router)
      .slice(-functions.length);
    for (const [index, { layer }] of layers.entries()) {
      const given = functions[index];
      if (given !== layer.handle && isApplication(given)) this.mounted.set(layer, given);
    }
  }

  #register(add: AnyFunction, owner: unknown, args: unknown[]): unknown {
    try {
      return Reflect.apply(add, owner, args);
    } catch (error) {
      if (this.#isStopped || !this.#toleratesPaths || !isPathError(error)) throw error;
      this.malformed.push({ path: error.originalPath, reason: error.message, site: this.siteOfCall() });
      return Reflect.apply(add, owner, [NOTHING, ...args.slice(1)]);
    }
  }
}

/** A path that no target matches. */
const NOTHING = /(?!)/;

/** Of path-to-regexp. */
function isPathError(error: unknown): error is TypeError & { originalPath: string } {
  return error instanceof TypeError && typeof (error as { originalPath?: unknown }).originalPath === 'string';
}

export function isApplication(value: unknown): value is AnyApplication {
  const { handle, set, settings } = Object(value);
  return typeof handle === 'function' && typeof set === 'function' && typeof settings === 'object';
}

/** Puts a function around a method, which keeps its name and length. */
function wrap(
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
