/**
 * The stack of a 3.x application: passes a request through its middleware in order. §9.3
 *
 * A mount path matches at the start of the path, in any letter case, if a slash, a dot or the end follows.
 */
import parseUrl from 'parseurl';
import { forwardRejection } from '../routing/promise';
import type { Route } from './interface';
import type { Application, ErrorHandler, Handler, Layer, Next, Request, Response } from './types';

/**
 * Passes a request through the stack of `app`. It calls `done` if no handler ends it, with the pending error if there
 * is one.
 */
export function walk(app: Application, req: Request, res: Response, done: Next): void {
  const { stack } = app;
  const origin = originOf(req.url);
  const parentUrl = req.baseUrl || '';
  let index = 0;
  /** The mount path removed from the URL for the current layer. */
  let removed = '';
  let isSlashAdded = false;

  next();

  function next(err?: unknown): void {
    restoreUrl();
    const layer = stack[index++];
    if (!layer) {
      setImmediate(done, err);
      return;
    }
    try {
      if (!isMountedOn(layer.route, pathOf(req))) return next(err);
      const { length } = layer.handle;
      // An error goes to the next handler with four parameters.
      if (err ? length !== 4 : length >= 4) return next(err);
      mount(layer.route);
      call(layer, err, req, res, next);
    } catch (error) {
      next(error);
    }
  }

  function mount(path: string): void {
    removed = path;
    req.baseUrl = parentUrl + path;
    req.url = origin + req.url.slice(origin.length + path.length);
    if (origin || req.url[0] === '/') return;
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
  minding(callHandler(handle, err, req, res, next), next);
}

export function isHandler(value: unknown): value is Handler | ErrorHandler {
  return typeof value === 'function';
}

/** Calls a handler with or without an error. The caller has checked the number of its parameters. */
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
 * Passes the rejection of a promise to `next`. Other thenables are ignored: applications of Express 3 return database
 * queries, and a call of `then` would run these again.
 */
export function minding(result: unknown, next: Next): void {
  if (result instanceof Promise) forwardRejection(result, next);
}

function isMountedOn(route: string, path: string): boolean {
  const following = path[route.length];
  return (
    (following === undefined || following === '/' || following === '.') &&
    path.slice(0, route.length).toLowerCase() === route.toLowerCase()
  );
}

function pathOf(req: Request): string {
  return parseUrl(req)?.pathname ?? '/';
}

/** The scheme and the authority of a target in absolute form. */
function originOf(url: string): string {
  if (url[0] === '/') return '';
  const mark = url.indexOf('?');
  const scheme = url.slice(0, mark === -1 ? url.length : mark).indexOf('://');
  return scheme === -1 ? '' : url.slice(0, url.indexOf('/', scheme + 3));
}
