/**
 * Passes one request through the stack of one router. `next()` finds the next matching layer, prepares the request
 * and calls the layer; an error goes to the next error handler. §1 §7
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

/** The members of a router that a walk reads. The application may change both at any time. */
export interface WalkedRouter {
  params: ParamCallbacks;
  mergeParams: boolean | undefined;
}

/** A router's layers and their current index. */
interface WalkedStack {
  readonly layers: readonly AnyLayer[];
  index(): LayerIndex;
}

/**
 * Passes a request through `stack`, then calls `callback` with the pending error, if there is one.
 *
 * @param dialect Default: that of Express 5.
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

/** The cache that `parseurl` stores on the request. */
type ParsedUrl = ReturnType<typeof parseUrl>;

/** The last index lookup: its inputs and its result. It is repeated if an input has changed. */
interface Lookup {
  readonly path: string;
  readonly index: LayerIndex;
  readonly size: number;
  readonly candidates: Candidates | undefined;
}

/** The state of one walk. `next()` is the only closure that every walk creates. */
class Walk {
  readonly #router: WalkedRouter;
  readonly #stack: WalkedStack;
  readonly #layers: readonly AnyLayer[];
  readonly #req: AnyRequest;
  readonly #res: AnyResponse;
  readonly #callback: Next;
  readonly #dialect: Dialect;
  // The original properties of the request, restored after the walk. They are separate fields and not an object literal:
  // once such an object has survived a collection, V8 allocates later ones in the old generation, and they keep all
  // objects alive that they reference.
  readonly #formerBaseUrl: string;
  readonly #formerNext: Next | undefined;
  readonly #formerParams: AnyRequest['params'];
  readonly #formerMatched: Path | undefined;
  /** Scheme and authority of a target in absolute form. */
  readonly #origin: string;
  readonly #parentUrl: string;
  /** The function that every handler of this walk receives as `next`. */
  readonly #next: Next;
  /** The methods of the routes that matched the path, for the automatic response to OPTIONS. */
  readonly #allowed: string[] | undefined;
  readonly #isDebugged: boolean = isDebugged();
  readonly #mergesParams: boolean | undefined;
  #paramRuns: ParamRuns | undefined;

  #position = 0;
  /** The number of consecutive layers that called `next` synchronously. */
  #sync = 0;
  /** The mount path removed from `req.url` for the current layer. */
  #removed = '';
  #isSlashAdded = false;

  /** The URL that `#parsed` describes; both stay valid until the URL changes. */
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
    // Assigned through a local: otherwise V8 allocates the closure in the old generation, where it keeps the request
    // alive.
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

  /** Finds the next layer and calls it. This is `next()`. */
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
    // Fast path: consecutive middleware without a path.
    const layer = this.#layers[this.#position];
    const params = layer?.slash ? this.#paramsPassed(layer) : undefined;
    if (layer && params) {
      this.#position++;
      this.#pass(layer, params, error);
    } else this.#callNext(path, error);
  }

  /** The path of the current URL; undefined if the URL is missing or malformed. */
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

  /** Calls the next layer that matches the path and, for a route, the method. */
  #callNext(path: string, pending: unknown): void {
    let error = pending;
    for (;;) {
      const position = this.#nextPosition(path);
      if (position >= this.#layers.length) return this.#finish(error);
      const layer = this.#layers[position] as AnyLayer;
      // Express reads this property first, and so throws for an empty element of the stack.
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
      // While an error is pending, routes are skipped.
      if (match && !(route && (error || !this.#takesMethod(route)))) {
        return this.#call(layer, this.#resultOf(layer, match), path, error);
      }
    }
  }

  /** The position of the next candidate; the length of the stack or more if there is none. */
  #nextPosition(path: string): number {
    const { length } = this.#layers;
    const left = length - this.#position;
    // For few layers a linear search is faster.
    if (left <= FEW_LAYERS) return left > 0 ? this.#position++ : length;
    const index = this.#stack.index();
    let lookup = this.#lookup;
    // Middleware may have rewritten the path, and the application may have changed the stack.
    if (!lookup || lookup.path !== path || lookup.index !== index || lookup.size !== index.size) {
      lookup = { path, index, size: index.size, candidates: index.candidates(path) };
      this.#lookup = lookup;
    }
    const position = nextCandidate(lookup.candidates, this.#position);
    this.#position = Math.min(position + 1, length);
    return position;
  }

  /** The match of a layer whose `match` returned only `true`. */
  #resultOf(layer: AnyLayer, match: LayerMatch | true): LayerMatch {
    const { matchOf } = this.#dialect;
    // In a dialect without `matchOf`, the layers of this package return the match itself.
    return match === true && matchOf ? matchOf(layer) : (match as LayerMatch);
  }

  #takesMethod(route: LayerRoute): boolean {
    const { method } = this.#req;
    if (route._handlesMethod(method)) return true;
    if (method === 'OPTIONS') this.#allowed?.push(...route._methods());
    // As in Express, a HEAD request without a handler still sets the route and runs its parameter callbacks.
    return method === 'HEAD';
  }

  /** The parameters of middleware without a path; undefined if it must be matched. */
  #paramsPassed(layer: AnyLayer): Params | undefined {
    const dialect = this.#dialect;
    return dialect.pass ? dialect.pass(this.#router, layer) : {};
  }

  /** Calls middleware without a path. It needs no match and no mount path. */
  #pass(layer: AnyLayer, params: Params, error: unknown): void {
    this.#setParams(params, layer.rawPath);
    this.#run(layer, '', error);
    this.#sync = 0;
  }

  /** Runs the parameter callbacks, then the route or the middleware. */
  #call(layer: AnyLayer, match: LayerMatch, path: string, error: unknown): void {
    const req = this.#req;
    if (layer.route) req.route = layer.route;
    this.#setParams(match.params, match.pattern);

    const { params: callbacks } = this.#router;
    const processParams = this.#dialect.processParamsOf?.(this.#router);
    if (!processParams && (match.keys.length === 0 || !hasCallbacks(callbacks, match.keys)))
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
      runParamCallbacks(callbacks, layer, match.keys, this.#paramRuns, req, this.#res, done, awaits);
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
   * Removes the mount path from the URL for middleware. §1 rule 7
   *
   * @returns False if the matched part is not whole segments at the start of the path. This is possible only with a
   * regular expression.
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

  /** Restores the URL that `#mount` shortened; keeps changes that the layer made below its mount path. */
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

  /** Ends the walk in a later turn of the event loop, as Express does after the last layer and `next('router')`. */
  #finishLater(error: unknown): void {
    setImmediate(() => this.#finish(error));
  }

  /** Ends the walk: responds to OPTIONS if no handler has, otherwise restores the request and calls back. */
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

/** The scheme and authority of a target in absolute form, which are not part of a mount path. RFC 9112 §3.2.2 */
function originOf(url: string): string {
  if (typeof url !== 'string' || url.length === 0 || url[0] === '/') return '';
  const query = url.indexOf('?');
  const scheme = url.slice(0, query === -1 ? url.length : query).indexOf('://');
  return scheme === -1 ? '' : url.slice(0, Math.max(url.indexOf('/', scheme + 3), 0));
}

let namespaces: unknown;
let isOn = false;

/** Caches `debug.enabled` until `debug.enable` is called, because its getter is slow. */
function isDebugged(): boolean {
  // @types/debug does not declare this property.
  const { namespaces: now } = createDebug as { namespaces?: unknown };
  if (now !== namespaces) {
    namespaces = now;
    isOn = debug.enabled;
  }
  return isOn;
}
