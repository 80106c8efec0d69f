/**
 * The tracing channel `express.router.request`, to which APM agents subscribe. §1
 *
 * Every call of a handler or a parameter callback publishes `start` and `end`. If it returns a promise, `asyncStart`
 * and `asyncEnd` follow when the promise settles. `error` is published at most once for each error, and its message has
 * the handler or parameter callback that caused it. The signals 'route' and 'router' are not errors.
 *
 * Without subscribers, each handler costs one read of `channel.hasSubscribers`, and the walk records the pattern and the
 * errors on the request.
 */
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import { callOnce } from '../internal/call-once';
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Next, ParamHandler, Path } from '../types';
import { rejected, warnOfForeignPromise } from './promise';

/** The message that subscribers receive. */
export interface TraceContext {
  req: TracedRequest;
  res: AnyResponse;
  layer: object;
  handler: Handler | ErrorHandler | ParamHandler;
  /** The pattern that matched, not the path of the request. */
  route: Path | undefined;
  /** The name of the parameter. Set only for a parameter callback. */
  param?: string;
  incomingError?: unknown;
  errorHandler?: boolean;
  result?: unknown;
  error?: unknown;
}

/** The key of the request property that holds the pattern of the current layer. */
export const kMatched: unique symbol = Symbol('router.tracing.matchedRoute');

// The key of the request property that holds recorded errors. The symbol is registered (`Symbol.for`), so that other
// installed copies of this package and the package `router` use the same property.
const kPublished: unique symbol = Symbol.for('router.tracing.publishedErrors');

/** A request, with what the walk records on it. */
export interface TracedRequest extends AnyRequest {
  [kMatched]?: Path | undefined;
  [kPublished]?: Set<unknown>;
}

export const channel: TracingChannel<TraceContext, TraceContext> = tracingChannel('express.router.request');

if (channel.hasSubscribers === undefined) {
  // Node.js before 20.13 lacks this property.
  const all = [channel.start, channel.end, channel.asyncStart, channel.asyncEnd, channel.error];
  Object.defineProperty(channel, 'hasSubscribers', { get: () => all.some((each) => each.hasSubscribers) });
}

/**
 * Records an error on its request, so that it is published only once.
 *
 * @returns True if the error was not recorded before. Always false for 'route', 'router' and a falsy value.
 */
export function recordError(req: TracedRequest, err: unknown): boolean {
  if (!err || isSignal(err)) return false;
  let seen = req[kPublished];
  if (!seen) {
    seen = new Set();
    req[kPublished] = seen;
  }
  if (seen.has(err)) return false;
  seen.add(err);
  return true;
}

/** Runs a handler and publishes its events. @param call Calls the handler with the `next` that `call` receives. */
export function traceHandler(context: TraceContext, call: (next: Next) => unknown, next: Next): void {
  const tracedNext = traceNext(context, next);
  const settle = callOnce((outcome: () => void) => {
    outcome();
    publishAsyncEnd(context);
  });

  channel.start.runStores(context, () => {
    let promise: PromiseLike<unknown> | undefined;
    try {
      const returned = call(tracedNext);
      if (isThenable(returned)) {
        promise = returned;
        warnOfForeignPromise(promise, 'handlers');
      } else context.result = returned;
    } catch (err) {
      tracedNext(err);
      recordThrown(context, err, true);
      publishEnd(context, false);
      return;
    }
    publishEnd(context, promise !== undefined);
    if (!promise) return;
    try {
      promise.then(
        (value) => settle(() => resolved(value)),
        (reason: unknown) => failed(reason || rejected()),
      );
    } catch (err) {
      failed(err);
    }
  });

  function resolved(value: unknown): void {
    context.result = value;
  }

  // A faulty thenable may reject more than once, or after it was fulfilled. The router receives every rejection, as
  // without tracing. Only the first outcome ends the trace.
  function failed(reason: unknown): void {
    tracedNext(reason);
    settle(() => recordThrown(context, reason, false));
  }
}

/**
 * Runs a parameter callback and publishes its events.
 *
 * @param call Calls the callback with the `next` that `call` receives. It must call `onReturn` or `onThrow` when the
 * callback ends, and `onSettle` when the promise of the callback settles.
 */
export function traceParam(
  context: TraceContext,
  call: (
    next: Next,
    onReturn: (returned: unknown) => void,
    onThrow: (err: unknown) => void,
    onSettle: OnSettle,
  ) => void,
  next: Next,
): void {
  let isAsync = false;
  let hasEnded = false;
  let early: (() => void) | undefined;
  const finish = callOnce((value: unknown, isRejected: boolean) => {
    const settle = (): void => {
      if (isRejected) recordThrown(context, value, false);
      else context.result = value;
      publishAsyncEnd(context);
    };
    // A thenable may settle before `end` is published, but its events must follow `end`.
    if (hasEnded) settle();
    else early = settle;
  });

  channel.start.runStores(context, () => {
    try {
      call(
        traceNext(context, next),
        (returned) => {
          isAsync = isThenable(returned);
          if (!isAsync) context.result = returned;
        },
        (err) => recordThrown(context, err, true),
        finish,
      );
    } finally {
      publishEnd(context, isAsync);
      hasEnded = true;
      early?.();
    }
  });
}

/** Called when the promise of a parameter callback settles. `value` is the result, or the reason of the rejection. */
export type OnSettle = (value: unknown, isRejected: boolean) => void;

/** Wraps `next` to publish `error` for an error that is not yet recorded on the request. */
function traceNext(context: TraceContext, next: Next): Next {
  // The handler that caused the incoming error may not have been traced. Record the error, so that it is not published
  // as an error of this error handler.
  if (context.errorHandler) recordError(context.req, context.incomingError);

  return function tracedNext(err) {
    // The error handler has replaced or cleared the error. If the same error occurs later, it counts as new.
    if (context.errorHandler && err !== context.incomingError) {
      context.req[kPublished]?.delete(context.incomingError);
    }
    if (err && recordError(context.req, err)) {
      context.error = err;
      channel.error.publish(context);
    }
    next(err);
  };
}

function recordThrown(context: TraceContext, err: unknown, isSync: boolean): void {
  if (isSignal(err)) {
    if (isSync) context.result = undefined;
  } else if (!('error' in context)) context.error = err;
}

/** Publishes `end`. Without `error` while the promise is pending: subscribers would take it for completion. */
function publishEnd(context: TraceContext, isPending: boolean): void {
  if (!isPending || !('error' in context)) {
    channel.end.publish(context);
    return;
  }
  const { error } = context;
  delete context.error;
  channel.end.publish(context);
  context.error = error;
}

function publishAsyncEnd(context: TraceContext): void {
  channel.asyncStart.runStores(context, () => channel.asyncEnd.publish(context));
}

function isSignal(err: unknown): boolean {
  return err === 'route' || err === 'router';
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  const { then }: { then?: unknown } = value;
  return typeof then === 'function';
}
