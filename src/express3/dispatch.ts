/** Passes a request through the routes of an Express 3 router: parameter callbacks, then route callbacks. §9.3 */
import parseUrl from 'parseurl';
import type { Next, ParamHandler, Request, Response } from './interface';
import type { Route } from './route';
import { callHandler, forwardPromise } from './stack';

/** The members of a router that this module uses. */
interface Router {
  params: Record<string, ParamHandler[]>;
  matchRequest(req: Request, start: number): { route: Route; index: number } | undefined;
  optionsFor(path: string): string[];
}

/** Passes a request through the matching routes, then to `answerOptions` or `next`. */
export function dispatch(router: Router, req: Request, res: Response, next: Next): void {
  pass(0, undefined);

  /** Runs the first matching route at or after index `start`. */
  function pass(start: number, pending: unknown): void {
    const found = router.matchRequest(req, start);
    Object.assign(req, { route: found?.route });
    if (!found && req.method === 'OPTIONS') return answerOptions(router, req, res, next);
    if (!found) return next(pending);
    req.params = found.route.params;
    enter(found.route, pending, (err) => pass(found.index + 1, err));
  }

  /** Calls the parameter callbacks of a route, then its route callbacks. `leave` continues with the next route. */
  function enter(route: Route, pending: unknown, leave: Next): void {
    let position = 0;
    nextParam(pending);

    function nextParam(err?: unknown): void {
      try {
        if (err === 'route') return leave();
        if (err) return callbacks(err);
        const key = route.keys[position++];
        if (!key) return callbacks();
        const value = req.params[key.name];
        const fns = value === undefined ? undefined : router.params[key.name];
        if (fns) runParam(fns, value, key.name);
        else nextParam();
      } catch (error) {
        nextParam(error);
      }
    }

    function runParam(fns: readonly ParamHandler[], value: unknown, name: string): void {
      let index = 0;
      const advance: Next = (err) => {
        const fn = fns[index++];
        if (err || !fn) return nextParam(err);
        forwardPromise(fn(req, res, advance, value, name), advance);
      };
      advance();
    }

    function callbacks(failure?: unknown): void {
      let index = 0;
      const advance: Next = (err) => {
        const fn = route.callbacks[index++];
        try {
          if (err === 'route') return leave();
          if (!fn) return leave(err);
          // While an error is pending, skip callbacks with fewer than four parameters; otherwise skip the error
          // handlers.
          if (fn.length < 4 === Boolean(err)) return advance(err || undefined);
          forwardPromise(callHandler(fn, err, req, res, advance), advance);
        } catch (error) {
          advance(error);
        }
      };
      advance(failure);
    }
  }
}

/** Responds to OPTIONS with the methods of the routes for the path; without any, calls `next` without error. */
function answerOptions(router: Router, req: Request, res: Response, next: Next): void {
  const allowed = router.optionsFor(parseUrl(req)?.pathname ?? '').join(',');
  if (!allowed) return next();
  res.set('Allow', allowed).send(allowed);
}
