/**
 * One request down the stack of one router: `next()` finds the layer, sets the request up for it, calls it. §1
 */
import createDebug from 'debug';
import parseUrl from 'parseurl';
import type { Next, Request, Response } from '../types';
import type { Candidates, LayerIndex } from './index-of-layers';
import type { Layer, LayerMatch } from './layer';
import { answerOptions } from './options';
import { mergeParams, type ParamRuns, runParamCallbacks } from './params';
import { MAX_SYNC_CALLS } from './route';
import type { RouterInstance } from './router';
import type { Stack } from './stack';
import { kMatched, recordError } from './tracing';

const debug = createDebug('router');

/** Walk `stack` with a request; `callback` when no layer is left, with the pending error if there is one. */
export function walk(
  router: RouterInstance,
  stack: Stack,
  req: Request,
  res: Response,
  callback: Next,
): void {
  debug('dispatching %s %s', req.method, req.url);

  const { layers } = stack;
  const origin = originOf(req.url);
  const parentParams: unknown = req.params;
  const parentUrl = req.baseUrl || '';
  const paramRuns: ParamRuns = {};
  const search = new Search(stack);
  let position = 0;
  let removed = '';
  let isSlashAdded = false;
  let sync = 0;

  let done = restoring(callback, req);
  let allowed: string[] | undefined;
  if (req.method === 'OPTIONS') {
    allowed = [];
    done = answerOptions(res, allowed, done);
  }

  req.next = next;
  req.baseUrl = parentUrl;
  req.originalUrl = req.originalUrl || req.url;
  next();

  function next(err?: unknown): void {
    if (err) recordError(req, err);
    let error = err === 'route' ? null : err;

    restoreUrl();
    if (error === 'router') {
      setImmediate(done, null);
      return;
    }
    if (position >= layers.length) {
      setImmediate(done, error);
      return;
    }
    if (++sync > MAX_SYNC_CALLS) {
      setImmediate(next, err);
      return;
    }

    const path = pathnameOf(req);
    if (path === undefined) return done(error);

    // Find the next layer that matches the path and, for a route, the method.
    let layer: Layer | undefined;
    let match: LayerMatch | false = false;
    while (!match) {
      position = Math.min(search.next(path, position), layers.length);
      if (position >= layers.length) return done(error);
      layer = layers[position++] as Layer;
      try {
        match = layer.match(path);
      } catch (failure) {
        recordError(req, failure);
        error = error || failure;
      }
      if (match && layer.route && (error || !takesMethod(layer.route))) match = false;
    }
    call(layer as Layer, match, path, error);
  }

  /** Undo what the last mounted layer saw, unless it rewrote the path below its mount path. */
  function restoreUrl(): void {
    if (isSlashAdded) {
      const isRoot = req.url === '/' || req.url.startsWith('/?');
      if (isRoot || (removed.endsWith('/') && req.url[0] === '/')) req.url = req.url.slice(1);
      isSlashAdded = false;
    }
    if (removed.length !== 0) {
      req.baseUrl = parentUrl;
      req.url = origin + removed + req.url.slice(origin.length);
      removed = '';
    }
  }

  function takesMethod(route: NonNullable<Layer['route']>): boolean {
    const { method } = req;
    if (route._handlesMethod(method)) return true;
    if (method === 'OPTIONS') allowed?.push(...route._methods());
    // A HEAD that no handler takes still sets the route and runs its parameter callbacks. As in the reference.
    return method === 'HEAD';
  }

  /** Parameters first, then the route or the middleware. */
  function call(layer: Layer, match: LayerMatch, path: string, error: unknown): void {
    const { route } = layer;
    if (route) req.route = route;
    req[kMatched] = match.pattern;
    req.params = (
      router.mergeParams ? mergeParams(match.params, parentParams) : match.params
    ) as Request['params'];

    runParamCallbacks(router.params, layer, match.keys, paramRuns, req, res, (failure) => {
      if (failure) next(error || failure);
      else if (route) layer.handleRequest(req, res, next);
      else callMounted(layer, match.path, path, error);
      sync = 0;
    });
  }

  /** Middleware sees the URL without its mount path. §1 rule 7 */
  function callMounted(layer: Layer, mountPath: string, path: string, error: unknown): void {
    if (mountPath.length !== 0) {
      // Only whole segments count: a regular expression may have matched elsewhere or less.
      const following = path[mountPath.length];
      if (!path.startsWith(mountPath) || (following && following !== '/')) return next(error);

      debug('trim prefix (%s) from url %s', mountPath, req.url);
      removed = mountPath;
      req.url = origin + req.url.slice(origin.length + removed.length);
      if (!origin && req.url[0] !== '/') {
        req.url = `/${req.url}`;
        isSlashAdded = true;
      }
      req.baseUrl = parentUrl + (removed.endsWith('/') ? removed.slice(0, -1) : removed);
    }

    debug('%s %s : %s', layer.name, mountPath, req.originalUrl);
    if (error) layer.handleError(error, req, res, next);
    else layer.handleRequest(req, res, next);
  }
}

/** The next layer worth asking, for a path that middleware may rewrite and a stack that may change under way. */
class Search {
  readonly #stack: Stack;
  #path: string | undefined;
  #version = -1;
  #size = -1;
  #candidates: Candidates | undefined;

  constructor(stack: Stack) {
    this.#stack = stack;
  }

  next(path: string, from: number): number {
    const index: LayerIndex = this.#stack.index();
    if (
      !this.#candidates ||
      path !== this.#path ||
      this.#version !== this.#stack.version ||
      this.#size !== index.size
    ) {
      this.#path = path;
      this.#version = this.#stack.version;
      this.#size = index.size;
      this.#candidates = index.candidates(path);
    }
    return this.#candidates.next(from);
  }
}

/** `callback`, once the request has got back what it came with. */
function restoring(callback: Next, req: Request): Next {
  const { baseUrl, next, params } = req;
  const matched = req[kMatched];
  return function restored(this: unknown, ...args) {
    req.baseUrl = baseUrl;
    req.next = next;
    req.params = params;
    req[kMatched] = matched;
    return callback.apply(this, args);
  };
}

function pathnameOf(req: Request): string | undefined {
  try {
    return parseUrl(req)?.pathname ?? undefined;
  } catch {
    return undefined;
  }
}

/** The scheme and authority of a target in absolute form, which no mount path is part of. RFC 9112 §3.2.2 */
function originOf(url: string): string {
  if (typeof url !== 'string' || url.length === 0 || url[0] === '/') return '';
  const query = url.indexOf('?');
  const scheme = url.slice(0, query === -1 ? url.length : query).indexOf('://');
  return scheme === -1 ? '' : url.slice(0, Math.max(url.indexOf('/', scheme + 3), 0));
}
