/**
 * Records the file and line of each route, middleware, mounted application and setting. It wraps the functions of the
 * framework in this process; the framework itself has no code for it.
 */
import { METHODS } from 'node:http';
import type { Site } from './model';
import { siteOfCall } from './sites';

type AnyFunction = (...args: unknown[]) => unknown;
type Methods = Record<string, AnyFunction>;

/** A layer of a router or a route, of Express 4 or 5. */
export interface AnyLayer {
  handle: AnyFunction;
  readonly name: string;
  readonly rawPath?: unknown;
  readonly route?: AnyRoute | undefined;
  readonly method?: string | undefined;
  /** The parameters; Express 4 only. */
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

/** The arguments of `express.static`. */
export interface StaticFiles {
  readonly root: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly site: Site | undefined;
}

/** The options of a session middleware. */
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
  /** The sites of layers, of routers and of routes. */
  readonly sites = new WeakMap<object, Site>();
  /** The application that a layer mounts. */
  readonly mounted = new WeakMap<object, AnyApplication>();
  /** The applications in order of their creation. */
  readonly applications: AnyApplication[] = [];
  readonly series = new WeakMap<object, Series>();
  readonly settings = new Map<AnyApplication, Map<string, Site | undefined>>();
  /** The arguments by middleware function. */
  readonly statics = new Map<unknown, StaticFiles>();
  /** The options by middleware function. */
  readonly sessions = new Map<unknown, Session>();
  readonly malformed: MalformedPath[] = [];
  /** The time of the last registration, by `performance.now()`. */
  last = 0;
  #isStopped = false;
  readonly #home: string;
  readonly #toleratesPaths: boolean;
  /** The layers that the current `app.use()` adds, and those that listeners of "mount" add to routers during it. */
  #added: Array<{ readonly router: unknown; readonly layer: AnyLayer }> = [];

  /**
   * @param home The folder of the application's package.
   * @param toleratesPaths Whether to register a malformed path as one that matches nothing, and to record it;
   *   otherwise it throws.
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

  /** Stops recording. From then on malformed paths throw. */
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

  /** @param args The arguments of the function that created the handler. */
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

  /**
   * Records the applications that `app.use()` mounts. It wraps each in a function; the new layers are in the order of
   * its arguments.
   */
  #noteMounted(args: readonly unknown[]): void {
    const functions = args.flat(Number.POSITIVE_INFINITY).filter((one) => typeof one === 'function');
    // Express 4 adds two layers of its own before the first one.
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

/** A path that matches no target. */
const NOTHING = /(?!)/;

/** Whether an error is one of path-to-regexp. */
function isPathError(error: unknown): error is TypeError & { originalPath: string } {
  return error instanceof TypeError && typeof (error as { originalPath?: unknown }).originalPath === 'string';
}

export function isApplication(value: unknown): value is AnyApplication {
  const { handle, set, settings } = Object(value);
  return typeof handle === 'function' && typeof set === 'function' && typeof settings === 'object';
}

/** Wraps a method and keeps its name and length. */
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
