/** One pattern and its handler: an element of the stack of a router or a route. §2.5 · §1 rules 2–4 */
import createDebug from 'debug';
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Next, Path } from '../types';
import type { AnyLayer, LayerMatch, LayerRoute } from './dialect';
import { compilePattern, type Matcher, type PatternMatch, type PatternOptions } from './pattern';
import { forwardRejection } from './promise';
import { isThenable, isTraced, kMatched, traceHandler } from './tracing';

const debug = createDebug('router:layer');

/** The number of parameters of the handler of `layer`. */
let lengthOf: (layer: object, handle: Handler | ErrorHandler) => number;

const NO_KEYS: readonly string[] = [];

export class Layer implements AnyLayer {
  handle: Handler | ErrorHandler;
  name: string;
  rawPath: Path;
  /** Whether the layer is middleware without a path: it matches every path and removes nothing from the URL. */
  slash: boolean;
  matchers: Matcher[];
  /** The route that this layer of a router runs; undefined for middleware and for the layers of a route. */
  declare route: LayerRoute | undefined;
  /** For a layer of a route: the method that it handles, in lower case; undefined if it handles all methods. */
  declare method: string | undefined;
  // Layers of a route have an empty path and no keys. Applications that list routes read both, and append the path to
  // the route's. §2.5
  declare keys: never[];
  declare params: object;
  declare path: string;
  readonly #options: PatternOptions;
  /**
   * The handler whose parameters were counted, and their number: V8 reads `handler.length` through a slow C++
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
  }

  /** The options that this layer's patterns were compiled with; undefined for anything but a layer of this class. */
  static optionsOf(layer: unknown): PatternOptions | undefined {
    return typeof layer === 'object' && layer && #options in layer ? layer.#options : undefined;
  }

  /**
   * Tries the patterns on a path, in order.
   *
   * @throws {URIError} with status 400 for a parameter that cannot be decoded.
   */
  match(path: string | null | undefined): LayerMatch | false {
    if (path === null || path === undefined) return false;
    if (this.slash) return { params: {}, path: '', keys: NO_KEYS, pattern: this.rawPath };
    for (let i = 0; i < this.matchers.length; i++) {
      const found = this.matchers[i]?.(path);
      if (found) {
        complete(found, Array.isArray(this.rawPath) ? this.rawPath[i] : this.rawPath);
        return found;
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

  /** Calls the handler; calls `next` instead if it takes more than three parameters, as an error handler does. */
  handleRequest(req: AnyRequest, res: AnyResponse, next: Next): void {
    const { handle } = this;
    if (!takesRequest(this, handle)) return next();
    // The handler of a layer with a route only dispatches to that route, whose own layers trace their handlers.
    if (!this.route && isTraced()) {
      const context = { req, res, layer: this, handler: handle, route: req[kMatched] };
      return traceHandler(context, (tracedNext) => handle(req, res, tracedNext), next);
    }
    try {
      const returned = handle(req, res, next);
      if (isThenable(returned)) forwardRejection(returned, next);
    } catch (err) {
      next(err);
    }
  }

  /** Calls the handler with an error if it is an error handler: a function of exactly four parameters. */
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
      if (isThenable(returned)) forwardRejection(returned, next);
    } catch (err) {
      next(err);
    }
  }
}

/** Adds to a match its pattern and, if the matcher did not set them, the names of its parameters. */
function complete(found: PatternMatch, pattern: Path | undefined): asserts found is LayerMatch {
  found.keys ??= Object.keys(found.params);
  found.pattern = pattern;
}

function takesRequest(layer: Layer, handle: Handler | ErrorHandler): handle is Handler {
  return !(lengthOf(layer, handle) > 3);
}

function takesError(layer: Layer, handle: Handler | ErrorHandler): handle is ErrorHandler {
  return lengthOf(layer, handle) === 4;
}

/** The patterns of a layer, one by one. */
export function patternsOf(layer: AnyLayer): Array<string | RegExp> {
  return Array.isArray(layer.rawPath) ? layer.rawPath : [layer.rawPath];
}
