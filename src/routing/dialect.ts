/**
 * What the series of Express decide differently about a router: that of Express 5 is the default, that of Express 4 is in
 * src/express4. A router gives its dialect to each walk.
 */
import type { Next, Path, Request, Response } from '../types';
import type { Params } from './pattern';

/** A path that matched: its parameters with their names in order, the part taken, the pattern that took it. */
export interface LayerMatch {
  params: Params;
  path: string;
  keys: readonly string[];
  /** Undefined where the application changed the matchers. */
  pattern: Path | undefined;
}

/** Runs the callbacks of a layer's parameters; `runs` is empty at the start of a walk. */
export type ProcessParams = (layer: object, runs: object, req: Request, res: Response, done: Next) => void;

export interface Dialect {
  /** Whether a mount path may also end before a dot. */
  readonly mountsBeforeDot: boolean;
  /** Whether a slash that the walk put in front of `req.url` is taken off again, whatever the URL is by then. */
  readonly takesSlashOff: boolean;
  /** Whether a promise that a parameter callback returns is waited for. */
  awaitsParams(req: Request): boolean;
  /** What a layer whose `match` returns `true` has matched. */
  matchOf?(layer: object): LayerMatch;
  /** Sends the automatic response to OPTIONS. */
  answerOptions(res: Response, methods: readonly string[]): void;
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
