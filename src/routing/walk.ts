/** Passes a request through the stack of a router: `next()` finds and calls the next layer. §1 §7 */
import createDebug from 'debug';
import parseUrl from 'parseurl';
import type { AnyRequest, AnyResponse, Next, Path } from '../types';
import type { AnyLayer, Dialect, LayerMatch, LayerRoute, ParamRuns, Params, ProcessParams } from './dialect';
import { type Candidates, type LayerIndex, nextCandidate } from './layer-index';
import { mergeParams, type ParamCallbacks, runParamCallbacks } from './param-callbacks';
import { MAX_SYNC_CALLS } from './route';
import { kMatched, recordError, type TracedRequest } from './tracing';

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

/** Passes a request through the stack of a walk, then calls `callback` or responds to OPTIONS. */
export function walk(state: Walk): void {
  const { req } = state;
  if (state.isDebugged) debug('dispatching %s %s', req.method, req.url);
  // Assigned through a local variable: otherwise V8 allocates the closure in the old generation, where it keeps the
  // request alive for longer.
  const next: Next = (err) => advance(state, err);
  state.next = next;
  req.next = next;
  req.baseUrl = state.parentUrl;
  req.originalUrl = req.originalUrl || req.url;
  if (state.dialect.builtInSteps) takeSteps(state, state.dialect.builtInSteps);
  else advance(state, undefined);
}

/** For few layers, trying each of them is faster than a lookup in the index. */
const FEW_LAYERS = 4;

/** The type of `req._parsedUrl`, in which `parseurl` caches its result. */
type ParsedUrl = ReturnType<typeof parseUrl>;

type WalkingRequest = TracedRequest & { _parsedUrl?: ParsedUrl };

/** The last lookup in the index: its inputs and its result. The walk repeats the lookup if an input has changed. */
interface Lookup {
  readonly path: string;
  readonly index: LayerIndex;
  readonly size: number;
  readonly candidates: Candidates | undefined;
}

/**
 * The state of one walk. A record for the functions below, because V8 reads public fields faster than private ones. Not
 * an object literal: V8 may allocate such an object in the old generation, where it keeps other objects alive for
 * longer.
 */
export class Walk {
  declare readonly router: WalkedRouter;
  declare readonly stack: WalkedStack;
  declare readonly layers: readonly AnyLayer[];
  declare readonly req: WalkingRequest;
  declare readonly res: AnyResponse;
  declare readonly callback: Next;
  declare readonly dialect: Dialect;
  declare readonly isDebugged: boolean;
  declare readonly mergesParams: boolean | undefined;
  declare readonly overriddenParams: ProcessParams | undefined;
  // The original properties of the request, which `finish` restores.
  declare readonly formerBaseUrl: string;
  declare readonly formerNext: Next | undefined;
  declare readonly formerParams: AnyRequest['params'];
  declare readonly formerMatched: Path | undefined;
  /**
   * `originOf(req.url)` at the start of the walk, such as `http://example.com`; empty if the URL starts with a slash.
   */
  declare readonly origin: string;
  declare readonly parentUrl: string;
  /** For OPTIONS: the methods of the matching routes that do not handle it. Undefined for other requests. */
  declare readonly allowed: string[] | undefined;
  /** The function that every handler of this walk receives as `next`. */
  declare next: Next;
  declare position: number;
  /** The number of calls of `advance` since a layer last returned. The limit is `MAX_SYNC_CALLS`. */
  declare sync: number;
  /** The mount path that was removed from `req.url` for the current layer; empty if there is none. */
  declare removed: string;
  declare isSlashAdded: boolean;
  /** The value of `req.url` that `parsed` belongs to. */
  declare url: string | undefined;
  declare parsed: ParsedUrl;
  declare lookup: Lookup | undefined;
  declare paramRuns: ParamRuns | undefined;

