/**
 * What the series of Express decide differently about a router: Express 5 is the default, Express 4 is in src/express4.
 * A router passes its dialect to each walk.
 */
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Next, Path } from '../types';

/** A match: the parameters with their names in order, the matched part, the pattern. */
export interface LayerMatch {
  params: Record<string, unknown>;
  path: string;
  keys: readonly string[];
  /** Undefined if the application changed the matchers. */
  pattern: Path | undefined;
}

/** Segments of a path between slashes; `undefined` matches any segment. */
export interface Shape {
  segments: ReadonlyArray<string | undefined>;
  /** Whether anything may follow. */
  isOpen: boolean;
}

/** What a layer of a router knows of its route. */
export interface LayerRoute {
  path: Path;
  methods: Record<string, boolean>;
  _handlesMethod(method: string): boolean;
  _methods(includeAll?: boolean): string[];
}

/** A layer of any series, in the stack of a router. */
export interface AnyLayer {
  handle: Handler | ErrorHandler;
  name: string;
  readonly rawPath: Path;
  /** Matches every path without consuming it: middleware without a path. */
  readonly slash?: boolean;
  /** The route of this layer; undefined for middleware. */
  route: LayerRoute | undefined;
  /** The method, in lower case, of a layer of a route; undefined for all methods. */
  method: string | undefined;
  /** For a layer whose paths the index cannot parse: shapes that cover every path that it can match. */
  readonly pathShapes?: readonly Shape[];
  /** The match; `true` if the dialect's `matchOf` returns it. */
  match(path: string | null | undefined): LayerMatch | boolean;
  handleRequest(req: AnyRequest, res: AnyResponse, next: Next): void;
  handleError(error: unknown, req: AnyRequest, res: AnyResponse, next: Next): void;
}

/** The results of the parameter callbacks in this request: they run once per value. */
export interface ParamRun {
  match: unknown;
  value: unknown;
  error: unknown;
}

/** For each walk, the runs by parameter name. */
export type ParamRuns = Record<string, ParamRun | undefined>;

/** Runs the callbacks of a layer's parameters; `runs` is empty at the start of a walk. */
export type ProcessParams = (
  layer: AnyLayer,
  runs: ParamRuns,
  req: AnyRequest,
  res: AnyResponse,
  done: Next,
) => void;

export interface Dialect {
  /** Whether a mount path may also end before a dot. */
  readonly mountsBeforeDot: boolean;
  /** Whether to remove a slash that the walk added to `req.url`, whatever the URL is by then. */
  readonly takesSlashOff: boolean;
  /** Whether to wait for a promise that a parameter callback returns. */
  awaitsParams(req: AnyRequest): boolean;
  /** The match of a layer whose `match` returned `true`. */
  matchOf?(layer: AnyLayer): LayerMatch;
  /** Sends the automatic response to OPTIONS. */
  answerOptions(res: AnyResponse, methods: readonly string[]): void;
  /** The function of a router with which an application replaced ours. */
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
