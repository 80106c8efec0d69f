/**
 * Express 5 and Express 4 route almost alike. walk.ts serves both, and a *dialect* holds the differences: `express5`
 * below is the default, and src/express4/router.ts defines the dialect of Express 4.
 */
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
  /** Whether the layer matches a path. What it returns or stores depends on the dialect; see `Dialect.match`. */
  match(path: string | null | undefined): LayerMatch | boolean;
  // Layers have the methods of one version, under the names of `CallNames`.
  handleRequest: CallRequest;
  handleError: CallError;
  handle_request: CallRequest;
  handle_error: CallError;
}

type CallRequest = (req: AnyRequest, res: AnyResponse, next: Next) => void;
type CallError = (error: unknown, req: AnyRequest, res: AnyResponse, next: Next) => void;

/**
 * The names of the methods of a layer that call its handler. APM agents replace these methods, and packages read their
 * names in stack traces. So the router calls the method itself, and no method that would call it.
 */
export interface CallNames {
  readonly request: 'handleRequest' | 'handle_request';
  readonly error: 'handleError' | 'handle_error';
}

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

/** The differences between the routers of Express 5 and Express 4. */
export interface Dialect {
  readonly calls: CallNames;
  /** Whether `mount` accepts a dot after the matched path, as for `/a` in `/a.b`. */
  readonly prefixMayEndAtDot: boolean;
  /**
   * Whether `restoreUrl` always removes the first character of `req.url` if `mount` added a slash. If
   * false, it keeps a URL that the layer has rewritten, unless both the mount path and the URL supply a slash where they
   * join.
   */
  readonly alwaysStripsAddedSlash: boolean;
  /** Whether the method `handle` of a router throws if it receives no callback. */
  readonly requiresCallback: boolean;
  /**
   * Returns the parameters of a layer whose `slash` is true, without a call of `match`. Returns undefined if `match` must
   * be called.
   */
  paramsOfSlash(layer: AnyLayer): Params | undefined;
  /** Whether the rejection of a promise that a parameter callback returns goes to `next`, or is ignored. */
  awaitsParams(req: AnyRequest): boolean;
  /** Matches a path against a layer. Calls `layer.match`, which the application may have replaced. */
  match(layer: AnyLayer, path: string): LayerMatch | false;
  /** Sends the automatic response to OPTIONS. @param methods In upper case, possibly with duplicates. */
  answerOptions(res: AnyResponse, methods: readonly string[]): void;
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

export const express5: Dialect = {
  calls: { request: 'handleRequest', error: 'handleError' },
  prefixMayEndAtDot: false,
  alwaysStripsAddedSlash: false,
  requiresCallback: true,
  paramsOfSlash: () => ({}),
  awaitsParams: () => true,
  builtInSteps: undefined,
  overriddenParams: undefined,
  // A cast, because only layers of Express 4 return `true`.
  match: (layer, path) => layer.match(path) as LayerMatch | false,

  /** Sends the methods in `Allow` and as the body, sorted and without duplicates. §4.2 · RFC 9110 §9.3.7 */
  answerOptions(res, methods) {
    const allow = [...new Set(methods)].sort().join(', ');
    res.setHeader('Allow', allow);
    res.setHeader('Content-Length', Buffer.byteLength(allow));
    res.setHeader('Content-Type', 'text/plain');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.end(allow);
  },
};

// The application may add properties to `Object.prototype`, and the walk must not take them for optional members.
Object.setPrototypeOf(express5, null);