  /** @param dialect The Express version to follow. */
  constructor(
    router: WalkedRouter,
    stack: WalkedStack,
    req: WalkingRequest,
    res: AnyResponse,
    callback: Next,
    dialect: Dialect,
  ) {
    this.router = router;
    this.stack = stack;
    this.layers = stack.layers;
    this.req = req;
    this.res = res;
    this.callback = callback;
    this.dialect = dialect;
    this.isDebugged = isDebugged();
    this.mergesParams = router.mergeParams;
    this.overriddenParams = dialect.overriddenParams?.(router);
    this.formerBaseUrl = req.baseUrl;
    this.formerNext = req.next;
    this.formerParams = req.params;
    this.formerMatched = req[kMatched];
    this.origin = originOf(req.url);
    this.parentUrl = req.baseUrl || '';
    this.allowed = req.method === 'OPTIONS' ? [] : undefined;
    this.next = callback;
    this.position = 0;
    this.sync = 0;
    this.removed = '';
    this.isSlashAdded = false;
    this.url = undefined;
    this.parsed = undefined;
    this.lookup = undefined;
    this.paramRuns = undefined;
  }
}

/** Does what the built-in layers do, then calls the next layer. The state is the same as after a call of each layer. */
function takeSteps(walk: Walk, stepsOf: NonNullable<Dialect['builtInSteps']>): void {
  const { dialect, layers, next, req, res } = walk;
  parse(walk);
  // Without a path, Express enters no layer.
  const isDirect = walk.parsed?.pathname && !(walk.isDebugged || walk.overriddenParams);
  const steps = isDirect ? stepsOf(walk.router, layers) : undefined;
  if (!steps) return advance(walk, undefined);
  let error: unknown;
  try {
    for (const step of steps) {
      const layer = layers[walk.position++];
      const params = (layer && dialect.paramsOfSlash(layer)) ?? {};
      if (step === steps[0]) setParams(walk, params, layer?.rawPath);
      step(req, res, next);
    }
  } catch (err) {
    error = err;
  }
  walk.sync = walk.position;
  advance(walk, error);
  walk.sync = 0;
}

/** Implements `next`: calls the next layer that matches, or ends the walk. */
function advance(walk: Walk, err: unknown): void {
  const { req } = walk;
  if (err) recordError(req, err);
  const error = err === 'route' ? null : err;

  if (walk.removed !== '') restoreUrl(walk);
  if (error === 'router') return finishLater(walk, null);
  if (walk.position >= walk.layers.length) return finishLater(walk, error);
  if (++walk.sync > MAX_SYNC_CALLS) {
    setImmediate(walk.next, err);
    return;
  }
  callNext(walk, error);
}

/** Parses `req.url`. The result is undefined if it is missing or malformed. */
function parse(walk: Walk): void {
  const { req } = walk;
  walk.url = req.url;
  walk.parsed = undefined;
  try {
    walk.parsed = parseUrl(req);
  } catch {}
}

/** Calls the next layer that matches the path and, for a route, the method. Ends the walk if there is none. */
function callNext(walk: Walk, pending: unknown): void {
  const { dialect, layers, req } = walk;
  if (!walk.parsed || req._parsedUrl !== walk.parsed || req.url !== walk.url) parse(walk);
  const path = walk.parsed?.pathname;
  if (path === undefined || path === null) return finish(walk, pending);
  let error = pending;
  while (walk.position < layers.length) {
    if (layers.length - walk.position > FEW_LAYERS) skipLayers(walk, path);
    if (walk.position >= layers.length) break;
    const layer = layers[walk.position++] as AnyLayer;
    // `route` is read before the `try`, so that an empty element of the stack throws here, as in Express.
    const route = layer.route;
    const passed = layer.slash && !walk.overriddenParams ? dialect.paramsOfSlash(layer) : undefined;
    if (passed) return pass(walk, layer, passed, error);
    let match: LayerMatch | false = false;
    try {
      match = dialect.match(layer, path);
    } catch (failure) {
      recordError(req, failure);
      error = error || failure;
    }
    if (!match) continue;
    if (!route) return callLayer(walk, layer, match, path, error);
    // Routes are skipped while an error is pending.
    if (error || !(route._handlesMethod(req.method) || isEnteredAnyway(walk, route))) continue;
    req.route = route;
    return callLayer(walk, layer, match, path, error);
  }
  finish(walk, error);
}

