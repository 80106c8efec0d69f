/**
 * What the series of Express decide differently about a router: that of Express 5 is the default, that of Express 4 is in
 * src/express4. A router gives its dialect to each walk.
 */
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Next, Path } from '../types';

/** A path that matched: its parameters with their names in order, the part taken, the pattern that took it. */
export interface LayerMatch {
  params: Record<string, unknown>;
  path: string;
  keys: readonly string[];
  /** Undefined where the application changed the matchers. */
  pattern: Path | undefined;
}

/** Segments of a path between slashes; `undefined` is any one segment. */
export interface Shape {
  segments: ReadonlyArray<string | undefined>;
  /** Whether anything may follow. */
  isOpen: boolean;
}

/** What a layer of a router knows of the route behind it. */
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
  /** Takes every path and nothing of it: middleware without a path of its own. */
  readonly slash?: boolean;
  /** The route behind this layer; undefined for middleware. */
  route: LayerRoute | undefined;
  /** The method, in lower case, of a layer of a route; undefined for all methods. */
  method: string | undefined;
  /** Of a layer whose paths the index cannot read: shapes that cover every path that it can match. */
  readonly pathShapes?: readonly Shape[];
  /** What matched; `true` where the dialect's `matchOf` tells. */
  match(path: string | null | undefined): LayerMatch | boolean;
  handleRequest(req: AnyRequest, res: AnyResponse, next: Next): void;
  handleError(error: unknown, req: AnyRequest, res: AnyResponse, next: Next): void;
}

/** What the callbacks of a parameter did in this request: they run once per value. */
export interface ParamRun {
  match: unknown;
  value: unknown;
  error: unknown;
}

/** Per walk: the runs by parameter name. */
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
  /** Whether a slash that the walk put in front of `req.url` is taken off again, whatever the URL is by then. */
  readonly takesSlashOff: boolean;
  /** Whether a promise that a parameter callback returns is waited for. */
  awaitsParams(req: AnyRequest): boolean;
  /** What a layer whose `match` returns `true` has matched. */
  matchOf?(layer: AnyLayer): LayerMatch;
  /** Sends the automatic response to OPTIONS. */
  answerOptions(res: AnyResponse, methods: readonly string[]): void;
  /** The function of a router that an application put in the place of our own. */
  processParamsOf?(router: object): ProcessParams | undefined;
}

export const express5: Dialect = {
  mountsBeforeDot: false,
  takesSlashOff: false,
  awaitsParams: () => true,

  /** Methods in upper case, each once. §4.2 · RFC 9110 §9.3.7 */
  answerOptions(res, methods) {
    const allow = [...new Set(methods)].sort().join(', ');
    res.setHeader('Allow', allow);
    res.setHeader('Content-Length', Buffer.byteLength(allow));
    res.setHeader('Content-Type', 'text/plain');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.end(allow);
  },
};
