/**
 * Passes one request through the stack of one router. `next()` finds the next matching layer, prepares the request and
 * calls the layer. An error goes to the next error handler. §1 §7
 */
import createDebug from 'debug';
import parseUrl from 'parseurl';
import type { AnyRequest, AnyResponse, Next, Path } from '../types';
import {
  type AnyLayer,
  type Dialect,
  express5,
  type LayerMatch,
  type LayerRoute,
  type ParamRuns,
} from './dialect';
import { type Candidates, type LayerIndex, nextCandidate } from './index-of-layers';

import { hasCallbacks, mergeParams, type ParamCallbacks, runParamCallbacks } from './params';
import type { Params } from './pattern';
import { MAX_SYNC_CALLS } from './route';
import { kMatched, recordError } from './tracing';

const debug = createDebug('router');

/** The members of a router that a walk reads. The application may change them at any time. */
export interface WalkedRouter {
  params: ParamCallbacks;
  mergeParams: boolean | undefined;
}

/** The layers of a router, and their current index. */
interface WalkedStack {
  readonly layers: readonly AnyLayer[];
  index(): LayerIndex;
}

/**
 * Passes a request through `stack`. After the last layer it calls `callback`, with the error if one is pending, or
 * sends the automatic response to OPTIONS.
 *
 * @param dialect The Express version to follow. Default: Express 5.
 */
export function walk(
  router: WalkedRouter,
  stack: WalkedStack,
  req: AnyRequest,
  res: AnyResponse,
  callback: Next,
  dialect: Dialect = express5,
): void {
  if (isDebugged()) debug('dispatching %s %s', req.method, req.url);
  new Walk(router, stack, req, res, callback, dialect).start();
}

const FEW_LAYERS = 4;

/** The type of `req._parsedUrl`, in which `parseurl` caches its result. */
type ParsedUrl = ReturnType<typeof parseUrl>;

/** The last lookup in the index: its inputs and its result. The walk repeats the lookup if an input has changed. */
interface Lookup {
  readonly path: string;
  readonly index: LayerIndex;
  readonly size: number;
  readonly candidates: Candidates | undefined;
}

/** The state of one walk. `#next` is the only closure that every walk creates. */
class Walk {
  readonly #router: WalkedRouter;
  readonly #stack: WalkedStack;
  readonly #layers: readonly AnyLayer[];
  readonly #req: AnyRequest;
  readonly #res: AnyResponse;
  readonly #callback: Next;
  readonly #dialect: Dialect;
  // The original properties of the request, which `#finish` restores. Separate fields and not one object: V8 may
  // allocate the objects that a literal creates directly in the old generation, where they keep other objects alive for
  // longer.
  readonly #formerBaseUrl: string;
  readonly #formerNext: Next | undefined;
  readonly #formerParams: AnyRequest['params'];
  readonly #formerMatched: Path | undefined;
  /**
   * `originOf(req.url)` at the start of the walk, such as `http://example.com`; empty if the URL starts with a slash.
   */
  readonly #origin: string;
  readonly #parentUrl: string;
  /** The function that every handler of this walk receives as `next`. */
  readonly #next: Next;
  /**
   * For an OPTIONS request: the methods of the routes that match the path but have no handler for OPTIONS, for the
   * automatic response. Undefined for other requests.
   */
  readonly #allowed: string[] | undefined;
  readonly #isDebugged: boolean = isDebugged();
  readonly #mergesParams: boolean | undefined;
  #paramRuns: ParamRuns | undefined;

  #position = 0;
  /** The number of calls of `#advance` since a layer last returned. The limit is `MAX_SYNC_CALLS`. */
  #sync = 0;
  /** The mount path that was removed from `req.url` for the current layer; empty if there is none. */
  #removed = '';
  #isSlashAdded = false;

  /** The value of `req.url` that `#parsed` belongs to. */
  #url: string | undefined;
  #parsed: ParsedUrl | undefined;
  #lookup: Lookup | undefined;

