/**
 * A layer of an Express 4 router: a path and its handler. E4-C6, E4-C7, E4-C23, E4-C24
 *
 * As in Express, applications can read `regexp` and `keys`. `params` and `path` belong to the last match of any
 * request.
 */
import createDebug from 'debug';
import { compileMatch, type Match } from '../earlier/linear-match';
import type { AnyLayer, LayerMatch, LayerRoute, ParamName, Shape } from '../routing/dialect';
import { decodeParam } from '../routing/pattern';
import { forwardRejection } from '../routing/promise';
import { isThenable } from '../routing/tracing';
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Next, Path } from '../types';
import { compilePath, type Key, type PathOptions } from './pattern';
import { isStepTaken } from './series';
import { shapesOf } from './shapes';

const debug = createDebug('express:router:layer');

/** A regular expression with the properties that Express sets on it. */
export type LayerRegExp = RegExp & { fast_star: boolean; fast_slash: boolean };
type Params = Record<string | number, string | undefined>;

/**
 * The members of a layer that the router of Express 5 calls. They have their own class, because `Layer.prototype` must
 * have exactly the members of Express 4.
 */
abstract class WalkedLayer {
  declare keys: Key[];
  declare regexp: LayerRegExp;
  declare params: Params | undefined;
  declare path: string | undefined;
  /** The route, if this layer runs a route; undefined for middleware. */
  declare route: LayerRoute | undefined;
  readonly #path: Path;
  readonly #shapes: readonly Shape[];

  constructor(pattern: Path, options: PathOptions) {
    this.#path = pattern;
    this.#shapes = shapesOf(pattern, options);
  }

  abstract handle_request(req: AnyRequest, res: AnyResponse, next: Next): void;
  abstract handle_error(error: unknown, req: AnyRequest, res: AnyResponse, next: Next): void;

  /** The path as registered, for tools that list routes. */
  get rawPath(): Path {
    return this.#path;
  }

  /** Whether the layer is middleware on `/`: it matches every path and removes nothing from the URL. */
  get slash(): boolean {
    // The application may have deleted `regexp`. `match` then throws, as in Express.
    const { regexp }: { regexp?: LayerRegExp } = this;
    // An application can also set `fast_slash` on the layer of a route, which still has methods.
    return regexp?.fast_slash === true && !this.route;
  }

  get pathShapes(): readonly Shape[] | undefined {
    return matchesItsPath(this) ? this.#shapes : undefined;
  }

  handleRequest(req: AnyRequest, res: AnyResponse, next: Next): void {
    this.handle_request(req, res, next);
  }

  handleError(error: unknown, req: AnyRequest, res: AnyResponse, next: Next): void {
    this.handle_error(error, req, res, next);
  }
}

/**
 * Whether only the path decides what a layer matches. The application may have replaced `match` or `regexp`, or set a
 * flag of `regexp` with which the layer matches every path.
 */
let matchesItsPath: (layer: WalkedLayer) => boolean;

/** Returns the number of parameters of a handler. A layer caches the number for the last handler. */
let lengthOf: (layer: object, handle: Handler | ErrorHandler) => number;

export class Layer extends WalkedLayer {
  // Not initialized here: express-async-errors defines an accessor `handle` on the prototype, which only an assignment
  // calls.
  declare handle: Handler | ErrorHandler;
  declare name: string;
  /** For a layer of a route: the method in lower case, or undefined for all methods. */
  declare method: string | undefined;
  readonly #compiled: RegExp;
  readonly #match: Match;
  /** The handler for which `#count` caches the number of parameters: reading `handler.length` calls into C++. */
  #counted: unknown;
  #count = 0;

  /**
   * Creates a layer and compiles its path.
   *
   * @throws {TypeError} for a path that is not a string, list or regular expression.
   * @throws {SyntaxError} for a path that compiles to an invalid regular expression.
   */
  constructor(path: Path, options: PathOptions, handle: Handler | ErrorHandler) {
    super(path, options);
    if (debug.enabled) debug('new %o', path);
    this.handle = handle;
    this.name = handle.name || '<anonymous>';
    this.params = undefined;
    this.path = undefined;
    this.keys = [];
    this.regexp = Object.assign(compilePath(path, this.keys, options), {
      fast_star: path === '*',
      fast_slash: path === '/' && options.end === false,
    });
    this.#compiled = this.regexp;
    // V8 matches an application's own regular expression, because it may have any flags.
    this.#match = path instanceof RegExp ? (text) => path.exec(text) : compileMatch(path, this.regexp);
  }

