/** A layer: one element of the stack of a router or a route, with its path and its handler. §2.5 · §1 rules 2–4 */
import createDebug from 'debug';
import { type Creator, callable, Initialized } from '../internal/callable';
import type { Constructible } from '../internal/constructible';
import { type CallRules, express5 } from '../series';
import type { ErrorHandler, Handler, Path } from '../types';
import type { AnyLayer, LayerMatch, LayerRoute } from './dialect';
import { compilePattern, type Matcher, type PatternOptions } from './pattern';
import { forwardRejection } from './promise';
import { channel, isThenable, kMatched, type TracedRequest, traceHandler } from './tracing';

const debug = createDebug('router:layer');

interface LayerCalls {
  /** Calls the handler. Calls `next` instead if `handle.length` is greater than 3, as for an error handler. */
  handleRequest: AnyLayer['handleRequest'];
  /** Calls the handler with the error. Calls `next(error)` instead if `handle.length` is not 4. */
  handleError: AnyLayer['handleError'];
}

/** Returns `handle.length`, cached in private fields: V8 reads the `length` of a function slowly. */
let lengthOf: (layer: object, handle: Handler | ErrorHandler) => number;

/** The handler of a layer. The classes of Express 4 and 5 name the methods that call it. */
export abstract class HandlerLayer extends Initialized {
  declare handle: Handler | ErrorHandler;
  declare route: LayerRoute | undefined;
  // Each version has two of these methods (see `AnyLayer`).
  declare handleRequest: AnyLayer['handleRequest'];
  declare handleError: AnyLayer['handleError'];
  declare handle_request: AnyLayer['handle_request'];
  declare handle_error: AnyLayer['handle_error'];
  /** The handler whose `length` is in `#count`. */
  #counted: unknown;
  #count = 0;

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
}

function takesRequest(layer: object, handle: Handler | ErrorHandler): handle is Handler {
  // Not `<= 3`: an application can give a function any `length`, even NaN.
  return !(lengthOf(layer, handle) > 3);
}

function takesError(layer: object, handle: Handler | ErrorHandler): handle is ErrorHandler {
  return lengthOf(layer, handle) === 4;
}

/**
 * Creates the methods that call the handler of a layer. Their names appear in stack traces as in Express, because
 * express-rate-limit searches traces for the frame `Layer.handleRequest`.
 */
export function callMethods(rules: CallRules): ThisType<HandlerLayer> & LayerCalls {
  const { publishesTraces, forwardsRejections } = rules;
  return {
    handleRequest(req: TracedRequest, res, next) {
      const { handle } = this;
      if (!takesRequest(this, handle)) return next();
      // A layer with a route is not traced itself: its handler only calls the layers of the route, which trace their
      // handlers.
      if (publishesTraces && !this.route && channel.hasSubscribers) {
        const context = { req, res, layer: this, handler: handle, route: req[kMatched] };
        return traceHandler(context, (tracedNext) => handle(req, res, tracedNext), next);
      }
      try {
        const returned = handle(req, res, next);
        if (returned && forwardsRejections(req) && isThenable(returned)) forwardRejection(returned, next);
      } catch (err) {
        next(err);
      }
    },

    handleError(error, req: TracedRequest, res, next) {
      const { handle } = this;
      if (!takesError(this, handle)) return next(error);
      if (publishesTraces && channel.hasSubscribers) {
        // In the order of Express's router: a subscriber may list the members.
        const cause = { req, res, incomingError: error };
        const context = { ...cause, layer: this, handler: handle, route: req[kMatched], errorHandler: true };
        return traceHandler(context, (tracedNext) => handle(error, req, res, tracedNext), next);
      }
      try {
        const returned = handle(error, req, res, next);
        if (returned && forwardsRejections(req) && isThenable(returned)) forwardRejection(returned, next);
      } catch (err) {
        next(err);
      }
    },
  };
}

const NO_KEYS: readonly string[] = [];

export class Layer extends HandlerLayer implements AnyLayer {
  override handle: Handler | ErrorHandler;
  name: string;
  rawPath: Path;
  /** True for middleware with the mount path `/` (see `AnyLayer`). */
  slash: boolean;
  matchers: Matcher[];
  /** The method that a layer of a route handles, in lower case. Undefined for all methods, and in a router. */
  declare method: string | undefined;
  // `keys`, `params` and `path` are always empty, and set only on layers in the stack of a route. Applications that
  // list routes read `keys`, and append `path` to the path of the route. §2.5
  declare keys: never[];
  declare params: object;
  declare path: string;
  readonly #options: PatternOptions;
  /** The matchers that the constructor compiled: the application may change `matchers`. */
  readonly #compiled: readonly Matcher[];

  constructor(path: Path, options: PatternOptions, handle: Handler | ErrorHandler) {
    super();
    if (debug.enabled) debug('new %o', path);
    this.handle = handle;
    this.name = handle.name || '<anonymous>';
    this.rawPath = Array.isArray(path) ? path.flat(Number.POSITIVE_INFINITY) : path;
    this.slash = path === '/' && options.end === false;
    this.#options = options;
    this.matchers = patternsOf(this).map((pattern) => compilePattern(pattern, options));
    this.#compiled = this.matchers.slice();
  }

  /** Returns the options of the patterns; undefined if the application has replaced `match` or `matchers`. */
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
}

/** `Layer` as the file at its path in Express exports it. */
export const PublicLayer: Constructible<Layer, ConstructorParameters<typeof Layer>, void> = callable(
  'Layer',
  Layer,
  {
    createsAlone: true,
  },
);

/** What the package creates layers with: an APM agent may replace it. */
export const used: { Layer: Creator<typeof Layer> } = { Layer };

Object.assign(Layer.prototype, callMethods(express5.routing));

const { match: ownMatch } = Layer.prototype;

export function patternsOf(layer: AnyLayer): Array<string | RegExp> {
  return Array.isArray(layer.rawPath) ? layer.rawPath : [layer.rawPath];
}