  constructor(
    router: WalkedRouter,
    stack: WalkedStack,
    req: AnyRequest,
    res: AnyResponse,
    callback: Next,
    dialect: Dialect,
  ) {
    this.#router = router;
    this.#stack = stack;
    this.#layers = stack.layers;
    this.#mergesParams = router.mergeParams;
    this.#req = req;
    this.#res = res;
    this.#callback = callback;
    this.#dialect = dialect;
    this.#formerBaseUrl = req.baseUrl;
    this.#formerNext = req.next;
    this.#formerParams = req.params;
    this.#formerMatched = req[kMatched];
    this.#origin = originOf(req.url);
    this.#parentUrl = req.baseUrl || '';
    // Assigned through a local variable: otherwise V8 allocates the closure in the old generation, where it keeps the
    // request alive for longer.
    const next: Next = (err) => this.#advance(err);
    this.#next = next;
    this.#allowed = req.method === 'OPTIONS' ? [] : undefined;
  }

  start(): void {
    const req = this.#req;
    req.next = this.#next;
    req.baseUrl = this.#parentUrl;
    req.originalUrl = req.originalUrl || req.url;
    this.#advance(undefined);
  }

  /** Implements `next`: calls the next layer that matches, or ends the walk. */
  #advance(err: unknown): void {
    const req = this.#req;
    if (err) recordError(req, err);
    const error = err === 'route' ? null : err;