  static {
    matchesItsPath = (layer) =>
      #compiled in layer &&
      layer.match === ownMatch &&
      layer.regexp === layer.#compiled &&
      !(layer.regexp.fast_slash || layer.regexp.fast_star);
    lengthOf = (layer, handle) => {
      if (!(#counted in layer)) return handle.length;
      if (layer.#counted !== handle) {
        layer.#counted = handle;
        layer.#count = handle.length;
      }
      return layer.#count;
    };
  }

  /** Calls the handler with an error. A handler without exactly four parameters is skipped. */
  handle_error(error: unknown, req: AnyRequest, res: AnyResponse, next: Next): void {
    const { handle } = this;
    if (!takesErrors(this, handle)) return next(error);
    try {
      const returned = handle(error, req, res, next);
      if (returned && isStepTaken(req, 'promises') && isThenable(returned)) forwardRejection(returned, next);
    } catch (err) {
      next(err);
    }
  }

  /** Calls the handler. An error handler, which has more than three parameters, is skipped. */
  handle_request(req: AnyRequest, res: AnyResponse, next: Next): void {
    const { handle } = this;
    if (!takesRequests(this, handle)) return next();
    try {
      const returned = handle(req, res, next);
      if (returned && isStepTaken(req, 'promises') && isThenable(returned)) forwardRejection(returned, next);
    } catch (err) {
      next(err);
    }
  }

  /**
   * Whether the layer matches a path. Sets `params` and `path` to the parameters and the matched part.
   *
   * @throws {URIError} with status 400 for a parameter that cannot be decoded.
   */
  match(path: string | null | undefined): boolean {
    const { regexp } = this;
    if (path !== null && path !== undefined) {
      if (regexp.fast_slash) {
        this.params = {};
        this.path = '';
        return true;
      }
      if (regexp.fast_star) {
        this.params = { 0: decodeParam(path) };
        this.path = path;
        return true;
      }
      const found = regexp === this.#compiled ? this.#match(path) : regexp.exec(path);
      if (found) {
        this.path = found[0];
        this.params = readParams(found, this.keys, {});
        return true;
      }
    }
    this.params = undefined;
    this.path = undefined;
    return false;
  }
}

const { match: ownMatch } = Layer.prototype;

function takesErrors(layer: Layer, handle: Handler | ErrorHandler): handle is ErrorHandler {
  return lengthOf(layer, handle) === 4;
}

function takesRequests(layer: Layer, handle: Handler | ErrorHandler): handle is Handler {
  // Not `<= 3`: an application can give a function any `length`, even NaN.
  return !(lengthOf(layer, handle) > 3);
}

/** A layer in the stack of a router. Without the optional members, if the application has put another object there. */
type StackedLayer = AnyLayer & Partial<Pick<Layer, 'keys' | 'params' | 'path'>>;

/** Matches a path against a layer. Returns what the layer then has in `params` and `path`. */
export function matchLayer(layer: StackedLayer, path: string): LayerMatch | false {
  if (!layer.match(path)) return false;
  return { params: layer.params ?? {}, path: layer.path ?? '', keys: namesOf(layer), pattern: undefined };
}

const NO_NAMES: readonly ParamName[] = [];
const names = new WeakMap<readonly Key[], readonly ParamName[]>();

/** Returns the parameter names of a layer. */
export function namesOf({ keys }: StackedLayer): readonly ParamName[] {
  if (!keys || keys.length === 0) return NO_NAMES;
  let known = names.get(keys);
  if (known?.length !== keys.length) {
    known = keys.map(({ name }) => name);
    names.set(keys, known);
  }
  return known;
}

/**
 * Writes the matched values to `params`. If two parameters have the same name and the later one is missing, the earlier
 * value stays.
 */
function readParams(found: ReadonlyArray<string | undefined>, keys: readonly Key[], params: Params): Params {
  for (let i = 1; i < found.length; i++) {
    // As in Express, this throws if an application's own regular expression has more groups than keys.
    const { name } = keys[i - 1] as Key;
    const text = found[i];
    const value = text === undefined ? undefined : decodeParam(text);
    if (value !== undefined || !Object.hasOwn(params, name)) params[name] = value;
  }
  return params;
}
