/**
 * The tracing channel `express.router.request`, to which APM agents subscribe. §1
 *
 * One set of events (start, end, asyncStart, asyncEnd, error) for every handler and parameter callback. An error is
 * published once, by the callback that caused it; the signals 'route' and 'router' are not errors. Without subscribers
 * only `isTraced()` runs.
 */
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import type { AnyRequest, AnyResponse, ErrorHandler, Handler, Next, ParamHandler, Path } from '../types';
import { rejected, warnOfForeignPromise } from './promise';

/** The message for subscribers. */
export interface TraceContext {
  req: AnyRequest;
  res: AnyResponse;
  layer: object;
  handler: Handler | ErrorHandler | ParamHandler;
  /** The pattern that matched, not the path. */
  route: Path | undefined;
  /** The parameter's name, for a parameter callback. */
  param?: string;
  incomingError?: unknown;
  errorHandler?: boolean;
  result?: unknown;
  error?: unknown;
}

/** On the request: the pattern that its current layer matched. */
export const kMatched: unique symbol = Symbol('router.tracing.matchedRoute');

// Registered, so that separately installed routers share the record.
const kPublished: unique symbol = Symbol.for('router.tracing.publishedErrors') as never;

declare module '../types' {
  interface AnyRequest {
    [kMatched]?: Path | undefined;
    [kPublished]?: Set<unknown>;
  }
}

const channel: TracingChannel<TraceContext, TraceContext> = tracingChannel('express.router.request');

/** Whether there is a subscriber. Checks each channel: `TracingChannel.hasSubscribers` exists since Node.js 20.13. */
export function isTraced(): boolean {
  return (
    channel.start.hasSubscribers ||
    channel.end.hasSubscribers ||
    channel.asyncStart.hasSubscribers ||
    channel.asyncEnd.hasSubscribers ||
    channel.error.hasSubscribers
  );
}

/** Records an error as seen. @returns Whether this request sees it for the first time. */
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

/** Runs a handler with its events. `call` gets the `next` to pass to it. */
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

  // Routing receives every outcome, as without tracing; the trace settles once.
  function failed(reason: unknown): void {
    tracedNext(reason);
    settle(() => recordThrown(context, reason, false));
  }
}

/** Runs a parameter callback with its events. `call` gets a `next` and a function to call when it settles. */
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
    // A thenable that settles synchronously still settles after `end`.
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

/** The outcome of a parameter callback's promise. */
export type OnSettle = (value: unknown, isRejected: boolean) => void;

/** `next` that publishes an error when it is first reported. */
function traceNext(context: TraceContext, next: Next): Next {
  // The error that an error handler receives did not originate there, even if its origin was not traced.
  if (context.errorHandler) recordError(context.req, context.incomingError);

  return function tracedNext(err) {
    // The handler recovered or replaced the error: the same error later is a new failure.
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

/** Publishes `end`. Omits `error` and `result` until settled: subscribers read their presence as completion. */
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
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