/** Moves `position` to the next layer that may match, or to the end of the stack. */
function skipLayers(walk: Walk, path: string): void {
  const { layers, stack } = walk;
  if (layers[walk.position]?.slash) return;
  const index = stack.index();
  let { lookup } = walk;
  // Repeat the lookup if middleware has rewritten the path, or the application has changed the stack.
  if (!lookup || lookup.path !== path || lookup.index !== index || lookup.size !== index.size) {
    lookup = { path, index, size: index.size, candidates: index.candidates(path) };
    walk.lookup = lookup;
  }
  walk.position = Math.min(nextCandidate(lookup.candidates, walk.position), layers.length);
}

/** Whether to enter a route without the method: for HEAD, as in Express. Records its methods for OPTIONS. */
function isEnteredAnyway({ allowed, req: { method } }: Walk, route: LayerRoute): boolean {
  if (method === 'OPTIONS') allowed?.push(...route._methods());
  return method === 'HEAD';
}

/** Calls a layer whose `slash` is true, without a match. `req.url` does not change. */
function pass(walk: Walk, layer: AnyLayer, params: Params, error: unknown): void {
  const { next, req, res } = walk;
  const { errorMethod, requestMethod } = walk.dialect;
  setParams(walk, params, layer.rawPath);
  if (walk.isDebugged) debug('%s %s : %s', layer.name, '', req.originalUrl);
  // Not through `run`: with one frame more, a stack trace would lose the frames that packages search for.
  if (error) layer[errorMethod](error, req, res, next);
  else layer[requestMethod](req, res, next);
  walk.sync = 0;
}

function setParams(
  { req, mergesParams, formerParams }: Walk,
  params: Params,
  pattern: LayerMatch['pattern'],
): void {
  req[kMatched] = pattern;
  req.params = mergesParams ? mergeParams(params, formerParams) : params;
}

/** Runs the parameter callbacks of a layer that matched, then its route or middleware. */
function callLayer(walk: Walk, layer: AnyLayer, match: LayerMatch, path: string, error: unknown): void {
  setParams(walk, match.params, match.pattern);
  if (!needsCallbacks(walk, match)) return enter(walk, layer, match.path, path, error);
  runCallbacks(walk, layer, match, (failure) => {
    if (!failure) return enter(walk, layer, match.path, path, error);
    advance(walk, error || failure);
    walk.sync = 0;
  });
}

/** Whether a parameter of the match has callbacks. A `match` of the application may return no `keys`. */
function needsCallbacks({ overriddenParams, router }: Walk, { keys }: Partial<LayerMatch>): boolean {
  if (overriddenParams) return true;
  if (keys) for (const key of keys) if (router.params[key]) return true;
  return false;
}

function runCallbacks(walk: Walk, layer: AnyLayer, match: LayerMatch, done: Next): void {
  const { dialect, overriddenParams, req, res, router } = walk;
  walk.paramRuns ??= {};
  const runs = walk.paramRuns;
  if (overriddenParams) return overriddenParams.call(router, layer, runs, req, res, done);
  const awaits = dialect.forwardsRejections(req);
  runParamCallbacks({ callbacks: router.params, layer, keys: match.keys, runs, req, res, awaits }, done);
}

function enter(walk: Walk, layer: AnyLayer, mountPath: string, path: string, error: unknown): void {
  if (layer.route) layer[walk.dialect.requestMethod](walk.req, walk.res, walk.next);
  else if (mountPath.length === 0 || mount(walk, mountPath, path)) run(walk, layer, mountPath, error);
  else advance(walk, error);
  walk.sync = 0;
}

