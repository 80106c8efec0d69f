/** Calls the callbacks of `router.param`, and merges parameters with those of the parent. §1 rule 9, §2.5 */

import { ignore } from '../internal/ignore';
import type { AnyResponse, Next, ParamHandler } from '../types';
import type { ParamName, ParamRun, ParamRuns, Params } from './dialect';
import { rejected, warnOfForeignPromise } from './promise';
import { channel, isThenable, kMatched, type OnSettle, type TracedRequest, traceParam } from './tracing';

/** The callbacks that `router.param` added, by parameter name. */
export type ParamCallbacks = Record<string, ParamHandler[] | undefined>;

export function isParamHandler(value: unknown): value is ParamHandler {
  return typeof value === 'function';
}

/** A layer that matched, and what its parameter callbacks need. */
interface MatchedLayer {
  callbacks: ParamCallbacks;
  layer: object;
  keys: readonly ParamName[];
  runs: ParamRuns;
  req: TracedRequest;
  res: AnyResponse;
  /** Whether the rejection of a promise that a callback returns goes to `next`. If false, the promise is ignored. */
  awaits: boolean;
}

/**
 * Runs the callbacks of the parameters `keys`, in this order, then calls `done`. Skips parameters without a value, and
 * reuses outcomes in `runs` (see `ParamRun`). A callback may call `next` later, and may change `req.params[name]`. If a
 * callback throws, or calls `next` with an error, `'route'` or `'router'`, `done` receives that value and no other
 * callback runs.
 */
export function runParamCallbacks(matched: MatchedLayer, done: Next): void {
  const { callbacks, layer, keys, runs, req, res, awaits } = matched;
  let position = 0;
  // The current parameter; all callbacks share these variables. If a callback calls `next` twice, the second call acts
  // on the parameter that is then current, as in Express.
  let name: ParamName;
  let value: unknown;
  let handlers: ParamHandler[] | undefined;
  let run: ParamRun | undefined;
  let index = 0;
  nextParam();

  function nextParam(err?: unknown): void {
    if (err) return done(err);
    const key = keys[position++];
    if (key === undefined) return done();

    index = 0;
    name = key;
    value = req.params[name];
    handlers = callbacks[name];
    run = runs[name];
    if (value === undefined || !handlers) return nextParam();

    if (run && (run.match === value || (run.error && run.error !== 'route'))) {
      req.params[name] = run.value;
      return nextParam(run.error);
    }
    run = { match: value, value, error: null };
    runs[name] = run;
    nextHandler();
  }

  function nextHandler(err?: unknown): void {
    // If a callback called `next` twice, the current parameter may have no callbacks (`handlers` is undefined) or no
    // value (`run` is undefined). This function then throws, as in Express.
    const handler = (handlers as ParamHandler[])[index++];
    const current = run as ParamRun;
    current.value = req.params[name];
    if (err) {
      current.error = err;
      return nextParam(err);
    }
    if (!handler) return nextParam();
    if (!channel.hasSubscribers) return call(handler, nextHandler);
    traceCallback(handler);
  }

  function traceCallback(handler: ParamHandler): void {
    const context = { req, res, layer, handler, route: req[kMatched], param: String(name) };
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
        call(observed, next, onSettle);
      },
      nextHandler,
    );
  }

  /**
   * Calls one callback of the current parameter. An error that it throws, and a rejection that `awaits`, go to `next`.
   *
   * @param onSettle Called when the promise settles, for tracing; never if `awaits` is false.
   */
  function call(handler: ParamHandler, next: Next, onSettle?: OnSettle): void {
    try {
      const returned = handler(req, res, next, value, name);
      if (awaits && isThenable(returned)) forwardParamRejection(returned, next, onSettle);
    } catch (err) {
      next(err);
    }
  }
}

function forwardParamRejection(promise: PromiseLike<unknown>, next: Next, onSettle?: OnSettle): void {
  warnOfForeignPromise(promise, 'parameters');
  try {
    promise.then(onSettle ? (result) => onSettle(result, false) : ignore, (reason: unknown) =>
      fail(reason || rejected()),
    );
  } catch (err) {
    fail(err);
  }

  function fail(reason: unknown): void {
    next(reason);
    onSettle?.(reason, true);
  }
}

/**
 * Merges the parameters of a router with those of its parent. If both have a parameter with the same name, the value of
 * the router wins. If both have numbered parameters (unnamed groups of regular expressions), the router's numbers
 * continue those of the parent.
 *
 * @param parent The `req.params` of the parent; ignored if it is not an object.
 */
export function mergeParams(params: Params, parent: unknown): Params {
  if (typeof parent !== 'object' || parent === null) return params;
  // Express also uses `Object.assign`, which loses a parameter with the name `__proto__`. A spread would keep it.
  const merged: Params = {};
  Object.assign(merged, parent);
  if (!(0 in params) || !(0 in parent)) return Object.assign(merged, params);

  const shift = countNumbered(parent);
  for (let i = countNumbered(params) - 1; i >= 0; i--) {
    params[i + shift] = params[i];
    if (i < shift) delete params[i];
  }
  return Object.assign(merged, params);
}

function countNumbered(params: object): number {
  let count = 0;
  while (count in params) count++;
  return count;
}
