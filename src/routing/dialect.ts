/**
 * The decisions in which the routers of Express 5 and Express 4 differ. A walk (walk.ts) passes one request through the
 * stack of one router, and follows one dialect: `express5` by default; src/express4 defines that of Express 4.
 */
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Next, Path } from '../types';

/** The result of a match: the parameters, their names in order, the matched part of the path, the pattern. */
export interface LayerMatch {
  params: Record<string, unknown>;
  path: string;
  keys: readonly string[];
  /**
   * Undefined if the match came from a matcher that the application appended to the matchers of a layer with a list of
   * paths.
   */
  pattern: Path | undefined;
}

/** Segments of a path between slashes; `undefined` matches any segment. */
export interface Shape {
  segments: ReadonlyArray<string | undefined>;
  /** Whether further segments may follow. */
  isOpen: boolean;
}

/** The part of a route that the layers of a router use. */
export interface LayerRoute {
  path: Path;
  methods: Record<string, boolean>;
  _handlesMethod(method: string): boolean;
  _methods(includeAll?: boolean): string[];
}

/** A layer in the stack of a router, of Express 5 or of Express 4. */
export interface AnyLayer {
  handle: Handler | ErrorHandler;
  name: string;
  readonly rawPath: Path;
  /** Whether the layer is middleware without a path: it matches every path and removes nothing from the URL. */
  readonly slash?: boolean;
  /** The route of this layer; undefined for middleware. */
  route: LayerRoute | undefined;
  /** For a layer of a route: the method that it handles, in lower case; undefined if it handles all methods. */
  method: string | undefined;
  /**
   * Set on a layer whose paths the router's index (index-of-layers.ts) cannot parse: shapes that together cover every
   * path that the layer can match.
   */
  readonly pathShapes?: readonly Shape[];
  /**
   * Matches a path. Returns the match or false. A layer that returns `true` has stored its match, and the dialect's
   * `matchOf` reads it.
   */
  match(path: string | null | undefined): LayerMatch | boolean;
  handleRequest(req: AnyRequest, res: AnyResponse, next: Next): void;
  handleError(error: unknown, req: AnyRequest, res: AnyResponse, next: Next): void;
}

/**
 * The last run of the callbacks of one parameter. Within a walk they run again only for another value, and only if the
 * last run ended without an error or with `'route'`; otherwise the outcome of the last run is reused.
 */
export interface ParamRun {
  match: unknown;
  value: unknown;
  error: unknown;
}

/** The last run for each parameter name, within one walk. */
export type ParamRuns = Record<string, ParamRun | undefined>;

/** Runs the callbacks of a layer's parameters. A walk begins with empty `runs`. */
export type ProcessParams = (
  layer: AnyLayer,
  runs: ParamRuns,
  req: AnyRequest,
  res: AnyResponse,
  done: Next,
) => void;

export interface Dialect {
  /** Whether a mount path also matches before a dot, as `/a` matches `/a.b`. */
  readonly mountsBeforeDot: boolean;
  /**
   * Whether restoring the URL after a layer also removes the slash that the walk put in front of `req.url`, if a handler
   * has since changed `req.url`.
   */
  readonly takesSlashOff: boolean;
  /** Whether to wait for a promise that a parameter callback returns. */
  awaitsParams(req: AnyRequest): boolean;
  /** The match of a layer whose `match` returned `true`. */
  matchOf?(layer: AnyLayer): LayerMatch;
  /**
   * For middleware without a path, which matches every path: stores the parameters and the path on the layer, as its
   * `match` would.
   *
   * @returns The parameters; undefined if `match` must be called, because the application replaced `match` or
   * `process_params`.
   */
  pass?(router: object, layer: AnyLayer): Record<string, unknown> | undefined;
  /** Sends the automatic response to OPTIONS. */
  answerOptions(res: AnyResponse, methods: readonly string[]): void;
  /** The `process_params` of a router, if the application replaced it. */
  processParamsOf?(router: object): ProcessParams | undefined;
}

export const express5: Dialect = {
  mountsBeforeDot: false,
  takesSlashOff: false,
  awaitsParams: () => true,

  /** Lists the methods, already in upper case, sorted and without duplicates. §4.2 · RFC 9110 §9.3.7 */
  answerOptions(res, methods) {
    const allow = [...new Set(methods)].sort().join(', ');
    res.setHeader('Allow', allow);
    res.setHeader('Content-Length', Buffer.byteLength(allow));
    res.setHeader('Content-Type', 'text/plain');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.end(allow);
  },
};
