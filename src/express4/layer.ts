/**
 * A layer of an Express 4 router: a path, which path-to-regexp compiles, and its handler. E4-B, E4-C6, E4-C7, E4-C23,
 * E4-C24
 *
 * As in Express, applications can read `regexp` and `keys`. `params` and `path` belong to the last match of any
 * request.
 */
import createDebug from 'debug';
import pathToRegexp from 'path-to-regexp-0';
import { type Creator, callable } from '../internal/callable';
import type { Constructible } from '../internal/constructible';
import { named } from '../internal/named';
import { compileMatch, type Match } from '../legacy/linear-regexp';
import type { AnyLayer, LayerMatch, ParamName, Shape } from '../routing/dialect';
import { callMethods, HandlerLayer } from '../routing/layer';
import { decodeParam } from '../routing/pattern';
import type { ErrorHandler, Handler, Path } from '../types';
import { type PathOptions, shapesOf } from './path-shapes';
import { express4 } from './series';

const debug = createDebug('express:router:layer');

/** A parameter, with its position in the source of the regular expression. */
interface Key {
  name: string | number;
  optional: boolean;
  offset: number;
}

/** A regular expression with the properties that Express sets on it. */
export type LayerRegExp = RegExp & { fast_star: boolean; fast_slash: boolean };
type Params = Record<string | number, string | undefined>;

/** What the router of Express 5 calls. A class of its own, because `Layer.prototype` must be that of Express 4. */
abstract class WalkedLayer extends HandlerLayer {
  declare keys: Key[];
  declare regexp: LayerRegExp;
  declare params: Params | undefined;
  declare path: string | undefined;
  readonly #path: Path;
  readonly #shapes: readonly Shape[];

  constructor(pattern: Path, options: PathOptions) {
    super();
    this.#path = pattern;
    this.#shapes = shapesOf(pattern, options);
  }

  /** The path as registered, for tools that list routes. */
  get rawPath(): Path {
    return this.#path;
  }

  /** Whether the layer is middleware on `/`: it matches every path and removes nothing from the URL. */
  get slash(): boolean {
    // The application may have deleted `regexp`. `match` then throws, as in Express.
    const { regexp }: { regexp?: LayerRegExp } = this;
    return regexp?.fast_slash === true;
  }

  get pathShapes(): readonly Shape[] | undefined {
    return matchesItsPath(this) ? this.#shapes : undefined;
  }
}

/** Whether only the path decides what a layer matches: nothing of it is replaced, and no flag is set. */
let matchesItsPath: (layer: WalkedLayer) => boolean;

export class Layer extends WalkedLayer {
  declare name: string;
  /** For a layer of a route: the method in lower case, or undefined for all methods. */
  declare method: string | undefined;
  readonly #compiled: RegExp;
  readonly #match: Match;

  /**
   * Creates a layer and compiles its path.
   *
   * @throws {TypeError} for a path that is not a string, list or regular expression.
   * @throws {SyntaxError} for a path that compiles to an invalid regular expression.
   */
  constructor(path: Path, options: PathOptions, handle: Handler | ErrorHandler) {
    super(path, options);
    if (debug.enabled) debug('new %o', path);
    // `HandlerLayer` only declares `handle`: express-async-errors defines an accessor on the prototype, which only an
    // assignment calls.
    this.handle = handle;
    this.name = handle.name || '<anonymous>';
    this.params = undefined;
    this.path = undefined;
    this.keys = [];
    this.regexp = Object.assign(pathToRegexp(path, this.keys, options), {
      fast_star: path === '*',
      fast_slash: path === '/' && options.end === false,
    });
    this.#compiled = this.regexp;
    // V8 matches an application's own regular expression, because it may have any flags.
    this.#match =
      path instanceof RegExp
        ? (text) => path.exec(text)
        : compileMatch(path, this.regexp, options.end === false);
  }

  static {
    matchesItsPath = (layer) =>
      #compiled in layer &&
      layer.match === ownMatch &&
      layer.regexp === layer.#compiled &&
      !(layer.regexp.fast_slash || layer.regexp.fast_star);
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
        storeSlash(this);
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

const { match: ownMatch } = Layer.prototype;
const calls = callMethods(express4.routing);

// Deleted first, because `match` is the last member in Express, too.
Reflect.deleteProperty(Layer.prototype, 'match');
// In stack traces `Layer.handle [as handle_request]` and `Layer.handle_error`, for which express-rate-limit searches.
Object.assign(Layer.prototype, {
  handle_error: named('handle_error', calls.handleError),
  handle_request: named('handle', calls.handleRequest),
  match: ownMatch,
});

/** A layer in the stack of a router. Without the optional members, if the application has put another object there. */
type StackedLayer = AnyLayer & Partial<Pick<Layer, 'keys' | 'params' | 'path'>>;

/** Matches a path against a layer. Returns what the layer then has in `params` and `path`. */
export function matchLayer(layer: StackedLayer, path: string): LayerMatch | false {
  if (!layer.match(path)) return false;
  return { params: layer.params ?? {}, path: layer.path ?? '', keys: namesOf(layer), pattern: undefined };
}

/** Whether a layer is on `/`, and the application has replaced neither its handler nor the methods that call it. */
export function isOriginal(layer: AnyLayer & { handle_request?: unknown }, handler: unknown): boolean {
  return (
    layer.handle === handler &&
    layer.handle_request === calls.handleRequest &&
    layer.match === ownMatch &&
    layer.slash === true
  );
}

/**
 * Does for a layer on `/` what its method `match` does. Returns its parameters; undefined if the application has replaced
 * the method, or if it is the layer of a route.
 */
export function enterSlash(layer: StackedLayer): Params | undefined {
  return layer.match !== ownMatch || layer.route ? undefined : storeSlash(layer);
}

/** Stores the match of a layer on `/`, and returns its parameters. */
function storeSlash(layer: StackedLayer): Params {
  const params = {};
  layer.params = params;
  layer.path = '';
  return params;
}

const NO_NAMES: readonly ParamName[] = [];
const names = new WeakMap<readonly Key[], readonly ParamName[]>();

export function namesOf({ keys }: StackedLayer): readonly ParamName[] {
  if (!keys || keys.length === 0) return NO_NAMES;
  let known = names.get(keys);
  if (known?.length !== keys.length) {
    known = keys.map(({ name }) => name);
    names.set(keys, known);
  }
  return known;
}

/** Writes the values to `params`. If the later of two parameters with one name is missing, the earlier stays. */
function readParams(found: ReadonlyArray<string | undefined>, keys: readonly Key[], params: Params): Params {
  for (let i = 1; i < found.length; i++) {
    // As in Express, this throws if an application's own regular expression has more groups than keys.
    const { name } = keys[i - 1] as Key;
    const text = found[i];
    const value = text?.includes('%') ? decodeParam(text) : text;
    if (value !== undefined || !Object.hasOwn(params, name)) params[name] = value;
  }
  return params;
}
