/** A layer: one element of the stack of a router or a route, with its path and its handler. §2.5 · §1 rules 2–4 */
import createDebug from 'debug';
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Next, Path } from '../types';
import type { AnyLayer, LayerMatch, LayerRoute } from './dialect';
import { compilePattern, type Matcher, type PatternOptions } from './pattern';
import { forwardRejection } from './promise';
import { isThenable, isTraced, kMatched, traceHandler } from './tracing';

const debug = createDebug('router:layer');

/**
 * Returns `handle.length`, cached on `layer`. Assigned in a static block of `Layer`, because the cache is in private
 * fields.
 */
let lengthOf: (layer: object, handle: Handler | ErrorHandler) => number;

const NO_KEYS: readonly string[] = [];

export class Layer implements AnyLayer {
  handle: Handler | ErrorHandler;
  name: string;
  rawPath: Path;
  /**
   * True for middleware with the mount path `/`, which is the default. Such a layer matches every path and removes
   * nothing from `req.url`.
   */
  slash: boolean;
  matchers: Matcher[];
  /** The route that the layer runs. Undefined for middleware, and for a layer in the stack of a route. */
  declare route: LayerRoute | undefined;
  /**
   * The method that the layer handles, in lower case. Undefined if it handles all methods, and for layers in the stack
   * of a router.
   */
  declare method: string | undefined;
  // `keys`, `params` and `path` are always empty, and set only on layers in the stack of a route. Applications that
  // list routes read `keys`, and append `path` to the path of the route. §2.5
  declare keys: never[];
  declare params: object;
  declare path: string;
  readonly #options: PatternOptions;
  /** The matchers that the constructor compiled: the application may change `matchers`. */
  readonly #compiled: readonly Matcher[];
  /**
   * The handler whose `length` is cached in `#count`, because V8 reads the `length` of a function through a slow C++
   * accessor.
   */
  #counted: unknown;
  #count = 0;

  constructor(path: Path, options: PatternOptions, handle: Handler | ErrorHandler) {
    if (debug.enabled) debug('new %o', path);
    this.handle = handle;
    this.name = handle.name || '<anonymous>';
    this.rawPath = Array.isArray(path) ? path.flat(Number.POSITIVE_INFINITY) : path;
    this.slash = path === '/' && options.end === false;
    this.#options = options;
    this.matchers = patternsOf(this).map((pattern) => compilePattern(pattern, options));
    this.#compiled = this.matchers.slice();
  }

  /**
   * Returns the options that the patterns were compiled with. Undefined if `layer` is not an instance of this class, or
   * if the application has replaced `match` or changed `matchers`: then `rawPath` does not say which paths it matches.
   */
  static optionsOf(layer: unknown): PatternOptions | undefined {
    if (typeof layer !== 'object' || !layer || !(#options in layer)) return undefined;
    const isOriginal =
      layer.match === ownMatch &&
      layer.matchers.length === layer.#compiled.length &&
      layer.matchers.every((matcher, i) => matcher === layer.#compiled[i]);
    return isOriginal ? layer.#options : undefined;
  }

  /**
   * Matches a path against the `matchers`, in order.
   *
   * @returns The first match; false if none matches or `path` is missing.
   * @throws {URIError} with status 400 for a parameter that cannot be decoded.
   */
  match(path: string | null | undefined): LayerMatch | false {
    if (path === null || path === undefined) return false;
    if (this.slash) return { params: {}, path: '', keys: NO_KEYS, pattern: this.rawPath };
    for (let i = 0; i < this.matchers.length; i++) {
      const found = this.matchers[i]?.(path);
      if (found) {
        found.keys ??= Object.keys(found.params);
        found.pattern = Array.isArray(this.rawPath) ? this.rawPath[i] : this.rawPath;
        // A cast, because TypeScript does not see that `keys` is set.
        return found as LayerMatch;
      }
    }
    return false;
  }

  static {
    lengthOf = (layer, handle) => {
      if (!(#counted in layer)) return handle.length;
      if (layer.#counted !== handle) {
        layer.#counted = handle;
        layer.#count = handle.length;
      }
      return layer.#count;
    };
  }

  /** Calls the handler. Calls `next` instead if `handle.length` is greater than 3, as for an error handler. */
  handleRequest(req: AnyRequest, res: AnyResponse, next: Next): void {
    const { handle } = this;
    if (!takesRequest(this, handle)) return next();
    // A layer with a route is not traced itself: its handler only calls the layers of the route, which trace their
    // handlers.
    if (!this.route && isTraced()) {
      const context = { req, res, layer: this, handler: handle, route: req[kMatched] };
      return traceHandler(context, (tracedNext) => handle(req, res, tracedNext), next);
    }
    try {
      const returned = handle(req, res, next);
      if (returned && isThenable(returned)) forwardRejection(returned, next);
    } catch (err) {
      next(err);
    }
  }

  /** Calls the handler with the error. Calls `next(error)` instead if `handle.length` is not 4. */
  handleError(error: unknown, req: AnyRequest, res: AnyResponse, next: Next): void {
    const { handle } = this;
    if (!takesError(this, handle)) return next(error);
    if (isTraced()) {
      const route = req[kMatched];
      const context = {
        req,
        res,
        incomingError: error,
        layer: this,
        handler: handle,
        route,
        errorHandler: true,
      };
      return traceHandler(context, (tracedNext) => handle(error, req, res, tracedNext), next);
    }
    try {
      const returned = handle(error, req, res, next);
      if (returned && isThenable(returned)) forwardRejection(returned, next);
    } catch (err) {
      next(err);
    }
  }
}

const { match: ownMatch } = Layer.prototype;

function takesRequest(layer: Layer, handle: Handler | ErrorHandler): handle is Handler {
  return !(lengthOf(layer, handle) > 3);
}

function takesError(layer: Layer, handle: Handler | ErrorHandler): handle is ErrorHandler {
  return lengthOf(layer, handle) === 4;
}

/** Returns the patterns of a layer as an array, even if its path is a single pattern. */
export function patternsOf(layer: AnyLayer): Array<string | RegExp> {
  return Array.isArray(layer.rawPath) ? layer.rawPath : [layer.rawPath];
}