    if (this.#removed !== '' || this.#isSlashAdded) this.#restoreUrl();
    if (error === 'router') return this.#finishLater(null);
    if (this.#position >= this.#layers.length) return this.#finishLater(error);
    if (++this.#sync > MAX_SYNC_CALLS) {
      setImmediate(this.#next, err);
      return;
    }
    const path = this.#pathname(req);
    if (path === undefined || path === null) return this.#finish(error);
    // Fast path: a layer whose `slash` is true needs no lookup and no match.
    const layer = this.#layers[this.#position];
    const params = layer?.slash ? this.#paramsPassed(layer) : undefined;
    if (layer && params) {
      this.#position++;
      this.#pass(layer, params, error);
    } else this.#callNext(path, error);
  }

  /** Returns the path of `req.url`; undefined or null if `req.url` is missing, malformed or has no path. */
  #pathname(req: AnyRequest & { _parsedUrl?: ParsedUrl }): string | null | undefined {
    const known = this.#parsed;
    if (known && req._parsedUrl === known && req.url === this.#url) return known.pathname;
    try {
      this.#parsed = parseUrl(req);
    } catch {
      this.#parsed = undefined;
    }
    this.#url = req.url;
    return this.#parsed?.pathname;
  }

  /** Calls the next layer that matches the path and, for a route, the method. Ends the walk if there is none. */
  #callNext(path: string, pending: unknown): void {
    let error = pending;
    for (;;) {
      const position = this.#nextPosition(path);
      if (position >= this.#layers.length) return this.#finish(error);
      const layer = this.#layers[position] as AnyLayer;
      // `route` is read before the `try`, so that an empty element of the stack throws here, as in Express.
      const route = layer.route;
      const params = layer.slash ? this.#paramsPassed(layer) : undefined;
      if (params) return this.#pass(layer, params, error);
      let match: LayerMatch | boolean = false;
      try {
        match = layer.match(path);
      } catch (failure) {
        recordError(this.#req, failure);
        error = error || failure;
      }
      // Routes are skipped while an error is pending.
      if (match && !(route && (error || !this.#takesMethod(route)))) {
        return this.#call(layer, this.#resultOf(layer, match), path, error);
      }
    }
  }

  /**
   * Returns the position of the next layer that may match, and sets `#position` after it. Returns the length of the
   * stack or more if there is none.
   */
  #nextPosition(path: string): number {
    const { length } = this.#layers;
    const left = length - this.#position;
    // For few layers, trying each of them is faster than a lookup.
    if (left <= FEW_LAYERS) return left > 0 ? this.#position++ : length;
    const index = this.#stack.index();
    let lookup = this.#lookup;
    // Repeat the lookup if middleware has rewritten the path, or the application has changed the stack.
    if (!lookup || lookup.path !== path || lookup.index !== index || lookup.size !== index.size) {
      lookup = { path, index, size: index.size, candidates: index.candidates(path) };
      this.#lookup = lookup;
    }
    const position = nextCandidate(lookup.candidates, this.#position);
    this.#position = Math.min(position + 1, length);
    return position;
  }

  /**
   * Returns the match of a layer. Layers of Express 4 only return `true`, and `matchOf` reads the match that they
   * stored.
   */
  #resultOf(layer: AnyLayer, match: LayerMatch | true): LayerMatch {
    const { matchOf } = this.#dialect;
    // A cast, because without `matchOf` no layer returns `true`.
    return match === true && matchOf ? matchOf(layer) : (match as LayerMatch);
  }

  #takesMethod(route: LayerRoute): boolean {
    const { method } = this.#req;
    if (route._handlesMethod(method)) return true;
    if (method === 'OPTIONS') this.#allowed?.push(...route._methods());
    // As in Express, a HEAD request enters a route that does not handle HEAD: `req.route` is set and parameter
    // callbacks run.
    return method === 'HEAD';
  }

  /** Returns the parameters of a layer whose `slash` is true; undefined if `layer.match` must be called. */
  #paramsPassed(layer: AnyLayer): Params | undefined {
    const dialect = this.#dialect;
    return dialect.pass ? dialect.pass(this.#router, layer) : {};
  }

  /** Calls a layer whose `slash` is true. It needs no match, and `req.url` does not change. */
  #pass(layer: AnyLayer, params: Params, error: unknown): void {
    this.#setParams(params, layer.rawPath);
    this.#run(layer, '', error);
    this.#sync = 0;
  }

  /** Runs the parameter callbacks of a layer that matched, then its route or middleware. */
  #call(layer: AnyLayer, match: LayerMatch, path: string, error: unknown): void {
    const req = this.#req;
    if (layer.route) req.route = layer.route;
    this.#setParams(match.params, match.pattern);
    // A `match` of the application may return no `keys`.
    const { keys = [] }: Partial<LayerMatch> = match;
    const { params: callbacks } = this.#router;
    const processParams = this.#dialect.processParamsOf?.(this.#router);
    if (!processParams && (keys.length === 0 || !hasCallbacks(callbacks, keys)))
      return this.#enter(layer, match.path, path, error);
    this.#paramRuns ??= {};
    const done: Next = (failure) => {
      if (!failure) return this.#enter(layer, match.path, path, error);
      this.#advance(error || failure);
      this.#sync = 0;
    };
    if (processParams) processParams.call(this.#router, layer, this.#paramRuns, req, this.#res, done);
    else {
      const awaits = this.#dialect.awaitsParams(req);
      runParamCallbacks(callbacks, layer, keys, this.#paramRuns, req, this.#res, done, awaits);
    }
  }

  #setParams(params: Params, pattern: LayerMatch['pattern']): void {
    const req = this.#req;
    req[kMatched] = pattern;
    req.params = this.#mergesParams ? mergeParams(params, this.#formerParams) : params;
  }

  #enter(layer: AnyLayer, mountPath: string, path: string, error: unknown): void {
    if (layer.route) layer.handleRequest(this.#req, this.#res, this.#next);
    else if (this.#mount(mountPath, path)) this.#run(layer, mountPath, error);
    else this.#advance(error);
    this.#sync = 0;
  }

  #run(layer: AnyLayer, mountPath: string, error: unknown): void {
    const req = this.#req;
    if (this.#isDebugged) debug('%s %s : %s', layer.name, mountPath, req.originalUrl);
    if (error) layer.handleError(error, req, this.#res, this.#next);
    else layer.handleRequest(req, this.#res, this.#next);
  }

  /**
   * For middleware: removes the mount path from `req.url` and appends it to `req.baseUrl`, without a trailing slash. §1
   * rule 7
   *
   * @returns False if `mountPath` is not at the start of `path`, or if the path continues within a segment, except
   * before a dot if `mountsBeforeDot` is set. Such a match comes from a regular expression, or from code of the
   * application.
   */
  #mount(mountPath: string, path: string): boolean {
    if (mountPath.length === 0) return true;
    const following = path[mountPath.length];
    if (!path.startsWith(mountPath)) return false;
    if (following && following !== '/' && !(following === '.' && this.#dialect.mountsBeforeDot)) return false;

    const req = this.#req;
    const origin = this.#origin;
    if (this.#isDebugged) debug('trim prefix (%s) from url %s', mountPath, req.url);
    this.#removed = mountPath;
    req.url = origin + req.url.slice(origin.length + mountPath.length);
    if (!origin && req.url[0] !== '/') {
      req.url = `/${req.url}`;
      this.#isSlashAdded = true;
    }
    req.baseUrl = this.#parentUrl + (mountPath.endsWith('/') ? mountPath.slice(0, -1) : mountPath);
    return true;
  }

  /** Undoes `#mount`. Keeps changes that the layer made to the URL below its mount path. */
  #restoreUrl(): void {
    const req = this.#req;
    const removed = this.#removed;
    if (this.#isSlashAdded) {
      const isRoot = req.url === '/' || req.url.startsWith('/?');
      if (this.#dialect.takesSlashOff || isRoot || (removed.endsWith('/') && req.url[0] === '/'))
        req.url = req.url.slice(1);
      this.#isSlashAdded = false;
    }
    req.baseUrl = this.#parentUrl;
    req.url = this.#origin + removed + req.url.slice(this.#origin.length);
    this.#removed = '';
  }

  /**
   * Ends the walk in a later turn of the event loop, as Express does after the last layer and after `next('router')`.
   */
  #finishLater(error: unknown): void {
    setImmediate(() => this.#finish(error));
  }

  /**
   * Ends the walk. Sends the automatic response to OPTIONS if `#allowed` has methods and no error is pending. Otherwise
   * restores the request and calls the callback of the walk.
   */
  #finish(err: unknown): void {
    let error = err;
    if (!error && this.#allowed?.length) {
      try {
        return this.#dialect.answerOptions(this.#res, this.#allowed);
      } catch (failure) {
        error = failure;
      }
    }
    const req = this.#req;
    req.baseUrl = this.#formerBaseUrl;
    req.next = this.#formerNext;
    req.params = this.#formerParams;
    req[kMatched] = this.#formerMatched;
    const callback = this.#callback;
    callback(error);
  }
}

/**
 * Returns the text before the first slash after `://` in an absolute request target, usually scheme and authority. For
 * other targets, and without such a slash, returns an empty string, as Express does. RFC 9112 §3.2.2
 */
export function originOf(url: string): string {
  if (typeof url !== 'string' || url.length === 0 || url[0] === '/') return '';
  const query = url.indexOf('?');
  const scheme = url.slice(0, query === -1 ? url.length : query).indexOf('://');
  return scheme === -1 ? '' : url.slice(0, Math.max(url.indexOf('/', scheme + 3), 0));
}

let namespaces: unknown;
let isOn = false;

/**
 * Whether debug output is on. Cached until `debug.enable` changes the namespaces, because the getter `debug.enabled` is
 * slow.
 */
function isDebugged(): boolean {
  // @types/debug does not declare `namespaces`.
  const { namespaces: now } = createDebug as { namespaces?: unknown };
  if (now !== namespaces) {
    namespaces = now;
    isOn = debug.enabled;
  }
  return isOn;
}
