/**
 * The stack of an Express 3 application: passes a request through its middleware in order. §9.3
 *
 * A mount path matches the start of the URL path in any letter case. A slash, a dot or the end must follow it.
 */
import { types } from 'node:util';
import parseUrl from 'parseurl';
import { forwardRejection } from '../routing/promise';
import { originOf } from '../routing/walk';
import type { Route } from './interface';
import type { Application, Layer, Next, Request, Response } from './types';

/** A request with the property in which parseurl stores its result. */
type ParsedRequest = Request & { _parsedUrl?: ReturnType<typeof parseUrl> };

/** Passes a request through the stack of `app`. Calls `done`, with a pending error, if no handler ends it. */
export function runStack(app: Application, req: ParsedRequest, res: Response, done: Next): void {
  const { stack } = app;
  const isAbsolute = hasScheme(req.url);
  const origin = isAbsolute ? originOf(req.url) : '';
  const parentUrl = req.baseUrl || '';
  let index = 0;
  /** The mount path that `mount` removed from the URL for the current layer. */
  let removed = '';
  let isSlashAdded = false;
  let url: string | undefined;
  let parsed: ReturnType<typeof parseUrl>;

  next();

  function next(err?: unknown): void {
    restoreUrl();
    const layer = stack[index++];
    if (!layer) {
      setImmediate(done, err);
      return;
    }
    try {
      if (!isMountedOn(layer.route, getCurrentPath())) return next(err);
      const { length } = layer.handle;
      // Handlers with exactly four parameters receive errors. Handlers with fewer receive requests without an error.
      // Skipping an error handler drops a falsy error such as 0.
      if (err ? length !== 4 : length >= 4) return next(err || undefined);
      mount(layer.route);
      call(layer, err, req, res, next);
    } catch (error) {
      next(error);
    }
  }

  /** Parses the URL again if a handler has changed it, or what parseurl stores on the request. */
  function getCurrentPath(): string {
    if (!parsed || req._parsedUrl !== parsed || req.url !== url) parsed = parseUrl(req);
    url = req.url;
    return parsed?.pathname ?? '/';
  }

  function mount(path: string): void {
    removed = path;
    req.baseUrl = parentUrl + path;
    req.url = origin + req.url.slice(origin.length + path.length);
    if (isAbsolute || req.url[0] === '/') return;
    req.url = `/${req.url}`;
    isSlashAdded = true;
  }

  function restoreUrl(): void {
    if (isSlashAdded) req.url = req.url.slice(1);
    isSlashAdded = false;
    req.url = origin + removed + req.url.slice(origin.length);
    req.baseUrl = parentUrl;
    req.originalUrl ||= req.url;
    removed = '';
  }
}

function call({ handle }: Layer, err: unknown, req: Request, res: Response, next: Next): void {
  forwardPromise(callHandler(handle, err, req, res, next), next);
}

/** Calls a handler, with an error as the first argument. The caller has checked the number of parameters. */
export function callHandler(
  handle: Route['callbacks'][number],
  err: unknown,
  req: object,
  res: object,
  next: Next,
): unknown {
  return err
    ? Reflect.apply(handle, undefined, [err, req, res, next])
    : Reflect.apply(handle, undefined, [req, res, next]);
}

/**
 * If a handler returned a promise, passes its rejection to `next`.
 *
 * Other thenables are ignored. Handlers may return a database query, and calling its `then` would run the query again.
 */
export function forwardPromise(result: unknown, next: Next): void {
  if (typeof result === 'object' && types.isPromise(result)) forwardRejection(result, next);
}

function isMountedOn(route: string, path: string): boolean {
  const following = path[route.length];
  return (
    (following === undefined || following === '/' || following === '.') &&
    path.slice(0, route.length).toLowerCase() === route.toLowerCase()
  );
}

/** Whether a request target is in absolute form, such as `http://host/path`. */
function hasScheme(url: string): boolean {
  return url[0] !== '/' && url.split('?', 1)[0]?.includes('://') === true;
}
