/**
 * A path and its handler, with the properties of Express 4: `regexp` and `keys`, and the `params` and `path` of the
 * last match, of whichever request that was. E4-C6, E4-C7
 */
import createDebug from 'debug';
import { compileMatch, type Match } from '../earlier/linear-match';
import type { AnyLayer, LayerMatch, LayerRoute, Shape } from '../routing/dialect';
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
 * The members of a layer that the router of Express 5 calls. They are in a class of their own, because the prototype
 * of `Layer` has exactly the members of Express 4.
 */
abstract class WalkedLayer {
  declare keys: Key[];
  declare regexp: LayerRegExp;
  declare params: Params | undefined;
  declare path: string | undefined;
  readonly #pattern: Path;
  readonly #shapes: readonly Shape[];

  constructor(pattern: Path, options: PathOptions) {
    this.#pattern = pattern;
    this.#shapes = shapesOf(pattern, options);
  }

  abstract handle_request(req: AnyRequest, res: AnyResponse, next: Next): void;
  abstract handle_error(error: unknown, req: AnyRequest, res: AnyResponse, next: Next): void;

  get rawPath(): Path {
    return this.#pattern;
  }

  /** Whether the layer is middleware without a path: it matches every path and removes nothing from the URL. */
  get slash(): boolean {
    // The application may have removed the expression; `match` throws then, as in Express.
    const { regexp }: { regexp?: LayerRegExp } = this;
    return regexp?.fast_slash === true;
  }

  get pathShapes(): readonly Shape[] {
    return this.#shapes;
  }

  handleRequest(req: AnyRequest, res: AnyResponse, next: Next): void {
    this.handle_request(req, res, next);
  }

  handleError(error: unknown, req: AnyRequest, res: AnyResponse, next: Next): void {
    this.handle_error(error, req, res, next);
  }
}

/** Number of parameters of a handler of `layer`. */
let lengthOf: (layer: object, handle: Handler | ErrorHandler) => number;

export class Layer extends WalkedLayer {
  // Declared, not initialized: express-async-errors defines an accessor `handle` on the prototype, and expects an
  // assignment.
  declare handle: Handler | ErrorHandler;
  declare name: string;
  /** The route, if this layer belongs to a router's route; undefined for middleware. */
  declare route: LayerRoute | undefined;
  /** The method, in lower case, of this layer of a route; undefined for all methods. */
  declare method: string | undefined;
  readonly #compiled: RegExp;
  readonly #match: Match;
  /** A handler and its number of parameters: reading `handler.length` calls into C++. */
  #counted: unknown;
  #count = 0;

  /**
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
    // A regular expression of the application may have any flags, so Node.js matches it.
    this.#match = path instanceof RegExp ? (text) => path.exec(text) : compileMatch(path, this.regexp);
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

  /** Calls the handler with an error if it is an error handler: a function of exactly four parameters. */
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

  /** Calls the handler, unless it is an error handler. */
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

/**
 * The same as `match`, for middleware without a path.
 *
 * @returns The parameters; undefined for a layer whose `match` the application replaced.
 */
export function matchAll(layer: AnyLayer): Params | undefined {
  if (!(layer instanceof Layer) || layer.match !== ownMatch) return undefined;
  layer.path = '';
  layer.params = {};
  return layer.params;
}

function takesErrors(layer: Layer, handle: Handler | ErrorHandler): handle is ErrorHandler {
  return lengthOf(layer, handle) === 4;
}

function takesRequests(layer: Layer, handle: Handler | ErrorHandler): handle is Handler {
  // Not "at most three": an application may give a function any length, also NaN.
  return !(lengthOf(layer, handle) > 3);
}

/** The match of a layer, in the form that the walk uses. */
export function matchOf(layer: MatchedLayer): LayerMatch {
  const { keys, params = {}, path = '', rawPath } = layer;
  return {
    params,
    path,
    keys: keys ? namesOf(keys) : NO_NAMES,
    pattern: rawPath,
  };
}

/** Layers of a router of Express 4 have these members. */
type MatchedLayer = AnyLayer & Partial<Pick<Layer, 'keys' | 'params' | 'path'>>;

const NO_NAMES: readonly string[] = [];
const names = new WeakMap<readonly Key[], readonly string[]>();

function namesOf(keys: readonly Key[]): readonly string[] {
  if (keys.length === 0) return NO_NAMES;
  let known = names.get(keys);
  if (known?.length !== keys.length) {
    known = keys.map(({ name }) => `${name}`);
    names.set(keys, known);
  }
  return known;
}

/**
 * Writes the parameters to `params`. If a name occurs twice and the later parameter is missing, it keeps the earlier
 * value.
 */
function readParams(found: ReadonlyArray<string | undefined>, keys: readonly Key[], params: Params): Params {
  for (let i = 1; i < found.length; i++) {
    // Express throws, too, if the application's own regular expression has more groups.
    const { name } = keys[i - 1] as Key;
    const value = decodeParam(found[i]);
    if (value !== undefined || !Object.hasOwn(params, name)) params[name] = value;
  }
  return params;
}

function decodeParam(value: string | undefined): string | undefined {
  if (!value?.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch (err) {
    if (err instanceof URIError) {
      err.message = `Failed to decode param '${value}'`;
      Object.assign(err, { status: 400, statusCode: 400 });
    }
    throw err;
  }
}
