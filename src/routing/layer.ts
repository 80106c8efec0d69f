/**
 * One pattern and the handler behind it: a place in the stack of a router or a route. §2.5 · §1 rules 2–4
 */
import createDebug from 'debug';
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Next, Path } from '../types';
import type { AnyLayer, LayerMatch, LayerRoute } from './dialect';
import { compilePattern, type Matcher, type PatternOptions } from './pattern';
import { forwardRejection } from './promise';
import { isThenable, isTraced, kMatched, traceHandler } from './tracing';

const debug = createDebug('router:layer');

/** How many parameters a handler of `layer` has. */
let lengthOf: (layer: object, handle: Handler | ErrorHandler) => number;

const NO_KEYS: readonly string[] = [];

export class Layer implements AnyLayer {
  handle: Handler | ErrorHandler;
  name: string;
  rawPath: Path;
  /** Takes every path and nothing of it: middleware without a path of its own. */
  slash: boolean;
  matchers: Matcher[];
  /** The route behind this layer of a router; undefined for middleware. */
  declare route: LayerRoute | undefined;
  /** The method, in lower case, of this layer of a route; undefined for all methods. */
  declare method: string | undefined;
  // Inert, on the layers of a route: the document lists them there; nothing is ever kept in them. The path is empty, since
  // programs that list routes append it to the route's. §2.5
  declare keys: never[];
  declare params: object;
  declare path: string;
  readonly #options: PatternOptions;
  /** A handler, and how many parameters it has: V8 calls into C++ for `handler.length`. */
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

  /** How this layer's patterns were compiled; undefined for what is no layer of ours. */
  static optionsOf(layer: unknown): PatternOptions | undefined {
    return typeof layer === 'object' && layer && #options in layer ? layer.#options : undefined;
  }

  /**
   * Try the patterns in order on a path.
   *
   * @throws {URIError} with status 400 when a parameter cannot be decoded.
   */
  match(path: string | null | undefined): LayerMatch | false {
    if (path === null || path === undefined) return false;
    if (this.slash) return { params: {}, path: '', keys: NO_KEYS, pattern: this.rawPath };
    for (let i = 0; i < this.matchers.length; i++) {
      const found = (this.matchers[i] as Matcher)(path);
      if (found) {
        found.keys ??= Object.keys(found.params);
        found.pattern = Array.isArray(this.rawPath) ? this.rawPath[i] : this.rawPath;
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

  /** Call the handler, unless it is an error handler. */
  handleRequest(req: AnyRequest, res: AnyResponse, next: Next): void {
    const handle = this.handle as Handler;
    if (lengthOf(this, handle) > 3) return next();
    // A route traces its own handlers one by one.
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

  /** Call the handler with an error, if it is an error handler: a function of exactly four parameters. */
  handleError(error: unknown, req: AnyRequest, res: AnyResponse, next: Next): void {
    const handle = this.handle as ErrorHandler;
    if (lengthOf(this, handle) !== 4) return next(error);
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

/** The patterns of a layer, one by one. */
export function patternsOf(layer: AnyLayer): Array<string | RegExp> {
  return Array.isArray(layer.rawPath) ? layer.rawPath : [layer.rawPath];
}
