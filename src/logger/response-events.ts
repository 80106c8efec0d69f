/**
 * Calls the logger when the response head is written, and when the response is over. L-2.4-16 L-4-18
 *
 * For a plain response of Node.js it needs one closure and two listeners. on-headers and on-finished handle all other
 * responses.
 */
import { AsyncResource } from 'node:async_hooks';
import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { lazy } from '../wire/lazy';

const onFinished = lazy<typeof import('on-finished')>(() => require('on-finished'));
const onHeaders = lazy<typeof import('on-headers')>(() => require('on-headers'));

const { on } = ServerResponse.prototype;

type WriteHead = ServerResponse['writeHead'];

/** Calls `listener` once, when `res` has its last header and before its head is written. */
export function onHead(res: ServerResponse, listener: (res: ServerResponse) => void): void {
  const previous = res.writeHead;
  let generic: WriteHead | undefined;
  let fired = false;

  // Assigned through a local: otherwise V8 allocates the closure, and the response it holds, in the old generation.
  const observed = function writeHead(this: ServerResponse, ...args: Parameters<WriteHead>) {
    if (args.length !== 1 || !Number.isInteger(args[0])) {
      generic ??= wrapGeneric(previous, () => {
        if (!fired) listener(res);
        fired = true;
      });
      return generic.apply(this, args);
    }
    // An implicit head, or `writeHead(status)`: there are no headers to set first.
    this.statusCode = args[0];
    if (!fired) listener(res);
    fired = true;
    return previous.call(this, this.statusCode);
  } as WriteHead; // The replacement has the same parameters and result, but @types/node declares overloads.
  res.writeHead = observed;
}

function wrapGeneric(writeHead: WriteHead, listener: () => void): WriteHead {
  // on-headers replaces this method only.
  const carrier = { writeHead } as ServerResponse;
  onHeaders()(carrier, listener);
  return carrier.writeHead;
}

const kWaiting: unique symbol = Symbol('waiting');

interface Waiting {
  readonly listener: () => void;
  readonly context: AsyncResource;
}

interface WatchedResponse extends ServerResponse {
  [kWaiting]?: Waiting[] | undefined;
  /** The queue of on-finished, if other middleware uses on-finished for this response. */
  readonly __onFinished?: unknown;
}

/**
 * Calls `listener` once, when `res` was sent or its connection closed, in the current async context. If that has
 * happened already, it calls `listener` soon.
 */
export function onOver(res: WatchedResponse, listener: () => void): void {
  if (!isPlain(res)) {
    onFinished()(res, listener);
    return;
  }
  const waiting: Waiting = { listener, context: new AsyncResource('logRequest') };
  if (res[kWaiting]) {
    res[kWaiting].push(waiting);
    return;
  }
  res[kWaiting] = [waiting];
  res.on('finish', runWaiting);
  res.on('close', runWaiting);
  watchErrors(res.socket, res);
}

const kResponse: unique symbol = Symbol('response');

/** A socket, with the response that it currently carries. */
interface WatchedSocket extends Socket {
  [kResponse]?: WatchedResponse | undefined;
}

/**
 * Listens to `error` of the socket. On an error, for example for bytes that are not HTTP, the response emits `close`
 * only some ticks later.
 */
function watchErrors(socket: WatchedSocket, res: WatchedResponse): void {
  if (!(kResponse in socket)) socket.on('error', runWaitingOf);
  socket[kResponse] = res;
}

function runWaitingOf(this: WatchedSocket): void {
  const res = this[kResponse];
  if (res) runWaiting.call(res);
}

/**
 * Whether Node.js created the response, it is pending, and on-finished has no queue for it, whose order must be kept.
 */
function isPlain(res: WatchedResponse): res is WatchedResponse & { readonly socket: Socket } {
  return (
    res instanceof ServerResponse &&
    res.on === on &&
    !res.writableEnded &&
    !res.__onFinished &&
    // A pipelined response has no socket yet. Since Node.js 24 it may close without ever having had one, which
    // on-finished does not report.
    res.socket?.writable === true
  );
}

function runWaiting(this: WatchedResponse): void {
  const waiting = this[kWaiting];
  this[kWaiting] = undefined;
  const socket: WatchedSocket | null = this.socket;
  if (socket) socket[kResponse] = undefined;
  if (waiting) for (const { listener, context } of waiting) context.runInAsyncScope(listener);
}
