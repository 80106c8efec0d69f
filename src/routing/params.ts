/**
 * Parameter callbacks, and parameters inherited from a parent router. §1 rule 9, §2.5 `mergeParams`
 */
import type { Next, ParamHandler, Request, Response } from '../types';
import type { Layer } from './layer';
import type { Params } from './pattern';
import { isThenable, rejected, warnOfForeignPromise } from './promise';
import { isTraced, kMatched, type OnSettle, traceParam } from './tracing';

/** What became of a parameter in this request: its callbacks run once per value. */
interface ParamRun {
  match: unknown;
  value: unknown;
  error: unknown;
}

/** Per walk: the runs by parameter name. */
export type ParamRuns = Record<string, ParamRun | undefined>;

/**
 * Run the callbacks of the parameters `keys` in path order, then `done`. A callback may be asynchronous, may
 * change `req.params[name]`, and ends the run with an error or a signal.
 */
export function runParamCallbacks(
  callbacks: Record<string, ParamHandler[]>,
  layer: Layer,
  keys: readonly string[],
  runs: ParamRuns,
  req: Request,
  res: Response,
  done: Next,
): void {
  let position = 0;
  nextParam();

  function nextParam(err?: unknown): void {
    if (err) return done(err);
    if (position >= keys.length) return done();

    const name = keys[position++] as string;
    const value: unknown = req.params[name];
    const handlers = callbacks[name];
    if (value === undefined || !handlers) return nextParam();

    const former = runs[name];
    if (former && (former.match === value || (former.error && former.error !== 'route'))) {
      (req.params as Record<string, unknown>)[name] = former.value;
      return nextParam(former.error);
    }
    const run: ParamRun = { match: value, value, error: null };
    runs[name] = run;
    runHandlers(name, value, handlers, run);
  }

  function runHandlers(name: string, value: unknown, handlers: readonly ParamHandler[], run: ParamRun): void {
    let index = 0;
    nextHandler();

    function nextHandler(err?: unknown): void {
      const handler = handlers[index++];
      run.value = req.params[name];
      if (err) {
        run.error = err;
        return nextParam(err);
      }
      if (!handler) return nextParam();
      if (!isTraced()) return callParam(handler, req, res, nextHandler, value, name);
      const context = { req, res, layer, handler, route: req[kMatched], param: name };
      traceParam(
        context,
        (next, onReturn, onThrow, onSettle) => {
          const observed: ParamHandler = (...args) => {
            let returned: unknown;
            try {
              returned = handler(...args);
            } catch (err) {
              onThrow(err);
              throw err;
            }
            onReturn(returned);
            return returned;
          };
          callParam(observed, req, res, next, value, name, onSettle);
        },
        nextHandler,
      );
    }
  }
}

function callParam(
  handler: ParamHandler,
  req: Request,
  res: Response,
  next: Next,
  value: unknown,
  name: string,
  onSettle?: OnSettle,
): void {
  try {
    const returned = handler(req, res, next, value, name);
    if (!isThenable(returned)) return;
    warnOfForeignPromise(returned, 'parameters');
    try {
      returned.then(
        (result) => onSettle?.(result, false),
        (reason: unknown) => fail(reason || rejected()),
      );
    } catch (err) {
      fail(err);
    }
  } catch (err) {
    next(err);
  }

  function fail(reason: unknown): void {
    next(reason);
    onSettle?.(reason, true);
  }
}

/**
 * A router's parameters over those of its parent; a name in both is the child's. Numbered parameters
 * (groups of regular expressions) of the child are numbered on after the parent's.
 */
export function mergeParams(params: Params, parent: unknown): Params {
  if (typeof parent !== 'object' || parent === null) return params;
  const merged: Params = { ...parent };
  if (!(0 in params) || !(0 in parent)) return Object.assign(merged, params);

  const shift = countNumbered(parent);
  for (let i = countNumbered(params) - 1; i >= 0; i--) {
    params[i + shift] = params[i] as string;
    if (i < shift) delete params[i];
  }
  return Object.assign(merged, params);
}

function countNumbered(params: object): number {
  let count = 0;
  while (count in params) count++;
  return count;
}