function run(walk: Walk, layer: AnyLayer, mountPath: string, error: unknown): void {
  const { next, req, res } = walk;
  const { errorMethod, requestMethod } = walk.dialect;
  if (walk.isDebugged) debug('%s %s : %s', layer.name, mountPath, req.originalUrl);
  if (error) layer[errorMethod](error, req, res, next);
  else layer[requestMethod](req, res, next);
}

/**
 * For middleware: removes the mount path from `req.url` and appends it to `req.baseUrl`, without a trailing slash. §1
 * rule 7
 *
 * @returns False if `mountPath` is not at the start of `path`, or if the path continues within a segment, except before
 * a dot if `prefixMayEndAtDot` is set. Such a match comes from a regular expression, or from code of the application.
 */
function mount(walk: Walk, mountPath: string, path: string): boolean {
  const { dialect, origin, req } = walk;
  if (!path.startsWith(mountPath)) return false;
  const following = path[mountPath.length];
  if (following && following !== '/' && !(following === '.' && dialect.prefixMayEndAtDot)) return false;

  if (walk.isDebugged) debug('trim prefix (%s) from url %s', mountPath, req.url);
  walk.removed = mountPath;
  req.url = origin + req.url.slice(origin.length + mountPath.length);
  if (!origin && req.url[0] !== '/') {
    req.url = `/${req.url}`;
    walk.isSlashAdded = true;
  }
  req.baseUrl = walk.parentUrl + (mountPath.endsWith('/') ? mountPath.slice(0, -1) : mountPath);
  return true;
}

/** Undoes `mount`. Keeps changes that the layer made to the URL below its mount path. */
function restoreUrl(walk: Walk): void {
  const { dialect, origin, removed, req } = walk;
  if (walk.isSlashAdded) {
    const isRoot = req.url === '/' || req.url.startsWith('/?');
    if (dialect.alwaysStripsAddedSlash || isRoot || (removed.endsWith('/') && req.url[0] === '/'))
      req.url = req.url.slice(1);
    walk.isSlashAdded = false;
  }
  req.baseUrl = walk.parentUrl;
  req.url = origin + removed + req.url.slice(origin.length);
  walk.removed = '';
}

/** Ends the walk in a later turn of the event loop, as Express does after the last layer and after `next('router')`. */
function finishLater(walk: Walk, error: unknown): void {
  setImmediate(finish, walk, error);
}

/** Ends the walk: responds to OPTIONS, or restores the request and calls the callback. */
function finish(walk: Walk, err: unknown): void {
  const { allowed, callback, dialect, req, res } = walk;
  let error = err;
  if (!error && allowed?.length) {
    try {
      return dialect.answerOptions(res, allowed);
    } catch (failure) {
      error = failure;
    }
  }
  req.baseUrl = walk.formerBaseUrl;
  req.next = walk.formerNext;
  req.params = walk.formerParams;
  req[kMatched] = walk.formerMatched;
  callback(error);
}

/** Returns scheme and authority of an absolute target; `''` for others, and without a path. RFC 9112 §3.2.2 */
export function originOf(url: string): string {
  if (typeof url !== 'string' || url.length === 0 || url[0] === '/') return '';
  const query = url.indexOf('?');
  const scheme = url.slice(0, query === -1 ? url.length : query).indexOf('://');
  return scheme === -1 ? '' : url.slice(0, Math.max(url.indexOf('/', scheme + 3), 0));
}

let namespaces: unknown;
let isOn = false;

/** Whether debug output is on. Cached until the namespaces change, because the getter `debug.enabled` is slow. */
function isDebugged(): boolean {
  // @types/debug does not declare `namespaces`.
  const { namespaces: now } = createDebug as { namespaces?: unknown };
  if (now !== namespaces) {
    namespaces = now;
    isOn = debug.enabled;
  }
  return isOn;
}
