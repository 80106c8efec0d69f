/**
 * The tracing channel `express.router.request`, to which APM agents subscribe. §1
 *
 * Every handler and parameter callback publishes the same events: start, end, asyncStart, asyncEnd, error. An error
 * is published once, by the callback that caused it; the signals 'route' and 'router' are not errors. Without
 * subscribers a handler costs only `isTraced()`, and the walk still records the current pattern and errors on the
 * request.
 */
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Next, ParamHandler, Path } from '../types';
import { rejected, warnOfForeignPromise } from './promise';

/** The message that subscribers receive. */
export interface TraceContext {
  req: AnyRequest;
  res: AnyResponse;
  layer: object;
  handler: Handler | ErrorHandler | ParamHandler;
  /** The pattern that matched, not the request's path. */
  route: Path | undefined;
  /** The name of the parameter, if a parameter callback runs. */
  param?: string;
  incomingError?: unknown;
  errorHandler?: boolean;
  result?: unknown;
  error?: unknown;
}

/** A property of the request: the pattern of its current layer. */
export const kMatched: unique symbol = Symbol('router.tracing.matchedRoute');

// A registered symbol, so that routers of several installed copies of this package read the same property.
const kPublished: unique symbol = Symbol.for('router.tracing.publishedErrors');

declare module '../types' {
  interface AnyRequest {
    [kMatched]?: Path | undefined;
    [kPublished]?: Set<unknown>;
  }
}

const channel: TracingChannel<TraceContext, TraceContext> = tracingChannel('express.router.request');

/**
 * Whether the channel has a subscriber. It checks the five channels one by one, because Node.js before 20.13 lacks
 * `TracingChannel.hasSubscribers`.
 */
export function isTraced(): boolean {
  return (
    channel.start.hasSubscribers ||
    channel.end.hasSubscribers ||
    channel.asyncStart.hasSubscribers ||
    channel.asyncEnd.hasSubscribers ||
    channel.error.hasSubscribers
  );
}

/**
 * Records an error on its request.
 *
 * @returns True if the error is new to the request, so that the caller may publish it; false for a known error, a signal
 * or no error.
 */
export function recordError(req: AnyRequest, err: unknown): boolean {
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

/** Runs a handler and publishes its events. `call` receives the `next` that it must pass to the handler. */
export function traceHandler(context: TraceContext, call: (next: Next) => unknown, next: Next): void {
  const tracedNext = traceNext(context, next);
  const settle = once((outcome: () => void) => {
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

  // A thenable may reject more than once, or after it was fulfilled: the router receives every rejection, as without
  // tracing, but only the first outcome ends the trace.
  function failed(reason: unknown): void {
    tracedNext(reason);
    settle(() => recordThrown(context, reason, false));
  }
}

/**
 * Runs a parameter callback and publishes its events. `call` receives the `next` for the callback, and functions to
 * call when the callback returns, throws, and when its promise settles.
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
  const finish = once((value: unknown, isRejected: boolean) => {
    const settle = (): void => {
      if (isRejected) recordThrown(context, value, false);
      else context.result = value;
      publishAsyncEnd(context);
    };
    // A thenable may settle synchronously; its events still follow `end`.
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

/** Receives the result or the rejection of a parameter callback's promise. */
export type OnSettle = (value: unknown, isRejected: boolean) => void;

/** Wraps `next`: publishes an error that it receives, unless the request has already recorded it. */
function traceNext(context: TraceContext, next: Next): Next {
  // The incoming error is recorded, so that this error handler does not publish it as its own, even if the origin of the
  // error was not traced.
  if (context.errorHandler) recordError(context.req, context.incomingError);

  return function tracedNext(err) {
    // The error handler replaced the error or ended it: if the same error occurs later, it is a new one.
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

/**
 * Publishes `end`. While the promise of the handler is pending, the message has neither `error` nor `result`, because
 * subscribers read either as completion. An error that `next` has received is removed for `end` and put back.
 */
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

function once<Args extends unknown[]>(fn: (...args: Args) => void): (...args: Args) => void {
  let called = false;
  return (...args) => {
    if (called) return;
    called = true;
    fn(...args);
  };
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  const { then }: { then?: unknown } = value;
  return typeof then === 'function';
}
