/** `timeout` and `signal`: a time limit for handlers, as in connect-timeout, and `req.signal`. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import createError from 'http-errors';
import ms, { type StringValue } from 'ms';
import { markRefused } from '../http/refused-body';
import { ownOptions } from '../internal/own-options';
import { closeLateWrites } from './late-writes';

declare global {
  namespace Express {
    interface Request {
      /** Aborted when the client disconnects, and at a time limit. Set by `signal()` and `timeout()`. */
      readonly signal: AbortSignal;
      /** Whether the time limit is over. Set by `timeout()` of `nozomi/extras`. */
      timedout: boolean;
      /** Removes the time limit. Set by `timeout()` of `nozomi/extras`. */
      clearTimeout(): void;
    }
  }
}

type Next = (err?: unknown) => void;
type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => void;

export interface TimeoutOptions {
  /** Whether to pass an error with status 503 to `next`. If false, a listener for `timeout` responds. Default true. */
  respond?: boolean;
}

/** One request with a time limit. */
interface Limit {
  /** Weak: the timers of an idle connection keep the context of its last request, and so this limit. */
  readonly res: WeakRef<ServerResponse>;
  isOver: boolean;
  /** The limit around this one. */
  readonly outer: Limit | undefined;
}

/** The innermost limit of the handlers that run. The error handlers run in the context of the limit around it. */
const limits = new AsyncLocalStorage<Limit>();

const DEFAULT_TIME = 5000;
/** The longest delay of `setTimeout` in milliseconds: 24.8 days. */
const MAX_TIMER_DELAY = 2 ** 31 - 1;

/**
 * Creates middleware that limits the time until the response begins. After it, `req.timedout` is true, `req` emits
 * `timeout`, `req.signal` is aborted, and the error handlers receive an error with status 503, the code `ETIMEDOUT`, and
 * the limit as `timeout`. What the handler writes later is dropped, as if the client had disconnected.
 *
 * @param time Milliseconds, or a text for the package ms, such as `'5s'`. Default 5000.
 * @throws {TypeError} if the time is invalid.
 * @example app.use(timeout('30s')); app.get('/report', timeout('2m'), report);
 */
export function timeout(time: number | string = DEFAULT_TIME, options: TimeoutOptions = {}): Middleware {
  const { respond = true } = ownOptions(options);
  // A cast: for a text without a meaning, ms returns undefined.
  const delay: unknown = typeof time === 'string' && time ? ms(time as StringValue) : time;
  if (typeof delay !== 'number' || !(delay >= 0 && delay <= MAX_TIMER_DELAY))
    throw new TypeError(`invalid time: ${time}; use milliseconds or a text such as '5s'`);

  return function timeoutHandler(req, res, next) {
    const limit: Limit = { res: new WeakRef(res), isOver: false, outer: limits.getStore() };
    const timer = setTimeout(expire, delay);
    const clear = (): void => clearTimeout(timer);
    res.once('close', clear);
    defineSignal(req, res);
    const members = Object.assign(req, { timedout: false, clearTimeout: clear });
    limits.run(limit, next);

    function expire(): void {
      if (res.headersSent || res.destroyed || isOver(res)) return;
      const err = createError(503, 'Response timeout', { code: 'ETIMEDOUT', timeout: delay });
      members.timedout = true;
      limit.isOver = respond;
      if (respond) closeLateWrites(req, res, () => isOver(res));
      // In the context of the handler, so that it cannot respond because of the signal.
      limits.run(limit, () => controllerOf(req, res).abort(err));
      req.emit('timeout', delay);
      if (!respond) return;
      // Not after the rest of a body that the client may never send.
      if (!req.complete) markRefused(req);
      next(err);
    }
  };
}

/** Whether a handler runs whose time to respond is over. */
function isOver(res: ServerResponse): boolean {
  for (let limit = limits.getStore(); limit; limit = limit.outer)
    if (limit.res.deref() === res && limit.isOver) return true;
  return false;
}

/** Creates middleware that sets `req.signal`, without a time limit. */
export function signal(): Middleware {
  return function signalHandler(req, res, next) {
    defineSignal(req, res);
    next();
  };
}

const controllers = new WeakMap<IncomingMessage, AbortController>();

/** Defines `req.signal`, also where Node.js has one, which knows no limit and aborts after HTTP/2 responses. */
function defineSignal(req: IncomingMessage, res: ServerResponse): void {
  if (Object.hasOwn(req, 'signal')) return;
  Object.defineProperty(req, 'signal', { configurable: true, get: () => controllerOf(req, res).signal });
}

function controllerOf(req: IncomingMessage, res: ServerResponse): AbortController {
  const known = controllers.get(req);
  if (known) return known;
  const controller = new AbortController();
  const onClose = (): void => {
    if (!res.writableFinished) controller.abort();
  };
  controllers.set(req, controller);
  if (res.destroyed) onClose();
  else res.once('close', onClose);
  return controller;
}
