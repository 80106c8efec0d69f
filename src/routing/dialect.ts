/**
 * Express 5 and Express 4 route almost alike, and walk.ts serves both. A `Dialect` consists of the rules of the series and
 * of the access to its layers, which differ in their members.
 */
import type { RoutingRules } from '../series';
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Next, Path } from '../types';

/** The name of a parameter. An unnamed group has a number: a string in Express 5, and a number in Express 4. */
export type ParamName = string | number;

/** Decoded values by parameter name. The name of an unnamed group of a regular expression is its number. */
export type Params = Record<string, unknown>;

/** The result of matching a path against a layer. */
export interface LayerMatch {
  params: Params;
  /** The part of the path that matched: for middleware the mount path; empty if `AnyLayer.slash` is true. */
  path: string;
  /** The parameter names, in the order in which their callbacks run. */
  keys: readonly ParamName[];
  /**
   * The pattern that matched, for tracing. Undefined in Express 4, which has no tracing, and if the application pushed
   * an extra matcher to `matchers` of a layer whose path is an array, and this matcher matched.
   */
  pattern: Path | undefined;
}

/** A path pattern reduced to whole segments, for the index of the router (layer-index.ts). */
export interface Shape {
  /** The segments up to the first wildcard: `['', 'users', undefined]` for `/users/:id`. `undefined`: any text. */
  segments: ReadonlyArray<string | undefined>;
  /** If true, a request path may have further segments. If false, only a trailing slash may follow. */
  isOpen: boolean;
}

/** The members of a route that a router uses. */
export interface LayerRoute {
  path: Path;
  methods: Record<string, boolean>;
  _handlesMethod(method: string): boolean;
  _methods(includeAll?: boolean): string[];
}

/** An element of the `stack` of a router or of a route, in Express 5 or Express 4. */
export interface AnyLayer {
  handle: Handler | ErrorHandler;
  name: string;
  /** The path as registered. */
  readonly rawPath: Path;
  /** True for middleware with the mount path `/`: it matches every path and removes nothing from `req.url`. */
  readonly slash?: boolean;
  /** The route that the layer runs. Undefined for middleware, and for a layer in the stack of a route. */
  route: LayerRoute | undefined;
  /** The method that a layer of a route handles, in lower case. Undefined for all methods, and in a router. */
  method: string | undefined;
  /**
   * Only for layers of Express 4, whose path syntax the index cannot parse: shapes that together cover every path that
   * the layer matches. Undefined if the layer matches every path (`app.use(fn)`, `'*'`), or if the application has
   * replaced how it matches.
   */
  readonly pathShapes?: readonly Shape[] | undefined;
  /** Whether the layer matches a path. What it returns or stores depends on the dialect; see `LayerAccess.match`. */
  match(path: string | null | undefined): LayerMatch | boolean;
  // Layers have the methods of one series, under the names of `DispatchRules`.
  handleRequest: CallRequest;
  handleError: CallError;
  handle_request: CallRequest;
  handle_error: CallError;
}

type CallRequest = (req: AnyRequest, res: AnyResponse, next: Next) => void;
type CallError = (error: unknown, req: AnyRequest, res: AnyResponse, next: Next) => void;

/**
 * The last outcome of the callbacks of one parameter. Later layers of the walk reuse it if the parameter has the same
 * value. After an error other than `'route'`, they reuse it for every value.
 */
export interface ParamRun {
  /** The value of the parameter when its callbacks started. */
  match: unknown;
  /** The value of the parameter in `req.params` when a callback last called `next`. */
  value: unknown;
  /** The error, `'route'` or `'router'` that a callback passed to `next`; null if there was none. */
  error: unknown;
}

/** The last outcome for each parameter name, within one walk. */
export type ParamRuns = Record<string, ParamRun | undefined>;

/** Calls the parameter callbacks of a layer, then `done`. `router.process_params` of Express 4 has this type. */
export type ProcessParams = (
  layer: AnyLayer,
  runs: ParamRuns,
  req: AnyRequest,
  res: AnyResponse,
  done: Next,
) => void;

/** What a layer on `/` does, which then continues with the next layer. @param next Passed on, but not called. */
export type Step = (req: AnyRequest, res: AnyResponse, next: Next) => void;

/** How the walk uses the layers of a series. */
export interface LayerAccess {
  /**
   * Returns the parameters of a layer whose `slash` is true, without a call of `match`. Returns undefined if `match` must
   * be called.
   */
  paramsOfSlash(layer: AnyLayer): Params | undefined;
  /** Matches a path against a layer. Calls `layer.match`, which the application may have replaced. */
  match(layer: AnyLayer, path: string): LayerMatch | false;
  /**
   * Returns what the first layers of a router do, for the walk to do it directly. Returns undefined if their methods must
   * be called.
   */
  readonly builtInSteps:
    | ((router: object, layers: readonly AnyLayer[]) => readonly Step[] | undefined)
    | undefined;
  /** Returns the `process_params` of a router if it was replaced. It then runs for every layer that matches. */
  readonly overriddenParams: ((router: object) => ProcessParams | undefined) | undefined;
}

export interface Dialect extends RoutingRules, LayerAccess {}
