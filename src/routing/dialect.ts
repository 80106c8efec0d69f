/**
 * The decisions in which the routers of Express 5 and Express 4 differ. Express 5 is the default; src/express4
 * defines those of Express 4. A router passes its dialect to each walk.
 */
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Next, Path } from '../types';

/** The result of a match: the parameters, their names in order, the matched part of the path, the pattern. */
export interface LayerMatch {
  params: Record<string, unknown>;
  path: string;
  keys: readonly string[];
  /** Undefined if the application replaced the layer's matchers. */
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
  /** The method, in lower case, of a layer of a route; undefined for all methods. */
  method: string | undefined;
  /** Set on a layer whose paths the index cannot parse: the shapes cover every path that the layer can match. */
  readonly pathShapes?: readonly Shape[];
  /** The match of a path; `true` if the dialect's `matchOf` returns the match. */
  match(path: string | null | undefined): LayerMatch | boolean;
  handleRequest(req: AnyRequest, res: AnyResponse, next: Next): void;
  handleError(error: unknown, req: AnyRequest, res: AnyResponse, next: Next): void;
}

/** The result of the callbacks of one parameter. They run once per request and value. */
export interface ParamRun {
  match: unknown;
  value: unknown;
  error: unknown;
}

/** For each walk, the runs by parameter name. */
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
  /** Whether to remove a slash that the walk added to `req.url`, even if a handler has since changed `req.url`. */
  readonly takesSlashOff: boolean;
  /** Whether to wait for a promise that a parameter callback returns. */
  awaitsParams(req: AnyRequest): boolean;
  /** The match of a layer whose `match` returned `true`. */
  matchOf?(layer: AnyLayer): LayerMatch;
  /**
   * For middleware without a path, stores the match on the layer.
   *
   * @returns The parameters; undefined if the application can observe that the layer was not matched.
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

  /** Methods in upper case, without duplicates. §4.2 · RFC 9110 §9.3.7 */
  answerOptions(res, methods) {
    const allow = [...new Set(methods)].sort().join(', ');
    res.setHeader('Allow', allow);
    res.setHeader('Content-Length', Buffer.byteLength(allow));
    res.setHeader('Content-Type', 'text/plain');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.end(allow);
  },
};
